/** @module Rate limits counted in Redis or Valkey, for nodes that should not load the service database with them. */
import { hash } from 'node:crypto'
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import type { RateDecision, RateLimit } from '../../foundation/rate-limiter.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
import { decisionOf, exactMeter } from './gcra.ts'
import type { SharedRateLimiter } from './leased-rate-limiter.ts'

export interface RedisRateLimiterOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database where they are needed. */
  readonly url: string
  readonly log: Log
}

/** How long to wait for an answer, and at the start for the first connection, in milliseconds. */
const patienceMs = { answer: 2_000, start: 2_000, connection: 5_000 }

/** Commands that may wait for an answer; more are refused. */
const mostWaiting = 10_000

/** Pause before the next attempt to connect, in milliseconds: longer each time up to the last. */
const pauseMs = { step: 100, last: 2_000 }

/**
 * The level of a bucket and the millisecond at which it was measured, by the clock of the server. A refusal writes nothing,
 * except after the clock was set back. Empty buckets expire by themselves.
 */
const script = `
local cost, capacity, per_ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fill, at = 0, now
local known = redis.call('GET', KEYS[1])
if known then
  local known_fill, known_at = string.match(known, '^(%d+) (%d+)$')
  fill, at = tonumber(known_fill), tonumber(known_at)
  if now > at then fill = math.max(0, fill - (now - at) * per_ms) end
end
local is_allowed = fill + cost <= capacity
if ARGV[4] == 'take' and (is_allowed or at > now) then
  if is_allowed then fill = fill + cost end
  local life = math.max(1, math.ceil(fill / per_ms))
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', fill, now), 'PX', string.format('%.0f', life))
end
return { is_allowed and 1 or 0, string.format('%.0f', fill) }
`

const scriptSha = hash('sha1', script)

/** The part of the library's client that is used here. */
interface RedisClient {
  on(event: 'error', listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
  sendCommand(command: readonly string[]): Promise<unknown>
  destroy(): void
}

/**
 * Connects in the background and again whenever the connection breaks; until then every call is rejected at once.
 *
 * @throws {GatewayError} `invalidConfiguration` when the package `@redis/client` is not installed.
 */
export async function createRedisRateLimiter({
  url,
  log,
}: RedisRateLimiterOptions): Promise<SharedRateLimiter> {
  const client = await createClient(url)
  client.on('error', (err) => log.debug({ err: String(err) }, 'Redis cannot be reached'))
  await withTimeout(patienceMs.start, client.connect()).catch((err: unknown) =>
    log.warn({ err: String(err) }, 'Redis cannot be reached yet'),
  )

  const send = (command: readonly string[]) =>
    withTimeout(patienceMs.answer, client.sendCommand(command))
  const run = async (words: readonly string[]): Promise<unknown> => {
    try {
      return await send(['EVALSHA', scriptSha, ...words])
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return send(['EVAL', script, ...words])
    }
  }
  const ask = async (
    limit: RateLimit,
    key: string,
    mode: 'take' | 'peek',
    count = 1,
  ): Promise<RateDecision> => {
    const meter = exactMeter(limit)
    const numbers = [meter.cost * count, meter.capacity, meter.perMs].map(String)
    const reply = await run(['1', redisKey(limit, key), ...numbers, mode])
    const [isAllowed, fill] = reply as readonly [number, string]
    return decisionOf(limit, { isAllowed: isAllowed === 1, fill: Number(fill) }, meter)
  }
  return {
    take: (limit, key, count) => ask(limit, key, 'take', count),
    peek: (limit, key) => ask(limit, key, 'peek'),
    reset: async (limit, key) => void (await send(['DEL', redisKey(limit, key)])),
    close: async () => client.destroy(),
  }
}

/** The key contains the readable name of the limit, for operators, but not whom it counts. */
function redisKey({ name, limit, periodMs, burst = limit }: RateLimit, key: string): string {
  const digest = hash('sha256', JSON.stringify([limit, periodMs, burst, key]), 'base64url')
  return `engine:rate:${name}:${digest}`
}

async function createClient(url: string): Promise<RedisClient> {
  const library = await loadLibrary()
  return library.createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    socket: {
      connectTimeout: patienceMs.connection,
      reconnectStrategy: (attempts) =>
        Math.min(pauseMs.last, pauseMs.step * (attempts + 1)) * (0.5 + Math.random() / 2),
    },
  }) as unknown as RedisClient
}

async function loadLibrary(): Promise<typeof import('@redis/client')> {
  try {
    return await import('@redis/client')
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      'limits.rateLimitStore: install the package @redis/client.',
      { cause },
    )
  }
}
