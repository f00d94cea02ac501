import type { GuessedRule } from '@engine/contract/admin-api'
import { expect, test } from 'vitest'
import { guessedAccess, offeredAccess, rulesOf, sentenceOf } from './rules.ts'

const own = { customer_id: '$user.customer_id' }
const orders: GuessedRule = {
  owners: ['customer_id'],
  hidden: [],
  tie: { kind: 'column', by: 'customer_id' },
  select: { columns: ['id', 'note'], where: own },
  writes: { insert: { columns: ['note'], preset: own }, delete: { where: own } },
  comments: ['No updates.'],
}
const products: GuessedRule = {
  owners: [],
  hidden: ['cost'],
  tie: undefined,
  select: { columns: ['id', 'name'] },
  writes: undefined,
  comments: [],
}
const members: GuessedRule = {
  ...orders,
  writes: undefined,
  comments: ['Read-only: the tenants of a user come from it.'],
}
const sessions: GuessedRule = {
  ...products,
  select: undefined,
  comments: ['No rule: holds credentials.'],
}

test('reading is guessed where rows are tied to a caller, and nothing where they are not', () => {
  expect(guessedAccess(orders)).toBe('read')
  expect(guessedAccess(products)).toBe('none')
})

test('writing is offered where the engine proposes it', () => {
  expect(offeredAccess(orders)).toEqual(['none', 'read', 'write'])
  expect(offeredAccess(products)).toEqual(['none', 'read'])
  expect(offeredAccess(members)).toEqual(['none', 'read'])
  expect(offeredAccess(sessions)).toEqual(['none'])
})

test('a rule says what it grants, and why it grants no more', () => {
  expect(sentenceOf(orders, 'write')).toBe(
    'Rows whose customer_id is the caller’s. Adds, deletes them. No updates.',
  )
  expect(sentenceOf(orders, 'read')).toBe('Rows whose customer_id is the caller’s.')
  expect(sentenceOf(members, 'read')).toContain('Read-only: the tenants')
  expect(sentenceOf(products, 'read')).toContain('Every row')
  expect(sentenceOf(sessions, 'none')).toBe('No rule: holds credentials.')
})

test('rules are those of the engine, under names that are free', () => {
  const access = { orders: 'write', products: 'read', sessions: 'read' } as const
  const choices = {
    connection: 'main',
    role: 'customer',
    access: (name: string) => access[name as keyof typeof access] ?? ('none' as const),
  }
  expect(rulesOf({ orders, products, members, sessions }, choices, ['customer-orders'])).toEqual({
    'customer-orders-2': {
      table: 'main.orders',
      roles: ['customer'],
      select: orders.select,
      ...orders.writes,
    },
    'customer-products': { table: 'main.products', roles: ['customer'], select: products.select },
  })
})
