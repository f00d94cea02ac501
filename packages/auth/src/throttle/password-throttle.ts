/** @module Rate limits for password attempts: by address, by account, by both. */
import { hash } from 'node:crypto'
import type { RateDecision, RateLimit, RateLimiter } from '@engine/core'
import { addressKey, type ClientInfo, type ThrottleSettings } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { AuthDatabase, AuthTables } from '../store/auth-tables.ts'
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
export function createPasswordThrottle(options: PasswordThrottleOptions): PasswordThrottle {
  return new TriesOfPasswords(options)
}

/** A class: attempts that run, and those that wait for their outcome, change together (decision 0088). */
class TriesOfPasswords implements PasswordThrottle {
  readonly #limiter: RateLimiter
  readonly #database: AuthDatabase
  readonly #clock: () => number
  readonly #perIp: RateLimit
  readonly #perPair: RateLimit
  readonly #perAccount: RateLimit
  readonly #tries = createPendingTries()

  constructor({ settings, limiter, store, clock }: PasswordThrottleOptions) {
    this.#limiter = limiter
    this.#database = store.withTables<AuthTables>()
    this.#clock = clock
    // Half of it at once: enough for returning users, not for programs.
    this.#perIp = namedLimit('sign-in-ip', settings.signInPerIp, 0.5)
    this.#perPair = namedLimit('sign-in-pair', settings.signInFailuresPerAccountAndIp)
    this.#perAccount = namedLimit('sign-in-account', settings.signInFailuresPerAccount)
  }

  async begin(client: ClientInfo, emailGiven: string): Promise<PasswordTry> {
    const address = addressKey(client.ip)
    const accountKey = digest(emailGiven)
    const keys = { accountKey, addressKey: digest(address), pair: `${accountKey} ${address}` }
    await takeOrRefuse(this.#limiter, this.#perIp, address)
    await this.#enterOrWait(keys)
    return {
      failed: () => this.#fail(keys).finally(() => this.#end(keys)),
      succeeded: () => this.#succeed(keys).finally(() => this.#end(keys)),
      abandoned: () => this.#end(keys),
    }
  }

  forgive(emailKey: string): Promise<void> {
    return clearFailures(this.#database, digest(emailKey))
  }

  async #enterOrWait(keys: Keys): Promise<void> {
    for (;;) {
      const obstacle = await this.#enter(keys)
      if (obstacle === undefined) return
      const { key, decision } = obstacle
      const next = this.#tries.count(key) === 0 ? undefined : this.#tries.nextEnd(key)
      if (next === undefined) throw tooMany(decision)
      await next
    }
  }

  /** Returns the reason to refuse the attempt now, if there is one; otherwise counts it as running. */
  async #enter(keys: Keys): Promise<Obstacle | undefined> {
    const { accountKey, pair } = keys
    const { decision, failures, isKnown } = await this.#readFacts(keys)
    // No `await` from here on.
    if (decision.remaining <= this.#tries.count(pair)) return { key: pair, decision }
    const retryAfterMs = this.#delayMs(failures, accountKey)
    // Failures from elsewhere do not lock out a user who has signed in from this address before.
    if (retryAfterMs > 0 && !isKnown) {
      return { key: accountKey, decision: refusal(this.#perAccount, retryAfterMs) }
    }
    this.#tries.begin(pair)
    this.#tries.begin(accountKey)
    return undefined
  }

  /** The stored state of an account and an address, read while no attempt of the account ended. */
  async #readFacts(keys: Keys): Promise<Facts> {
    for (;;) {
      const endWatch = this.#tries.watch(keys.accountKey)
      let facts: Facts
      try {
        facts = await this.#readOnce(keys)
      } catch (error) {
        endWatch()
        throw error
      }
      if (!endWatch()) return facts
    }
  }

  async #readOnce(keys: Keys): Promise<Facts> {
    const decision = await this.#limiter.peek(this.#perPair, keys.pair)
    const failures = await readFailures(this.#database, keys.accountKey)
    const isSlowed = this.#delayMs(failures, keys.accountKey) > 0
    const isKnown = isSlowed && (await isKnownAddress(this.#database, keys, this.#clock()))
    return { decision, failures, isKnown }
  }

  #delayMs(failures: Failures | undefined, accountKey: string): number {
    const running = this.#tries.count(accountKey)
    return lockoutDelayMs(failures, this.#perAccount, this.#clock(), running)
  }

  async #fail({ accountKey, pair }: Keys): Promise<void> {
    await this.#limiter.take(this.#perPair, pair)
    await addFailure(this.#database, accountKey, this.#perAccount, this.#clock())
  }

  async #succeed(keys: Keys): Promise<void> {
    const { accountKey, pair } = keys
    await this.#limiter.reset(this.#perPair, pair)
    if ((await readFailures(this.#database, accountKey)) !== undefined) {
      await clearFailures(this.#database, accountKey)
    }
    await rememberAddress(this.#database, keys, this.#clock())
  }

  #end({ accountKey, pair }: Keys): void {
    this.#tries.end(pair)
    this.#tries.end(accountKey)
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
