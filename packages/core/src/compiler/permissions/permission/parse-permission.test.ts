import { expect, test } from 'vitest'
import { createFaults } from '../../../foundation/faults.ts'
import { parsePermission } from './parse-permission.ts'

function faultsOf(input: unknown): readonly string[] {
  const faults = createFaults()
  const parsed = parsePermission(input, faults, 'p')
  expect(parsed === undefined).toBe(faults.list.length > 0)
  return faults.list.map(({ path, message }) => `${path}: ${message}`)
}

const whole = {
  table: 'main.orders',
  roles: ['a', '*'],
  name: 'n',
  description: 'd',
  restrict: {},
  select: { columns: '*', where: {}, limit: 5, aggregate: false },
  insert: { columns: ['id'], check: {}, preset: { a: 1 } },
  update: { columns: ['id'], where: {}, check: {}, preset: { a: 1 } },
  delete: { where: {} },
}

test('a permission with every key is taken as it is', () => {
  expect(faultsOf(whole)).toEqual([])
  expect(parsePermission(whole, createFaults(), 'p')).toBe(whole)
})

test('a block may be empty', () => {
  expect(faultsOf({ table: 'main.orders', roles: ['a'], delete: {} })).toEqual([])
})

test('all faults are found at once, each with its path', () => {
  expect(
    faultsOf({
      table: 'orders',
      roles: [],
      name: 1,
      restrict: [],
      slect: {},
      select: { columns: 'id', where: 'x', limit: -1, aggregate: 'no', check: {} },
      insert: { columns: [1], where: {}, preset: [] },
      update: 'all',
      delete: { wher: {} },
    }),
  ).toEqual([
    'p.slect: unknown key; did you mean "select"?',
    'p.table: expects "<connection>.<table>"',
    'p.roles: expects a non-empty list of texts',
    'p.name: expects a text',
    'p.restrict: a filter is an object',
    'p.select.check: unknown key',
    'p.select.columns: expects a list of texts',
    'p.select.where: a filter is an object',
    'p.select.limit: expects a whole number of rows',
    'p.select.aggregate: expects true or false',
    'p.insert.where: unknown key',
    'p.insert.columns: expects a list of texts',
    'p.insert.preset: expects an object of column: value',
    'p.update: expects an object',
    'p.delete.wher: unknown key; did you mean "where"?',
  ])
})

test.each([undefined, null, 'x', 5, [], new Map(), new Date(0)])('%s is no permission', (input) => {
  expect(faultsOf(input)).toEqual(['p: expects an object'])
})

test('a permission that grants nothing is a fault', () => {
  expect(faultsOf({ table: 'main.orders', roles: ['a'] })).toEqual([
    'p: grants nothing: give it select, insert, update or delete',
  ])
})

test('a key is never looked up on a prototype', () => {
  const input = JSON.parse(
    '{"table": "main.orders", "roles": ["a"], "select": {}, "__proto__": {"delete": {}}}',
  )
  expect(faultsOf(input)).toEqual(['p.__proto__: unknown key'])
})
