/** @module A few tables as a catalog, and as DDL for a real PostgreSQL. */
import { buildCatalog } from '../../catalog/build-catalog.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { IntrospectedColumn, IntrospectedTable } from '../../catalog/introspection.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'

/** Types as DDL spells them. */
const columnTypes: Readonly<Record<string, SqlType>> = {
  int: { oid: oids.int4, typmod: -1 },
  smallint: { oid: oids.int2, typmod: -1 },
  bigint: { oid: oids.int8, typmod: -1 },
  text: { oid: oids.text, typmod: -1 },
  'varchar(20)': { oid: oids.varchar, typmod: 24 },
  'numeric(10,2)': { oid: oids.numeric, typmod: ((10 << 16) | 2) + 4 },
  'double precision': { oid: oids.float8, typmod: -1 },
  boolean: { oid: oids.bool, typmod: -1 },
  date: { oid: oids.date, typmod: -1 },
  timestamp: { oid: oids.timestamp, typmod: -1 },
  json: { oid: oids.json, typmod: -1 },
  jsonb: { oid: oids.jsonb, typmod: -1 },
  'int[]': { oid: oids.int4Array, typmod: -1 },
}

/** `'name type rest of the DDL'` for each column; the first ones are the key. */
interface TableForTest {
  readonly name: string
  readonly columns: readonly string[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys?: readonly (readonly string[])[]
}

const tables: readonly TableForTest[] = [
  {
    name: 'customers',
    columns: ['id int', 'name text', 'email varchar(20)', 'city text', 'active boolean'],
    primaryKey: ['id'],
    uniqueKeys: [['email']],
  },
  {
    name: 'orders',
    columns: [
      'id int',
      'customer_id int',
      'status text',
      'freight numeric(10,2)',
      'total bigint',
      'placed_at timestamp',
      'data json',
    ],
    primaryKey: ['id'],
  },
  {
    name: 'order_items',
    columns: ['order_id int', 'product_id int', 'quantity smallint', 'price numeric(10,2)'],
    primaryKey: ['order_id', 'product_id'],
  },
  {
    name: 'products',
    columns: ['id int', 'name text', 'weight double precision', 'tags int[]', 'extra jsonb'],
    primaryKey: ['id'],
    uniqueKeys: [['name'], ['name', 'weight']],
  },
  { name: 'notes', columns: ['id bigint', 'body text', 'day date'], primaryKey: [] },
  {
    name: 'machine',
    columns: [
      'id int generated always as identity',
      'n int default 7',
      'doubled int generated always as (n * 2) stored',
    ],
    primaryKey: ['id'],
  },
  { name: 'odd.name', columns: ['a int', 'user text'], primaryKey: ['a'] },
]

/** Makes the tables in the schema `main`. */
export const shopDdl: string = [
  'create schema main',
  ...tables.map(({ name, columns, primaryKey, uniqueKeys = [] }) => {
    const quoted = columns.map((column) => column.replace(/^\S+/, (column) => `"${column}"`))
    const keys = [
      ...(primaryKey.length > 0 ? [`primary key (${primaryKey.join()})`] : []),
      ...uniqueKeys.map((key) => `unique (${key.join()})`),
    ]
    return `create table main."${name}" (${[...quoted, ...keys].join(', ')})`
  }),
  'create view main.open_orders as select id, customer_id from main.orders',
].join(';\n')

const view: TableForTest = {
  name: 'open_orders',
  columns: ['id int', 'customer_id int'],
  primaryKey: [],
}

function introspected(table: TableForTest, kind: 'table' | 'view'): IntrospectedTable {
  const { name, columns, primaryKey, uniqueKeys = [] } = table
  return {
    schema: 'main',
    name,
    kind,
    comment: undefined,
    columns: columns.map((column) => introspectedColumn(column, primaryKey)),
    primaryKey,
    uniqueKeys,
    keyConstraints: primaryKey.length === 0 ? [] : [{ name: `${name}_pkey`, columns: primaryKey }],
    foreignKeys: [],
  }
}

function introspectedColumn(text: string, primaryKey: readonly string[]): IntrospectedColumn {
  const [name = '', ...rest] = text.split(' ')
  const ddl = rest.join(' ')
  const nativeType = Object.keys(columnTypes).find((type) => `${ddl} `.startsWith(`${type} `)) ?? ''
  const type = columnTypes[nativeType]
  if (type === undefined) throw new Error(`no type for ${text}`)
  return {
    name,
    type,
    nullable: !primaryKey.includes(name),
    hasDefault: ddl !== nativeType,
    generated: ddl.includes('identity') ? 'identity' : ddl.includes('stored') ? 'always' : 'no',
    nativeType,
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  }
}

/** The tables on a connection of each of the names. */
export function shopCatalog(...connections: readonly string[]): Catalog {
  const introspection = {
    types: [],
    tables: [...tables.map((table) => introspected(table, 'table')), introspected(view, 'view')],
  }
  return buildCatalog(
    connections.map((name) => ({
      name,
      kind: 'postgres',
      traits: { carriesConditionsAcrossJoins: false },
      introspection,
      relationships: {},
    })),
    1,
    (path, message) => {
      throw new Error(`${path}: ${message}`)
    },
  )
}
