import { beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { loadParser, parseStatement } from './parse.ts'
import { maySleep, sleepCallOf } from './sleep-call.ts'

beforeAll(loadParser)

const callOf = (sql: string) => {
  const { name, column, argument } = sleepCallOf(parseStatement(sql)) ?? {}
  const value = argument?.kind === 'parameter' ? `$${argument.index + 1}` : argument?.text
  return [name, column, value, argument?.typeOid]
}

test.for([
  ['select pg_sleep(0.5)', 'pg_sleep', 'pg_sleep', '0.5', 701],
  ['select pg_sleep(0)', 'pg_sleep', 'pg_sleep', '0', 701],
  ['SELECT PG_SLEEP(-1) as "Nap";', 'pg_sleep', 'Nap', '-1', 701],
  ["/* a */ -- b\n select pg_catalog . pg_sleep('1e-2')", 'pg_sleep', 'pg_sleep', '1e-2', 701],
  ['select pg_sleep($1)', 'pg_sleep', 'pg_sleep', '$1', 701],
  ['select pg_sleep($1::int)', 'pg_sleep', 'pg_sleep', '$1', 23],
  ['select pg_sleep(null)', 'pg_sleep', 'pg_sleep', null, 701],
  ["select pg_sleep_for('1 minute')", 'pg_sleep_for', 'pg_sleep_for', '1 minute', 1186],
  ["select pg_sleep_for(interval '1 s')", 'pg_sleep_for', 'pg_sleep_for', '1 s', 1186],
  ['select pg_sleep_until($1::timestamptz)', 'pg_sleep_until', 'pg_sleep_until', '$1', 1184],
])('%s is a call by itself', ([sql = '', ...expected]) => {
  expect(maySleep(String(sql))).toBe(true)
  expect(callOf(String(sql))).toEqual(expected)
})

test.for([
  'select pg_sleep(1), 2',
  'select pg_sleep(1) from "main"."t"',
  'select pg_sleep(1) where true',
  'select pg_sleep(1) limit 0',
  'select distinct pg_sleep(1)',
  'select pg_sleep(1) union all select pg_sleep(1)',
  'select pg_sleep(1) is null',
  'select pg_sleep(1, 2)',
  'select pg_sleep()',
  'select pg_sleep(1) over ()',
  'select pg_sleepy(1)',
])('%s is none', (sql) => {
  expect(callOf(sql)).toEqual([undefined, undefined, undefined, undefined])
})

test.for([
  'select pg_sleep(1 + 1)',
  'select pg_sleep((select 1))',
  "select pg_sleep('1'::text)",
  "select pg_sleep('1'::interval)",
  'select pg_sleep(random())',
  'select pg_sleep_until(now())',
])('the argument of %s is refused', (sql) => {
  const failing = () => sleepCallOf(parseStatement(sql))
  expect(failing).toThrow(GatewayError)
  expect(failing).toThrow(/of anything but a constant or a parameter is not supported/)
})

test('only texts that begin with a call are looked at', () => {
  expect(maySleep('select 1, pg_sleep(1)')).toBe(false)
  expect(maySleep(`${' '.repeat(100_000)}select 'pg_sleep'`)).toBe(false)
  expect(maySleep(`${'/**/'.repeat(50_000)}*`)).toBe(false)
})
