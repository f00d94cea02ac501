/** @module Lists the relations that a statement names: its tables and views, not its WITH queries. */
import { type Fields, fieldsOf, listOf, textOf } from './syntax-node.ts'

export interface NamedRelation {
  readonly schema: string | undefined
  readonly name: string
  readonly isWritten: boolean
}

/** In the order of the tree. Each name is looked up as PostgreSQL does: a WITH query hides a table of its name. */
export function statementRelations(tree: unknown): readonly NamedRelation[] {
  const relations: NamedRelation[] = []
  walk(tree, noNames, relations)
  return relations
}

type Names = ReadonlySet<string>

const noNames: Names = new Set()

/** Names of aliases, not of relations: `FOR UPDATE OF a`. */
const skippedField = 'lockedRels'

/** `hidden`: names of the WITH queries that are visible here. */
function walk(value: unknown, hidden: Names, relations: NamedRelation[]): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, hidden, relations)
    return
  }
  const fields = fieldsOf(value)
  const inside = withQueries(fields, hidden, relations)
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'RangeVar') note(field, hidden, false, relations)
    else if (name === 'relation' && isRangeVar(field)) note(field, noNames, true, relations)
    else if (name !== 'withClause' && name !== skippedField && typeof field === 'object') {
      walk(field, inside, relations)
    }
  }
}

/** Walks the WITH queries of a statement; returns the names that are hidden in its body. */
function withQueries(fields: Fields, hidden: Names, relations: NamedRelation[]): Names {
  const clause = fieldsOf(fields['withClause'])
  const queries = listOf(clause['ctes']).map((item) => fieldsOf(fieldsOf(item)['CommonTableExpr']))
  if (queries.length === 0) return hidden
  const names = queries.map((query) => textOf(query['ctename']) ?? '')
  const all = new Set([...hidden, ...names])
  if (clause['recursive'] === true) {
    for (const query of queries) walk(query['ctequery'], all, relations)
    return all
  }
  const before = new Set(hidden)
  for (const [index, query] of queries.entries()) {
    walk(query['ctequery'], new Set(before), relations)
    before.add(names[index] ?? '')
  }
  return all
}

/** The target of a write is a bare node in the tree of its statement. */
function isRangeVar(field: unknown): boolean {
  return textOf(fieldsOf(field)['relname']) !== undefined
}

function note(field: unknown, hidden: Names, isWritten: boolean, relations: NamedRelation[]): void {
  const range = fieldsOf(field)
  const name = textOf(range['relname']) ?? ''
  const schema = textOf(range['schemaname'])
  if (schema === undefined && hidden.has(name)) return
  relations.push({ schema, name, isWritten })
}
