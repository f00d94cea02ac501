/** @module Rate limits for password attempts: by address, by account, by both. */
import { hash } from 'node:crypto'
import type { RateDecision, RateLimit, RateLimiter } from '@engine/core'
import { addressKey, type ClientInfo, type Store, type ThrottleSettings } from '@engine/core/server'
import type { AuthTables } from '../store/auth-tables.ts'
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
   * Called before a password is compared. Call exactly one method of the result.
   *
   * @param emailGiven known or not: both are counted in the same way.
   * @throws {GatewayError} `rateLimited`.
   */
  begin(client: ClientInfo, emailGiven: string): Promise<PasswordTry>
  /** The user has proved to own the account: resets its failures. */
  forgive(emailKey: string): Promise<void>
}

export interface PasswordTry {
  failed(): Promise<void>
  succeeded(): Promise<void>
  /** The attempt ended without a result. */
  abandoned(): void
}

export interface PasswordThrottleOptions {
  readonly settings: ThrottleSettings
  readonly limiter: RateLimiter
  readonly store: Store
  readonly clock: () => number
}

interface Keys extends AccountAddress {
  /** The combination of account and address. */
  readonly pair: string
}

/**
 * Only failures count, and a failure is known only after its hash. So that parallel attempts do not bypass the limits,
 * at most as many run as may still fail; the others wait for their outcome.
 */
export function createPasswordThrottle({
  settings,
  limiter,
  store,
  clock,
}: PasswordThrottleOptions): PasswordThrottle {
  const database = store.withTables<AuthTables>()
  // Half of it at once: enough for returning users, not for programs.
  const perIp = namedLimit('sign-in-ip', settings.signInPerIp, 0.5)
  const perPair = namedLimit('sign-in-pair', settings.signInFailuresPerAccountAndIp)
  const perAccount = namedLimit('sign-in-account', settings.signInFailuresPerAccount)
  const tries = createPendingTries()

  /** The stored state of an account and an address, read while no attempt of the account ended. */
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
  /** Returns the reason to refuse the attempt now, if there is one; otherwise counts it as running. */
  const enter = async (keys: Keys): Promise<Obstacle | undefined> => {
    const { accountKey, pair } = keys
    const { decision, failures, isKnown } = await readFacts(keys)
    // No `await` from here on.
    if (decision.remaining <= tries.count(pair)) return { key: pair, decision }
    const running = tries.count(accountKey)
    const retryAfterMs = lockoutDelayMs(failures, perAccount, clock(), running)
    // Failures from elsewhere do not lock out a user who has signed in from this address before.
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
  /** Whether a user signed in to the account from this address; read only where that matters. */
  readonly isKnown: boolean
}

interface Obstacle {
  /** Key of the attempts whose outcome may remove the refusal. */
  readonly key: string
  readonly decision: RateDecision
}

function refusal(limit: RateLimit, retryAfterMs: number): RateDecision {
  return { isAllowed: false, limit, remaining: 0, resetMs: retryAfterMs, retryAfterMs }
}

/** Only digests of addresses are stored: some addresses belong to no account. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
