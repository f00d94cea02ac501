/** @module A catalog of one table and just enough of queries to bind expressions without the rest of the binder. */
import type { Node, SelectStmt } from '@pgsql/types'
import type { Column, Connection, Table } from '../../catalog/catalog.ts'
import { GatewayError } from '../../errors.ts'
import { loadParser, parseStatement } from '../../sql/parse.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgType } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { createTypeSystem, type TypeSystem } from '../../sql-types/type-system.ts'
import { bindBoolean, bindExpression } from '../bind-expression.ts'
import type { Query, SelectQuery } from '../bound-query.ts'
import { resolveUnknown } from '../coerce.ts'
import type { BindContext, CatalogView, Clause, ExpressionEnvironment } from '../context.ts'
import type { Expression, WholeRow } from '../expression.ts'
import { createParameterTypes } from '../parameter-types.ts'
import type { Scope } from '../scope.ts'
import { printExpressionForTest } from './print-expression-for-test.ts'

await loadParser()

const moodOid = 90_001
const ownTypes: readonly PgType[] = [
  {
    oid: moodOid,
    name: 'mood',
    category: 'E',
    isPreferred: false,
    kind: 'enum',
    arrayOid: 90_002,
    isCollatable: false,
    enumLabels: ['sad', 'ok', 'happy'],
    isNameable: true,
    schema: 'public',
  },
  {
    oid: 90_002,
    name: '_mood',
    category: 'A',
    isPreferred: false,
    kind: 'base',
    elementOid: moodOid,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  },
  {
    oid: 90_003,
    name: 'short_name',
    category: 'S',
    isPreferred: false,
    kind: 'domain',
    baseOid: oids.varchar,
    baseTypmod: 9,
    arrayOid: 90_004,
    isCollatable: true,
    isNameable: true,
    schema: 'public',
  },
  {
    oid: 90_004,
    name: '_short_name',
    category: 'A',
    isPreferred: false,
    kind: 'base',
    elementOid: 90_003,
    isCollatable: true,
    isNameable: true,
    schema: 'public',
  },
]

export const types: TypeSystem = createTypeSystem({ types: ownTypes })

const columnTypes: readonly (readonly [string, number, number?])[] = [
  ['i', oids.int4],
  ['s', oids.int2],
  ['l', oids.int8],
  ['n', oids.numeric],
  ['n2', oids.numeric, ((10 << 16) | 2) + 4],
  ['f', oids.float8],
  ['b', oids.bool],
  ['t', oids.text],
  ['v', oids.varchar, 24],
  ['c', oids.bpchar, 7],
  ['d', oids.date],
  ['ts', oids.timestamp],
  ['tz', oids.timestamptz],
  ['iv', oids.interval],
  ['j', oids.json],
  ['jb', oids.jsonb],
  ['ia', oids.int4Array],
  ['ta', oids.textArray],
  ['by', oids.bytea],
  ['u', oids.uuid],
  ['m', moodOid],
  ['dom', 90_003],
]

function columnOf([name, oid, typmod = -1]: (typeof columnTypes)[number], ordinal: number): Column {
  return {
    name,
    ordinal,
    type: { oid, typmod },
    nullable: true,
    hasDefault: false,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  }
}

const table: Table = {
  connection: 'main',
  name: 'r',
  kind: 'table',
  native: { schema: undefined, name: 'r' },
  columns: columnTypes.map(columnOf),
  primaryKey: [0],
  uniqueKeys: [],
  foreignKeys: [],
  relationships: new Map(),
}

const connection: Connection = {
  name: 'main',
  kind: 'postgres',
  types,
  tables: new Map([['r', table]]),
}

const view: CatalogView = {
  table: () => table,
  readable: () => 'all',
  unknownColumn: (name, _table, position) =>
    new GatewayError('unknownColumn', `column "${name}" does not exist`, {
      sqlState: '42703',
      ...(position === undefined ? {} : { position }),
    }),
}

function scopeOf(relation: number, alias: string | undefined, outer: Scope | undefined): Scope {
  const cells = table.columns.map(
    (column): Expression => ({
      kind: 'column',
      relation,
      column: column.ordinal,
      type: column.type,
    }),
  )
  const row: WholeRow = {
    kind: 'wholeRow',
    relation,
    type: { oid: oids.record, typmod: -1 },
    fields: table.columns.slice(0, 2).map(({ name, ordinal }) => {
      const type = table.columns[ordinal]?.type ?? { oid: oids.text, typmod: -1 }
      return { name, value: { kind: 'column', relation, column: ordinal, type } }
    }),
  }
  const isHere = (parts: readonly string[]) => alias !== undefined && parts[0] === alias
  return {
    outer,
    isLocal: (id) => alias !== undefined && id === relation,
    column: (parts, position) => {
      const name = parts.at(-1) ?? ''
      const found = table.columns.find((column) => column.name === name)
      const cell = found === undefined ? undefined : cells[found.ordinal]
      const isMine = alias !== undefined && (parts.length === 1 || isHere(parts))
      if (cell !== undefined && isMine) {
        return { ...cell, ...(position === undefined ? {} : { position }) }
      }
      if (parts.length === 1 && isHere(parts)) return row
      if (outer !== undefined) return outer.column(parts, position)
      throw view.unknownColumn(name, undefined, position)
    },
    wholeRow: (parts) => (isHere(parts) ? row : undefined),
    star: () => [],
    commonTable: () => undefined,
  }
}

function createContext(): BindContext {
  let lastId = 0
  return {
    connection,
    types,
    view,
    parameters: createParameterTypes(types),
    nextId: () => {
      lastId += 1
      return lastId
    },
    bindQuery: (select, outer, context) => bindSelect(select as SelectStmt, outer, context).query,
  }
}

interface BoundSelect {
  readonly query: SelectQuery
  readonly environment: ExpressionEnvironment
}

/** `select a, b [from r [alias]] [where condition]`. */
function bindSelect(
  select: SelectStmt,
  outer: Scope | undefined,
  context: BindContext,
  raw = false,
): BoundSelect {
  const [from] = select.fromClause ?? []
  const range = from !== undefined && 'RangeVar' in from ? from.RangeVar : undefined
  const id = context.nextId()
  const scope = scopeOf(id, range?.alias?.aliasname ?? range?.relname, outer)
  const windows = (select.windowClause ?? []).flatMap((node) =>
    'WindowDef' in node ? [[node.WindowDef.name ?? '', node.WindowDef] as const] : [],
  )
  const environmentOf = (clause: Clause): ExpressionEnvironment => ({
    context,
    scope,
    clause,
    found: { aggregates: 0, windows: 0 },
    aggregates: clause === 'SELECT' ? 'allowed' : 'forbidden',
    windows: clause === 'SELECT' ? 'allowed' : 'forbidden',
    namedWindows: new Map(windows),
    groupExpressions: [],
  })
  const where = select.whereClause && bindBoolean(select.whereClause, environmentOf('WHERE'))
  const groups = (select.groupClause ?? []).map((node: Node) =>
    bindExpression(node, environmentOf('GROUP BY')),
  )
  const environment = { ...environmentOf('SELECT'), groupExpressions: groups }
  const outputs = (select.targetList ?? []).map((target) => {
    if (!('ResTarget' in target) || target.ResTarget.val === undefined) throw new Error('target')
    const bound = bindExpression(target.ResTarget.val, environment)
    return raw ? bound : resolveUnknown(bound, environment)
  })
  const query: SelectQuery = {
    kind: 'select',
    ctes: [],
    columns: outputs.map(({ type }, i) => ({ name: `c${i}`, type })),
    outputs,
    distinct: select.distinctClause === undefined ? 'none' : 'all',
    from: range === undefined ? [] : [{ kind: 'table', id, table }],
    where,
    groupBy: undefined,
    isAggregated: environment.found.aggregates > 0,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
  return { query, environment }
}

/** What became of one statement. */
export interface BoundForTest {
  readonly query: SelectQuery
  readonly environment: ExpressionEnvironment
  readonly parameters: readonly SqlType[]
  /** Of the first output. */
  readonly text: string
  /** Type names: of the first output, then of every parameter. */
  readonly typeNames: readonly string[]
}

/** Binds `select <outputs> from r ...`, as written, with unknown outputs made text. */
export function bindStatementForTest(sql: string): BoundForTest {
  const parsed = parseStatement(sql)
  const { statement, parameterCount } = parsed
  const context = createContext()
  if (!('SelectStmt' in statement)) throw new Error('not a SELECT')
  const { query, environment } = bindSelect(statement.SelectStmt as SelectStmt, undefined, context)
  const [output] = query.outputs
  if (output === undefined) throw new Error('no output')
  const parameters = context.parameters.finish(parameterCount)
  return {
    query,
    environment,
    parameters,
    text: printForTest(output),
    typeNames: [output.type, ...parameters].map(({ oid, typmod }) => types.formatType(oid, typmod)),
  }
}

/** The bound first output of `select <expression> from r`, as text. */
export function bindText(expression: string, rest = 'from main.r'): string {
  return bindStatementForTest(`select ${expression} ${rest}`).text
}

/** The type of an expression, then those of its parameters. */
export function bindTypes(expression: string, rest = 'from main.r'): string {
  return bindStatementForTest(`select ${expression} ${rest}`).typeNames.join(', ')
}

/** The bound WHERE condition, as text. */
export function bindCondition(condition: string): string {
  const { query } = bindStatementForTest(`select 1 from main.r where ${condition}`)
  return query.where === undefined ? '' : printForTest(query.where)
}

/** A column as `i`, one of another relation as `2.i`. */
export function printForTest(expression: Expression): string {
  return printExpressionForTest(expression, types, (relation, column) => {
    const name = table.columns[column]?.name ?? `c${column}`
    return relation === 1 ? name : `${relation}.${name}`
  })
}

/** The error that binding `select <expression> from r` gives: problem, SQLSTATE and message. */
export function bindFailure(expression: string, rest = 'from main.r'): string {
  return failureOf(() => bindStatementForTest(`select ${expression} ${rest}`))
}

export function conditionFailure(condition: string): string {
  return failureOf(() => bindStatementForTest(`select 1 from main.r where ${condition}`))
}

function failureOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof GatewayError) return `${error.problem} ${error.sqlState}: ${error.message}`
    throw error
  }
  return 'no error'
}

export type { Query }
