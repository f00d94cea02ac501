import { expect, test } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

test('so many at once, then one whenever its time has passed, never more than at once', () => {
  let now = 5_000
  const budget = createTokenBucket({ most: 3, perSecond: 2, clock: () => now })
  const take = (times: number) => Array.from({ length: times }, () => budget.take())
  expect(take(4)).toEqual([true, true, true, false])
  now += 499
  expect(take(1)).toEqual([false])
  now += 1
  expect(take(2)).toEqual([true, false])
  now += 60_000
  expect(take(4)).toEqual([true, true, true, false])
})
