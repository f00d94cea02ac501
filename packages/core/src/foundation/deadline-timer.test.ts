import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlineTimer } from './deadline-timer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Expires deadlines like those that wait for a slot. */
function timerFor(...deadlines: readonly number[]) {
  const left = deadlines.map((ms) => performance.now() + ms)
  const expired: number[] = []
  const startMs = performance.now()
  const timer = createDeadlineTimer((nowMs) => {
    expired.push(nowMs - startMs)
    while (left.length > 0 && Math.min(...left) <= nowMs)
      left.splice(left.indexOf(Math.min(...left)), 1)
    return left.length === 0 ? undefined : Math.min(...left)
  })
  for (const deadline of left) timer.expect(deadline)
  return expired
}

test('each deadline is met, in whatever order they are expected', () => {
  const expired = timerFor(300, 100, 200)
  vi.advanceTimersByTime(1_000)
  expect(expired).toEqual([100, 200, 300])
})

test('deadlines at the same time are one', () => {
  const expired = timerFor(100, 100, 100)
  vi.advanceTimersByTime(1_000)
  expect(expired).toEqual([100])
  expect(vi.getTimerCount()).toBe(0)
})
