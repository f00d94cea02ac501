import { expect, test } from 'vitest'
import { shownTables } from './matrix-filter.ts'
import type { PermissionMatrix } from './matrix-types.ts'

const entry = (role: string, table: string): PermissionMatrix['entries'][number] => ({
  role,
  table,
  operation: 'select',
  grants: [{ permission: 'p' }],
  restrict: [],
  masked: [],
})
const matrix = {
  tables: ['main.customers', 'main.orders', 'main.audit_log'],
  entries: [entry('support', 'main.customers'), entry('customer', 'main.orders')],
}
const all = { search: '', role: '', isRuledOnly: false }

test('without a filter every table is shown', () => {
  expect(shownTables(matrix, all)).toEqual(matrix.tables)
})

test('tables that no rule names can be left out', () => {
  expect(shownTables(matrix, { ...all, isRuledOnly: true })).toEqual([
    'main.customers',
    'main.orders',
  ])
})

test('of a role, the tables on which it has a rule', () => {
  expect(shownTables(matrix, { ...all, role: 'support' })).toEqual(['main.customers'])
  expect(shownTables(matrix, { ...all, role: 'nobody' })).toEqual([])
})

test('part of a name is enough, in any case of its letters', () => {
  expect(shownTables(matrix, { ...all, search: 'ORD' })).toEqual(['main.orders'])
  expect(shownTables(matrix, { ...all, search: 'log', isRuledOnly: true })).toEqual([])
})
