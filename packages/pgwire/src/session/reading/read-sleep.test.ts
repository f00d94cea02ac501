import { loadParser } from '@engine/core/session'
import { beforeAll, expect, test } from 'vitest'
import { readStatements } from './read-statements.ts'

beforeAll(loadParser)

const commandOf = (sql: string) => {
  const [statement] = readStatements(sql)
  if (statement?.kind !== 'command' || statement.command.kind !== 'sleep') return statement?.kind
  const { sleeps, statement: computed } = statement.command
  return [computed.sql, ...sleeps.map(({ name, index }) => `${name} ${index}`)]
}

test.for([
  ['select pg_sleep(1)', 'select         (1)::float8 as pg_sleep', 'pg_sleep 0'],
  ['select Pg_Sleep ($1) as n', 'select          ($1)::float8 as n', 'pg_sleep 0'],
  [
    "select 'é(' as a, pg_catalog.pg_sleep_for('1 s'), $1::int",
    "select 'é(' as a,                        ('1 s')::interval as pg_sleep_for, $1::int",
    'pg_sleep_for 1',
  ],
  [
    'select pg_sleep(abs(-1)), pg_sleep_until(now())',
    "select         (abs(-1))::float8 as pg_sleep,               (now())::timestamptz at time zone 'UTC' as pg_sleep_until",
    'pg_sleep 0',
    'pg_sleep_until 1',
  ],
])('%s is computed as %s', ([sql = '', ...expected]) => {
  expect(commandOf(sql)).toEqual(expected)
})

test.for([
  ['select pg_sleep(1) from pg_class', 'refused'],
  ['select pg_sleep(1) where true', 'query'],
  ['select pg_sleep(1), now()', 'query'],
  ['select pg_sleep(1) is null', 'query'],
  ['select pg_sleep(coalesce(pg_sleep(1)::text, 0))', 'query'],
  ['select * from pg_sleep(1)', 'query'],
  ['values (pg_sleep(1))', 'query'],
  ['select pg_sleep((select oid from pg_class limit 1))', 'refused'],
  ['select pg_sleep(1) from orders', 'query'],
  ['select pg_sleep(1, 2)', 'query'],
])('%s is %s', ([sql = '', expected]) => {
  expect(commandOf(sql)).toBe(expected)
})
