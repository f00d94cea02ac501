/** @module Rate limits of password tries: by address, by account, by both. */
import { hash } from 'node:crypto'
import type { RateDecision, RateLimit, RateLimiter } from '@engine/core'
import { addressKey, type ClientInfo, type Store, type ThrottleSettings } from '@engine/core/server'
import type { AuthTables } from '../auth-tables.ts'
import { type AccountAddress, isKnownAddress, rememberAddress } from './known-addresses.ts'
import {
  addFailure,
  clearFailures,
  type Failures,
  lockoutDelayMs,
  readFailures,
} from './lockout.ts'
import { createPendingTries } from './pending-tries.ts'
import { namedLimit, takeOrRefuse, tooMany } from './refusal.ts'

export interface PasswordThrottle {
  /**
   * Before a password is compared. Call exactly one method of what it returns.
   *
   * @param emailGiven known or not: they are counted alike.
   * @throws {GatewayError} `rateLimited`.
   */
  begin(client: ClientInfo, emailGiven: string): Promise<PasswordTry>
  /** The account's owner has proved to be it. */
  forgive(emailKey: string): Promise<void>
}

export interface PasswordTry {
  failed(): Promise<void>
  succeeded(): Promise<void>
  /** Nothing was found out. */
  abandoned(): void
}

export interface PasswordThrottleOptions {
  readonly settings: ThrottleSettings
  readonly limiter: RateLimiter
  readonly store: Store
  readonly clock: () => number
}

interface Keys extends AccountAddress {
  /** Account and address together. */
  readonly pair: string
}

/**
 * Only failures count, and a failure is known only after its hash. So that parallel tries do not bypass the
 * limits, no more run than may still fail; the others wait for their outcome.
 */
export function createPasswordThrottle({
  settings,
  limiter,
  store,
  clock,
}: PasswordThrottleOptions): PasswordThrottle {
  const database = store.withTables<AuthTables>()
  // Half of it at once: people who come back, not programs.
  const perIp = namedLimit('sign-in-ip', settings.signInPerIp, 0.5)
  const perPair = namedLimit('sign-in-pair', settings.signInFailuresPerAccountAndIp)
  const perAccount = namedLimit('sign-in-account', settings.signInFailuresPerAccount)
  const tries = createPendingTries()

  /** What is stored about an account and an address, as of a moment at which no try of the account ended. */
  const readFacts = async (keys: Keys): Promise<Facts> => {
    for (;;) {
      const endWatch = tries.watch(keys.accountKey)
      let facts: Facts
      try {
        facts = {
          decision: await limiter.peek(perPair, keys.pair),
          failures: await readFailures(database, keys.accountKey),
          isKnown: false,
        }
        const slowed = lockoutDelayMs(
          facts.failures,
          perAccount,
          clock(),
          tries.count(keys.accountKey),
        )
        if (slowed > 0) facts = { ...facts, isKnown: await isKnownAddress(database, keys, clock()) }
      } catch (error) {
        endWatch()
        throw error
      }
      if (!endWatch()) return facts
    }
  }
  /** What refuses the try now, if anything; counts it as running otherwise. */
  const enter = async (keys: Keys): Promise<Obstacle | undefined> => {
    const { accountKey, pair } = keys
    const { decision, failures, isKnown } = await readFacts(keys)
    // Nothing is awaited from here on.
    if (decision.remaining <= tries.count(pair)) return { key: pair, decision }
    const running = tries.count(accountKey)
    const retryAfterMs = lockoutDelayMs(failures, perAccount, clock(), running)
    // Others' failures do not lock out who signed in from here before.
    if (retryAfterMs > 0 && !isKnown) {
      return { key: accountKey, decision: refusal(perAccount, retryAfterMs) }
    }
    tries.begin(pair)
    tries.begin(accountKey)
    return undefined
  }
  const enterOrWait = async (keys: Keys): Promise<void> => {
    for (;;) {
      const obstacle = await enter(keys)
      if (obstacle === undefined) return
      const { key, decision } = obstacle
      const next = tries.count(key) === 0 ? undefined : tries.nextEnd(key)
      if (next === undefined) throw tooMany(decision)
      await next
    }
  }
  return {
    begin: async (client, emailGiven) => {
      const address = addressKey(client.ip)
      const accountKey = digest(emailGiven)
      const keys = { accountKey, addressKey: digest(address), pair: `${accountKey} ${address}` }
      await takeOrRefuse(limiter, perIp, address)
      await enterOrWait(keys)
      const end = () => {
        tries.end(keys.pair)
        tries.end(accountKey)
      }
      return {
        failed: async () => {
          try {
            await limiter.take(perPair, keys.pair)
            await addFailure(database, accountKey, perAccount, clock())
          } finally {
            end()
          }
        },
        succeeded: async () => {
          try {
            await limiter.reset(perPair, keys.pair)
            if ((await readFailures(database, accountKey)) !== undefined) {
              await clearFailures(database, accountKey)
            }
            await rememberAddress(database, keys, clock())
          } finally {
            end()
          }
        },
        abandoned: end,
      }
    },
    forgive: (emailKey) => clearFailures(database, digest(emailKey)),
  }
}

interface Facts {
  readonly decision: RateDecision
  readonly failures: Failures | undefined
  /** The account was signed in to from here; looked up only where that matters. */
  readonly isKnown: boolean
}

interface Obstacle {
  /** Of the tries whose outcome may remove it. */
  readonly key: string
  readonly decision: RateDecision
}

function refusal(limit: RateLimit, retryAfterMs: number): RateDecision {
  return { isAllowed: false, limit, remaining: 0, resetMs: retryAfterMs, retryAfterMs }
}

/** Only digests of addresses are kept: some addresses belong to no account. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
