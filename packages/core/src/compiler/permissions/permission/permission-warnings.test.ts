import { expect, test } from 'vitest'
import type { Connection, ViewWrites } from '../../catalog/catalog.ts'
import { permissionsOf, shop, type TestPermissions } from '../test-support/authorize-for-test.ts'
import type { FrozenColumns } from './permission-set.ts'
import { permissionWarnings } from './permission-warnings.ts'

const orders = { table: 'main.orders', roles: ['r'] }
const mine = { tenant: '$user.tenant' }

function warnings(
  permissions: TestPermissions,
  connection: Connection = shop.connection,
  frozen: FrozenColumns = new Map(),
): readonly string[] {
  return permissionWarnings(connection, permissionsOf(permissions), frozen).map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

const lost = [
  'permissions.add.insert: the role "r" may store rows that it may not see: add a check, or preset the columns of its row filter',
]

test('an INSERT without a check may lose rows to others', () => {
  const read = { ...orders, select: { where: mine } }
  expect(warnings({ read, add: { ...orders, insert: {} } })).toEqual(lost)
  expect(warnings({ add: { ...orders, select: { where: mine }, insert: {} } })).toEqual(lost)
  const related = { ...orders, select: { where: { customer: { tenant: 'x' } } } }
  const preset = { ...orders, insert: { preset: { tenant: '$user.tenant' } } }
  expect(warnings({ related, add: preset })).toEqual(lost)
})

test('not where it is checked, preset, seen, or never read', () => {
  const read = { ...orders, select: { where: mine } }
  expect(warnings({ read, add: { ...orders, insert: { check: mine } } })).toEqual([])
  const preset = { ...orders, insert: { preset: { tenant: '$user.tenant' } } }
  expect(warnings({ read, add: preset })).toEqual([])
  const all = { ...orders, select: {} }
  expect(warnings({ read, all, add: { ...orders, insert: {} } })).toEqual([])
  expect(warnings({ add: { ...orders, insert: {} } })).toEqual([])
  const others = { ...orders, roles: ['other'], select: { where: mine } }
  expect(warnings({ others, add: { ...orders, insert: {} } })).toEqual([])
  const started = {
    ...orders,
    select: {
      where: { $exists: { table: 'main.members', where: { tenant: { $outer: 'tenant' } } } },
    },
  }
  expect(warnings({ started, add: preset })).toEqual([])
})

test('a cascade deletes rows that could not be deleted by themselves', () => {
  const tables = new Map(
    [...shop.connection.tables].map(([name, table]) => [
      name,
      { ...table, foreignKeys: table.foreignKeys.map((key) => ({ ...key, cascades: true })) },
    ]),
  )
  const connection = { ...shop.connection, tables }
  const remove = { ...orders, delete: { where: mine } }
  const message =
    'permissions.remove.delete: ON DELETE CASCADE deletes rows of main.order_tags that the role "r" may not delete'
  expect(warnings({ remove }, connection)).toEqual([message])
  const some = { table: 'main.order_tags', roles: ['r'], delete: { where: { tag_id: 1 } } }
  expect(warnings({ remove, some }, connection)).toEqual([message])
  const all = { table: 'main.order_tags', roles: ['r'], delete: {} }
  expect(warnings({ remove, all }, connection)).toEqual([])
  expect(warnings({ remove })).toEqual([])
})

test('columns that came later are named', () => {
  const frozen: FrozenColumns = new Map([['main.tags', ['id']]])
  const read = { table: 'main.tags', roles: ['r'], select: {} }
  expect(warnings({ read }, shop.connection, frozen)).toEqual([
    'columns of main.tags: stay hidden until the next start, since they were added after this one: "name"',
  ])
})

test('a right to write a view that the database cannot write grants nothing', () => {
  const view = (viewWrites?: ViewWrites) => {
    const found = shop.connection.tables.get('orders')
    if (found === undefined) throw new Error('no table')
    const tables = new Map([['orders', { ...found, kind: 'view' as const, viewWrites }]])
    return { ...shop.connection, tables }
  }
  const permissions = { all: { ...orders, insert: {}, update: {}, delete: {} } }
  const none = (operation: string) =>
    `permissions.all.${operation}: grants nothing: ${operation} is not possible on the view main.orders`
  expect(warnings(permissions, view())).toEqual(['insert', 'update', 'delete'].map(none))
  const methods = { insert: 'table', update: 'none', delete: 'rule' } as const
  const some = view({
    ...methods,
    columns: new Map(),
    base: undefined,
    showsEveryRow: false,
    keys: [],
  })
  expect(warnings(permissions, some)).toEqual(['update', 'delete'].map(none))
})

test('a right to write a table for which the database has a rule grants nothing', () => {
  const tables = new Map(
    [...shop.connection.tables].map(([name, table]) => [
      name,
      { ...table, ruledWrites: ['insert' as const] },
    ]),
  )
  const permissions = { all: { ...orders, insert: {}, update: {} } }
  expect(warnings(permissions, { ...shop.connection, tables })).toContain(
    'permissions.all.insert: grants nothing: insert is not possible on the table main.orders, which has a rule',
  )
})
