/** @module A small shop as one caller sees it, for tests of the catalogs: custom types, keys, comments, a view. */
import { type Column, createTypeSystem, type PgType } from '@engine/core/catalog'
import type { VisibleCatalog, VisibleColumn, VisibleTable } from '@engine/core/session'
import type { SqlType } from '@engine/core/values'

const orderStatusOid = 20_001
const priceOid = 20_003
const citextOid = 20_005

const ownTypes: readonly PgType[] = [
  ownType(orderStatusOid, 'order_status', 'enum', 'E', 20_002, { enumLabels: ['new', "pa'id"] }),
  arrayOf(20_002, '_order_status', orderStatusOid),
  ownType(priceOid, 'price', 'domain', 'N', 20_004, {
    baseOid: 1700,
    baseTypmod: ((10 << 16) | 2) + 4,
  }),
  arrayOf(20_004, '_price', priceOid),
  ownType(citextOid, 'citext', 'opaque', 'S', 20_006, {}),
  arrayOf(20_006, '_citext', citextOid),
]

const types = createTypeSystem({ types: ownTypes })

const int4 = { oid: 23, typmod: -1 }
const text = { oid: 25, typmod: -1 }
const varchar20 = { oid: 1043, typmod: 24 }
const timestamptz = { oid: 1184, typmod: -1 }

const emptyTable = {
  kind: 'table',
  comment: undefined,
  primaryKey: [],
  uniqueKeys: [],
  foreignKeys: [],
  checks: [],
  indexes: [],
  isWhole: true,
  operations: ['select', 'insert', 'update', 'delete'],
} as const

const customers: VisibleTable = {
  ...emptyTable,
  name: 'customers',
  comment: "those who 'buy'",
  columns: [
    column('id', int4, { hasDefault: true, nativeDefault: "nextval('hidden_seq'::regclass)" }),
    column('email', { oid: citextOid, typmod: -1 }, { comment: 'how to reach them' }),
    column('name', varchar20, { nullable: true }),
  ],
  primaryKey: ['id'],
  uniqueKeys: [['email']],
}

const orders: VisibleTable = {
  ...emptyTable,
  name: 'orders',
  columns: [
    column('id', int4, { generated: 'identity', hasDefault: true }),
    column('customer_id', int4),
    column(
      'status',
      { oid: orderStatusOid, typmod: -1 },
      {
        hasDefault: true,
        nativeDefault: "'new'::order_status",
      },
    ),
    column('total', { oid: priceOid, typmod: -1 }, { nullable: true }),
    column('tags', { oid: 1015, typmod: 24 }, { nullable: true }),
    column('history', { oid: 20_002, typmod: -1 }, { nullable: true }),
    column('placed_at', timestamptz, { hasDefault: true, nativeDefault: 'now()' }),
    column('secret_default', text, { hasDefault: true, nativeDefault: 'hidden_function()' }),
    column('double', int4, { hasDefault: true, generated: 'always', nullable: true }),
  ],
  primaryKey: ['id'],
  foreignKeys: [
    {
      columns: ['customer_id'],
      table: 'customers',
      references: ['id'],
      onDelete: 'cascade',
      onUpdate: undefined,
    },
  ],
  operations: ['select', 'insert', 'update'],
}

const strange: VisibleTable = {
  ...emptyTable,
  name: 'Strange "table"; drop schema main --',
  columns: [column('a "b"', text, { nullable: true }), column("c'd", int4, { nullable: true })],
}

const recent: VisibleTable = {
  ...emptyTable,
  name: 'recent_orders',
  kind: 'view',
  columns: [column('id', int4), column('name', varchar20)],
  operations: ['select'],
}

/** Its text is longer than a row of the catalogs. */
export const openOrders: NonNullable<VisibleTable['definition']> = {
  text: ` SELECT id FROM orders WHERE note <> '${"it''s ü".repeat(3000)}';`,
  pretty: ' SELECT id FROM orders',
}

const open: VisibleTable = {
  ...emptyTable,
  name: 'open_orders',
  kind: 'view',
  columns: [column('id', int4), column('total', int4)],
  definition: openOrders,
  writes: { insert: 'trigger', update: 'table', delete: 'table', columns: ['id'] },
}

/** Enum, domain, extension type, identity, serial, view, odd names; `email` may not be written. */
export const visibleShop: VisibleCatalog = {
  key: 'shop',
  connections: [
    {
      name: 'main',
      kind: 'postgres',
      types,
      tables: [customers, orders, strange, recent, open],
      isWhole: true,
    },
    {
      name: 'files',
      kind: 'csv',
      isWhole: true,
      types: createTypeSystem(),
      tables: [
        {
          ...emptyTable,
          name: 'imports',
          columns: [
            {
              ...column('line', text, { nullable: true }),
              isInsertable: false,
              isUpdatable: false,
            },
          ],
          operations: ['select'],
        },
      ],
    },
  ],
}

export const shopTypeOids: Readonly<Record<'orderStatus' | 'price' | 'citext', number>> = {
  orderStatus: orderStatusOid,
  price: priceOid,
  citext: citextOid,
}

function column(name: string, type: SqlType, more: Partial<Column> = {}): VisibleColumn {
  return {
    column: {
      name,
      ordinal: 0,
      type,
      nullable: false,
      hasDefault: false,
      generated: 'no',
      nativeType: '',
      nativeDefault: undefined,
      collation: undefined,
      native: undefined,
      comment: undefined,
      ...more,
    },
    isReadable: true,
    isInsertable: true,
    isUpdatable: name !== 'email',
  }
}

function ownType(
  oid: number,
  name: string,
  kind: PgType['kind'],
  category: string,
  arrayOid: number,
  more: Partial<PgType>,
): PgType {
  return {
    oid,
    name,
    kind,
    category,
    arrayOid,
    isPreferred: false,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
    ...more,
  }
}

function arrayOf(oid: number, name: string, elementOid: number): PgType {
  return {
    oid,
    name,
    kind: 'base',
    category: 'A',
    elementOid,
    isPreferred: false,
    isCollatable: false,
    isNameable: true,
    schema: 'public',
  }
}
