import { list, maybe, plain, type Tree, table } from '../tree/tree.ts'
import type { WorldColumn, WorldTable } from '../world/world.ts'
import { type ConflictFacts, conflictClause } from './conflict.ts'
import { emptyScope, type Grammar, type Leaf, type Scope, type VisibleTable } from './grammar.ts'
import { columnLeaf } from './source.ts'
import type { TypeName } from './types.ts'
import { columnsNamed, valueFor } from './value-for.ts'
import { type ReadRows, readRows } from './volatile.ts'

/** The kinds of write, and the columns that each writes. */
export interface WriteFacts {
  readonly table: string
  /** `lock`: FOR UPDATE and similar clauses. */
  readonly operation: 'insert' | 'update' | 'delete' | 'lock'
  readonly columns: readonly string[]
  readonly conflict: ConflictFacts | undefined
}

export interface GeneratedWrite {
  readonly tree: Tree
  readonly facts: WriteFacts
  /** Types of RETURNING; empty without one. */
  readonly types: readonly TypeName[]
}

export interface WriteOptions {
  readonly depth: number
  readonly mustReturn: boolean
  /** ON CONFLICT is also generated. */
  readonly mayConflict: boolean
  /** Also after INSERT ... SELECT. */
  readonly mayConflictQueries?: boolean
  /** New rows get keys that no row has. */
  readonly hasFreshKeys: boolean
  /** Columns that a table's INSERT and UPDATE may name, in most cases. */
  readonly writable: (table: string, operation: 'insert' | 'update') => readonly string[]
  /** Tables for which ON CONFLICT is generated; undefined: all. */
  readonly mayConflictOn?: (table: WorldTable) => boolean
  /** Forms that are usually refused, and therefore not generated; undefined: none. */
  readonly mayWrite?: (table: string, operation: 'insert' | 'update' | 'delete') => boolean
}

export function write(
  grammar: Grammar,
  visible: VisibleTable,
  options: WriteOptions,
): GeneratedWrite {
  const { random } = grammar
  const may = (operation: 'insert' | 'update' | 'delete') =>
    options.mayWrite?.(visible.table.name, operation) ?? true
  const isNone = !may('insert') && !may('update') && !may('delete')
  return random.weighted<() => GeneratedWrite>([
    [may('insert') || isNone ? 40 : 0, () => insert(grammar, visible, options)],
    [may('update') ? 40 : 0, () => update(grammar, visible, options)],
    [may('delete') ? 20 : 0, () => remove(grammar, visible, options)],
  ])()
}

function insert(
  grammar: Grammar,
  { table: target, readable }: VisibleTable,
  options: WriteOptions,
): GeneratedWrite {
  const { random } = grammar
  const names = options.writable(target.name, 'insert')
  const columns = columnsNamed(target, names).filter(
    (column) => column.name === 'id' || !column.isNullable || random.chance(70),
  )
  const alias = grammar.name('m')
  const { depth, hasFreshKeys: isFresh } = options
  const scope = emptyScope
  const rowCount = random.integer(1, 3)
  // DEFAULT in every row equals leaving the column out: it is not generated.
  const written = new Set<string>()
  const cell = (column: WorldColumn): Tree => {
    if (column.default !== undefined && random.chance(20)) return 'default'
    written.add(column.name)
    return valueFor(grammar, target, column, scope, Math.min(depth, 1), isFresh)
  }
  const row = (): Tree => plain`(${list(columns.map(cell), ', ', columns.length)})`
  const fromQuery = random.chance(30)
  const selected =
    fromQuery && columns.length > 0
      ? selectRows(grammar, target, columns, depth, isFresh)
      : undefined
  const body =
    columns.length === 0
      ? ' default values'
      : selected !== undefined
        ? plain` ${selected.tree}`
        : plain` values ${list(Array.from({ length: rowCount }, row))}`
  const conflict =
    options.mayConflict &&
    (options.mayConflictOn?.(target) ?? true) &&
    (!fromQuery || options.mayConflictQueries === true) &&
    columns.length > 0 &&
    random.chance(40)
      ? conflictClause(grammar, target, readable, alias, options)
      : undefined
  const returning = returningClause(grammar, target, readable, alias, [], options)
  const named = columns.length === 0 ? '' : ` (${columns.map(({ name }) => name).join(', ')})`
  return {
    tree: plain`${selected?.prefix ?? ''}insert into ${table(target.name, true)} as ${alias}${named}${body}${conflict === undefined ? '' : { kind: 'split', engine: conflict.tree, reference: '' }}${returning.tree}`,
    facts: {
      table: target.name,
      operation: 'insert',
      columns: columns.map(({ name }) => name).filter((name) => fromQuery || written.has(name)),
      conflict: conflict?.facts,
    },
    types: returning.types,
  }
}

/** Keys of copied rows are greater than those of their originals by 20, 40 or 60, see `hidden-variants.ts`. */
function keyOffsets({ volatility }: Grammar): readonly number[] {
  return volatility === undefined ? [100, 100, 1, 0] : [100, 100, 1, 0, 20, 40, 60]
}

/** Rows of a query: new keys are computed from old ones, so that none appears twice. */
function selectRows(
  grammar: Grammar,
  target: WorldTable,
  columns: readonly WorldColumn[],
  depth: number,
  isFresh: boolean,
): ReadRows {
  const { random } = grammar
  const usable = grammar.tables.filter(({ readable }) => readable.includes('id'))
  const from = usable.length > 0 ? random.pick(usable) : undefined
  const alias = grammar.name('a')
  const leaves: readonly Leaf[] =
    from === undefined
      ? []
      : columnsNamed(from.table, from.readable).map(({ name, type }) =>
          columnLeaf(alias, name, type),
        )
  const scope: Scope = { ...emptyScope, leaves }
  const outputs = columns.map((column) => {
    if (column.name === 'id' && from !== undefined)
      return plain`${alias}.id + ${String(isFresh ? 100 : random.pick(keyOffsets(grammar)))}`
    return plain`(${valueFor(grammar, target, column, scope, Math.min(depth, 1), isFresh)})::${column.type}`
  })
  const where =
    from !== undefined && random.chance(60)
      ? plain` where ${grammar.expression(scope, 'bool', depth - 1)}`
      : undefined
  const rows = from === undefined ? undefined : readRows(grammar, from, alias)
  const source = rows === undefined ? '' : plain` from ${rows.tree}`
  return {
    tree: plain`select ${list(outputs, ', ', outputs.length)}${source}${maybe(where)}`,
    prefix: rows?.prefix ?? '',
  }
}

function update(
  grammar: Grammar,
  { table: target, readable }: VisibleTable,
  options: WriteOptions,
): GeneratedWrite {
  const { random } = grammar
  const { depth, hasFreshKeys: isFresh } = options
  const alias = grammar.name('m')
  const own = columnsNamed(target, readable).map(({ name, type }) => columnLeaf(alias, name, type))
  const from = random.chance(30) ? otherTable(grammar, target, alias, readable) : undefined
  const scope: Scope = { ...emptyScope, leaves: [...own, ...(from?.leaves ?? [])] }
  const candidates = columnsNamed(target, options.writable(target.name, 'update')).filter(
    // Rows of a table and of one that inherits may all get the same key: only one may.
    ({ name }) => name !== 'id' || (random.chance(15) && !isFresh),
  )
  const columns =
    candidates.length === 0 ? target.columns.slice(-1) : random.some(candidates, 1).slice(0, 3)
  const value = (column: WorldColumn): Tree =>
    column.default !== undefined && random.chance(10)
      ? 'default'
      : valueFor(grammar, target, column, scope, Math.min(depth, 2), isFresh)
  const [first, second] = columns
  const sets =
    columns.length === 2 && first !== undefined && second !== undefined && random.chance(30)
      ? multiple(grammar, target, [first, second], scope, isFresh)
      : list(
          columns.map((column) => plain`${column.name} = ${value(column)}`),
          ', ',
          columns.length,
        )
  const condition = whereClause(grammar, scope, from?.condition, depth)
  const returning = returningClause(grammar, target, readable, alias, from?.leaves ?? [], options)
  return {
    tree: plain`${from?.prefix ?? ''}update ${table(target.name, true)} as ${alias} set ${sets}${from === undefined ? '' : plain` from ${from.tree}`}${condition}${returning.tree}`,
    facts: {
      table: target.name,
      operation: 'update',
      columns: columns.map(({ name }) => name),
      conflict: undefined,
    },
    types: returning.types,
  }
}

/** `(a, b) = (x, y)`, `= row(x, y)` or `= (select x, y)`. */
function multiple(
  grammar: Grammar,
  target: WorldTable,
  columns: readonly [WorldColumn, WorldColumn],
  scope: Scope,
  isFresh: boolean,
): Tree {
  const { random } = grammar
  const [a, b] = columns.map(
    (column) => plain`(${valueFor(grammar, target, column, scope, 1, isFresh)})::${column.type}`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  const form = random.pick(['', 'row', 'select'])
  if (form === 'select') return plain`(${names}) = (select ${a ?? ''}, ${b ?? ''})`
  return plain`(${names}) = ${form}(${a ?? ''}, ${b ?? ''})`
}

interface OtherRows extends ReadRows {
  readonly leaves: readonly Leaf[]
  readonly condition: Tree
}

/** Another table, joined so that each row of the target matches at most one row of it. */
function otherTable(
  grammar: Grammar,
  target: WorldTable,
  alias: string,
  readable: readonly string[],
): OtherRows | undefined {
  const { random } = grammar
  const others = grammar.tables.filter((other) => other.readable.includes('id'))
  const links = columnsNamed(target, readable).filter(({ type }) => type === 'int4')
  if (others.length === 0 || links.length === 0) return undefined
  const other = random.pick(others)
  const name = grammar.name('a')
  const leaves = columnsNamed(other.table, other.readable).map((column) =>
    columnLeaf(name, column.name, column.type),
  )
  return {
    ...readRows(grammar, other, name),
    leaves,
    condition: plain`${name}.id = ${alias}.${random.pick(links).name}`,
  }
}

function whereClause(grammar: Grammar, scope: Scope, join: Tree | undefined, depth: number): Tree {
  const own = grammar.random.chance(grammar.volatility === undefined ? 70 : 95)
    ? grammar.expression(scope, 'bool', depth)
    : undefined
  if (join === undefined) return maybe(own && plain` where ${own}`)
  return plain` where ${join}${maybe(own && plain` and ${own}`)}`
}

function remove(
  grammar: Grammar,
  { table: target, readable }: VisibleTable,
  options: WriteOptions,
): GeneratedWrite {
  const { random } = grammar
  const alias = grammar.name('m')
  const own = columnsNamed(target, readable).map(({ name, type }) => columnLeaf(alias, name, type))
  const using = random.chance(25) ? otherTable(grammar, target, alias, readable) : undefined
  const scope: Scope = { ...emptyScope, leaves: [...own, ...(using?.leaves ?? [])] }
  const condition = whereClause(grammar, scope, using?.condition, options.depth)
  const returning = returningClause(grammar, target, readable, alias, using?.leaves ?? [], options)
  return {
    tree: plain`${using?.prefix ?? ''}delete from ${table(target.name, true)} as ${alias}${using === undefined ? '' : plain` using ${using.tree}`}${condition}${returning.tree}`,
    facts: { table: target.name, operation: 'delete', columns: [], conflict: undefined },
    types: returning.types,
  }
}

function returningClause(
  grammar: Grammar,
  target: WorldTable,
  readable: readonly string[],
  alias: string,
  others: readonly Leaf[],
  { mustReturn, depth }: WriteOptions,
): { readonly tree: Tree; readonly types: readonly TypeName[] } {
  const { random } = grammar
  const columns = columnsNamed(target, readable)
  if (columns.length === 0 || (!mustReturn && random.chance(35))) return { tree: '', types: [] }
  const own = columns.map(({ name, type }) => columnLeaf(alias, name, type))
  // A star also includes the folded columns, which are readable and never named.
  const isNamed = target.columns.every(({ foldedOn }) => foldedOn !== 'postgres')
  if (isNamed && random.chance(25)) {
    return {
      tree: {
        kind: 'split',
        engine: ` returning ${alias}.*`,
        reference: ` returning ${columns.map(({ name }) => `${alias}.${name}`).join(', ')}`,
      },
      types: columns.map(({ type }) => type),
    }
  }
  const scope: Scope = { ...emptyScope, leaves: [...own, ...others] }
  const types = Array.from({ length: random.integer(1, 3) }, () => random.pick(columns).type)
  const outputs = types.map((type) => grammar.expression(scope, type, Math.min(depth, 2)))
  return { tree: plain` returning ${list(outputs, ', ', types.length)}`, types }
}
