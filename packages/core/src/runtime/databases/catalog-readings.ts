/** @module Readings of the catalog of one database: one at a time, and calls that wait share the next one. */
import { isDeepStrictEqual } from 'node:util'
import type { Introspection } from '../../compiler/catalog/introspection.ts'

/** The time limit of one reading, in milliseconds. */
const timeoutMs = 30_000

/** Readings of the version that requests cause take a quarter of the time at most, unless a rest would be longer than this. */
const restBetweenLooks = 3
const longestRestMs = 250

/** The part of an adapter that reads catalogs. */
interface CatalogReader {
  introspect(signal: AbortSignal): Promise<Introspection>
  schemaVersion?(signal: AbortSignal): Promise<string>
  hasRoom?(): boolean
}

/** A reading that waits for the running one. */
interface Waiting {
  readonly done: Promise<void>
  /** A whole reading; otherwise only if the schema version differs. */
  isWhole: boolean
}

export class CatalogReadings {
  readonly #adapter: CatalogReader
  readonly #closing: AbortSignal
  readonly #onChange: () => void
  #last: Introspection | undefined
  #running: Promise<void> | undefined
  #waiting: Waiting | undefined
  /** A reading that begins after its rest. */
  #coming: Promise<void> | undefined
  #nextLookMs = 0
  /** Callers that wait only while a reading need not wait for a connection. */
  readonly #holders = new Set<() => void>()

  /** @param onChange called when a reading differs from the one before. */
  constructor(adapter: CatalogReader, closing: AbortSignal, onChange: () => void) {
    this.#adapter = adapter
    this.#closing = closing
    this.#onChange = onChange
  }

  /** undefined before the first reading. */
  get last(): Introspection | undefined {
    return this.#last
  }

  /** The next reading, where one waits already. */
  expected(): Promise<void> | undefined {
    return this.#waiting?.done
  }

  /**
   * A reading that begins after the call.
   *
   * @param isWhole reads the catalog even if the schema version is the same.
   */
  begin(isWhole: boolean): Promise<void> {
    if (this.#running === undefined) return this.#start(isWhole)
    this.#waiting ??= this.#waitFor(this.#running)
    if (isWhole) this.#waiting.isWhole = true
    return this.#waiting.done
  }

  /** The same, only if the schema version differs, and after a rest. */
  look(): Promise<void> {
    const pauseMs = this.#nextLookMs - performance.now()
    if (pauseMs < 1) return this.begin(false)
    this.#coming ??= new Promise<void>((resolve) => {
      setTimeout(resolve, pauseMs)
    }).then(() => {
      this.#coming = undefined
      return this.begin(false)
    })
    return this.#coming
  }

  /**
   * Waits for a reading on behalf of a caller that holds a connection: no longer than until the reading has to wait for one, which may
   * be the caller's. The reading goes on without it.
   *
   * @param reading begins or joins one; is not called where a reading would have to wait at once.
   */
  whileRoom(reading: () => Promise<void> | undefined): Promise<void> {
    if (this.#adapter.hasRoom?.() === false) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#holders.add(resolve)
    return Promise.race([reading(), promise]).finally(() => this.#holders.delete(resolve))
  }

  #start(isWhole: boolean): Promise<void> {
    const startMs = performance.now()
    this.#running = this.#read(isWhole).finally(() => {
      this.#running = undefined
      if (isWhole) return
      const endMs = performance.now()
      this.#nextLookMs = endMs + Math.min((endMs - startMs) * restBetweenLooks, longestRestMs)
    })
    return this.#running
  }

  #waitFor(current: Promise<void>): Waiting {
    const next = () => {
      const { isWhole } = own
      this.#waiting = undefined
      return this.#start(isWhole)
    }
    const own: Waiting = { done: current.then(next, next), isWhole: false }
    return own
  }

  async #read(isWhole: boolean): Promise<void> {
    const signal = AbortSignal.any([this.#closing, AbortSignal.timeout(timeoutMs)])
    if (!isWhole && (await this.#isUnchanged(signal))) return
    this.#takesConnection()
    const found = await this.#adapter.introspect(signal)
    if (isDeepStrictEqual(found, this.#last)) return
    this.#last = found
    this.#onChange()
  }

  #takesConnection(): void {
    if (this.#holders.size === 0 || this.#adapter.hasRoom?.() !== false) return
    for (const leave of this.#holders) leave()
  }

  async #isUnchanged(signal: AbortSignal): Promise<boolean> {
    const known = this.#last?.schemaVersion
    if (known !== undefined) this.#takesConnection()
    return known !== undefined && (await this.#adapter.schemaVersion?.(signal)) === known
  }
}
