import { expect, test } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

test('tries are seconds apart at first, six hours in the end', () => {
  const delays = [1, 2, 3, 4, 5, 9, 10, 1_000].map(retryDelayMs)
  expect(delays).toEqual([
    2_000, 6_000, 18_000, 54_000, 162_000, 13_122_000, 21_600_000, 21_600_000,
  ])
})
