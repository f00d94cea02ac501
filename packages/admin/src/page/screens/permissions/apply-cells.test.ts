import { expect, test } from 'vitest'
import { granting, revoking } from './apply-cells.ts'

const cells = [
  { table: 'main.orders', role: 'support' },
  { table: 'main.orders', role: 'manager' },
  { table: 'main.items', role: 'support' },
]

test('one rule for each table, with all its roles and a name of its own', () => {
  const rules = { 'support-items': { table: 'main.items', roles: ['x'] } }
  expect(granting(cells, ['select', 'insert'], { a: 1 }, rules)).toEqual({
    'support-manager-orders': {
      table: 'main.orders',
      roles: ['support', 'manager'],
      select: { where: { a: 1 } },
      insert: { check: { a: 1 } },
    },
    'support-items-2': {
      table: 'main.items',
      roles: ['support'],
      select: { where: { a: 1 } },
      insert: { check: { a: 1 } },
    },
  })
})

test('roles are taken out of the rules of a table; a rule without roles is removed', () => {
  const rules = {
    a: { table: 'main.orders', roles: ['support', 'customer'], select: {} },
    b: { table: 'main.items', roles: ['support'], select: {} },
    c: { table: 'main.items', roles: ['manager'], select: {} },
  }
  expect(revoking(cells, rules)).toEqual({
    a: { table: 'main.orders', roles: ['customer'], select: {} },
    b: null,
  })
})
