import { expect, test } from 'vitest'
import { expectedRows, isSame } from './expected-rows.ts'

const [order = {}] = expectedRows('W1', [7])

test('a point select reads the order of the caller, and none of others', () => {
  expect(order).toEqual({
    id: 7,
    status: 'new',
    total_cents: 259,
    freight: 0.91,
    order_date: '2024-08-08T10:00:00',
    ship_city: 'City 7',
  })
  expect(expectedRows('W1', [8])).toEqual([])
})

test('a page has a hundred orders of the caller', () => {
  const rows = expectedRows('W2', [7])
  expect(rows).toHaveLength(100)
  expect(rows[0]).toMatchObject({ id: 17, owner: 'ada', is_gift: false })
})

test('each order of the caller is in one group', () => {
  const groups = expectedRows('W4', [])
  expect(groups.map(({ status }) => status)).toEqual(['cancelled', 'new', 'paid', 'shipped'])
  expect(groups.map(({ count }) => count)).toEqual([2_500, 2_500, 2_500, 2_500])
})

test('libraries write the same values in several forms', () => {
  const written = { ...order, total_cents: '259', order_date: '2024-08-08T10:00:00.000Z' }
  expect(isSame([written], [order])).toBe(true)
})

test.each([
  ['another value', [{ ...order, ship_city: 'City 8' }]],
  ['a null for a number', [{ ...order, freight: null }]],
  ['another time', [{ ...order, order_date: '2024-08-08T09:00:00.000Z' }]],
  ['a missing column', [{ id: 7 }]],
  ['a row more', [order, order]],
  ['no row', []],
])('%s is another answer', (_, rows) => {
  expect(isSame(rows, [order])).toBe(false)
})
