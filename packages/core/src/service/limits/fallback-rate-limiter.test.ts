import { expect, test } from 'vitest'
import type { Log } from '../../foundation/log.ts'
import type { RateLimit, RateLimiter } from '../../foundation/rate-limiter.ts'
import { createFallbackRateLimiter } from './fallback-rate-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

const guarding: RateLimit = { name: 'guarding', limit: 2, periodMs: 60_000 }
const sharing: RateLimit = {
  name: 'sharing',
  limit: 2,
  periodMs: 60_000,
  whenAway: 'count-locally',
}

/** A shared store of counts that can be unavailable, or too busy to answer. */
function shaky() {
  const counts = createMemoryRateLimiter({ clock: () => 0 })
  const state = { isAway: false, isStuck: false, asked: 0 }
  const reach = <T>(work: () => T): T | Promise<T> => {
    state.asked += 1
    if (state.isStuck) return new Promise(() => undefined)
    if (state.isAway) throw new Error('the place is away: password=hunter2')
    return work()
  }
  const shared: RateLimiter = {
    take: (limit, key) => reach(() => counts.take(limit, key)),
    peek: (limit, key) => reach(() => counts.peek(limit, key)),
    reset: (limit, key) => reach(() => counts.reset(limit, key)),
    close: () => counts.close(),
  }
  return { shared, state }
}

function setUp() {
  const { shared, state } = shaky()
  let nowMs = 0
  const told: string[] = []
  const log: Log = {
    debug: () => undefined,
    info: (_, message) => void told.push(message),
    warn: (_, message) => void told.push(message),
    error: (_, message) => void told.push(message),
  }
  const limiter = createFallbackRateLimiter({
    shared,
    clock: () => nowMs,
    elapsedMs: () => nowMs,
    patienceMs: 10,
    log,
  })
  const wait = (milliseconds: number) => {
    nowMs += milliseconds
  }
  return { limiter, state, told, wait }
}

test('as long as the shared place answers, it decides', async () => {
  const { limiter, told } = setUp()
  const decisions = []
  for (let i = 0; i < 3; i += 1) decisions.push((await limiter.take(sharing, 'k')).isAllowed)
  expect(decisions).toEqual([true, true, false])
  expect(told).toEqual([])
})

test('what guards something is refused while it is away, and says nothing of the reason', async () => {
  const { limiter, state } = setUp()
  state.isAway = true
  for (const ask of [limiter.take, limiter.peek, limiter.reset]) {
    await expect(ask(guarding, 'k')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
      message: expect.not.stringContaining('hunter2'),
    })
  }
})

test('what shares out load is counted by each node meanwhile', async () => {
  const { limiter, state, told, wait } = setUp()
  await limiter.take(sharing, 'k')
  state.isAway = true
  const decisions = []
  for (let i = 0; i < 3; i += 1) decisions.push((await limiter.take(sharing, 'k')).isAllowed)
  expect(decisions).toEqual([true, true, false])
  expect(told).toEqual(['rate limits are counted by each node for itself'])
  state.isAway = false
  wait(1_001)
  expect(await limiter.take(sharing, 'k')).toMatchObject({ isAllowed: true, remaining: 0 })
  expect(told).toHaveLength(2)
})

test('while it is away it is asked once a second only', async () => {
  const { limiter, state, wait } = setUp()
  state.isAway = true
  for (let i = 0; i < 10; i += 1) await limiter.take(sharing, 'k')
  expect(state.asked).toBe(1)
  wait(1_001)
  for (let i = 0; i < 10; i += 1) await limiter.take(sharing, 'k')
  expect(state.asked).toBe(2)
})

test('one that does not answer is not waited for', async () => {
  const { limiter, state } = setUp()
  state.isStuck = true
  expect(await limiter.take(sharing, 'k')).toMatchObject({ isAllowed: true })
})

test('a limit that is none is no failure of the place', async () => {
  const { limiter } = setUp()
  await expect(limiter.take({ ...guarding, limit: 0 }, 'k')).rejects.toThrow(RangeError)
})
