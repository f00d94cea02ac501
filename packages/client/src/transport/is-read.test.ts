import { expect, test } from 'vitest'
import { isRead } from './is-read.ts'

test.each([
  ['select 1', true],
  ['  (select 1) union (select 2)', true],
  ['SELECT * FROM "main"."orders" FOR SHARE', true],
  ['with a as (select 1) select * from a', true],
  ['values (1)', true],
  ['with a as (delete from t returning *) select * from a', false],
  ['with a as (INSERT into t values (1) returning *) select * from a', false],
  ['select 1 into t', false],
  ["select nextval('s')", false],
  ['insert into t values (1)', false],
  ['update t set a = 1', false],
  ["select 'delete'", false],
  ['explain select 1', false],
  ['', false],
])('%s: %s', (sql, expected) => {
  expect(isRead(sql)).toBe(expected)
})
