import { expect, test } from 'vitest'
import type { RateLimit } from '../../foundation/rate-limiter.ts'
import { createLeasedRateLimiter, type SharedRateLimiter } from './leased-rate-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

const load: RateLimit = {
  name: 'user',
  limit: 1_000,
  periodMs: 60_000,
  whenAway: 'count-locally',
}

/** Shared counts that answer later, and nodes that lease from them. */
function setUp(nodes = 1) {
  let nowMs = 0
  const counts = createMemoryRateLimiter({ clock: () => nowMs })
  const state = { asked: 0, isAway: false }
  const shared: SharedRateLimiter = {
    take: async (limit, key, count = 1) => {
      state.asked += 1
      await Promise.resolve()
      if (state.isAway) throw new Error('away')
      const { remaining } = counts.peek(limit, key)
      let decision = counts.peek(limit, key)
      if (remaining < count) return { ...decision, isAllowed: false, retryAfterMs: 60 }
      for (let i = 0; i < count; i += 1) decision = counts.take(limit, key)
      return decision
    },
    peek: (limit, key) => counts.peek(limit, key),
    reset: (limit, key) => counts.reset(limit, key),
    close: () => counts.close(),
  }
  const leased = Array.from({ length: nodes }, () =>
    createLeasedRateLimiter({ shared, elapsedMs: () => nowMs }),
  )
  const [limiter] = leased
  if (limiter === undefined) throw new Error('no node')
  return {
    limiter,
    leased,
    state,
    pass: (milliseconds: number) => {
      nowMs += milliseconds
    },
  }
}

test('a busy caller is let through without asking, exactly as often as the limit says', async () => {
  const { limiter, state } = setUp()
  let allowed = 0
  let atOnce = 0
  for (let i = 0; i < 1_500; i += 1) {
    const decision = limiter.take(load, 'ada')
    if (!(decision instanceof Promise)) atOnce += 1
    if ((await decision).isAllowed) allowed += 1
  }
  expect(allowed).toBe(1_000)
  expect(atOnce).toBeGreaterThan(1_400)
  expect(state.asked).toBeLessThan(100)
})

test('requests at the same time share a lease, and none is let through twice', async () => {
  const { limiter } = setUp()
  const decisions = await Promise.all(
    Array.from({ length: 1_200 }, () => limiter.take(load, 'ada')),
  )
  expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(1_000)
})

test('nodes together never let through more than the limit, and hold back a twentieth each', async () => {
  const { leased } = setUp(4)
  let allowed = 0
  for (let i = 0; i < 2_000; i += 1) {
    const decision = await leased[i % 4]?.take(load, 'ada')
    if (decision?.isAllowed) allowed += 1
  }
  expect(allowed).toBeLessThanOrEqual(1_000)
  expect(allowed).toBeGreaterThanOrEqual(1_000 - 3 * 50)
})

test('near the limit nodes take one at a time: the others are let through no less', async () => {
  const { leased } = setUp(4)
  let allowed = 0
  for (let i = 0; i < 900; i += 1) await leased[0]?.take(load, 'ada')
  for (let i = 0; i < 200; i += 1) {
    const decision = await leased[1 + (i % 3)]?.take(load, 'ada')
    if (decision?.isAllowed) allowed += 1
  }
  expect(allowed).toBeGreaterThanOrEqual(100 - 25)
  expect(allowed).toBeLessThanOrEqual(100)
})

test('what is not used in time is lost, and a slow caller asks for few', async () => {
  const { limiter, state, pass } = setUp()
  for (let i = 0; i < 40; i += 1) await limiter.take(load, 'ada')
  pass(2_000)
  const before = state.asked
  await limiter.take(load, 'ada')
  expect(state.asked).toBeGreaterThan(before)
})

test('a refusal is remembered until the next request can be let through', async () => {
  const { limiter, state, pass } = setUp()
  while ((await limiter.take(load, 'ada')).isAllowed);
  const before = state.asked
  for (let i = 0; i < 10; i += 1) {
    expect(await limiter.take(load, 'ada')).toMatchObject({ isAllowed: false, remaining: 0 })
  }
  expect(state.asked).toBe(before)
  pass(61)
  expect((await limiter.take(load, 'ada')).isAllowed).toBe(true)
})

test('limits that protect credentials, and small ones, are asked each time', async () => {
  const { limiter, state } = setUp()
  const guarding: RateLimit = { name: 'sign-in', limit: 1_000, periodMs: 60_000 }
  const small: RateLimit = { ...load, limit: 39 }
  for (let i = 0; i < 10; i += 1) await limiter.take(guarding, 'ada')
  for (let i = 0; i < 10; i += 1) await limiter.take(small, 'ada')
  expect(state.asked).toBe(20)
})

test('what was taken in advance is used up while the shared counts are away; then the error is told', async () => {
  const { limiter, state } = setUp()
  for (let i = 0; i < 100; i += 1) await limiter.take(load, 'ada')
  state.isAway = true
  let used = 0
  for (;;) {
    const decision = limiter.take(load, 'ada')
    if (decision instanceof Promise) {
      await expect(decision).rejects.toThrow('away')
      break
    }
    expect(decision.isAllowed).toBe(true)
    used += 1
  }
  expect(used).toBeGreaterThan(0)
  expect(used).toBeLessThan(150)
})
