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
  readonly adapter: Pick<Adapter, 'ping' | 'poolState' | 'channels' | 'zoneRules'>
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal
  /** `refreshIfChanged` asks for a version, and reads the whole catalog only if it differs. */
  readonly hasSchemaVersion: boolean
  /** The last introspection; undefined before the database was first reached. */
  readonly introspection: () => Introspection | undefined
  /**
   * Reads the catalog again; the reading begins after the call. Waiting calls share one reading.
   *
   * @throws {GatewayError} when the database cannot be reached.
   */
  refresh(): Promise<void>
  /**
   * Reads the catalog again if the schema may have changed since the last reading: asks the database for its schema version
   * first, where the adapter knows it. For requests that failed in a way that a change explains.
   *
   * @param isCertain it did change: the reading is neither refused nor delayed.
   * @returns undefined when requests have caused readings too often, and the adapter knows no version. Readings of a version are
   *   delayed and shared instead, so that every request sees the schema of a moment after it failed.
   */
  refreshIfChanged(isCertain: boolean): Promise<void> | undefined
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
  /** Milliseconds between two looks at the schema while statements run; undefined: none. */
  readonly pollMs: number | undefined
  /** Called when a reading differs from the one before. */
  readonly onChange: () => void
}

/** Pause between attempts to reach a database, in milliseconds: doubled each time up to the second number. */
const retryMs = { first: 250, last: 1_000 }

/** The time limit of one reading of the catalog, in milliseconds. */
const introspectionTimeoutMs = 30_000

/** Looks at a schema take at most one part in so many of the time: with thousands of tables one look takes a while. */
const restBetweenPolls = 20

/** The limit for whole readings that requests cause. */
const requestedReadings = { most: 20, perSecond: 1 } as const

/** Readings of the version that requests cause take a quarter of the time at most, unless a rest would be longer than this. */
const restBetweenLooks = 3
const longestRestMs = 250

/** A reading that waits for the running one. */
interface Waiting {
  readonly done: Promise<void>
  /** A whole reading; otherwise only if the schema version differs. */
  isWhole: boolean
}

export function createDataSource({
  name,
  adapter,
  log,
  observe,
  pollMs,
  onChange,
}: DataSourceOptions): DataSource {
  let introspection: Introspection | undefined
  let running: Promise<void> | undefined
  let waiting: Waiting | undefined
  let timer: NodeJS.Timeout | undefined
  let polling: NodeJS.Timeout | undefined
  let isUsed = false
  const closing = new AbortController()
  const about = { connection: name }
  const clock = () => performance.now()
  const notice = createUnreachableNotice('database', about, log, clock)
  const hasSchemaVersion = adapter.schemaVersion !== undefined
  const budget = createTokenBucket({ ...requestedReadings, clock })
  let nextLookMs = 0
  let coming: Promise<void> | undefined

  const isUnchanged = async (signal: AbortSignal): Promise<boolean> => {
    const known = introspection?.schemaVersion
    return known !== undefined && (await adapter.schemaVersion?.(signal)) === known
  }
  const read = async (isWhole: boolean) => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(introspectionTimeoutMs)])
    if (!isWhole && (await isUnchanged(signal))) return
    const found = await adapter.introspect(signal)
    if (isDeepStrictEqual(found, introspection)) return
    introspection = found
    onChange()
  }
  const begin = (isWhole: boolean): Promise<void> => {
    const startMs = clock()
    running = read(isWhole).finally(() => {
      running = undefined
      if (isWhole) return
      const endMs = clock()
      nextLookMs = endMs + Math.min((endMs - startMs) * restBetweenLooks, longestRestMs)
    })
    return running
  }
  const wait = (current: Promise<void>): Waiting => {
    const next = () => {
      const { isWhole } = own
      waiting = undefined
      return begin(isWhole)
    }
    const own: Waiting = { done: current.then(next, next), isWhole: false }
    return own
  }
  /** A reading that begins after the call. */
  const readAgain = (isWhole: boolean): Promise<void> => {
    if (running === undefined) return begin(isWhole)
    waiting ??= wait(running)
    if (isWhole) waiting.isWhole = true
    return waiting.done
  }
  const look = (): Promise<void> => {
    const pauseMs = nextLookMs - clock()
    if (pauseMs < 1) return readAgain(false)
    coming ??= new Promise<void>((resolve) => {
      setTimeout(resolve, pauseMs)
    }).then(() => {
      coming = undefined
      return readAgain(false)
    })
    return coming
  }
  let nextPollMs = 0
  const poll = async () => {
    const startMs = clock()
    if (!isUsed || introspection === undefined || startMs < nextPollMs) return
    isUsed = false
    nextPollMs = Number.POSITIVE_INFINITY
    try {
      await readAgain(false)
    } catch (err) {
      if (!closing.signal.aborted) log.debug({ ...about, err }, 'the schema could not be looked at')
    }
    const endMs = clock()
    nextPollMs = endMs + (endMs - startMs) * restBetweenPolls
  }
  const attempt = (pauseMs: number) => {
    readAgain(true).catch((error: unknown) => {
      if (closing.signal.aborted) return
      notice(error)
      timer = setTimeout(() => attempt(Math.min(pauseMs * 2, retryMs.last)), pauseMs)
    })
  }
  if (pollMs !== undefined) polling = setInterval(() => void poll(), pollMs).unref()
  return {
    name,
    guarded: guardAdapter(adapter, observe, () => {
      isUsed = true
    }),
    adapter,
    closing: closing.signal,
    hasSchemaVersion,
    introspection: () => introspection,
    refresh: () => readAgain(true),
    keepTrying: () => attempt(retryMs.first),
    tryToReach: async () => {
      try {
        await readAgain(true)
        return true
      } catch (error) {
        notice(error)
        return false
      }
    },
    refreshIfChanged: (isCertain) => {
      if (waiting !== undefined) return waiting.done
      if (isCertain) return readAgain(false)
      if (hasSchemaVersion) return look()
      return budget.take() ? readAgain(false) : undefined
    },
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      clearInterval(polling)
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
