import { expect, test } from 'vitest'
import { faultPlace } from './fault-place.ts'
import { mayBeKept, type PastQuery, withQuery } from './history.ts'

const query = (sql: string, params = ''): PastQuery => ({
  sql,
  params,
  subject: 'manager',
  atMs: 0,
  outcome: '1 row',
})
const kept = (sql: string, params = '') => {
  const found = mayBeKept(query(sql, params))
  return found === undefined ? undefined : [found.sql, found.params]
}

test('statements and parameters are kept', () => {
  const sql = "select * from main.orders where status = 'paid' and total_cents > $1"
  expect(kept(sql, '[7, "paid"]')).toEqual([sql, '[7, "paid"]'])
  expect(kept('select id, password_hash from users', '[]')).toEqual([
    'select id, password_hash from users',
    '',
  ])
})

test.each([
  "update users set password = 'hunter2' where id = 1",
  "update users set password = '12345'",
  "-- don't\nupdate users set api_key = $$hunter2$$",
  "select 'ek_0123456789'",
  "select * from t where x = 'eyJhbGciOiJIUzI1NiJ9.e30.abc'",
  "select * from t where x = 'Zm9vYmFyMTIzNDU2Nzg5MGFi'",
  "select '0123456789abcdef0123456789abcdef'",
  'select "-----BEGIN PRIVATE KEY-----"',
])('not kept: %s', (sql) => {
  expect(kept(sql)).toBeUndefined()
})

test('parameters that look like secrets, or belong to them, are left out', () => {
  const update = 'update users set password = $1 where id = $2'
  expect(kept(update, '["hunter2", 7]')).toEqual([update, ''])
  const insert = 'insert into notes values ($1)'
  expect(kept(insert, '[{"token": "x"}]')).toEqual([insert, ''])
  expect(kept(insert, '["ek_abc"]')).toEqual([insert, ''])
  expect(kept(insert, '["6f1c2d34-1b2a-4c3d-8e9f-001122334455"]')?.[1]).toContain('6f1c2d34')
})

test('the newest comes first, each statement once, and not too many', () => {
  const past = Array.from({ length: 60 }, (_, i) => query(`select ${i}`)).reduce<
    readonly PastQuery[]
  >(withQuery, [])
  expect(past).toHaveLength(50)
  expect(past[0]?.sql).toBe('select 59')
  const again = withQuery(past, query('select 40'))
  expect(again).toHaveLength(50)
  expect(again[0]?.sql).toBe('select 40')
})

test('a position counts characters, as people see them', () => {
  expect(faultPlace('select\n  nope', 10)).toEqual({ at: 9, line: 2, column: 3 })
  expect(faultPlace("select '😀', nope", 13)).toEqual({ at: 13, line: 1, column: 13 })
  expect(faultPlace('select', undefined)).toBeUndefined()
  expect(faultPlace('select', 0)).toBeUndefined()
})
