/** @module A small connection for the tests of permissions. */
import { buildCatalog } from '../../catalog/build-catalog.ts'
import type { Catalog, Connection, Table } from '../../catalog/catalog.ts'
import type { IntrospectedColumn, IntrospectedTable } from '../../catalog/introspection.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgType } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { encodeTypmod } from '../../sql-types/typmod.ts'

const moodOid = 90_001
const positiveOid = 90_003

const types: readonly PgType[] = [
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
    oid: positiveOid,
    name: 'positive',
    category: 'N',
    isPreferred: false,
    kind: 'domain',
    baseOid: oids.int4,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  },
]

function typmod(oid: number, ...modifiers: readonly number[]): SqlType {
  const encoded = encodeTypmod(oid, modifiers, 'type')
  if (!encoded.ok) throw new Error(encoded.message)
  return { oid, typmod: encoded.typmod }
}

interface ColumnOptions {
  readonly hasDefault?: boolean
  readonly generated?: IntrospectedColumn['generated']
  readonly mayBeUnreadable?: boolean
}

function column(
  name: string,
  type: number | SqlType,
  { hasDefault = false, generated = 'no', mayBeUnreadable = false }: ColumnOptions = {},
): IntrospectedColumn {
  return {
    name,
    type: typeof type === 'number' ? { oid: type, typmod: -1 } : type,
    nullable: name !== 'id',
    hasDefault,
    generated,
    ...(mayBeUnreadable ? { mayBeUnreadable } : {}),
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  }
}

function table(
  name: string,
  columns: readonly IntrospectedColumn[],
  keys: Partial<Pick<IntrospectedTable, 'kind' | 'primaryKey' | 'uniqueKeys' | 'foreignKeys'>> = {},
): IntrospectedTable {
  return {
    schema: 'public',
    name,
    kind: 'table',
    comment: undefined,
    columns,
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
    ...keys,
  }
}

function references(column: string, target: string) {
  return { columns: [column], table: target, references: ['id'] }
}

const tables: readonly IntrospectedTable[] = [
  table('customers', [
    column('id', oids.int4),
    column('name', oids.text),
    column('city', oids.text),
    column('tenant', oids.text),
    column('level', oids.int4),
    column('joined', oids.timestamptz),
  ]),
  table(
    'profiles',
    [column('id', oids.int4), column('customer_id', oids.int4), column('bio', oids.text)],
    { uniqueKeys: [['customer_id']], foreignKeys: [references('customer_id', 'customers')] },
  ),
  table(
    'orders',
    [
      column('id', oids.int4),
      column('customer_id', oids.int4),
      column('status', oids.text, { hasDefault: true }),
      column('total', oids.int8),
      column('freight', typmod(oids.numeric, 10, 2)),
      column('notes', oids.text),
      column('tenant', oids.text),
      column('code', typmod(oids.varchar, 5)),
    ],
    { uniqueKeys: [['code']], foreignKeys: [references('customer_id', 'customers')] },
  ),
  table('tags', [column('id', oids.int4), column('name', oids.text)]),
  table('order_tags', [column('order_id', oids.int4), column('tag_id', oids.int4)], {
    primaryKey: ['order_id', 'tag_id'],
    foreignKeys: [references('order_id', 'orders'), references('tag_id', 'tags')],
  }),
  table('members', [
    column('id', oids.int4),
    column('tenant', oids.text),
    column('who', oids.text),
    column('role', oids.text),
  ]),
  table('imports', [
    column('id', oids.int4),
    column('tenant', oids.text),
    column('at', oids.timestamp, { mayBeUnreadable: true }),
  ]),
  table('samples', [
    column('id', oids.uuid),
    column('data', oids.jsonb),
    column('labels', oids.textArray),
    column('mood', moodOid),
    column('positive', positiveOid),
    column('code', typmod(oids.varchar, 3)),
    column('born', oids.date),
    column('at', oids.timestamp),
    column('flag', oids.bool),
    column('ratio', oids.float8),
    column('doc', oids.json),
    column('twice', oids.int4, { generated: 'always' }),
  ]),
]

export interface Shop {
  readonly catalog: Catalog
  readonly connection: Connection
  readonly table: (name: string) => Table
}

/** @param without columns to leave out, as `table.column`. */
export function createShop(without: readonly string[] = []): Shop {
  const kept = tables.map((each) => ({
    ...each,
    columns: each.columns.filter(({ name }) => !without.includes(`${each.name}.${name}`)),
  }))
  const catalog = buildCatalog(
    [
      {
        name: 'main',
        kind: 'postgres',
        traits: { carriesConditionsAcrossJoins: false },
        introspection: { types, tables: kept },
        relationships: {},
      },
    ],
    1,
    (path, message) => {
      throw new Error(`${path}: ${message}`)
    },
  )
  const connection = catalog.connections.get('main')
  if (connection === undefined) throw new Error('no connection')
  return {
    catalog,
    connection,
    table: (name) => {
      const found = connection.tables.get(name)
      if (found === undefined) throw new Error(`no table ${name}`)
      return found
    },
  }
}
