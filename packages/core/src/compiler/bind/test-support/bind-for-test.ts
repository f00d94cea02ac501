/** @module Binds statements over a catalog of two tables and shows the results as text. */

import { GatewayError } from '../../../foundation/errors.ts'
import type { Catalog, Column, Table } from '../../catalog/catalog.ts'
import { knownTraits } from '../../catalog/database-traits.ts'
import { loadParser, parseStatement } from '../../sql/parse.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgType } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { createTypeSystem, type TypeSystem } from '../../sql-types/system/type-system.ts'
import { bindStatement } from '../bind.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import { createParameterTypes } from '../scope/parameter-types.ts'
import type { SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { visitQuery } from '../tree/visit-query.ts'
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

const pairOid = 90_005

/** Of `rows.q`. */
const rowTypes: readonly PgType[] = [
  {
    oid: pairOid,
    name: 'pair',
    category: 'C',
    isPreferred: false,
    kind: 'opaque',
    arrayOid: 90_006,
    attributes: [
      { name: 'n', oid: oids.int4, typmod: -1 },
      { name: 's', oid: oids.text, typmod: -1 },
    ],
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  },
  {
    oid: 90_006,
    name: '_pair',
    category: 'A',
    isPreferred: false,
    kind: 'base',
    elementOid: pairOid,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  },
  {
    oid: 90_007,
    name: 'good_pair',
    category: 'C',
    isPreferred: false,
    kind: 'domain',
    baseOid: pairOid,
    baseTypmod: -1,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  },
]

export const types: TypeSystem = createTypeSystem({ types: [...ownTypes, ...rowTypes] })

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

/** The same database, for a PostgreSQL. */
export const setupForTest: string = `
  create schema main;
  create type mood as enum ('sad', 'ok', 'happy');
  create domain short_name as varchar(5);
  create table main.r (i int4, s int2, l int8, n numeric, n2 numeric(10,2), f float8, b bool, t text,
    v varchar(20), c char(3), d date, ts timestamp, tz timestamptz, iv interval, j json, jb jsonb,
    ia int4[], ta text[], "by" bytea, u uuid, m mood, dom short_name);
  create table main.p (i int4, s int2);
`

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

function tableOf(name: string, columns: readonly Column[]): Table {
  return {
    connection: 'main',
    name,
    key: name,
    kind: 'table',
    native: { schema: undefined, name },
    columns,
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    relationships: new Map(),
  }
}

/** `main.r` has a column of every type, `main.p` few. */
const tables = new Map([
  ['r', tableOf('r', columnTypes.map(columnOf))],
  ['p', tableOf('p', columnTypes.slice(0, 2).map(columnOf))],
])

/** `rows.q`, of a database with rows as values. */
const rowTables = new Map([
  [
    'q',
    tableOf('q', [
      columnOf(['id', oids.int4], 0),
      columnOf(['j', oids.json], 1),
      columnOf(['pr', pairOid], 2),
      columnOf(['prs', 90_006], 3),
      columnOf(['good', 90_007], 4),
    ]),
  ],
])

const catalog: Catalog = {
  version: 1,
  defaultConnection: 'main',
  connections: new Map([
    [
      'main',
      {
        name: 'main',
        kind: 'postgres',
        traits: knownTraits({ sessionSettings: true, sleeps: true }),
        types,
        tables,
      },
    ],
    [
      'rows',
      {
        name: 'rows',
        kind: 'postgres',
        traits: knownTraits({ sessionSettings: true, rowValues: true, variadicCalls: true }),
        types,
        tables: rowTables,
      },
    ],
  ]),
}

/** A column of `main.r` as an expression. */
export function columnForTest(name: string): Expression {
  const column = tables.get('r')?.columns.find((candidate) => candidate.name === name)
  if (column === undefined) throw new Error(`no column ${name}`)
  return { kind: 'column', relation: 0, column: column.ordinal, type: column.type }
}

/** The environment of an expression without names. */
export function environmentForTest(): ExpressionEnvironment {
  const [connection] = catalog.connections.values()
  if (connection === undefined) throw new Error('no connection')
  const view = fullAccessView(connection)
  const context: BindContext = {
    connection,
    qualifiers: new Set(['main']),
    types,
    view,
    parameters: createParameterTypes(types),
    relationKey: ({ relname = '' }) => relname,
    nextId: () => 1,
    bindQuery: () => {
      throw new Error('no queries here')
    },
  }
  return clauseEnvironment(context, createScope({ outer: undefined, view }), 'SELECT')
}

/** An expression over `columnForTest`, as text. */
export function printForTest(expression: Expression): string {
  const name = (column: number) => tables.get('r')?.columns[column]?.name ?? '?'
  return printExpressionForTest(expression, types, (_, column) => name(column))
}

/** The result of binding one statement. */
export interface BoundForTest {
  readonly query: SelectQuery
  readonly parameterTypes: readonly SqlType[]
}

/** Binds a SELECT as an administrator. */
export function bindForTest(sql: string): BoundForTest {
  const parsed = parseStatement(sql)
  const { parameterCount } = parsed
  const { body, parameterTypes } = bindStatement(parsed, {
    catalog,
    view: fullAccessView,
    parameterCount,
  })
  if (body.kind !== 'select') throw new Error('not a SELECT')
  return { query: body, parameterTypes }
}

function firstOutput({ query }: BoundForTest): Expression {
  const [output] = query.outputs
  if (output === undefined) throw new Error('no output')
  return output
}

/** The bound first output of `select <expression> from main.r`, as text. */
export function bindText(expression: string, rest = 'from main.r'): string {
  const bound = bindForTest(`select ${expression} ${rest}`)
  return printOutput(firstOutput(bound), bound.query)
}

/** The type of an expression, then those of its parameters. */
export function bindTypes(expression: string, rest = 'from main.r'): string {
  const bound = bindForTest(`select ${expression} ${rest}`)
  return [firstOutput(bound).type, ...bound.parameterTypes]
    .map(({ oid, typmod }) => types.formatType(oid, typmod))
    .join(', ')
}

/** The bound WHERE condition, as text. */
export function bindCondition(condition: string): string {
  const { query } = bindForTest(`select 1 from main.r where ${condition}`)
  return query.where === undefined ? '' : printOutput(query.where, query)
}

/**
 * A column of the outermost FROM as `i`, one of another relation as `2.i`: relations numbered in the order of their first use.
 */
function printOutput(expression: Expression, query: SelectQuery): string {
  const own = query.from[0]
  const relations = new Map<number, Table | undefined>()
  visitQuery(query, {
    fromItem: (item) => {
      if (item.kind !== 'join')
        relations.set(item.id, item.kind === 'table' ? item.table : undefined)
    },
  })
  const inner = [...relations.keys()].filter((id) => own?.kind !== 'table' || id !== own.id)
  return printExpressionForTest(expression, types, (relation, column) => {
    const name = relations.get(relation)?.columns[column]?.name ?? `c${column}`
    const isOwn = own !== undefined && own.kind === 'table' && relation === own.id
    return isOwn ? name : `${inner.indexOf(relation) + 2}.${name}`
  })
}

/** The error that binding `select <expression> from r` gives: problem, SQLSTATE and message. */
export function bindFailure(expression: string, rest = 'from main.r'): string {
  return failureOf(`select ${expression} ${rest}`)
}

export function conditionFailure(condition: string): string {
  return failureOf(`select 1 from main.r where ${condition}`)
}

function failureOf(sql: string): string {
  try {
    bindForTest(sql)
  } catch (error) {
    if (error instanceof GatewayError) return `${error.problem} ${error.sqlState}: ${error.message}`
    throw error
  }
  return 'no error'
}
