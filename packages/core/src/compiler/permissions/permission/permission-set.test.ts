import { describe, expect, test } from 'vitest'
import { createFaults } from '../../../foundation/faults.ts'
import { faultsOf, permissionsOf } from '../test-support/authorize-for-test.ts'
import { createShop, type Shop } from '../test-support/shop.ts'
import type { Permission } from './permission.ts'
import { createConnectionPermissions, type FrozenColumns } from './permission-set.ts'

function columnsOf(
  shop: Shop,
  permission: Permission,
  frozen: FrozenColumns = new Map(),
): readonly string[] | undefined {
  const faults = createFaults()
  const permissions = new Map([['p', permission]])
  const set = createConnectionPermissions(permissions, shop.connection, frozen, faults)
  const [table = ''] = permission.table.split('.').slice(1)
  const columns = set.get(table)?.[0]?.select?.columns
  return columns && [...columns].map((c) => shop.table(table).columns[c]?.name ?? '?')
}

const all: Permission = { table: 'main.tags', roles: ['r'], select: { columns: '*' } }

describe('columns', () => {
  test("'*' and nothing mean every column", () => {
    expect(columnsOf(createShop(), all)).toEqual(['id', 'name'])
    expect(columnsOf(createShop(), { ...all, select: {} })).toEqual(['id', 'name'])
    expect(columnsOf(createShop(), { ...all, select: { columns: [] } })).toEqual([])
  })
  test("'*' means the columns of the start: one that is added later stays hidden", () => {
    const frozen: FrozenColumns = new Map()
    expect(columnsOf(createShop(['tags.name']), all, frozen)).toEqual(['id'])
    expect(columnsOf(createShop(), all, frozen)).toEqual(['id'])
    expect(columnsOf(createShop(), { ...all, select: { columns: ['name'] } }, frozen)).toEqual([
      'name',
    ])
  })
  test("'*' outlives a column that goes away", () => {
    const frozen: FrozenColumns = new Map()
    columnsOf(createShop(), all, frozen)
    expect(columnsOf(createShop(['tags.name']), all, frozen)).toEqual(['id'])
  })
})

describe('what does not exist', () => {
  test('is named with its path, all of it at once', () => {
    expect(
      faultsOf({
        a: { table: 'main.ordrs', roles: ['r'], select: {} },
        b: {
          table: 'main.orders',
          roles: ['r'],
          restrict: { tenat: 'x' },
          select: { columns: ['id', 'stats'], where: { nope: 1 } },
          insert: { columns: ['nope'], check: { total: 'x' }, preset: { tenantt: 'x' } },
          update: { where: { $xor: [] }, preset: { total: 'x', status: { $col: 'id' } } },
          delete: { where: { customer: 5 } },
        },
      }),
    ).toEqual([
      'permissions.a.table: there is no table "main.ordrs"; did you mean "main.orders"?',
      'permissions.b.restrict.tenat: main.orders has no column or relation "tenat"; did you mean "tenant"?',
      'permissions.b.select.columns[1]: main.orders has no column "stats"; did you mean "status"?',
      'permissions.b.select.where.nope: main.orders has no column or relation "nope"',
      'permissions.b.insert.columns[0]: main.orders has no column "nope"',
      'permissions.b.insert.check.total: invalid input syntax for type bigint: "x"',
      'permissions.b.insert.preset.tenantt: main.orders has no column "tenantt"; did you mean "tenant"?',
      'permissions.b.update.where.$xor: unknown operator $xor; did you mean "$or"?',
      'permissions.b.update.preset.total: invalid input syntax for type bigint: "x"',
      'permissions.b.update.preset.status: a preset is a constant, "$user.<field>" or { $now }',
      'permissions.b.delete.where.customer: a relation expects a filter on the related table',
    ])
  })
  test('closes its table, whatever other permissions say', () => {
    const faults = createFaults()
    const set = createConnectionPermissions(
      new Map<string, Permission>([
        ['good', { table: 'main.orders', roles: ['r'], select: {} }],
        ['bad', { table: 'main.orders', roles: ['r'], restrict: { nope: 1 }, select: {} }],
        ['other', all],
      ]),
      createShop().connection,
      new Map(),
      faults,
    )
    expect(faults.list).toHaveLength(1)
    expect(set.get('orders')).toEqual([])
    expect(set.get('tags')).toHaveLength(1)
  })
})

describe('presets', () => {
  const insert = (preset: Readonly<Record<string, unknown>>) => ({
    p: { table: 'main.orders', roles: ['r'], insert: { preset } },
  })
  test('are constants, fields of the caller or moments', () => {
    const samples = {
      p: {
        table: 'main.samples',
        roles: ['r'],
        insert: {
          preset: {
            data: { a: [1] },
            labels: ['x', 'y'],
            mood: 'ok',
            at: { $now: '0s' },
            code: null,
            born: '$user.born',
            ratio: 0.5,
            flag: true,
          },
        },
      },
    }
    expect(faultsOf(samples)).toEqual([])
    expect(permissionsOf(samples).get('samples')?.[0]?.insert?.presets.size).toBe(8)
  })
  test.each([
    [{ total: '$user' }, '"$user" is not of the form $user.<field>'],
    [{ code: 'abcdef' }, 'value too long for type character varying(5)'],
    [{ total: { $outer: 'id' } }, 'expects a value, "$user.<field>", $col, $now or $literal'],
    [{ total: { $now: '0s' } }, '$now is compared with a date or timestamp column'],
  ])('%j is refused', (preset, message) => {
    const [column] = Object.keys(preset)
    expect(faultsOf(insert(preset))).toEqual([`permissions.p.insert.preset.${column}: ${message}`])
  })
  test('never set what the database computes', () => {
    expect(
      faultsOf({ p: { table: 'main.samples', roles: ['r'], insert: { preset: { twice: 1 } } } }),
    ).toEqual(['permissions.p.insert.preset.twice: the database generates this column'])
  })
  test('may not differ for one role', () => {
    const two = (first: unknown, second: unknown, roles = ['r']) =>
      faultsOf({
        a: { table: 'main.orders', roles: ['r', 's'], insert: { preset: first } },
        b: { table: 'main.orders', roles, insert: { preset: second } },
      })
    expect(two({ tenant: 'x' }, { tenant: 'x' })).toEqual([])
    expect(two({ tenant: 'x' }, { tenant: 'y' }, ['t'])).toEqual([])
    const message = 'permissions.b.insert.preset: differs from the preset of "a" for the same role'
    expect(two({ tenant: 'x' }, { tenant: 'y' })).toEqual([message])
    expect(two({ tenant: 'x' }, undefined)).toEqual([message])
    expect(two({ tenant: 'x' }, { tenant: '$user.tenant' })).toEqual([message])
  })
})

test('numbers that JSON cannot spell keep two conditions apart', () => {
  const keyOf = (ratio: number) =>
    permissionsOf({
      p: { table: 'main.samples', roles: ['r'], select: { where: { ratio } } },
    }).get('samples')?.[0]?.select?.whereKey
  expect(keyOf(Number.POSITIVE_INFINITY)).not.toBe(keyOf(Number.NEGATIVE_INFINITY))
  expect(keyOf(1)).toBe(keyOf(1))
  const big = permissionsOf({
    p: { table: 'main.orders', roles: ['r'], select: { where: { total: 9_007_199_254_740_993n } } },
  })
  expect(big.get('orders')).toHaveLength(1)
})
