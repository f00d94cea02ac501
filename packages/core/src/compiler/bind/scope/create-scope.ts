import type { Table } from '../../catalog/catalog.ts'
import { tableOid } from '../../catalog/table-oid.ts'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { CommonTable, RelationId } from '../tree/bound-query.ts'
import type { Expression, WholeRow } from '../tree/expression.ts'
import type { CatalogView } from './context.ts'
import type { RangeTableEntry } from './range-table-entry.ts'
import type { NamedExpression, Scope } from './scope.ts'

/** The parts of one level of names. */
export interface ScopeParts {
  readonly outer: Scope | undefined
  readonly view: CatalogView
  /** In the order of FROM. */
  readonly sources?: readonly RangeTableEntry[]
  /** The relations of these columns, including those inside an aliased join. */
  readonly relations?: ReadonlySet<RelationId>
  /** The WITH query of that name at this level. */
  readonly commonTable?: (name: string) => CommonTable | undefined
  /** Called whenever a name resolves to an entry of this level. */
  readonly onUse?: () => void
}

/** The levels from a scope outwards: walking through them must not throw. */
const levels = new WeakMap<Scope, readonly ScopeParts[]>()

/** Is it inside of a query that has FROM items, so that its query may run once for each of their rows? */
export function hasOuterItems(scope: Scope): boolean {
  return levelsFrom(scope)
    .slice(1)
    .some(({ sources = [] }) => sources.length > 0)
}

/** One level of names inside the outer ones. */
export function createScope(parts: ScopeParts): Scope {
  const scope: Scope = {
    outer: parts.outer,
    isLocal: (relation) => parts.relations?.has(relation) ?? false,
    column: (names, position) => columnNamed(scope, parts.view, names, position),
    wholeRow: (names, position) => {
      const source = sourceNamed(scope, names, position)
      return source && wholeRowOf(source, position)
    },
    star: (names, position) =>
      names.length === 0 ? starOfAll(parts, position) : starOfOne(scope, names, position),
    commonTable: (name) => parts.commonTable?.(name) ?? parts.outer?.commonTable(name),
  }
  levels.set(scope, [parts, ...(parts.outer ? levelsFrom(parts.outer) : [])])
  return scope
}

function levelsFrom(scope: Scope): readonly ScopeParts[] {
  return levels.get(scope) ?? []
}

function columnNamed(
  scope: Scope,
  view: CatalogView,
  names: readonly string[],
  position: number | undefined,
): Expression {
  const name = names.at(-1) ?? ''
  if (names.length > 1) return columnOf(scope, view, names.slice(0, -1), name, position)
  for (const level of levelsFrom(scope)) {
    const column = openColumn(level, name, position) ?? openTableOid(level, name, position)
    if (column !== undefined) return located(column, position)
  }
  const source = sourceNamed(scope, names, position)
  if (source !== undefined) return located(meaningOf(source, position), position)
  const sources = levelsFrom(scope).flatMap((level) => level.sources ?? [])
  if (sources.some((each) => hasSystemColumn(each, name))) throw systemColumn(name, position)
  const table = tableToBlame(scope, view)
  throw view.unknownColumn({ name, table, position, known: openNames(scope) })
}

/** `x`: any column of that name at one level. */
function openColumn(
  level: ScopeParts,
  name: string,
  position: number | undefined,
): Expression | undefined {
  let found: Expression | undefined
  for (const source of level.sources ?? []) {
    if (!source.isOpen) continue
    for (const column of source.columns) {
      if (column.name !== name) continue
      if (source.isBlocked) throw blocked(source, position)
      if (found !== undefined) throw ambiguousColumn(name, position)
      found = column.expression
    }
  }
  if (found !== undefined) level.onUse?.()
  return found
}

/** `tableoid`, where no column has that name. */
function openTableOid(
  level: ScopeParts,
  name: string,
  position: number | undefined,
): Expression | undefined {
  if (name !== tableOid) return undefined
  const [source, ...others] = (level.sources ?? []).filter(
    (each) => each.isOpen && !each.isBlocked && each.tableOid !== undefined,
  )
  if (others.length > 0) throw ambiguousColumn(name, position)
  return source?.tableOid?.(position)
}

/** `t.x`, `main.t.x` */
function columnOf(
  scope: Scope,
  view: CatalogView,
  item: readonly string[],
  name: string,
  position: number | undefined,
): Expression {
  const source = sourceNamed(scope, item, position)
  if (source === undefined) throw missingItem(item, position)
  const [column, ...others] = source.columns.filter((candidate) => candidate.name === name)
  if (column === undefined && name === tableOid && source.tableOid !== undefined) {
    return located(source.tableOid(position), position)
  }
  if (column === undefined && hasSystemColumn(source, name)) throw systemColumn(name, position)
  if (column === undefined) {
    const known = source.columns.map((candidate) => candidate.name)
    throw view.unknownColumn({ name, table: source.table, position, known })
  }
  if (others.length > 0) throw ambiguousColumn(name, position)
  return located(column.expression, position)
}

/** PostgreSQL gives them to every row that is stored. None tells only of what the caller may see, as `tableoid` does. */
const systemColumns: ReadonlySet<string> = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax'])

function hasSystemColumn({ table, tableOid: number }: RangeTableEntry, name: string): boolean {
  return systemColumns.has(name) && number !== undefined && table?.oid !== undefined
}

function systemColumn(name: string, position: number | undefined): Error {
  const reason = name === 'ctid' ? 'of hidden rows' : 'of changes of hidden cells'
  return unsupported(`the system column ${name} (it could tell ${reason})`, position)
}

/** The FROM item of that name at the innermost level that has one. */
function sourceNamed(
  scope: Scope,
  names: readonly string[],
  position: number | undefined,
): RangeTableEntry | undefined {
  const name = names.at(-1)
  const qualifier = names.length > 1 ? names.slice(0, -1).join('.') : undefined
  for (const level of levelsFrom(scope)) {
    const [source, ...others] = (level.sources ?? []).filter(
      (candidate) =>
        candidate.isNamed &&
        candidate.name === name &&
        (qualifier === undefined || candidate.qualifiers?.has(qualifier) === true),
    )
    if (source === undefined) continue
    if (source.isBlocked) throw blocked(source, position)
    if (others.length > 0) {
      throw bindError(`table reference "${name}" is ambiguous`, { sqlState: '42P09', position })
    }
    level.onUse?.()
    return source
  }
  if (names.length > 2) throw unsupported('a name of more than three parts', position)
  return undefined
}

/** The meaning of the bare name of a FROM item. */
function meaningOf(source: RangeTableEntry, position: number | undefined): Expression {
  const [value] = source.columns
  return source.isScalar && value !== undefined ? value.expression : wholeRowOf(source, position)
}

function wholeRowOf(source: RangeTableEntry, position: number | undefined): WholeRow {
  if (source.relation === undefined || source.isScalar) {
    throw unsupported('a whole row of this item', position)
  }
  const fields = source.columns.map((column) => ({
    name: nameInRow(column, source),
    value: column.expression,
  }))
  return {
    kind: 'wholeRow',
    relation: source.relation,
    fields,
    type: recordOf(fields.map(({ name, value }) => ({ name, type: value.type }))),
    ...positioned(position),
  }
}

/** `from t i(x)`: the alias names the columns of the FROM item; a row of a table keeps the names of the table's columns. */
function nameInRow({ name, expression }: NamedExpression, { table }: RangeTableEntry): string {
  const column = expression.kind === 'column' ? table?.columns[expression.column] : undefined
  return column?.name ?? name
}

/** `*`: this level alone. */
function starOfAll(level: ScopeParts, position: number | undefined): readonly NamedExpression[] {
  const open = (level.sources ?? []).filter(({ isOpen }) => isOpen)
  if (open.length === 0) {
    throw bindError('SELECT * with no tables specified is not valid', {
      sqlState: '42601',
      position,
    })
  }
  return open.flatMap(({ columns }) => columns).map((column) => locatedColumn(column, position))
}

/** `t.*`, `main.t.*` */
function starOfOne(
  scope: Scope,
  names: readonly string[],
  position: number | undefined,
): readonly NamedExpression[] {
  const source = sourceNamed(scope, names, position)
  if (source === undefined) throw missingItem(names, position)
  return source.columns.map((column) => locatedColumn(column, position))
}

function locatedColumn(column: NamedExpression, position: number | undefined): NamedExpression {
  return { ...column, expression: located(column.expression, position) }
}

function located(expression: Expression, position: number | undefined): Expression {
  return position === undefined ? expression : { ...expression, position }
}

/** All bare names in scope, innermost first. */
function openNames(scope: Scope): readonly string[] {
  return levelsFrom(scope)
    .flatMap(({ sources }) => sources ?? [])
    .flatMap(({ isOpen, columns }) => (isOpen ? columns.map(({ name }) => name) : []))
}

/**
 * The table to name in the error for an unknown bare name. The choice must not depend on columns that are hidden from the caller:
 * it is the first restricted table in scope, else the first table.
 */
function tableToBlame(scope: Scope, view: CatalogView): Table | undefined {
  const tables = levelsFrom(scope)
    .flatMap(({ sources }) => sources ?? [])
    .flatMap(({ isOpen, table }) => (isOpen && table ? [table] : []))
  return tables.find((table) => view.readable(table) !== 'all') ?? tables[0]
}

export function ambiguousColumn(name: string, position: number | undefined): Error {
  return bindError(`column reference "${name}" is ambiguous`, { sqlState: '42702', position })
}

export function missingItem(names: readonly string[], position: number | undefined): Error {
  return bindError(`missing FROM-clause entry for table "${names.at(-1)}"`, {
    sqlState: '42P01',
    position,
  })
}

function blocked(source: RangeTableEntry, position: number | undefined): Error {
  const message = `invalid reference to FROM-clause entry for table "${source.name}"`
  return bindError(message, { sqlState: '42P10', position })
}
