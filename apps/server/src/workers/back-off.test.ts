import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'

test('each pause is twice the last one, up to ten seconds, and begins anew after a minute of work', () => {
  const backOff = createBackOff()
  const pauses = Array.from({ length: 9 }, () => backOff.ended(10))
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
  expect(backOff.failures()).toBe(9)
  expect(backOff.ended(60_000)).toBe(100)
  expect(backOff.failures()).toBe(1)
})
