import { expect, test } from 'vitest'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

test('USING adds tables', () => {
  expect(
    shopText(
      'delete from main.customers c using main.orders o where o.id = c.id returning c.name, o.*',
    ),
  ).toContain('using orders3 where (=(int4,int4) orders3.id old_customers1.id) returning')
  expect(shopFailure('delete from main.notes using main.notes')).toContain('42712')
  expect(shopFailure('delete from main.notes using lateral (select notes.id) q')).toContain('42P10')
})

test.each([
  ['delete from main.notes n where notes.id = 1', '42P01'],
  ['delete from main.notes where body', '42804'],
  ['delete from main.notes where count(*) > 1', '42803'],
  ['delete from main.notes where nope = 1', '42703'],
  ['delete from main.nope', '42P01'],
  // The rows of this catalog have no place.
  ['delete from main.notes where current of c', '0A000'],
])('%s', (sql, failure) => {
  expect(shopFailure(sql)).toContain(failure)
})
