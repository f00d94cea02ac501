import { describe, expect, test } from 'vitest'
import { refusal, secured, type TestPermissions, user } from '../test-support/authorize-for-test.ts'

const table = 'main.orders'
const mine = { tenant: '$user.tenant' }
const open = { status: 'open' }

/** The text after FROM. */
function from(permissions: TestPermissions, caller = user(['r'], { tenant: 'acme' })): string {
  const text = secured('select id from main.orders', permissions, caller)
  return text.slice(text.indexOf(' from ') + 6)
}

describe('rows', () => {
  test('are all there without a condition', () => {
    expect(from({ a: { table, roles: ['r'], select: {} } })).toBe('orders')
    expect(from({ a: { table, roles: ['r'], select: { where: {} } } })).toBe('orders')
  })
  test('add up over the permissions of the roles', () => {
    expect(
      from({
        a: { table, roles: ['r'], select: { where: mine } },
        b: { table, roles: ['*'], select: { where: { id: 5 } } },
        c: { table, roles: ['other'], select: {} },
      }),
    ).toBe('orders[filter ((orders!.tenant = $user.tenant) or (orders!.id = 5))]')
  })
  test('are none where a field is missing and nothing else lets them through', () => {
    expect(from({ a: { table, roles: ['r'], select: { where: mine } } }, user(['r']))).toBe(
      'orders[filter false]',
    )
    expect(
      from({ a: { table, roles: ['r'], select: { where: { $not: mine } } } }, user(['r'])),
    ).toBe('orders[filter false]')
  })
  test('of a permission whose field is missing do not count', () => {
    const both = {
      a: { table, roles: ['r'], select: { where: mine } },
      b: { table, roles: ['r'], select: { where: { id: 5 } } },
    }
    expect(from(both, user(['r']))).toBe('orders[filter (orders!.id = 5)]')
  })
  test('equal conditions count once', () => {
    const both = {
      a: { table, roles: ['r'], select: { where: mine } },
      b: { table, roles: ['r'], select: { where: mine } },
    }
    expect(from(both)).toBe('orders[filter (orders!.tenant = $user.tenant)]')
  })
})

describe('restrict', () => {
  test('narrows what permissions add up to, also one that grants something else', () => {
    expect(
      from({
        a: { table, roles: ['r'], select: {} },
        b: { table, roles: ['r'], restrict: mine, delete: {} },
        c: { table, roles: ['other'], restrict: open, select: {} },
      }),
    ).toBe('orders[filter (orders!.tenant = $user.tenant)]')
  })
  test('by a field that is missing leaves nothing', () => {
    expect(
      from({ a: { table, roles: ['r'], restrict: { $not: mine }, select: {} } }, user(['r'])),
    ).toBe('orders[filter false]')
  })
})

describe('cells', () => {
  const two = {
    own: { table, roles: ['r'], select: { where: mine } },
    listed: { table, roles: ['r'], select: { columns: ['id', 'status'], where: open } },
  }
  test('are masked unless one permission grants both row and column', () => {
    const text = secured('select id, status, notes from main.orders', two)
    expect(text).toContain('mask notes: (orders!.tenant = $user.tenant)')
    expect(text).not.toContain('mask id')
    expect(text).not.toContain('mask status')
  })
  test('are not masked where a permission grants them in every row', () => {
    const text = secured('select id, notes from main.orders', {
      ...two,
      all: { table, roles: ['r'], select: { columns: ['notes'] } },
    })
    expect(text).not.toContain('mask notes')
    expect(text).toContain('mask id: ((orders!.tenant = $user.tenant) or (orders!.status = open))')
    expect(text).not.toContain('filter')
  })
  test('are always NULL where only a permission with a missing field grants them', () => {
    const text = secured('select id, notes from main.orders', two, user(['r']))
    expect(text).toContain('filter (orders!.status = open)')
    expect(text).toContain('mask notes: false')
  })
  test('conditions under equal names of two permissions need no mask', () => {
    expect(
      secured('select id, notes from main.orders', {
        a: { table, roles: ['r'], select: { columns: ['id'], where: mine } },
        b: { table, roles: ['r'], select: { columns: ['notes'], where: mine } },
      }),
    ).not.toContain('mask')
  })
})

describe('columns', () => {
  const some = { a: { table, roles: ['r'], select: { columns: ['id', 'status'] } } }
  test('exist when a permission lists them', () => {
    expect(secured('select * from main.orders', some)).toBe(
      'select orders.id, orders.status from orders',
    )
    expect(refusal('select notes from main.orders', some).problem).toBe('columnDenied')
  })
  test('that policies look at need not be readable', () => {
    expect(
      secured('select id from main.orders', {
        a: { table, roles: ['r'], select: { columns: ['id'], where: mine } },
      }),
    ).toContain('filter (orders!.tenant = $user.tenant)')
  })
  test('none of them readable still leaves rows to count', () => {
    const none = { a: { table, roles: ['r'], select: { columns: [], where: mine } } }
    expect(secured('select count(*) from main.orders', none)).toContain('filter')
    expect(refusal('select id from main.orders', none).problem).toBe('columnDenied')
  })
})
