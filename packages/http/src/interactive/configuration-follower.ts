/** @module Keeps a node on the newest configuration: no request is answered under an older one than when it arrived. */
import { GatewayError, type Log } from '@engine/core'
import {
  type ConfigurationStore,
  type Revision,
  reasonOf,
  shareReadings,
} from '@engine/core/server'
import type { Store } from '@engine/core/store'

export interface ConfigurationFollower {
  /**
   * Call it before a request is answered: when it has returned, or resolved, this node uses the newest configuration of a moment
   * after the call.
   *
   * @returns undefined where it does already.
   * @throws {GatewayError} `unavailable` (503), also as a rejection: the newest revision cannot be read, or not be applied here.
   */
  upToDate(): Promise<void> | undefined
  /** The revision that this node uses. */
  current(): Revision
  /** The reason that the newest revision cannot be applied on this node; undefined where it is. */
  failure(): FollowFailure | undefined
}

export interface FollowFailure {
  readonly revision: number
  readonly message: string
}

export interface FollowerOptions {
  readonly store: Pick<Store, 'changeCount'>
  readonly configurations: Pick<ConfigurationStore, 'newest' | 'newestNumber'>
  /** The revision that is in use. */
  readonly first: Revision
  /** Replaces the configuration of this node; when it throws, the old one is still in use. */
  readonly apply: (revision: Revision) => Promise<void>
  readonly log: Log
  /** Milliseconds of any origin, never set back. */
  readonly elapsedMs?: () => number
}

/** After a failure, milliseconds until a revision is tried again. */
const retryMs = 1_000

interface Failure extends FollowFailure {
  readonly error: GatewayError
  readonly againMs: number
}

/** A node that cannot apply the newest revision answers no requests: older permissions may allow what the newest forbid. */
export function createConfigurationFollower(options: FollowerOptions): ConfigurationFollower {
  const { store, configurations, apply, log, elapsedMs = () => performance.now() } = options
  let current = options.first
  /** The change counter at which `current` was the newest revision; undefined before the first reading. */
  let seenCount: number | undefined
  let failure: Failure | undefined

  const applyNewest = async (): Promise<void> => {
    const newest = await configurations.newest()
    if (newest === undefined) throw withoutRevisions()
    if (newest.revision === current.revision) return
    await apply(newest)
    log.info({ revision: newest.revision }, 'the configuration has changed')
    current = newest
  }
  const look = shareReadings(async () => {
    const count = await store.changeCount()
    const number = await configurations.newestNumber()
    if (number !== current.revision) {
      try {
        await applyNewest()
      } catch (error) {
        failure = failureOf(error, number, elapsedMs() + retryMs)
        seenCount = count
        log.error(
          { revision: number, reason: failure.message },
          'the newest configuration cannot be applied: requests are refused until it can',
        )
        throw failure.error
      }
    }
    failure = undefined
    seenCount = count
  })
  const settle = (count: number): Promise<void> | undefined => {
    if (count !== seenCount) return look()
    if (failure === undefined) return undefined
    if (elapsedMs() < failure.againMs) throw failure.error
    return look()
  }
  return {
    upToDate: () => {
      const count = store.changeCount()
      return typeof count === 'number' ? settle(count) : count.then(settle)
    },
    current: () => current,
    failure: () => failure && { revision: failure.revision, message: failure.message },
  }
}

function failureOf(error: unknown, revision: number | undefined, againMs: number): Failure {
  const unavailable =
    error instanceof GatewayError && error.problem === 'unavailable'
      ? error
      : new GatewayError(
          'unavailable',
          'The newest configuration cannot be applied on this node.',
          {
            cause: error,
          },
        )
  const message = error instanceof GatewayError ? error.message : reasonOf(error)
  return { error: unavailable, revision: revision ?? 0, message, againMs }
}

function withoutRevisions(): GatewayError {
  return new GatewayError('unavailable', 'The service database has no configuration any more.')
}
