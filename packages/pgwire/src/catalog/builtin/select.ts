/** @module One SELECT of the built-in catalog: FROM, WHERE, GROUP BY without aggregates, ORDER BY, LIMIT. */
import { GatewayError } from '@engine/core'
import { oids } from '@engine/core/values'
import {
  type Fields,
  fieldsOf,
  listOf,
  literalOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'
import { compareCells } from './compare-cells.ts'
import {
  type BuiltinTable,
  beyondBuiltin,
  type Cell,
  type Evaluated,
  type Row,
} from './evaluated.ts'
import { castTarget, evaluated, valueFunctionName } from './expression.ts'
import type { ExpressionContext, ScopeColumn } from './expression-context.ts'

export interface SelectPlan {
  readonly columns: readonly OutputColumn[]
  readonly rows: () => readonly Row[]
}

export interface OutputColumn {
  readonly name: string
  readonly oid: number
  readonly typmod: number
}

export interface SelectContext extends Omit<ExpressionContext, 'columns'> {
  readonly tables: readonly BuiltinTable[]
}

/** The result of FROM: columns of all its tables, and their joined rows. */
interface Source {
  readonly columns: readonly ScopeColumn[]
  readonly rows: () => readonly Row[]
}

const understood: ReadonlySet<string> = new Set([
  'targetList',
  'fromClause',
  'whereClause',
  'groupClause',
  'distinctClause',
  'sortClause',
  'limitCount',
  'limitOffset',
  'limitOption',
  'groupDistinct',
  'op',
])

/** Maximum number of rows that joins may read. */
const maxJoinedRows = 2_000_000

/** @throws {GatewayError} 0A000 for everything that needs a real PostgreSQL. */
export function planSelect(select: Fields, context: SelectContext): SelectPlan {
  const isPlain = select['op'] === undefined || select['op'] === 'SETOP_NONE'
  if (!isPlain || Object.keys(select).some((field) => !understood.has(field))) {
    throw beyondBuiltin('this query')
  }
  const source = listOf(select['fromClause'])
    .map((tree) => fromItem(tree, context))
    .reduce<Source>((left, right) => join(left, right, undefined, false), noTable)
  const inRow: ExpressionContext = { ...context, columns: source.columns }
  const outputs = listOf(select['targetList']).flatMap((tree) => target(tree, inRow))
  const where = optional(select['whereClause'], inRow, oids.bool)
  const isDistinct = select['distinctClause'] !== undefined || groupsByOutputs(select, outputs)
  const order = listOf(select['sortClause']).map((tree) => sortKey(tree, outputs, inRow))
  const limit = optional(select['limitCount'], inRow, oids.int8)
  const offset = optional(select['limitOffset'], inRow, oids.int8)
  const rows = () => {
    const kept = source.rows().filter((row) => where === undefined || where.cellOf(row) === 't')
    const sorted = kept.toSorted((left, right) => compareRows(left, right, order))
    const given = sorted.map((row) => outputs.map(({ value }) => value.cellOf(row)))
    const distinct = isDistinct
      ? [...new Map(given.map((row) => [JSON.stringify(row), row])).values()]
      : given
    const start = Number(offset?.cellOf([]) ?? 0)
    const count = limit?.cellOf([]) ?? null
    return distinct.slice(start, count === null ? undefined : start + Number(count))
  }
  return {
    columns: outputs.map(({ name, value: { oid, typmod } }) => ({
      name,
      oid: oid === oids.unknown ? oids.text : oid,
      typmod,
    })),
    rows,
  }
}

const noTable: Source = { columns: [], rows: () => [[]] }

function optional(
  tree: unknown,
  context: ExpressionContext,
  expected: number,
): Evaluated | undefined {
  return tree === undefined ? undefined : evaluated(tree, context, expected)
}

function fromItem(tree: unknown, context: SelectContext): Source {
  const { kind, fields } = nodeOf(tree)
  if (kind === 'RangeVar') return tableSource(fields, context.tables)
  if (kind !== 'JoinExpr') throw beyondBuiltin('this FROM')
  const isLeft = fields['jointype'] === 'JOIN_LEFT'
  const isInner = fields['jointype'] === undefined || fields['jointype'] === 'JOIN_INNER'
  if (!(isLeft || isInner) || fields['usingClause'] !== undefined || fields['isNatural'] === true) {
    throw beyondBuiltin('this join')
  }
  const left = fromItem(fields['larg'], context)
  const right = fromItem(fields['rarg'], context)
  const columns = [...left.columns, ...right.columns]
  const condition = optional(fields['quals'], { ...context, columns }, oids.bool)
  return join(left, right, condition, isLeft)
}

function tableSource(fields: Fields, tables: readonly BuiltinTable[]): Source {
  const schema = textOf(fields['schemaname'])
  const name = textOf(fields['relname']) ?? ''
  const found = tables.find(
    (table) => table.name === name && table.schema === (schema ?? 'pg_catalog'),
  )
  if (found === undefined) throw beyondBuiltin(`the table ${name}`)
  const alias = textOf(fieldsOf(fields['alias'])['aliasname']) ?? name
  return { columns: found.columns.map((column) => ({ ...column, table: alias })), rows: found.rows }
}

function join(
  left: Source,
  right: Source,
  condition: Evaluated | undefined,
  isLeft: boolean,
): Source {
  const nothing: Row = right.columns.map(() => null)
  const rows = () => {
    const [leftRows, rightRows] = [left.rows(), right.rows()]
    if (leftRows.length * rightRows.length > maxJoinedRows) {
      throw new GatewayError('limitExceeded', 'the join is too large', { sqlState: '54000' })
    }
    return leftRows.flatMap((leftRow) => {
      const joined = rightRows
        .map((rightRow) => [...leftRow, ...rightRow])
        .filter((row) => condition === undefined || condition.cellOf(row) === 't')
      return joined.length === 0 && isLeft ? [[...leftRow, ...nothing]] : joined
    })
  }
  return { columns: [...left.columns, ...right.columns], rows }
}

interface Output {
  readonly name: string
  readonly tree: unknown
  readonly value: Evaluated
}

function target(tree: unknown, context: ExpressionContext): readonly Output[] {
  const { fields } = nodeOf(tree)
  const value = fields['val']
  const star = starOf(value)
  if (star === undefined) {
    const name = textOf(fields['name']) ?? outputName(value)
    return [{ name, tree: value, value: evaluated(value, context) }]
  }
  return context.columns.flatMap(({ table, name, oid }, index) =>
    star.table === undefined || star.table === table
      ? [{ name, tree: value, value: { oid, typmod: -1, cellOf: (row) => row[index] ?? null } }]
      : [],
  )
}

/** `*`, `a.*` */
function starOf(tree: unknown): { readonly table: string | undefined } | undefined {
  const { kind, fields } = nodeOf(tree)
  const parts = kind === 'ColumnRef' ? listOf(fields['fields']) : []
  return nodeOf(parts.at(-1)).kind === 'A_Star'
    ? { table: stringNodes(fields['fields']).at(-1) }
    : undefined
}

/** PostgreSQL's name of an unnamed column. */
function outputName(tree: unknown): string {
  const { kind, fields } = nodeOf(tree)
  switch (kind) {
    case 'ColumnRef':
      return stringNodes(fields['fields']).at(-1) ?? '?column?'
    case 'FuncCall':
      return stringNodes(fields['funcname']).at(-1) ?? '?column?'
    case 'SQLValueFunction':
      return valueFunctionName(fields)
    case 'TypeCast': {
      const inner = outputName(fields['arg'])
      return inner === '?column?' ? castTarget(fields) : inner
    }
    default:
      return '?column?'
  }
}

/** GROUP BY without aggregates equals DISTINCT, as long as it names all selected expressions. */
function groupsByOutputs(select: Fields, outputs: readonly Output[]): boolean {
  const groups = listOf(select['groupClause'])
  if (groups.length === 0) return false
  const keys = new Set(groups.map(withoutLocation))
  if (outputs.some(({ tree }) => !keys.has(withoutLocation(tree)))) {
    throw beyondBuiltin('this GROUP BY')
  }
  return true
}

function withoutLocation(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => (key === 'location' ? undefined : value))
}

interface SortKey {
  readonly value: Evaluated
  readonly isDescending: boolean
  readonly isNumber: boolean
}

function sortKey(tree: unknown, outputs: readonly Output[], context: ExpressionContext): SortKey {
  const { fields } = nodeOf(tree)
  const isDefaultNulls =
    (fields['sortby_nulls'] ?? 'SORTBY_NULLS_DEFAULT') === 'SORTBY_NULLS_DEFAULT'
  if (!isDefaultNulls || fields['useOp'] !== undefined) throw beyondBuiltin('this ORDER BY')
  const value = sortedValue(fields['node'], outputs, context)
  return {
    value,
    isDescending: fields['sortby_dir'] === 'SORTBY_DESC',
    isNumber: context.types.typeByOid(value.oid)?.category === 'N',
  }
}

/** An ordinal, an alias of the SELECT list, or an expression. */
function sortedValue(
  tree: unknown,
  outputs: readonly Output[],
  context: ExpressionContext,
): Evaluated {
  const position = literalOf(tree)
  if (position?.type === 'integer') {
    const output = outputs[Number(position.text) - 1]
    if (output === undefined) throw beyondBuiltin('this ORDER BY')
    return output.value
  }
  const { kind, fields } = nodeOf(tree)
  const path = kind === 'ColumnRef' ? stringNodes(fields['fields']) : []
  const named = path.length === 1 ? outputs.find(({ name }) => name === path[0]) : undefined
  return named?.value ?? evaluated(tree, context)
}

function compareRows(left: Row, right: Row, keys: readonly SortKey[]): number {
  for (const { value, isDescending, isNumber } of keys) {
    const order = compareNullable(value.cellOf(left), value.cellOf(right), isNumber)
    if (order !== 0) return isDescending ? -order : order
  }
  return 0
}

/** NULL comes last. */
function compareNullable(left: Cell, right: Cell, isNumber: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return compareCells(left, right, isNumber)
}
