/** @module Bound trees, built by hand, for tests of the printer. */
import {
  type AuthorizedStatement,
  knownTraits,
  type SqlValue,
  type ValueSource,
} from '@engine/core/adapter'
import {
  type Column,
  type Connection,
  createTypeSystem,
  type Oid,
  oids,
  type PgFunction,
  type PgOperator,
  type PgType,
  type SqlType,
  type Table,
  type TypeSystem,
} from '@engine/core/catalog'
import type {
  BoundStatement,
  Cast,
  Expression,
  FromItem,
  Query,
  RelationId,
  SecuredTable,
  SelectQuery,
  Write,
  WriteSecurity,
} from '@engine/core/tree'
import { compileStatement } from '../../src/compile.ts'

const mood: PgType = {
  oid: 20_001,
  name: 'mood',
  schema: 'public',
  category: 'E',
  isPreferred: false,
  kind: 'enum',
  arrayOid: 20_002,
  isCollatable: false,
  isNameable: true,
  enumLabels: ['sad', 'happy'],
}

const moods: PgType = {
  ...mood,
  oid: 20_002,
  name: '_mood',
  category: 'A',
  kind: 'base',
  arrayOid: 0,
  elementOid: mood.oid,
}

/** `create domain "Short" as varchar(5)` */
const short: PgType = {
  oid: 20_003,
  name: 'Short',
  schema: 'public',
  category: 'S',
  isPreferred: false,
  kind: 'domain',
  baseOid: oids.varchar,
  baseTypmod: 9,
  isCollatable: true,
  isNameable: true,
}

const citext: PgType = {
  oid: 20_004,
  name: 'citext',
  schema: 'public',
  category: 'S',
  isPreferred: false,
  kind: 'opaque',
  isCollatable: true,
  isNameable: true,
}

/** Of the types above. */
export const ownOids: Readonly<Record<'mood' | 'moods' | 'short' | 'citext', Oid>> = {
  mood: mood.oid,
  moods: moods.oid,
  short: short.oid,
  citext: citext.oid,
}

export const types: TypeSystem = createTypeSystem({ types: [mood, moods, short, citext] })

export const int4: SqlType = typeOf(oids.int4)
export const text: SqlType = typeOf(oids.text)
export const bool: SqlType = typeOf(oids.bool)

export function typeOf(oid: Oid, typmod = -1): SqlType {
  return { oid, typmod }
}

/** A table of the connection `main`; the first `keyColumns` columns are its primary key. */
export function tableOf(
  name: string,
  columns: Readonly<Record<string, SqlType>>,
  keyColumns = 1,
): Table {
  const primaryKey = Array.from({ length: keyColumns }, (_, index) => index)
  return {
    connection: 'main',
    name,
    key: name,
    kind: 'table',
    native: { schema: 'public', name },
    columns: Object.entries(columns).map(
      ([column, type], ordinal): Column => ({
        name: column,
        ordinal,
        type,
        nullable: ordinal >= keyColumns,
        hasDefault: false,
        generated: 'no',
        nativeType: types.formatType(type.oid, type.typmod),
        nativeDefault: undefined,
        collation: undefined,
        native: undefined,
        comment: undefined,
      }),
    ),
    primaryKey,
    uniqueKeys: [],
    rowKeys: keyColumns === 0 ? [] : [primaryKey],
    foreignKeys: [],
    relationships: new Map(),
  }
}

export const orders: Table = tableOf('orders', {
  id: int4,
  tenant: int4,
  note: text,
  total: typeOf(oids.numeric),
})

export const customers: Table = tableOf('customers', { id: int4, name: text })

/** Relation `id` sees every row and cell of the table. */
export function whole(table: Table, id: RelationId): SecuredTable {
  return {
    kind: 'securedTable',
    id,
    base: id + 100,
    table,
    filter: undefined,
    masks: new Map(),
    readable: new Set(table.columns.keys()),
    pushed: [],
    barrier: false,
  }
}

/** Relation `id` over the raw rows of relation `id + 100`. */
export function narrowed(
  table: Table,
  id: RelationId,
  rules: Partial<Pick<SecuredTable, 'filter' | 'masks' | 'readable' | 'pushed' | 'barrier'>>,
): SecuredTable {
  return { ...whole(table, id), ...rules }
}

export function column(relation: RelationId, index: number, type: SqlType = int4): Expression {
  return { kind: 'column', relation, column: index, type }
}

export function constant(value: SqlValue, type: SqlType = int4): Expression {
  return { kind: 'constant', value, type }
}

export function param(index: number, type: SqlType = int4): Expression {
  return { kind: 'parameter', index, type }
}

/** `$user.<field>` */
export function callerField(field: string, type: SqlType = int4): Expression {
  return { kind: 'caller', slot: { path: [field], type }, type }
}

/** An operator as PostgreSQL would resolve it for operands that need no cast. */
export function operation(
  name: string,
  left: Expression | undefined,
  right: Expression,
): Expression {
  const resolved = types.resolveOperator(name, left?.type.oid, right.type.oid)
  if (!resolved.ok) throw new Error(resolved.message)
  return {
    kind: 'operator',
    operator: resolved.operator,
    left,
    right,
    type: typeOf(resolved.resultOid),
  }
}

export function operatorOf(name: string, oid: Oid): PgOperator {
  const resolved = types.resolveOperator(name, oid, oid)
  if (!resolved.ok) throw new Error(resolved.message)
  return resolved.operator
}

export function functionOf(name: string, argumentOids: readonly Oid[]): PgFunction {
  const resolved = types.resolveFunction(name, argumentOids)
  if (!resolved.ok) throw new Error(resolved.message)
  if (resolved.kind !== 'function') throw new Error(`${name} is a cast`)
  return resolved.function
}

export function call(name: string, ...args: readonly Expression[]): Expression {
  const found = functionOf(
    name,
    args.map(({ type }) => type.oid),
  )
  return { kind: 'call', function: found, args, type: typeOf(found.resultOid) }
}

export function aggregate(name: string, ...args: readonly Expression[]): Expression {
  const found = functionOf(
    name,
    args.map(({ type }) => type.oid),
  )
  return {
    kind: 'aggregate',
    function: found,
    args,
    distinct: false,
    orderBy: [],
    filter: undefined,
    withinGroup: false,
    type: typeOf(found.resultOid),
  }
}

export function cast(
  operand: Expression,
  type: SqlType,
  method: Cast['method'],
  isExplicit = true,
): Expression {
  return { kind: 'cast', operand, type, method, isExplicit }
}

export function and(...operands: readonly Expression[]): Expression {
  return { kind: 'logical', operator: 'and', operands, type: bool }
}

export function select(
  outputs: readonly Expression[],
  from: readonly FromItem[] = [],
  rest: Partial<SelectQuery> = {},
): SelectQuery {
  return {
    kind: 'select',
    ctes: [],
    columns: outputs.map(({ type }, index) => ({ name: `column ${index}`, type })),
    outputs,
    distinct: 'none',
    from,
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
    ...rest,
  }
}

export const unrestricted: WriteSecurity = {
  rows: undefined,
  existing: undefined,
  oldConditions: [],
  check: undefined,
  visible: undefined,
}

export function statement(body: Query | Write): AuthorizedStatement {
  const traits = knownTraits(undefined)
  const connection: Connection = {
    name: 'main',
    kind: 'postgres',
    traits,
    types,
    tables: new Map(),
  }
  const bound: BoundStatement = { connection, body, parameterTypes: [], nextId: 1_000 }
  // Outside of tests, only `authorize` may do this.
  return bound as AuthorizedStatement
}

/** The SQL text of a statement. */
export function printed(body: Query | Write): string {
  return compileStatement(statement(body)).steps[0]?.sql ?? ''
}

/** The sources of a statement's parameters. */
export function sources(body: Query | Write): readonly ValueSource[] {
  return compileStatement(statement(body)).steps[0]?.parameters ?? []
}

/** The text of one expression over `orders as t1`. */
export function printedExpression(expression: Expression): string {
  const query = printed(select([expression], [whole(orders, 1)]))
  return query.slice('select '.length, query.indexOf(' from "public"."orders" as t1'))
}
