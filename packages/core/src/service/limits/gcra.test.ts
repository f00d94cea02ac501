import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateLimit } from '../../foundation/rate-limiter.ts'
import { decisionOf, drained, exactMeter, hasRoom, nanosecondMeter } from './gcra.ts'

const perMinute = (limit: number, burst = limit): RateLimit => ({
  name: 'test',
  limit,
  periodMs: 60_000,
  burst,
})

test('a limit that does not divide its period loses nothing', () => {
  const meter = exactMeter(perMinute(7))
  const full = { atMs: 0, fill: meter.capacity }
  expect(hasRoom(drained(full, 8_571, meter), meter)).toBe(false)
  expect(hasRoom(drained(full, 8_572, meter), meter)).toBe(true)
  expect(drained(full, 60_000, meter)).toBe(0)
  expect(drained(full, 59_999, meter)).toBe(7)
})

test('in nanoseconds no limit lets more through than it says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (limit) => {
      const { cost } = nanosecondMeter(perMinute(limit))
      expect(cost * limit).toBeGreaterThanOrEqual(60_000_000_000)
      expect((cost - 1) * limit).toBeLessThan(60_000_000_000)
    }),
  )
})

test('a clock that was set back neither drains nor locks out', () => {
  const meter = exactMeter(perMinute(60))
  expect(drained({ atMs: 3_600_000, fill: 500 }, 0, meter)).toBe(500)
})

test('a decision says what is left, and when more comes', () => {
  const limit = perMinute(60, 3)
  const meter = exactMeter(limit)
  const at = (fill: number) => decisionOf(limit, { isAllowed: true, fill }, meter)
  expect(at(0)).toMatchObject({ remaining: 3, resetMs: 0, retryAfterMs: 0 })
  expect(at(meter.cost)).toMatchObject({ remaining: 2, resetMs: 1_000, retryAfterMs: 0 })
  expect(at(meter.capacity)).toMatchObject({ remaining: 0, resetMs: 3_000, retryAfterMs: 1_000 })
  expect(at(meter.capacity - meter.cost / 2)).toMatchObject({ remaining: 0, retryAfterMs: 500 })
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12])(
  'a limit of %d is refused when it is made',
  (limit) => {
    expect(() => exactMeter(perMinute(limit))).toThrow(RangeError)
  },
)
