import { describe, expect, test } from 'vitest'
import { admin, anonymous, type Caller } from '../../../foundation/caller.ts'
import type { Connection } from '../../catalog/catalog.ts'
import {
  accessOf,
  permissionsOf,
  rightsOf,
  shop,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { slotKey } from './access.ts'
import { createRightsSource } from './rights.ts'

const permissions: TestPermissions = {
  customer: { table: 'main.orders', roles: ['customer'], select: {} },
  clerk: { table: 'main.orders', roles: ['clerk', 'boss'], select: {} },
  anyone: { table: 'main.orders', roles: ['*'], select: {} },
  visitor: { table: 'main.orders', roles: ['anonymous'], select: {} },
}

function namesFor(caller: Caller): readonly string[] {
  const access = accessOf(permissions, caller)
  return access.permissionsFor(shop.table('orders')).map(({ name }) => name)
}

describe('roles', () => {
  test('choose permissions by their exact name', () => {
    expect(namesFor(user(['customer']))).toEqual(['customer', 'anyone'])
    expect(namesFor(user(['boss', 'customer']))).toEqual(['customer', 'clerk', 'anyone'])
    for (const role of ['Customer', 'customer ', ' customer', 'cust', '', 'cuſtomer']) {
      expect(namesFor(user([role]))).toEqual(['anyone'])
    }
  })
  test("'*' means any authenticated caller, not a role of that name", () => {
    expect(namesFor(user([]))).toEqual(['anyone'])
    expect(namesFor(user(['*']))).toEqual(['anyone'])
    expect(namesFor(anonymous)).toEqual(['visitor'])
    expect(namesFor({ ...anonymous, roles: ['*'] })).toEqual([])
  })
  test('names of prototypes are roles like any other', () => {
    expect(namesFor(user(['__proto__', 'constructor', 'toString']))).toEqual(['anyone'])
  })
  test('no role is magic', () => {
    expect(namesFor(user(['admin', 'masterKey', '*full']))).toEqual(['anyone'])
    expect(accessOf(permissions, user(['admin'])).isFull).toBe(false)
  })
})

describe('full rights', () => {
  const guarded = [{ connection: shop.connection, permissions: permissionsOf({}) }]
  test('are for the master key, and for everyone in open mode without permissions', () => {
    const closed = createRightsSource(guarded, false)
    const open = createRightsSource(guarded, true)
    expect(closed.rightsOf(admin).access(shop.connection).isFull).toBe(true)
    expect(closed.rightsOf(anonymous).access(shop.connection).isFull).toBe(false)
    expect(open.rightsOf(anonymous).access(shop.connection).isFull).toBe(true)
    expect(open.rightsOf(user(['r'])).access(shop.connection).isFull).toBe(false)
  })
})

describe('the key of the plan cache', () => {
  const byTenant: TestPermissions = {
    p: {
      table: 'main.orders',
      roles: ['r', 's'],
      select: { where: { tenant: '$user.tenant', customer_id: { $in: '$user.ids' } } },
    },
  }
  const source = createRightsSource(
    [{ connection: shop.connection, permissions: permissionsOf(byTenant) }],
    false,
  )
  const keyOf = (caller: Caller) => source.rightsOf(caller).key

  test('is shared by callers who may do the same', () => {
    const one = keyOf(user(['r'], { tenant: 'a', ids: [1] }))
    expect(keyOf(user(['r'], { tenant: 'b', ids: [2, 3] }))).toBe(one)
    expect(keyOf(user(['r', 'r'], { tenant: 'b', ids: [] }))).toBe(one)
  })
  test('differs by roles, by kind of caller and by which fields are there', () => {
    const fields = { tenant: 'a', ids: [1] }
    const keys = [
      keyOf(user(['r'], fields)),
      keyOf(user(['s'], fields)),
      keyOf(user(['r', 's'], fields)),
      keyOf(user(['r","s'], fields)),
      keyOf(user([], fields)),
      keyOf({ kind: 'anonymous', roles: ['r'], fields }),
      keyOf(user(['r'], { tenant: 'a' })),
      keyOf(user(['r'], { ids: [1] })),
      keyOf(user(['r'], {})),
      keyOf(admin),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
  test('a field of the wrong type is a missing field', () => {
    const missing = keyOf(user(['r'], { tenant: 'a' }))
    for (const ids of ['1', ['x'], {}, [null], null, [[1]]]) {
      expect(keyOf(user(['r'], { tenant: 'a', ids }))).toBe(missing)
    }
  })
  test('the order of roles does not matter', () => {
    expect(keyOf(user(['s', 'r'], {}))).toBe(keyOf(user(['r', 's'], {})))
  })
})

test('values of one caller are not those of another', () => {
  const byTenant: TestPermissions = {
    p: { table: 'main.orders', roles: ['r'], select: { where: { tenant: '$user.tenant' } } },
  }
  const values = (tenant: unknown) => [
    ...rightsOf(byTenant, user(['r'], { tenant })).callerValues.values(),
  ]
  expect(values('a')).toEqual(['a'])
  expect(values('b')).toEqual(['b'])
  expect(values(undefined)).toEqual([])
})

test('types of two connections that share a number do not share a value', () => {
  const type = { oid: 90_001, typmod: -1 }
  const keys = ['a', 'b'].map((connection) => slotKey({ path: ['x'], type, connection }))
  expect(new Set(keys).size).toBe(2)
  const other: Connection = { ...shop.connection, name: 'other' }
  const source = createRightsSource(
    [
      {
        connection: shop.connection,
        permissions: permissionsOf({
          p: { table: 'main.samples', roles: ['r'], select: { where: { mood: '$user.mood' } } },
        }),
      },
      { connection: other, permissions: new Map() },
    ],
    false,
  )
  const { callerValues } = source.rightsOf(user(['r'], { mood: 'ok' }))
  expect([...callerValues]).toEqual([[slotKey({ path: ['mood'], type, connection: 'main' }), 'ok']])
})
