/** @module One connection during the engine's life: its adapter and the known catalog of its tables. */
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { createTokenBucket } from '../../foundation/token-bucket.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { type GuardedAdapter, guardAdapter } from '../guard/guarded-adapter.ts'
import type { Observe } from '../observe/observe.ts'
import { CatalogReadings } from './catalog-readings.ts'
import { createUnreachableNotice } from './unreachable-notice.ts'

export interface DataSource {
  readonly name: string
  /** Runs statements. */
  readonly guarded: GuardedAdapter
  readonly adapter: Pick<Adapter, 'ping' | 'poolState' | 'hasRoom' | 'channels' | 'zoneRules'>
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
   * @param isHolding the caller holds a connection: it does not wait for another one, and goes on with the catalog as it is where all
   *   are in use.
   * @returns undefined when requests have caused readings too often, and the adapter knows no version. Readings of a version are
   *   delayed and shared instead, so that every request sees the schema of a moment after it failed.
   */
  refreshIfChanged(isCertain: boolean, isHolding?: boolean): Promise<void> | undefined
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

/** Looks at a schema take at most one part in so many of the time: with thousands of tables one look takes a while. */
const restBetweenPolls = 20

/** The limit for whole readings that requests cause. */
const requestedReadings = { most: 20, perSecond: 1 } as const

export function createDataSource(options: DataSourceOptions): DataSource {
  return new Source(options)
}

class Source implements DataSource {
  readonly name: string
  readonly guarded: GuardedAdapter
  readonly adapter: DataSource['adapter']
  readonly hasSchemaVersion: boolean
  readonly #options: DataSourceOptions
  readonly #closing = new AbortController()
  readonly #notice: ReturnType<typeof createUnreachableNotice>
  readonly #readings: CatalogReadings
  /** Readings that requests cause, where the adapter knows no version. */
  readonly #budget = createTokenBucket({ ...requestedReadings, clock: () => performance.now() })
  #attempt: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  /** A statement ran since the last look. */
  #isUsed = false
  #nextPollMs = 0

  constructor(options: DataSourceOptions) {
    const { name, adapter, log, observe, pollMs, onChange } = options
    this.#options = options
    this.name = name
    this.adapter = adapter
    this.hasSchemaVersion = adapter.schemaVersion !== undefined
    const clock = () => performance.now()
    this.#notice = createUnreachableNotice('database', { connection: name }, log, clock)
    this.#readings = new CatalogReadings(adapter, this.closing, onChange)
    this.guarded = guardAdapter(adapter, observe, () => {
      this.#isUsed = true
    })
    if (pollMs !== undefined) this.#polling = setInterval(() => void this.#poll(), pollMs).unref()
  }

  get closing(): AbortSignal {
    return this.#closing.signal
  }

  introspection(): Introspection | undefined {
    return this.#readings.last
  }

  refresh(): Promise<void> {
    return this.#readings.begin(true)
  }

  refreshIfChanged(isCertain: boolean, isHolding = false): Promise<void> | undefined {
    if (isHolding) return this.#readings.whileRoom(() => this.#read(isCertain))
    return this.#read(isCertain)
  }

  keepTrying(): void {
    this.#try(retryMs.first)
  }

  async tryToReach(): Promise<boolean> {
    try {
      await this.refresh()
      return true
    } catch (error) {
      this.#notice(error)
      return false
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#attempt)
    clearInterval(this.#polling)
    await this.#options.adapter.close()
  }

  #read(isCertain: boolean): Promise<void> | undefined {
    const expected = this.#readings.expected()
    if (expected !== undefined) return expected
    if (isCertain) return this.#readings.begin(false)
    if (this.hasSchemaVersion) return this.#readings.look()
    return this.#budget.take() ? this.#readings.begin(false) : undefined
  }

  #try(pauseMs: number): void {
    this.refresh().catch((error: unknown) => {
      if (this.closing.aborted) return
      this.#notice(error)
      const nextMs = Math.min(pauseMs * 2, retryMs.last)
      this.#attempt = setTimeout(() => this.#try(nextMs), pauseMs)
    })
  }

  async #poll(): Promise<void> {
    const startMs = performance.now()
    if (!this.#isUsed || this.introspection() === undefined || startMs < this.#nextPollMs) return
    this.#isUsed = false
    this.#nextPollMs = Number.POSITIVE_INFINITY
    try {
      await this.#readings.begin(false)
    } catch (err) {
      const { log, name: connection } = this.#options
      if (!this.closing.aborted) log.debug({ connection, err }, 'the schema could not be looked at')
    }
    const endMs = performance.now()
    this.#nextPollMs = endMs + (endMs - startMs) * restBetweenPolls
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
