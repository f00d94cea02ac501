import { describe, expect, test } from 'vitest'
import { faultsOf } from '../test-support/authorize-for-test.ts'

const orders = { table: 'main.orders', roles: ['r'] }

/** Paths of the faults of one permission. */
function paths(permission: unknown): readonly string[] {
  return faultsOf({ p: permission }).map((fault) => fault.split(': ')[0] ?? '')
}

/** Paths of the faults of a row filter. */
function filterPaths(where: unknown): readonly string[] {
  return paths({ ...orders, select: { where } })
}

describe('a permission', () => {
  test.each<[string, unknown, string]>([
    ['is an object', 5, 'permissions.p'],
    ['is no list', [], 'permissions.p'],
    ['has known keys', { ...orders, select: {}, selects: {} }, 'permissions.p.selects'],
    [
      'has no prototype keys',
      { ...orders, select: {}, constructor: {} },
      'permissions.p.constructor',
    ],
    ['names a table', { ...orders, table: 'orders', select: {} }, 'permissions.p.table'],
    [
      'names a table that exists',
      { ...orders, table: 'main.Orders', select: {} },
      'permissions.p.table',
    ],
    ['has roles', { table: 'main.orders', select: {} }, 'permissions.p.roles'],
    ['has a role at least', { ...orders, roles: [], select: {} }, 'permissions.p.roles'],
    ['has a list of roles', { ...orders, roles: 'r', select: {} }, 'permissions.p.roles'],
    ['has roles that are texts', { ...orders, roles: ['r', 5], select: {} }, 'permissions.p.roles'],
    ['has roles with names', { ...orders, roles: ['r', ''], select: {} }, 'permissions.p.roles'],
    [
      'has roles without blanks around',
      { ...orders, roles: ['r '], select: {} },
      'permissions.p.roles',
    ],
    ['has a text as its name', { ...orders, name: 5, select: {} }, 'permissions.p.name'],
    ['grants something', orders, 'permissions.p'],
    ['grants with objects', { ...orders, select: true }, 'permissions.p.select'],
    ['grants with no null', { ...orders, delete: null }, 'permissions.p.delete'],
    [
      'grants with known keys',
      { ...orders, select: { column: [] } },
      'permissions.p.select.column',
    ],
    ['has no check for reads', { ...orders, select: { check: {} } }, 'permissions.p.select.check'],
    ['has no where for INSERT', { ...orders, insert: { where: {} } }, 'permissions.p.insert.where'],
    [
      'has no columns for DELETE',
      { ...orders, delete: { columns: [] } },
      'permissions.p.delete.columns',
    ],
    ['lists columns', { ...orders, select: { columns: 'id' } }, 'permissions.p.select.columns'],
    [
      'lists columns that are texts',
      { ...orders, select: { columns: [1] } },
      'permissions.p.select.columns',
    ],
    [
      'lists columns that exist',
      { ...orders, update: { columns: ['id', 'Id'] } },
      'permissions.p.update.columns[1]',
    ],
    [
      'lists a column once',
      { ...orders, select: { columns: ['id', 'id'] } },
      'permissions.p.select.columns[1]',
    ],
    [
      'has no star among columns',
      { ...orders, select: { columns: ['*'] } },
      'permissions.p.select.columns[0]',
    ],
    [
      'limits to a number of rows',
      { ...orders, select: { limit: -1 } },
      'permissions.p.select.limit',
    ],
    [
      'limits to a whole number',
      { ...orders, select: { limit: '5' } },
      'permissions.p.select.limit',
    ],
    [
      'decides about aggregates',
      { ...orders, select: { aggregate: 1 } },
      'permissions.p.select.aggregate',
    ],
    ['restricts with a filter', { ...orders, select: {}, restrict: [] }, 'permissions.p.restrict'],
    ['presets an object', { ...orders, insert: { preset: ['id'] } }, 'permissions.p.insert.preset'],
    [
      'presets columns that exist',
      { ...orders, insert: { preset: { idd: 1 } } },
      'permissions.p.insert.preset.idd',
    ],
    [
      'presets values of the type',
      { ...orders, insert: { preset: { id: 'x' } } },
      'permissions.p.insert.preset.id',
    ],
    [
      'presets something',
      { ...orders, insert: { preset: { id: undefined } } },
      'permissions.p.insert.preset.id',
    ],
    [
      'presets no other column',
      { ...orders, insert: { preset: { id: { $col: 'total' } } } },
      'permissions.p.insert.preset.id',
    ],
  ])('%s', (_, permission, path) => expect(paths(permission)).toContain(path))
})

describe('a filter', () => {
  const where = 'permissions.p.select.where'
  test.each<[string, unknown, string]>([
    ['is no text', 'tenant', where],
    ['is no null', null, where],
    ['is no date', new Date(0), where],
    ['names columns', { tenent: 'x' }, `${where}.tenent`],
    ['names no prototype', { __proto__x: 1 }, `${where}.__proto__x`],
    ['says what a column equals', { tenant: undefined }, `${where}.tenant`],
    ['tests for NULL by name', { tenant: null }, `${where}.tenant`],
    ['has no empty condition', { tenant: {} }, `${where}.tenant`],
    ['has operators it knows', { tenant: { $equals: 'x' } }, `${where}.tenant.$equals`],
    ['mixes no keys', { tenant: { $eq: 'x', other: 1 } }, `${where}.tenant`],
    ['has operands', { tenant: { $eq: undefined } }, `${where}.tenant.$eq`],
    ['has operands of the type', { total: 'many' }, `${where}.total`],
    ['has numbers that exist', { total: Number.NaN }, `${where}.total`],
    ['has no functions', { tenant: () => 'x' }, `${where}.tenant`],
    ['has no symbols', { tenant: Symbol('x') }, `${where}.tenant`],
    ['has no lists for one value', { tenant: ['x'] }, `${where}.tenant`],
    ['has lists for $in', { tenant: { $in: 'x' } }, `${where}.tenant.$in`],
    ['has values in lists', { tenant: { $in: ['x', undefined] } }, `${where}.tenant.$in[1]`],
    ['has no holes in lists', { tenant: { $in: new Array(1) } }, `${where}.tenant.$in[0]`],
    ['has no NULL in lists', { tenant: { $in: [null] } }, `${where}.tenant.$in[0]`],
    ['has pairs for $between', { total: { $between: [1] } }, `${where}.total.$between`],
    ['asks true or false of $isNull', { tenant: { $isNull: 'yes' } }, `${where}.tenant.$isNull`],
    ['has text operators for text', { total: { $startsWith: '1' } }, `${where}.total.$startsWith`],
    ['has array operators for arrays', { total: { $overlaps: [1] } }, `${where}.total.$overlaps`],
    ['has operators at the top', { $eq: 5 }, `${where}.$eq`],
    ['has lists for $and', { $and: { tenant: 'x' } }, `${where}.$and`],
    ['has filters for $or', { $or: [undefined] }, `${where}.$or[0]`],
    ['has no holes in $or', { $or: new Array(1) }, `${where}.$or[0]`],
    ['has a filter for $not', { $not: [] }, `${where}.$not`],
    ['has a filter inside $not', { $not: { tenant: undefined } }, `${where}.$not.tenant`],
    ['has fields of $user', { tenant: '$user' }, `${where}.tenant`],
    ['has names of fields', { tenant: '$user.' }, `${where}.tenant`],
    ['has no empty parts in them', { tenant: '$user.a..b' }, `${where}.tenant`],
    ['has no misspelt $user', { tenant: '$users.id' }, `${where}.tenant`],
    ['knows $col', { tenant: { $col: 'statis' } }, `${where}.tenant.$col`],
    ['has $col alone', { tenant: { $col: 'status', $now: '0s' } }, `${where}.tenant`],
    ['compares columns of one kind', { tenant: { $col: 'total' } }, `${where}.tenant`],
    ['has $outer inside $exists', { tenant: { $outer: 'status' } }, `${where}.tenant`],
    ['has $now for moments', { tenant: { $now: '0s' } }, `${where}.tenant`],
    [
      'has operators for $user',
      { '$user.level': { $gte: undefined } },
      `${where}.$user.level.$gte`,
    ],
    ['has a comparison for $user', { '$user.level': {} }, `${where}.$user.level`],
    ['has objects for relations', { customer: 5 }, `${where}.customer`],
    ['names columns of relations', { customer: { cty: 'x' } }, `${where}.customer.cty`],
    ['has quantifiers for to-many', { order_tags: { tag_id: 1 } }, `${where}.order_tags.tag_id`],
    ['has filters for quantifiers', { order_tags: { $some: 5 } }, `${where}.order_tags.$some`],
    ['has no empty to-many', { order_tags: {} }, `${where}.order_tags`],
    ['names tables in $exists', { $exists: { table: 'main.tagz' } }, `${where}.$exists.table`],
    ['has a table in $exists', { $exists: {} }, `${where}.$exists`],
    [
      'has known keys in $exists',
      { $exists: { table: 'main.tags', on: {} } },
      `${where}.$exists.on`,
    ],
    [
      'names columns of the outer table',
      { $exists: { table: 'main.tags', where: { name: { $outer: 'nam' } } } },
      `${where}.$exists.where.name.$outer`,
    ],
  ])('%s', (_, filter, path) => expect(filterPaths(filter)).toContain(path))
})

test('every filter of a permission is checked, and every fault told', () => {
  const bad = { nothing: 1 }
  const permission = {
    ...orders,
    restrict: bad,
    select: { where: bad },
    insert: { check: bad },
    update: { where: bad, check: bad },
    delete: { where: bad },
  }
  expect(paths(permission)).toEqual([
    'permissions.p.restrict.nothing',
    'permissions.p.select.where.nothing',
    'permissions.p.insert.check.nothing',
    'permissions.p.update.where.nothing',
    'permissions.p.update.check.nothing',
    'permissions.p.delete.where.nothing',
  ])
})
