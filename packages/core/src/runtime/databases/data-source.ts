/** @module One connection during the engine's life: its adapter and the known catalog of its tables. */
import { isDeepStrictEqual } from 'node:util'
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { createTokenBucket } from '../../foundation/token-bucket.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { type GuardedAdapter, guardAdapter } from '../guard/guarded-adapter.ts'
import type { Observe } from '../observe/observe.ts'
import { createUnreachableNotice } from './unreachable-notice.ts'

export interface DataSource {
  readonly name: string
  /** Runs statements. */
  readonly guarded: GuardedAdapter
  readonly adapter: Pick<Adapter, 'ping' | 'poolState'>
  /** The last introspection; undefined before the database was first reached. */
  readonly introspection: () => Introspection | undefined
  /**
   * Reads the catalog again; the reading begins after the call. Waiting calls share one reading.
   *
   * @throws {GatewayError} when the database cannot be reached.
   */
  refresh(): Promise<void>
  /** The same on behalf of a request with unknown names: undefined when requests have caused it too often. */
  refreshOnDemand(): Promise<void> | undefined
  /** Tries until the database is reached once, then stops; logs why it cannot be reached. Does not throw. */
  keepTrying(): void
  /** The first attempt. @returns false when the database cannot be reached, which is logged. */
  tryToReach(): Promise<boolean>
  close(): Promise<void>
}

export interface DataSourceOptions {
  readonly name: string
  readonly adapter: Adapter
  readonly log: Log
  readonly observe: Observe | undefined
  /** Called when a reading differs from the one before. */
  readonly onChange: () => void
}

/** Pause between attempts to reach a database, in milliseconds: doubled each time up to the second number. */
const retryMs = { first: 250, last: 1_000 }

/** The time limit of one reading of the catalog, in milliseconds. */
const introspectionTimeoutMs = 30_000

/** Limits for readings that requests cause. */
const requestedRefreshes = { most: 20, perSecond: 1 } as const

export function createDataSource({
  name,
  adapter,
  log,
  observe,
  onChange,
}: DataSourceOptions): DataSource {
  let introspection: Introspection | undefined
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const closing = new AbortController()
  const about = { connection: name }
  const notice = createUnreachableNotice('database', about, log, () => performance.now())
  const budget = createTokenBucket({ ...requestedRefreshes, clock: () => performance.now() })

  const read = async () => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(introspectionTimeoutMs)])
    const found = await adapter.introspect(signal)
    if (isDeepStrictEqual(found, introspection)) return
    introspection = found
    onChange()
  }
  const begin = (): Promise<void> => {
    waiting = undefined
    running = read().finally(() => {
      running = undefined
    })
    return running
  }
  const refresh = (): Promise<void> => {
    if (running === undefined) return begin()
    waiting ??= running.then(begin, begin)
    return waiting
  }
  const attempt = (pauseMs: number) => {
    refresh().catch((error: unknown) => {
      if (closing.signal.aborted) return
      notice(error)
      timer = setTimeout(() => attempt(Math.min(pauseMs * 2, retryMs.last)), pauseMs)
    })
  }
  return {
    name,
    guarded: guardAdapter(adapter, observe),
    adapter,
    introspection: () => introspection,
    refresh,
    keepTrying: () => attempt(retryMs.first),
    tryToReach: async () => {
      try {
        await refresh()
        return true
      } catch (error) {
        notice(error)
        return false
      }
    },
    refreshOnDemand: () => waiting ?? (budget.take() ? refresh() : undefined),
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await adapter.close()
    },
  }
}

/** The error for a connection whose database was never reached. */
export function notReady(name: string): GatewayError {
  return new GatewayError(
    'unavailable',
    `The database of connection "${name}" cannot be reached.`,
    {
      publicMessage: 'The database cannot be reached.',
      sqlState: '08006',
    },
  )
}
