import { expect, test } from 'vitest'
import { lockoutDelayMs } from './lockout.ts'

const rate = { limit: 50, periodMs: 3_600_000 }
const nowMs = 1_700_000_000_000

function failures(count: number, agoMs = 0) {
  return {
    failures: count,
    recent_failures: count,
    window_started_at: nowMs - 60_000,
    last_failure_at: nowMs - agoMs,
  }
}

test.each([
  [0, 0],
  [49, 0],
  [50, 1_000],
  [51, 2_000],
  [52, 4_000],
  [59, 512_000],
  [60, 900_000],
  [99, 900_000],
  [100, 900_000],
])('after %i failures the next try has to wait %i ms', (count, delayMs) => {
  expect(lockoutDelayMs(failures(count), rate, nowMs, 0)).toBe(delayMs)
})

test('the wait runs from the last failure', () => {
  expect(lockoutDelayMs(failures(53, 7_000), rate, nowMs, 0)).toBe(1_000)
  expect(lockoutDelayMs(failures(53, 8_000), rate, nowMs, 0)).toBe(0)
})

test('100 failures in a row lock the account, however long ago they were', () => {
  const locked = { ...failures(100, 40 * 86_400_000), window_started_at: 0 }
  expect(lockoutDelayMs(locked, rate, nowMs, 0)).toBe(900_000)
})

test('failures before the window do not slow down', () => {
  const old = { ...failures(80, 3_600_000), window_started_at: nowMs - 3_600_000 }
  expect(lockoutDelayMs(old, rate, nowMs, 0)).toBe(0)
})

test('tries whose outcome is open count as failures that just happened', () => {
  expect(lockoutDelayMs(failures(49, 10_000), rate, nowMs, 0)).toBe(0)
  expect(lockoutDelayMs(failures(49, 10_000), rate, nowMs, 1)).toBe(1_000)
  expect(lockoutDelayMs(undefined, rate, nowMs, 50)).toBe(1_000)
})
