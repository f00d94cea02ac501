import { expect, test, vi } from 'vitest'
import type { IntrospectedTable } from './introspection.ts'
import { relationshipsOf } from './relationships.ts'

interface Shape {
  readonly columns: readonly string[]
  readonly primaryKey?: readonly string[]
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly (readonly [column: string, table: string])[]
}

function table(name: string, shape: Shape): IntrospectedTable {
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
function describe(tables: readonly IntrospectedTable[], configured = {}): readonly string[] {
  const relations = relationshipsOf(tables, configured, (path, message) => {
    throw new Error(`${path}: ${message}`)
  })
  return [...relations].flatMap(([from, map]) =>
    [...map.values()].map(({ name, type, table: to }) => `${from}.${name}: ${type} ${to}`),
  )
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

test('a configured relation that names nothing is a fault with its path', () => {
  const onFault = vi.fn()
  relationshipsOf(
    [customers],
    { customers: { nothing: { rename: 'x' } }, ghosts: { a: { rename: 'b' } } },
    onFault,
  )
  expect(onFault.mock.calls.map(([path]) => path)).toEqual(['customers.nothing', 'ghosts'])
})
