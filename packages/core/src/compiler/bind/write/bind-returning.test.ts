import { expect, test } from 'vitest'
import { shopColumns, shopFailure } from '../test-support/bind-shop-for-test.ts'

const insert = 'insert into main.notes (id) values (1)'

test.each([
  ['returning *', 'id bigint, body text, day date'],
  ['returning notes.*, id as x', 'id bigint, body text, day date, x bigint'],
  ['returning "main"."notes"."id", body || $1', 'id bigint, ?column? text'],
  [
    "returning 'a', null, (select max(id) from main.orders)",
    '?column? text, ?column? text, max integer',
  ],
  ['returning to_json(notes)', 'to_json json'],
  ['', ''],
])('%s', (returning, columns) => {
  expect(shopColumns(`${insert} ${returning}`)).toBe(columns)
})

test.each([
  ['count(*)', '42803 aggregate functions are not allowed in RETURNING'],
  ['row_number() over ()', '42P20 window functions are not allowed in RETURNING'],
  ['nope', '42703'],
  ['excluded.id', '42P01'],
  ['old.id', '42P01'],
  ['new.id', '42P01'],
])('returning %s', (returning, failure) => {
  expect(shopFailure(`${insert} returning ${returning}`)).toContain(failure)
})
