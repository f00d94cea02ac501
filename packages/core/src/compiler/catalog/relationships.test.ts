import { expect, test, vi } from 'vitest'
import type { CompleteTable } from './complete-introspection.ts'
import { relationshipsOf } from './relationships.ts'

interface Shape {
  readonly columns: readonly string[]
  readonly primaryKey?: readonly string[]
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly (readonly [column: string, table: string])[]
}

const tenantKey = ['tenant_id', 'id'] as const

function table(name: string, shape: Shape): CompleteTable {
  return {
    schema: undefined,
    name,
    kind: 'table',
    comment: undefined,
    columns: shape.columns.map((column) => ({
      name: column,
      type: { oid: 23, typmod: -1 },
      nullable: true,
      hasDefault: false,
      generated: 'no',
      nativeType: 'integer',
      nativeDefault: undefined,
      collation: undefined,
      native: undefined,
      comment: undefined,
    })),
    primaryKey: shape.primaryKey ?? ['id'],
    uniqueKeys: shape.uniqueKeys ?? [],
    foreignKeys: (shape.foreignKeys ?? []).map(([column, other]) => ({
      columns: [column],
      table: other,
      references: ['id'],
    })),
  }
}

const customers = table('customers', { columns: ['id'] })
const products = table('products', { columns: ['id'] })

/** `orders.customer: many-to-one customers` for every relation. */
function describe(tables: readonly CompleteTable[], configured = {}): readonly string[] {
  const relations = relationshipsOf({ name: 'main' }, tables, configured, neverFaulty)
  return [...relations].flatMap(([from, map]) =>
    [...map.values()].map(({ name, type, table: to }) => `${from}.${name}: ${type} ${to}`),
  )
}

const neverFaulty = (path: string, message: string): never => {
  throw new Error(`${path}: ${message}`)
}

test('a foreign key is seen from both ends', () => {
  const orders = table('orders', {
    columns: ['id', 'customer_id'],
    foreignKeys: [['customer_id', 'customers']],
  })
  expect(describe([customers, orders])).toEqual([
    'customers.orders: one-to-many orders',
    'orders.customer: many-to-one customers',
  ])
})

test('a unique foreign key joins one to one', () => {
  const profiles = table('profiles', {
    columns: ['id', 'customer_id'],
    uniqueKeys: [['customer_id']],
    foreignKeys: [['customer_id', 'customers']],
  })
  expect(describe([customers, profiles])).toEqual([
    'customers.profiles: one-to-one profiles',
    'profiles.customer: one-to-one customers',
  ])
})

test('several keys between the same tables carry their column', () => {
  const orders = table('orders', {
    columns: ['id', 'buyer_id', 'payer_id'],
    foreignKeys: [
      ['buyer_id', 'customers'],
      ['payer_id', 'customers'],
    ],
  })
  expect(describe([customers, orders])).toEqual([
    'customers.orders_by_buyer_id: one-to-many orders',
    'customers.orders_by_payer_id: one-to-many orders',
    'orders.buyer: many-to-one customers',
    'orders.payer: many-to-one customers',
  ])
})

test('a key column without _id gives the name of the table', () => {
  const orders = table('orders', {
    columns: ['id', 'buyer'],
    foreignKeys: [['buyer', 'customers']],
  })
  expect(describe([customers, orders])).toContain('orders.customers: many-to-one customers')
})

test('a junction joins many to many', () => {
  const favourites = table('favourites', {
    columns: ['customer_id', 'product_id'],
    primaryKey: ['customer_id', 'product_id'],
    foreignKeys: [
      ['customer_id', 'customers'],
      ['product_id', 'products'],
    ],
  })
  const relations = describe([customers, products, favourites])
  expect(relations).toContain('customers.products: many-to-many products')
  expect(relations).toContain('products.customers: many-to-many customers')
})

test('more than two keys: the two that the primary key is made of join many to many', () => {
  const enrolments = table('enrolments', {
    columns: ['customer_id', 'product_id', 'seller_id'],
    primaryKey: ['customer_id', 'product_id'],
    foreignKeys: [
      ['seller_id', 'customers'],
      ['customer_id', 'customers'],
      ['product_id', 'products'],
    ],
  })
  const all = relationshipsOf({ name: 'main' }, [customers, products, enrolments], {}, neverFaulty)
  expect(all.get('products')?.get('customers')?.through).toEqual({
    table: 'enrolments',
    from: ['product_id'],
    to: ['customer_id'],
  })
})

test('keys that share the column of the tenant join many to many', () => {
  const users = table('users', { columns: tenantKey, primaryKey: tenantKey })
  const groups = table('groups', { columns: tenantKey, primaryKey: tenantKey })
  const members: CompleteTable = {
    ...table('members', {
      columns: ['tenant_id', 'user_id', 'group_id'],
      primaryKey: ['tenant_id', 'user_id', 'group_id'],
    }),
    foreignKeys: [
      { columns: ['tenant_id', 'user_id'], table: 'users', references: tenantKey },
      { columns: ['tenant_id', 'group_id'], table: 'groups', references: tenantKey },
    ],
  }
  const all = relationshipsOf({ name: 'main' }, [users, groups, members], {}, neverFaulty)
  expect(all.get('users')?.get('groups')).toMatchObject({
    type: 'many-to-many',
    from: tenantKey,
    to: tenantKey,
    through: { from: ['tenant_id', 'user_id'], to: ['tenant_id', 'group_id'] },
  })
})

test('a row that one key alone points out joins nothing many to many', () => {
  const profiles = table('profiles', {
    columns: ['customer_id', 'product_id'],
    primaryKey: ['customer_id'],
    foreignKeys: [
      ['customer_id', 'customers'],
      ['product_id', 'products'],
    ],
  })
  expect(describe([customers, products, profiles]).join()).not.toContain('many-to-many')
})

test('a junction of a table with itself is seen from both ends, whatever is there already', () => {
  const users = table('users', { columns: ['id', 'boss'], foreignKeys: [['boss', 'users']] })
  const follows = table('follows', {
    columns: ['follower_id', 'followed_id'],
    primaryKey: ['follower_id', 'followed_id'],
    foreignKeys: [
      ['follower_id', 'users'],
      ['followed_id', 'users'],
    ],
  })
  expect(describe([users, follows]).filter((text) => text.startsWith('users.'))).toEqual([
    'users.users: many-to-one users',
    'users.users_by_boss: one-to-many users',
    'users.follows_by_follower_id: one-to-many follows',
    'users.follows_by_followed_id: one-to-many follows',
    'users.users_via_follows: many-to-many users',
    'users.users_via_follows_by_follower_id: many-to-many users',
  ])
})

test('a table that refers to itself has both directions', () => {
  const employees = table('employees', {
    columns: ['id', 'manager_id'],
    foreignKeys: [['manager_id', 'employees']],
  })
  expect(describe([employees])).toEqual([
    'employees.manager: many-to-one employees',
    'employees.employees: one-to-many employees',
  ])
})

test('the configuration renames and adds', () => {
  const orders = table('orders', {
    columns: ['id', 'customer_id', 'product_id'],
    foreignKeys: [['customer_id', 'customers']],
  })
  const relations = describe([customers, products, orders], {
    orders: {
      customer: { rename: 'buyer' },
      product: { table: 'products', type: 'many-to-one', from: 'product_id', to: 'id' },
    },
  })
  expect(relations).toContain('orders.buyer: many-to-one customers')
  expect(relations).toContain('orders.product: many-to-one products')
})

const notes = table('notes', { columns: ['id', 'about', 'tag'] })
const about = { table: 'notes', type: 'one-to-many', from: 'id', to: 'about' } as const
const subject = { table: 'main.customers', type: 'many-to-one', from: 'about', to: 'id' } as const

test('a configured relation is seen from its other side, too', () => {
  const tables = [customers, notes]
  expect(describe(tables, { notes: { subject } })).toEqual([
    'customers.notes: one-to-many notes',
    'notes.subject: many-to-one customers',
  ])
  expect(describe(tables, { customers: { remarks: about } })).toEqual([
    'customers.remarks: one-to-many notes',
    'notes.customers: many-to-one customers',
  ])
  expect(describe(tables, { customers: { remarks: about }, notes: { subject } })).toEqual([
    'customers.remarks: one-to-many notes',
    'notes.subject: many-to-one customers',
  ])
})

test('tables are joined many to many by configured keys, or as the configuration says', () => {
  const tagged = table('tagged', {
    columns: ['customer', 'product'],
    primaryKey: ['customer', 'product'],
  })
  const tables = [customers, products, tagged]
  const key = { type: 'many-to-one', to: 'id' } as const
  const byKeys = describe(tables, {
    tagged: {
      customer: { ...key, table: 'customers', from: 'customer' },
      product: { ...key, table: 'products', from: 'product' },
    },
  })
  expect(byKeys).toContain('customers.products: many-to-many products')
  expect(byKeys).toContain('products.customers: many-to-many customers')
  const through = { table: 'main.tagged', from: 'customer', to: 'product' }
  const likes = { table: 'products', type: 'many-to-many', from: 'id', to: 'id', through } as const
  const said = relationshipsOf({ name: 'main' }, tables, { customers: { likes } }, neverFaulty)
  expect([...said].flatMap(([name, map]) => [name, ...map.values()])).toEqual([
    'customers',
    {
      name: 'likes',
      type: 'many-to-many',
      table: 'products',
      from: ['id'],
      to: ['id'],
      through: { table: 'tagged', from: ['customer'], to: ['product'] },
    },
    'products',
    {
      name: 'customers',
      type: 'many-to-many',
      table: 'customers',
      from: ['id'],
      to: ['id'],
      through: { table: 'tagged', from: ['product'], to: ['customer'] },
    },
    'tagged',
  ])
})

test('of several junctions none is renamed by the name that they may have next', () => {
  const junction = (name: string) =>
    table(name, {
      columns: ['customer_id', 'product_id'],
      primaryKey: ['customer_id', 'product_id'],
      foreignKeys: [
        ['customer_id', 'customers'],
        ['product_id', 'products'],
      ],
    })
  const onFault = vi.fn()
  const renamed = { customers: { products: { rename: 'likes' } } }
  const tables = [customers, products, junction('favourites'), junction('wishes')]
  const all = relationshipsOf({ name: 'main' }, tables, renamed, onFault)
  expect([...(all.get('customers')?.keys() ?? [])]).toEqual([
    'favourites',
    'wishes',
    'products',
    'products_via_wishes',
  ])
  expect(onFault.mock.calls).toEqual([
    [
      'customers.products',
      'several tables join the two: declare which one is meant, with its "through"',
    ],
  ])
})

test('what the configuration adds takes no name from what was found', () => {
  const orders = table('orders', {
    columns: ['id', 'customer_id', 'payer'],
    foreignKeys: [['customer_id', 'customers']],
  })
  const payer = { table: 'customers', type: 'many-to-one', from: 'payer', to: 'id' } as const
  expect(describe([customers, orders], { orders: { payer } })).toEqual([
    'customers.orders: one-to-many orders',
    'customers.orders_by_payer: one-to-many orders',
    'orders.customer: many-to-one customers',
    'orders.payer: many-to-one customers',
  ])
})

test.each([
  [{ ...about, table: 'ghosts' }, 'there is no table "ghosts"'],
  [
    { ...about, table: 'files.notes' },
    'there is no table "files.notes"; a relation stays within its connection, "main"',
  ],
  [{ ...about, from: 'nr' }, 'there is no column "nr" in "customers"'],
  [{ ...about, to: 'nr' }, 'there is no column "nr" in "notes"'],
  [{ ...about, to: ['about', 'tag'] }, '"from" and "to" have different lengths'],
])('%j is a fault: %s', (relation, message) => {
  const onFault = vi.fn()
  relationshipsOf({ name: 'main' }, [customers, notes], { customers: { x: relation } }, onFault)
  expect(onFault.mock.calls).toEqual([['customers.x', message]])
})

test('a configured relation that names nothing is a fault with its path', () => {
  const onFault = vi.fn()
  relationshipsOf(
    { name: 'main' },
    [customers],
    { customers: { nothing: { rename: 'x' } }, ghosts: { a: { rename: 'b' } } },
    onFault,
  )
  expect(onFault.mock.calls.map(([path]) => path)).toEqual(['customers.nothing', 'ghosts'])
})
