import { expect, test } from 'vitest'
import {
  shopError,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

test.each([
  ['limit 1', "limit '1':bigint"],
  ['limit $1 offset $2', 'limit $1:bigint offset $2:bigint'],
  ["limit '2'", "limit '2':bigint"],
  ['offset 3', "offset '3':bigint"],
  ['offset 5 rows fetch first 3 rows only', "limit '3':bigint offset '5':bigint"],
  ['fetch first row only', "limit '1':bigint"],
  ['order by id fetch first 3 rows with ties', "order by (output 0) limit '3':bigint with ties"],
])('%s', (clause, bound) => {
  expect(shopText(`select id from main.notes ${clause}`)).toBe(
    `select notes1.id as id from notes1 ${bound}`,
  )
})

test.each(['limit all', 'limit null', ''])('no limit: %s', (clause) => {
  expect(shopText(`select id from main.notes ${clause}`)).toBe('select notes1.id as id from notes1')
})

test.each([
  ['limit id', '42P10 argument of LIMIT must not contain variables (position 33)'],
  ['offset id + 1', '42P10 argument of OFFSET must not contain variables'],
  ['limit (select n.id)', '42P01'],
  ['limit (select notes.id)', '42P10'],
  ['limit true', '42804 argument of LIMIT'],
  ["limit 'x'", '22P02'],
  ['limit -1', '2201W LIMIT must not be negative'],
  ['offset -1', '2201X OFFSET must not be negative'],
  ['limit count(*)', '42803'],
  ['limit row_number() over ()', '42P20'],
])('%s is refused', (clause, failure) => {
  expect(shopFailure(`select id from main.notes ${clause}`)).toContain(failure)
  expect(shopError(`select id from main.notes ${clause}`).status).toBe(400)
})

test('an outer row may decide', () => {
  expect(shopText('select (select id from main.notes limit o.id) from main.orders o')).toContain(
    'limit (implicit bigint/function orders1.id)',
  )
})

test('of VALUES and set operations too', () => {
  expect(shopText('values (1) limit $1')).toBe("values ('1':integer) limit $1:bigint")
  expect(shopParameters('select 1 union select 2 limit $1 offset $2')).toBe('bigint, bigint')
})
