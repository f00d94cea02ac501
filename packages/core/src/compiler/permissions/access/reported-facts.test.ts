/** @module The facts of a database failure that a caller may see. */
import { describe, expect, test } from 'vitest'
import { admin, type Caller } from '../../../foundation/caller.ts'
import {
  GatewayError,
  type GatewayErrorOptions,
  type ReportedFacts,
} from '../../../foundation/errors.ts'
import type { Written } from '../../catalog/possible-foreign-keys.ts'
import { writtenTable } from '../authorize/written-table.ts'
import {
  accessOf,
  authorizeText,
  type TestPermissions,
  user,
} from '../test-support/authorize-for-test.ts'
import { withReportedFacts } from './reported-facts.ts'

const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { columns: ['id', 'customer_id', 'code'] },
  },
  notes: { table: 'main.orders', roles: ['r'], insert: { columns: ['status'] } },
  customers: { table: 'main.customers', roles: ['r'], select: { columns: ['id', 'name'] } },
  tags: { table: 'main.tags', roles: ['r'], delete: {} },
  members: { table: 'main.members', roles: ['r'], select: {} },
}
const reader = user(['r'])

function told(
  options: GatewayErrorOptions,
  caller: Caller = reader,
  written?: Written,
): ReportedFacts | undefined {
  const error = new GatewayError('conflict', 'own words', options)
  return withReportedFacts(error, accessOf(permissions, caller), written).reportedFacts
}

function names(options: GatewayErrorOptions, caller?: Caller, written?: Written) {
  const { table, column, constraint } = told(options, caller, written) ?? {}
  return [table, column, constraint]
}

describe('a violated constraint', () => {
  const unique = (constraint: string, columns?: readonly string[]) => ({
    sqlState: '23505',
    violation: { table: 'orders', constraint, columns },
  })
  test('is named where all of its columns are visible', () => {
    expect(names(unique('orders_pkey'))).toEqual(['orders', undefined, 'orders_pkey'])
    expect(names(unique('own_name', ['code', 'status']))).toEqual(['orders', undefined, 'own_name'])
  })
  test('is not where one is hidden', () => {
    expect(names(unique('own_name', ['code', 'total']))).toEqual(['orders', undefined, undefined])
  })
  test('is not where nothing is known of its columns and the table has a hidden one', () => {
    expect(names(unique('mystery'))).toEqual(['orders', undefined, undefined])
    const members = { sqlState: '23514', violation: { table: 'members', constraint: 'mystery' } }
    expect(names(members)).toEqual(['members', undefined, 'mystery'])
  })
  test('gets a name from its columns where the database gives none', () => {
    const violation = { table: 'orders', columns: ['id'] }
    expect(names({ sqlState: '23505', violation })).toEqual(['orders', undefined, 'orders_pkey'])
  })
  test('of another schema is another table’s', () => {
    const violation = { schema: 'audit', table: 'orders', constraint: 'orders_pkey' }
    expect(told({ sqlState: '23505', violation })).toBeUndefined()
  })
  test('names nothing of a table on which nothing is granted', () => {
    const violation = { table: 'order_tags', constraint: 'order_tags_pkey' }
    expect(told({ sqlState: '23505', violation })).toBeUndefined()
    expect(names({ sqlState: '23505', violation }, admin)).toEqual([
      'order_tags',
      undefined,
      'order_tags_pkey',
    ])
  })
  test('names the connection that it was found on', () => {
    expect(told(unique('orders_pkey'))?.connection).toBe('main')
  })
})

test('a column is named where it is visible', () => {
  const notNull = (column: string) => ({
    sqlState: '23502',
    violation: { table: 'orders', column },
  })
  expect(names(notNull('status'))).toEqual(['orders', 'status', undefined])
  expect(names(notNull('total'))).toEqual(['orders', undefined, undefined])
  expect(names(notNull('total'), admin)).toEqual(['orders', 'total', undefined])
})

describe('a foreign key', () => {
  const violation = { table: 'orders', constraint: 'orders_customer_id_fkey' }
  test('is named where both of its sides are visible', () => {
    expect(names({ sqlState: '23503', violation })).toEqual([
      'orders',
      undefined,
      'orders_customer_id_fkey',
    ])
    const items = { table: 'order_tags', constraint: 'order_tags_tag_id_fkey' }
    expect(told({ sqlState: '23503', violation: items })).toBeUndefined()
  })
  test('is found by what was written where the database does not say and only one is possible', () => {
    const found = (sql: string, caller: Caller = admin) =>
      names({ sqlState: '23503' }, caller, writtenTable(authorizeText(sql, accessOf({}, admin))))
    const orders = ['orders', undefined, 'orders_customer_id_fkey']
    expect(found('insert into main.orders (id) values (1)', reader)).toEqual(orders)
    expect(found('update main.orders set customer_id = 1', reader)).toEqual(orders)
    expect(found('update main.orders set customer_id = 1, id = 2')).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(found("update main.orders set code = 'x'")).toEqual([undefined, undefined, undefined])
    expect(found('delete from main.tags')).toEqual([
      'order_tags',
      undefined,
      'order_tags_tag_id_fkey',
    ])
    expect(found('delete from main.tags', reader)).toEqual([undefined, undefined, undefined])
    expect(found('insert into main.order_tags values (1, 1)')).toEqual([
      'order_tags',
      undefined,
      undefined,
    ])
    expect(found('delete from main.customers')).toEqual([undefined, undefined, undefined])
  })
})

describe('what the database said', () => {
  const report = { code: '1062', text: "Duplicate entry 'x'", detail: 'Row (x).' }
  const about = (isAboutStatement: boolean) => ({ report: { ...report, isAboutStatement } })
  test('is for those who may see everything', () => {
    expect(told(about(false), admin)).toEqual({ connection: 'main', database: report })
  })
  test('is its code for others, and its text where that quotes no values', () => {
    expect(told(about(false))?.database).toEqual({ code: '1062' })
    expect(told(about(true))?.database).toEqual({ code: '1062', text: report.text })
  })
  test('is narrowed again for another caller', () => {
    const first = withReportedFacts(
      new GatewayError('conflict', 'own words', about(false)),
      accessOf(permissions, admin),
    )
    expect(withReportedFacts(first, accessOf(permissions, reader)).reportedFacts?.database).toEqual(
      {
        code: '1062',
      },
    )
  })
  test('is nothing of a check that failed: what was reported first must not tell', () => {
    const violation = { table: 'orders', constraint: 'orders_pkey' }
    const options = { ...about(true), sqlState: '23505', violation }
    const error = new GatewayError('checkFailed', 'own words', options)
    expect(withReportedFacts(error, accessOf(permissions, admin)).reportedFacts).toBeUndefined()
  })
})

test('anything else that was thrown stays as it is', () => {
  const error = new Error('x')
  expect(withReportedFacts(error, accessOf(permissions, admin))).toBe(error)
  const own = new GatewayError('badRequest', 'x')
  expect(withReportedFacts(own, accessOf(permissions, reader))).toBe(own)
})
