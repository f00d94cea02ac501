import { type RateLimit, silentLog } from '@engine/core'
import { createRateLimiter } from '@engine/core/server'
import {
  createStoreRateLimiter,
  rateLimitMigrations,
  type Store,
  type StoreRateLimiter,
} from '@engine/core/store'
import { eachStore, type TestStore } from '@engine/test-stores'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** So slow that no token is added while a test runs, with any clock. */
const slow: RateLimit = { name: 'slow', limit: 7, periodMs: 86_400_000 }

eachStore('a rate limiter in the service database', (open, kind) => {
  let opened: TestStore
  let store: Store
  let nodes: readonly StoreRateLimiter[]
  let nowMs = 1_800_000_000_000

  const createNode = (of: Store, clock = () => nowMs) =>
    createStoreRateLimiter({ store: of, clock })

  beforeAll(async () => {
    opened = await open()
    store = opened.store
    await store.migrate(rateLimitMigrations)
    const other = await opened.openAgain()
    await other.migrate(rateLimitMigrations)
    nodes = [createNode(store), createNode(other)]
  })
  afterAll(() => opened?.remove())

  const nodeOf = (i: number) => nodes[i % nodes.length] as StoreRateLimiter
  const stored = async () =>
    Number(
      (
        await sql<{ n: number }>`select count(*) as n from engine_rate_limits`.execute(
          store.database,
        )
      ).rows[0]?.n,
    )
  /** Moves the stored times, which equals waiting, for any clock. */
  const age = (milliseconds: number) =>
    sql`update engine_rate_limits set tat = tat - ${sql.lit(milliseconds * 1_000_000)}`.execute(
      store.database,
    )

  test('admits exactly the limit, at any node, for any number of concurrent requests', async () => {
    for (let round = 0; round < 12; round += 1) {
      const key = `at once ${round}`
      const decisions = await Promise.all(
        Array.from({ length: 50 }, (_, i) => nodeOf(i).take(slow, key)),
      )
      expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(7)
      const left = decisions.filter(({ isAllowed }) => isAllowed).map(({ remaining }) => remaining)
      // A waiting request may count the time before: never more than the remaining time.
      for (const [i, remaining] of left.toSorted().entries())
        expect(remaining).toBeLessThanOrEqual(i)
      for (const { isAllowed, remaining, retryAfterMs } of decisions) {
        if (isAllowed) continue
        expect(remaining).toBe(0)
        expect(retryAfterMs).toBeGreaterThan(0)
        expect(retryAfterMs).toBeLessThanOrEqual(86_400_000)
      }
    }
  })

  test('many keys at once, on both nodes, do not delay each other', async () => {
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => nodeOf(i).take(slow, `many-${i % 50}`)),
    )
    expect(decisions.every(({ isAllowed }) => isAllowed)).toBe(true)
  })

  test('one more for every interval that passes', async () => {
    const limit: RateLimit = { name: 'paced', limit: 24, periodMs: 86_400_000, burst: 2 }
    const take = async () => (await nodeOf(0).take(limit, 'k')).isAllowed
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
    await age(3_600_000)
    expect([await take(), await take()]).toEqual([true, false])
    await age(10 * 3_600_000)
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
  })

  test('what a decision says is what the other node says, too', async () => {
    const limit: RateLimit = { name: 'said', limit: 24, periodMs: 86_400_000 }
    expect(await nodeOf(0).peek(limit, 'k')).toMatchObject({ isAllowed: true, remaining: 24 })
    const first = await nodeOf(0).take(limit, 'k')
    expect(first).toMatchObject({ isAllowed: true, remaining: 23, retryAfterMs: 0 })
    expect(first.resetMs).toBeLessThanOrEqual(3_600_000)
    expect(first.resetMs).toBeGreaterThan(3_590_000)
    expect(await nodeOf(1).peek(limit, 'k')).toMatchObject({ isAllowed: true, remaining: 23 })
    for (let i = 0; i < 23; i += 1) await nodeOf(i).take(limit, 'k')
    const refused = await nodeOf(1).take(limit, 'k')
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0 })
    expect(refused.retryAfterMs).toBeLessThanOrEqual(3_600_000)
    expect(refused.retryAfterMs).toBeGreaterThan(3_500_000)
    expect(await nodeOf(0).peek(limit, 'k')).toMatchObject({ isAllowed: false, remaining: 0 })
  })

  test('a refusal writes nothing', async () => {
    for (let i = 0; i < 8; i += 1) await nodeOf(i).take(slow, 'quiet')
    const times = () =>
      sql<{
        tat: string
      }>`select cast(tat as char(30)) as tat from engine_rate_limits order by key_hash`.execute(
        store.database,
      )
    const before = await times()
    for (let i = 0; i < 5; i += 1) {
      expect((await nodeOf(i).take(slow, 'quiet')).isAllowed).toBe(false)
    }
    expect((await times()).rows).toEqual(before.rows)
  })

  test('limits do not share counts, nor do keys that look alike', async () => {
    for (let i = 0; i < 8; i += 1) await nodeOf(i).take(slow, 'apart')
    for (const [limit, key] of [
      [slow, 'Apart'],
      [slow, 'apart '],
      [slow, 'x'.repeat(100_000)],
      [slow, 'apart\u0000'],
      [{ ...slow, name: 'other' }, 'apart'],
      [{ ...slow, limit: 8 }, 'apart'],
    ] as const) {
      expect((await nodeOf(0).take(limit, key)).isAllowed).toBe(true)
    }
  })

  test('reset forgets a key on every node', async () => {
    for (let i = 0; i < 8; i += 1) await nodeOf(i).take(slow, 'forgiven')
    await nodeOf(0).reset(slow, 'forgiven')
    expect(await nodeOf(1).take(slow, 'forgiven')).toMatchObject({ isAllowed: true, remaining: 6 })
  })

  test('a clock that was set back locks no client out', async () => {
    for (let i = 0; i < 8; i += 1) await nodeOf(i).take(slow, 'back')
    await age(-30 * 86_400_000)
    const decisions = []
    for (let i = 0; i < 3; i += 1) decisions.push(await nodeOf(0).take(slow, 'back'))
    expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([true, false, false])
    expect(decisions[1]?.retryAfterMs).toBeLessThanOrEqual(86_400_000 / 7 + 1)
  })

  test('a sweep deletes what has drained, and nothing else', async () => {
    const limit: RateLimit = { name: 'swept', limit: 1, periodMs: 1 }
    await sql`delete from engine_rate_limits`.execute(store.database)
    await nodeOf(0).take(slow, 'kept')
    await nodeOf(1).take(limit, 'drained')
    // More rows than one statement of a sweep deletes.
    const drained = Array.from({ length: 699 }, (_, i) => sql`(${`drained ${i}`}, 1)`)
    await sql`insert into engine_rate_limits (key_hash, tat) values ${sql.join(drained)}`.execute(
      store.database,
    )
    nowMs += 10_000
    await new Promise((resolve) => setTimeout(resolve, 20))
    const [swept] = await Promise.all([nodeOf(0).sweep(), nodeOf(0).take(slow, 'kept')])
    expect(swept).toBe(700)
    expect(await stored()).toBe(1)
    expect((await nodeOf(1).peek(slow, 'kept')).remaining).toBe(5)
  })

  if (kind === 'sqlite') return

  test('nodes may disagree about the time', async () => {
    const early = createNode(store, () => 1_000)
    const late = createNode(store, () => 9_000_000_000_000)
    for (let i = 0; i < 4; i += 1) await early.take(slow, 'skewed')
    for (let i = 0; i < 3; i += 1) expect((await late.take(slow, 'skewed')).isAllowed).toBe(true)
    expect((await late.take(slow, 'skewed')).isAllowed).toBe(false)
    expect((await early.take(slow, 'skewed')).isAllowed).toBe(false)
  })

  test('nodes that share a database share their counts', async () => {
    const limits = { rateLimitStore: undefined }
    const options = { limits, clock: Date.now, log: silentLog }
    const [a, b] = [
      await createRateLimiter({ ...options, store }),
      await createRateLimiter({ ...options, store }),
    ]
    for (let i = 0; i < 7; i += 1) await (i % 2 === 0 ? a : b).take(slow, 'shared')
    expect((await a.take(slow, 'shared')).isAllowed).toBe(false)
    expect((await b.take(slow, 'shared')).isAllowed).toBe(false)
    await Promise.all([a.close(), b.close()])
  })
})
