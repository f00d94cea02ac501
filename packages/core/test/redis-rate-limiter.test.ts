import { type RedisServer, startRedis } from '@engine/test-databases'
import { describeRedis } from '@engine/test-databases/vitest'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Log, silentLog } from '../src/foundation/log.ts'
import type { RateLimit, RateLimiter } from '../src/foundation/rate-limiter.ts'
import { createRateLimiter } from '../src/service/limits/create-rate-limiter.ts'
import { createRedisRateLimiter } from '../src/service/limits/redis-rate-limiter.ts'

/** Slow enough that nothing drains while a test runs. */
const slow: RateLimit = { name: 'slow', limit: 7, periodMs: 86_400_000 }

describeRedis('a rate limiter in Redis', () => {
  let server: RedisServer
  let nodes: readonly RateLimiter[]

  beforeAll(async () => {
    server = await startRedis()
    const open = () => createRedisRateLimiter({ url: server.url, log: silentLog })
    nodes = [await open(), await open()]
  })
  afterAll(async () => {
    for (const node of nodes ?? []) await node.close()
    await server?.stop()
  })
  const nodeOf = (i: number) => nodes[i % nodes.length] as RateLimiter

  test('lets exactly so many through, whichever node is asked', async () => {
    const decisions = await Promise.all(
      Array.from({ length: 50 }, (_, i) => nodeOf(i).take(slow, 'many')),
    )
    const allowed = decisions.filter(({ isAllowed }) => isAllowed)
    expect(allowed.map(({ remaining }) => remaining).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
    for (const { isAllowed, retryAfterMs } of decisions) {
      if (!isAllowed) expect(retryAfterMs).toBeGreaterThan(86_400_000 / 7 - 60_000)
    }
  })

  test('one more comes for every interval that passes', async () => {
    const quick: RateLimit = { name: 'quick', limit: 2, periodMs: 4_000, burst: 1 }
    expect((await nodeOf(0).take(quick, 'k')).isAllowed).toBe(true)
    const refused = await nodeOf(1).take(quick, 'k')
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0 })
    await new Promise((resolve) => setTimeout(resolve, refused.retryAfterMs + 5))
    expect((await nodeOf(0).take(quick, 'k')).isAllowed).toBe(true)
  })

  test('peek tells and takes nothing; reset forgets; limits and keys are apart', async () => {
    expect(await nodeOf(0).peek(slow, 'k')).toMatchObject({ isAllowed: true, remaining: 7 })
    for (let i = 0; i < 8; i += 1) await nodeOf(i).take(slow, 'k')
    expect(await nodeOf(1).peek(slow, 'k')).toMatchObject({ isAllowed: false, remaining: 0 })
    expect(await nodeOf(1).peek({ ...slow, name: 'other' }, 'k')).toMatchObject({ remaining: 7 })
    expect(await nodeOf(1).peek({ ...slow, limit: 8 }, 'k')).toMatchObject({ remaining: 8 })
    expect(await nodeOf(1).peek(slow, 'K')).toMatchObject({ remaining: 7 })
    await nodeOf(0).reset(slow, 'k')
    expect(await nodeOf(1).peek(slow, 'k')).toMatchObject({ isAllowed: true, remaining: 7 })
  })

  test('large limits are counted exactly', async () => {
    const large: RateLimit = { name: 'large', limit: 999_999_937, periodMs: 60_000 }
    expect(await nodeOf(0).take(large, 'k')).toMatchObject({ remaining: 999_999_936 })
  })
})

describeRedis('a Redis that is away', () => {
  const opened: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close()
  })
  const sharing: RateLimit = { ...slow, whenAway: 'count-locally' }

  const start = async () => {
    const server = await startRedis()
    opened.push(() => server.stop())
    const told: string[] = []
    const tell = (facts: object, message: string) => {
      told.push(`${JSON.stringify(facts)} ${message}`)
    }
    const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
    const limits = { rateLimitStore: server.url }
    const limiter = await createRateLimiter({ limits, store: undefined, clock: Date.now, log })
    opened.push(() => limiter.close())
    return { server, limiter, told }
  }

  test('refuses what guards something, counts locally what shares out load, and is found again', async () => {
    const { server, limiter, told } = await start()
    expect((await limiter.take(slow, 'k')).isAllowed).toBe(true)
    await server.kill()
    await expect(limiter.take(slow, 'k')).rejects.toMatchObject({ status: 503 })
    const decisions = []
    for (let i = 0; i < 8; i += 1) decisions.push((await limiter.take(sharing, 'k')).isAllowed)
    expect(decisions).toEqual([...new Array<boolean>(7).fill(true), false])
    await server.restart()
    await vi.waitFor(async () => expect((await limiter.take(slow, 'k')).isAllowed).toBe(true), {
      timeout: 10_000,
    })
    const password = new URL(server.url).password
    expect(told.join('\n')).not.toContain(password)
  })
})
