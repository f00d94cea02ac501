/** @module Permissions from guesses and from what a person chose. */
import type { CatalogTable } from '../../api/answers.ts'
import { freeName, type Rule } from '../permissions/editor/rule.ts'
import { looksSecret, type Tables, type Tie } from './guess.ts'

export type Access = 'none' | 'read' | 'write'

export interface Choices {
  readonly connection: string
  readonly role: string
  readonly ties: ReadonlyMap<string, Tie>
  readonly access: (table: string) => Access
}

/** Without a tie to the caller nothing is guessed: every row would be for everybody of the role. */
export function guessedAccess(tie: Tie | undefined): Access {
  return tie === undefined ? 'none' : 'read'
}

/** Writing needs a table whose rows are tied to the caller. */
export function offeredAccess(table: CatalogTable, tie: Tie | undefined): readonly Access[] {
  return tie === undefined || table.kind === 'view' ? ['none', 'read'] : ['none', 'read', 'write']
}

export function hiddenColumns({ columns }: CatalogTable): readonly string[] {
  return Object.keys(columns).filter(looksSecret)
}

/** @param taken names that other permissions have. */
export function rulesOf(
  tables: Tables,
  { connection, role, ties, access }: Choices,
  taken: readonly string[],
): Readonly<Record<string, Rule>> {
  const rules: Record<string, Rule> = {}
  for (const [name, table] of Object.entries(tables)) {
    const wanted = access(name)
    if (wanted === 'none') continue
    const rule = ruleOf(`${connection}.${name}`, role, table, ties.get(name), wanted)
    rules[freeName(rule.table, [role], [...taken, ...Object.keys(rules)])] = rule
  }
  return rules
}

function ruleOf(
  table: string,
  role: string,
  found: CatalogTable,
  tie: Tie | undefined,
  access: Access,
): Rule {
  const hidden = new Set(hiddenColumns(found))
  const shown = Object.keys(found.columns).filter((column) => !hidden.has(column))
  const where = tie === undefined ? {} : { where: tie.where }
  const read: Rule = { table, roles: [role], select: { columns: shown, ...where } }
  if (access !== 'write' || tie === undefined) return read
  const isWritable = (column: string) =>
    column !== tie.by &&
    found.columns[column]?.primaryKey !== true &&
    (found.natives?.[column]?.generated ?? 'no') === 'no'
  const own = tie.kind === 'column' ? { preset: tie.where } : { check: tie.where }
  const written = shown.filter(isWritable)
  // The key of a table that is the caller's own is the caller: rows are not added to it.
  const insert =
    tie.kind === 'itself' ? {} : { insert: { columns: insertable(found, written), ...own } }
  return { ...read, ...insert, update: { columns: written, where: tie.where } }
}

/** The columns, and a key that the database does not make by itself. */
function insertable({ columns }: CatalogTable, written: readonly string[]): readonly string[] {
  const keys = Object.entries(columns).flatMap(([name, { primaryKey, hasDefault }]) =>
    primaryKey && !hasDefault ? [name] : [],
  )
  return [...keys.filter((key) => !written.includes(key)), ...written]
}

/** The rule in one line. */
export function sentenceOf(tie: Tie | undefined, access: Access): string {
  if (access === 'none')
    return tie === undefined ? 'Nothing ties its rows to a caller.' : 'No access.'
  if (tie === undefined) return 'Every row, for everybody with this role.'
  const rows = {
    column: `Rows whose ${tie.by} is the caller’s.`,
    itself: 'The one row that is the caller.',
    relation: `Rows whose ${tie.by} is visible.`,
  }[tie.kind]
  return access === 'write' ? `${rows} Adds and changes them.` : rows
}
