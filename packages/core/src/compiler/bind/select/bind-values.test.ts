import { expect, test } from 'vitest'
import {
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

test('each column has one type', () => {
  expect(shopText("values (1, null), (2.5, $1), (3, 'x')")).toBe(
    "values ('1':numeric, null:text), ('2.5':numeric, $1:text), ('3':numeric, 'x':text)",
  )
  expect(shopColumns('values (1, null), (2.5, null)')).toBe('column1 numeric, column2 text')
  expect(shopParameters('values ($1, 1), (2, $2)')).toBe('integer, integer')
})

test('cells see outer levels only', () => {
  expect(shopText('select n.id, v.* from main.notes n, lateral (values (n.id), (1)) v')).toContain(
    'lateral (values (notes1.id)',
  )
  expect(shopFailure('values (id)')).toContain('42703')
})

test.each([
  ['values (1), (2, 3)', '42601 VALUES lists must all be the same length (position 14)'],
  ["values (1), ('x')", '22P02'],
  ["values (1), ('x'::text)", '42804'],
  ['values (default)', '42601 DEFAULT is not allowed in this context'],
  ['values (count(*))', '42803'],
  ['values (row_number() over ())', '42P20'],
  ['values (1) order by 2', '42P10'],
  ['values (1) order by column2', '42703'],
  ['values (1) order by count(*)', '42803'],
])('%s', (sql, failure) => {
  expect(shopFailure(sql)).toContain(failure)
})
