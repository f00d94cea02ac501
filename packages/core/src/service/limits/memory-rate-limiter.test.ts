import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateLimit } from '../../foundation/rate-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

const limit: RateLimit = { name: 'test', limit: 60, periodMs: 60_000, burst: 5 }

function limiterAt(startMs = 0) {
  let nowMs = startMs
  const limiter = createMemoryRateLimiter({ clock: () => nowMs, maxKeys: 100 })
  const wait = (milliseconds: number) => {
    nowMs += milliseconds
  }
  return { limiter, wait }
}

const take = (limiter: ReturnType<typeof limiterAt>['limiter'], times: number, key = 'a') =>
  Array.from({ length: times }, () => limiter.take(limit, key).isAllowed)

test('the burst may come at once, then one every interval', () => {
  const { limiter, wait } = limiterAt()
  expect(take(limiter, 7)).toEqual([true, true, true, true, true, false, false])
  wait(999)
  expect(take(limiter, 1)).toEqual([false])
  wait(1)
  expect(take(limiter, 2)).toEqual([true, false])
  wait(5_000)
  expect(take(limiter, 6)).toEqual([true, true, true, true, true, false])
})

test('a refusal prolongs nothing, however often it is asked for', () => {
  const { limiter, wait } = limiterAt()
  take(limiter, 5)
  for (let i = 0; i < 99; i += 1) {
    wait(10)
    expect(take(limiter, 1)).toEqual([false])
  }
  wait(10)
  expect(take(limiter, 1)).toEqual([true])
})

test('keys and limits do not share counts', () => {
  const { limiter } = limiterAt()
  take(limiter, 5)
  expect(take(limiter, 1, 'b')).toEqual([true])
  expect(limiter.take({ ...limit, name: 'other' }, 'a').isAllowed).toBe(true)
  expect(limiter.take({ ...limit, limit: 61 }, 'a').isAllowed).toBe(true)
})

test('a limit that is written again is the same limit', () => {
  const { limiter } = limiterAt()
  take(limiter, 5)
  expect(limiter.take({ ...limit }, 'a').isAllowed).toBe(false)
})

test('peek tells and takes nothing; reset forgets', () => {
  const { limiter } = limiterAt()
  expect(limiter.peek(limit, 'a')).toMatchObject({ isAllowed: true, remaining: 5 })
  take(limiter, 5)
  expect(limiter.peek(limit, 'a')).toMatchObject({ isAllowed: false, remaining: 0 })
  limiter.reset(limit, 'a')
  expect(limiter.peek(limit, 'a')).toMatchObject({ isAllowed: true, remaining: 5 })
})

test('long keys are told apart, and never taken for short ones', () => {
  const { limiter } = limiterAt()
  const long = 'x'.repeat(10_000)
  expect(take(limiter, 6, `${long}1`).at(-1)).toBe(false)
  expect(take(limiter, 1, `${long}2`)).toEqual([true])
})

test('the least recently used keys are forgotten first, and only so many are kept', () => {
  const { limiter } = limiterAt()
  take(limiter, 5, 'busy')
  for (let i = 0; i < 1_000; i += 1) {
    limiter.take(limit, `k${i}`)
    expect(take(limiter, 1, 'busy')).toEqual([false])
  }
  expect(limiter.size()).toBe(100)
})

test('a flood of keys of one limit makes no other forget', () => {
  const { limiter } = limiterAt()
  take(limiter, 5)
  for (let i = 0; i < 1_000; i += 1) limiter.take({ ...limit, name: 'flood' }, `k${i}`)
  expect(take(limiter, 1)).toEqual([false])
})

test('what has drained goes away while others come', () => {
  const { limiter, wait } = limiterAt()
  for (let i = 0; i < 90; i += 1) limiter.take(limit, `k${i}`)
  wait(10_000)
  for (let i = 0; i < 45; i += 1) limiter.take(limit, 'one')
  expect(limiter.size()).toBe(1)
})

test('a clock that jumps back locks nobody out', () => {
  const { limiter, wait } = limiterAt(10 * 3_600_000)
  take(limiter, 5)
  wait(-3_600_000)
  expect(take(limiter, 1)).toEqual([false])
  wait(1_000)
  expect(take(limiter, 1)).toEqual([true])
})

test('no window of time ever lets more through than the burst and what time gives', () => {
  const traffic = fc.array(
    fc.record({ waitMs: fc.nat(3_000), takes: fc.integer({ min: 1, max: 6 }) }),
    {
      maxLength: 60,
    },
  )
  const limits = fc.record({
    limit: fc.integer({ min: 1, max: 500 }),
    burst: fc.integer({ min: 1, max: 20 }),
    periodMs: fc.integer({ min: 1, max: 60_000 }),
  })
  fc.assert(
    fc.property(limits, traffic, (numbers, steps) => {
      let nowMs = 0
      const limiter = createMemoryRateLimiter({ clock: () => nowMs })
      const allowedAt: number[] = []
      for (const { waitMs, takes } of steps) {
        nowMs += waitMs
        for (let i = 0; i < takes; i += 1) {
          const before = limiter.peek({ name: 'p', ...numbers }, 'k')
          const { isAllowed, remaining } = limiter.take({ name: 'p', ...numbers }, 'k')
          expect(isAllowed).toBe(before.isAllowed)
          if (isAllowed) allowedAt.push(nowMs)
          expect(remaining).toBe(Math.max(0, before.remaining - (isAllowed ? 1 : 0)))
        }
      }
      for (const [i, from] of allowedAt.entries()) {
        for (const [j, to] of allowedAt.entries()) {
          if (j < i) continue
          const most = numbers.burst + ((to - from) * numbers.limit) / numbers.periodMs
          expect(j - i + 1).toBeLessThanOrEqual(most)
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('the time to wait that a refusal names is exact', () => {
  fc.assert(
    fc.property(
      fc.record({
        limit: fc.integer({ min: 1, max: 1_000 }),
        burst: fc.integer({ min: 1, max: 5 }),
        periodMs: fc.integer({ min: 1_000, max: 60_000 }),
      }),
      (numbers) => {
        let nowMs = 0
        const limiter = createMemoryRateLimiter({ clock: () => nowMs })
        const one = { name: 'p', ...numbers }
        let decision = limiter.take(one, 'k')
        while (decision.isAllowed) decision = limiter.take(one, 'k')
        nowMs = decision.retryAfterMs - 1
        expect(limiter.peek(one, 'k').isAllowed).toBe(false)
        nowMs += 1
        expect(limiter.peek(one, 'k').isAllowed).toBe(true)
      },
    ),
  )
})

test('several are taken at once, or none', () => {
  const { limiter } = limiterAt()
  expect(limiter.take(limit, 'a', 3)).toMatchObject({ isAllowed: true, remaining: 2 })
  expect(limiter.take(limit, 'a', 3)).toMatchObject({ isAllowed: false, remaining: 2 })
  expect(limiter.take(limit, 'a', 2)).toMatchObject({ isAllowed: true, remaining: 0 })
})
