import { expect, test } from 'vitest'
import type { CatalogColumn, CatalogTable } from '../../api/answers.ts'
import { looksSecret, scopesOf, type Tables, tiesOf } from './guess.ts'
import { guessedAccess, hiddenColumns, offeredAccess, rulesOf, sentenceOf } from './rules.ts'

const column: CatalogColumn = {
  type: 'integer',
  nullable: false,
  hasDefault: false,
  primaryKey: false,
}
const key = { ...column, hasDefault: true, primaryKey: true }

function table(columns: readonly string[], more: Partial<CatalogTable> = {}): CatalogTable {
  const own = columns.map((name) => [name, name === 'id' ? key : column] as const)
  return { columns: Object.fromEntries(own), relationships: {}, ...more }
}

const toOrder = { table: 'main.orders', type: 'many-to-one', from: 'order_id', to: 'id' }
const toItem = { table: 'main.items', type: 'many-to-one', from: 'item_id', to: 'id' }

const shop: Tables = {
  customers: table(['id', 'name', 'password_hash']),
  orders: table(['id', 'customer_id', 'note'], {
    foreignKeys: [{ columns: ['customer_id'], table: 'customers', references: ['id'] }],
  }),
  invoices: table(['id', 'customer_id', 'user_id']),
  items: table(['id', 'order_id', 'units'], { relationships: { order: toOrder } }),
  returns: table(['id', 'item_id'], { relationships: { item: toItem } }),
  products: table(['id', 'name']),
}
const byCustomer = { column: 'customer_id', field: 'customer_id' }

test('columns that say whose a row is: the one of most tables first', () => {
  expect(scopesOf(shop)).toEqual([
    { column: 'customer_id', field: 'customer_id', tables: 2 },
    { column: 'user_id', field: 'id', tables: 1 },
  ])
})

test.each([
  ['tenantId', 'tenant_id'],
  ['org_uuid', 'org_uuid'],
  ['created_by', 'id'],
  ['owner', 'id'],
])('%s is compared with $user.%s', (name, field) => {
  expect(scopesOf({ notes: table([name]) })).toMatchObject([{ field }])
})

test.each(['author', 'user', 'company_name', 'identity', 'account_balance', 'constructor'])(
  '%s says nothing about a caller',
  (name) => {
    expect(scopesOf({ notes: table([name]) })).toEqual([])
  },
)

test('tables are tied by the column, by being the caller, and through what they belong to', () => {
  const ties = tiesOf('main', shop, byCustomer)
  expect(Object.fromEntries([...ties].map(([name, { where }]) => [name, where]))).toEqual({
    orders: { customer_id: '$user.customer_id' },
    invoices: { customer_id: '$user.customer_id' },
    customers: { id: '$user.customer_id' },
    items: { order: { customer_id: '$user.customer_id' } },
    returns: { item: { order: { customer_id: '$user.customer_id' } } },
  })
})

test('relations into another connection are not followed', () => {
  const items = table(['id'], { relationships: { order: { ...toOrder, table: 'other.orders' } } })
  expect(tiesOf('main', { ...shop, items }, byCustomer).has('items')).toBe(false)
})

test('a column of the name of a relation is not mistaken for it', () => {
  const items = table(['id', 'order'], { relationships: { order: toOrder } })
  expect(tiesOf('main', { ...shop, items }, byCustomer).has('items')).toBe(false)
})

test.each([
  'password',
  'passwordHash',
  'api_key',
  'reset-token',
  'card_number',
  'SSN',
  'private_key',
])('%s looks secret', (name) => expect(looksSecret(name)).toBe(true))

test.each(['hashtag', 'tokenizer', 'shipping', 'key', 'number', 'passenger'])(
  '%s does not look secret',
  (name) => expect(looksSecret(name)).toBe(false),
)

test('reading is guessed where rows are tied to a caller, and nothing where they are not', () => {
  const ties = tiesOf('main', shop, byCustomer)
  expect(guessedAccess(ties.get('orders'))).toBe('read')
  expect(guessedAccess(ties.get('products'))).toBe('none')
  expect(offeredAccess(table(['id']), ties.get('products'))).toEqual(['none', 'read'])
  expect(offeredAccess(table(['id'], { kind: 'view' }), ties.get('orders'))).toEqual([
    'none',
    'read',
  ])
  expect(sentenceOf(undefined, 'read')).toContain('Every row')
})

test('rules name their columns, leave secrets out, and set the column of the caller', () => {
  const access = { customers: 'write', orders: 'write', items: 'write', products: 'read' } as const
  const choices = {
    connection: 'main',
    role: 'customer',
    ties: tiesOf('main', shop, byCustomer),
    access: (name: string) => access[name as keyof typeof access] ?? ('none' as const),
  }
  expect(hiddenColumns(shop['customers'] ?? table([]))).toEqual(['password_hash'])
  const own = { customer_id: '$user.customer_id' }
  expect(rulesOf(shop, choices, ['customer-orders'])).toEqual({
    'customer-customers': {
      table: 'main.customers',
      roles: ['customer'],
      select: { columns: ['id', 'name'], where: { id: '$user.customer_id' } },
      update: { columns: ['name'], where: { id: '$user.customer_id' } },
    },
    'customer-orders-2': {
      table: 'main.orders',
      roles: ['customer'],
      select: { columns: ['id', 'customer_id', 'note'], where: own },
      insert: { columns: ['note'], preset: own },
      update: { columns: ['note'], where: own },
    },
    'customer-items': {
      table: 'main.items',
      roles: ['customer'],
      select: { columns: ['id', 'order_id', 'units'], where: { order: own } },
      insert: { columns: ['order_id', 'units'], check: { order: own } },
      update: { columns: ['order_id', 'units'], where: { order: own } },
    },
    'customer-products': {
      table: 'main.products',
      roles: ['customer'],
      select: { columns: ['id', 'name'] },
    },
  })
})
