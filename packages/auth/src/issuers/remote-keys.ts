import { GatewayError, type Log } from '@engine/core'
import { type KeySource, pickKeys } from '../tokens/key-source.ts'
import type { TokenKey } from '../tokens/token-key.ts'
import type { KeySet } from './key-set.ts'

export interface RemoteKeysOptions {
  /** Of the issuer, for the log and errors. */
  readonly issuer: string
  fetchKeys(): Promise<KeySet>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Keys are fetched again when they are so old. */
const freshMs = 10 * 60_000

/** Between two attempts, whatever tokens name: unknown keys cannot make us knock at the issuer's door. */
const cooldownMs = 30_000

/**
 * Keys that could not be fetched again are trusted for so long after they were last seen: an issuer that is down for a
 * moment locks nobody out, and a key that it withdrew is not good for longer than this.
 */
const staleMs = 60 * 60_000

interface Known {
  readonly keys: readonly TokenKey[]
  readonly atMs: number
}

/**
 * The keys behind a URL, fetched when first needed, when ten minutes old, and when a token names one that is not known;
 * at most every 30 seconds, one request at a time.
 */
export function createRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { issuer, log, clock } = options
  let known: Known | undefined
  let attemptedAtMs = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let pending: Promise<void> | undefined

  const attempt = async (): Promise<void> => {
    attemptedAtMs = clock()
    try {
      const { keys, faults } = await options.fetchKeys()
      if (keys.length === 0) throw new Error(`has no key that can be used: ${faults.join('; ')}`)
      if (faults.length > 0) log.debug({ issuer, faults }, 'keys of an issuer were left out')
      known = { keys, atMs: clock() }
      hasFailed = false
    } catch (error) {
      hasFailed = true
      log.warn({ issuer, err: error }, 'the keys of an issuer cannot be fetched')
    }
  }

  /** Resolves when as much is known as can be. */
  const refresh = async (): Promise<void> => {
    if (pending === undefined && clock() - attemptedAtMs < cooldownMs) return
    pending ??= attempt().finally(() => {
      pending = undefined
    })
    await pending
  }

  const ageMs = () => (known === undefined ? Number.POSITIVE_INFINITY : clock() - known.atMs)

  return {
    find: async (keyId, algorithm) => {
      if (ageMs() >= freshMs) await refresh()
      const found = pickUsable(keyId, algorithm)
      if (found.length > 0) return found
      await refresh()
      const again = pickUsable(keyId, algorithm)
      if (again.length > 0 || (!hasFailed && ageMs() < staleMs)) return again
      throw new GatewayError('unavailable', `The keys of ${issuer} cannot be fetched.`, {
        publicMessage: 'The service is not available at the moment.',
      })
    },
  }

  function pickUsable(keyId: string | undefined, algorithm: string): readonly TokenKey[] {
    return known === undefined || ageMs() >= staleMs ? [] : pickKeys(known.keys, keyId, algorithm)
  }
}
