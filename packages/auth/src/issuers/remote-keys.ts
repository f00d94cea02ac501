import { GatewayError, type Log } from '@engine/core'
import { type KeySource, pickKeys } from '../tokens/key-source.ts'
import type { TokenKey } from '../tokens/token-key.ts'
import type { KeySet } from './key-set.ts'

export interface RemoteKeysOptions {
  /** Name of the issuer, for the log and errors. */
  readonly issuer: string
  fetchKeys(): Promise<KeySet>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Age at which keys are fetched again. */
const freshMs = 10 * 60_000

/** Minimum milliseconds between two fetches for unknown keys, so that forged tokens cannot make us flood the issuer. */
const cooldownMs = 30_000

/** Milliseconds after a failed fetch until the next one. */
const retryMs = 5_000

/**
 * Keys that cannot be fetched again are trusted for this long after the last fetch. A short outage of an issuer locks out
 * no user, and a key that it withdrew is not valid for longer than this.
 */
const staleMs = 60 * 60_000

interface Known {
  readonly keys: readonly TokenKey[]
  readonly atMs: number
}

/**
 * The keys at a URL. They are fetched when first needed, when they are ten minutes old, and, at most every 30 seconds,
 * when a token names an unknown key; one request at a time.
 */
export function createRemoteKeys(options: RemoteKeysOptions): KeySource {
  const { issuer, log, clock } = options
  let known: Known | undefined
  let failedAtMs: number | undefined
  let missedAtMs = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const attempt = async (): Promise<void> => {
    try {
      const { keys, faults } = await options.fetchKeys()
      if (keys.length === 0) throw new Error(`has no key that can be used: ${faults.join('; ')}`)
      if (faults.length > 0) log.debug({ issuer, faults }, 'keys of an issuer were left out')
      known = { keys, atMs: clock() }
      failedAtMs = undefined
    } catch (error) {
      failedAtMs = clock()
      log.warn({ issuer, err: error }, 'the keys of an issuer cannot be fetched')
    }
  }

  /** Resolves when the keys are known, or cannot be fetched now. */
  const refresh = async (): Promise<void> => {
    if (failedAtMs !== undefined && clock() - failedAtMs < retryMs) return
    pending ??= attempt().finally(() => {
      pending = undefined
    })
    await pending
  }

  const refreshForMissing = async (): Promise<void> => {
    if (pending === undefined) {
      if (clock() - missedAtMs < cooldownMs) return
      missedAtMs = clock()
    }
    await refresh()
  }

  const ageMs = () => (known === undefined ? Number.POSITIVE_INFINITY : clock() - known.atMs)

  return {
    find: async (keyId, algorithm) => {
      const isOld = ageMs() >= freshMs
      if (isOld) await refresh()
      const found = pickUsable(keyId, algorithm)
      if (found.length > 0) return found
      if (!isOld) await refreshForMissing()
      const again = pickUsable(keyId, algorithm)
      if (again.length > 0 || (failedAtMs === undefined && ageMs() < staleMs)) return again
      throw new GatewayError('unavailable', `The keys of ${issuer} cannot be fetched.`, {
        publicMessage: 'The service is not available at the moment.',
      })
    },
  }

  function pickUsable(keyId: string | undefined, algorithm: string): readonly TokenKey[] {
    return known === undefined || ageMs() >= staleMs ? [] : pickKeys(known.keys, keyId, algorithm)
  }
}
