/** @module One connection that several short reads share: each is sent after the others, without waiting for their answers. */
import { cancelled } from '../../../foundation/adapter-errors.ts'
import type { Execution, ResultSet } from '../adapter.ts'
import { type Cancelling, cancelUntilEnded } from '../cancel-until-ended.ts'
import type { LatencyEstimate } from './latency-estimate.ts'
import type { QueueingSession } from './queueing-session.ts'

export interface Pipeline {
  /** Returns whether the statement can be queued after the others. */
  canTake(execution: Execution, latency: LatencyEstimate): boolean
  /**
   * Runs the statement after the others.
   *
   * @returns a promise of undefined when a statement before it takes too long: it must run on another connection.
   * @throws what `toError` makes of the database's error.
   */
  run(execution: Execution, latency: LatencyEstimate): Promise<ResultSet | undefined>
  /** Number of statements in progress. */
  load(): number
  /** Number of those that leave in one write at the end of this turn of the event loop. */
  unsent(): number
  /** Milliseconds since the last statement ended, or since the current one started. */
  quietMs(): number
  /** Leaves statements whose callers have gone, moves those that wait for a slow one to other connections. Call it periodically. */
  check(): void
  /** Accepts no more statements, and ends after the last one. */
  end(): void
}

export interface PipelineOptions {
  /** Time limit of the session's statements, in milliseconds. */
  readonly timeoutMs: number
  /** Maps an error of the session. */
  readonly toError: (error: unknown) => unknown
  /** Called once, after `end` and the last statement. */
  readonly onEnd: () => void
}

interface Entry {
  readonly latency: LatencyEstimate
  readonly weight: number
  /** Looked at from time to time: to listen costs more than a short read waits. */
  readonly signal: AbortSignal | undefined
  /** Its caller no longer waits for it. */
  isLeft: boolean
  /** Rejects its caller's promise, since the caller has gone. */
  readonly abandon: () => void
  /** Resolves its caller's promise to undefined, so that the statement runs on another connection. */
  readonly overtake: () => void
}

/** Maximum weight of the statements on one connection: the last one waits for all of them. */
const mostWeight = 32

/** Tiny statements count less: to wait for many of them takes less time than to send the statement on a connection of its own. */
const weights = { tiny: 1, short: 4 } as const

/** Maximum bytes of rows: larger answers run on a connection where their reader can slow them down. */
const mostBytes = 1_000_000

/** A statement that takes longer is not short, in milliseconds. */
const longMs = 50

export function createPipeline<Answer>(
  session: QueueingSession<Answer>,
  options: PipelineOptions,
): Pipeline {
  return new SharedSession(session, options)
}

/** A class: the statements of a session, and how it ends, change together (decision 0088). */
class SharedSession<Answer> implements Pipeline {
  readonly #session: QueueingSession<Answer>
  readonly #options: PipelineOptions
  /** In the order in which they were sent; the server runs the first one. */
  readonly #entries: Entry[] = []
  #weight = 0
  #sinceMs = performance.now()
  #isEnding = false
  #hasEnded = false
  /** The first statement takes too long: the callers of the statements after it no longer wait for them here. */
  #isGivenUp = false
  #cancelling: Cancelling | undefined

  constructor(session: QueueingSession<Answer>, options: PipelineOptions) {
    this.#session = session
    this.#options = options
  }

  canTake({ statement, timeoutMs }: Execution, latency: LatencyEstimate): boolean {
    return (
      !this.#isEnding &&
      this.#session.isAlive() &&
      timeoutMs === this.#options.timeoutMs &&
      this.#weight + weightOf(latency) <= mostWeight &&
      this.#session.takes(statement)
    )
  }

  run(execution: Execution, latency: LatencyEstimate): Promise<ResultSet | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<ResultSet | undefined>()
    const entry = this.#entryOf(execution, latency, { resolve, reject })
    if (this.#entries.length === 0) this.#sinceMs = performance.now()
    this.#entries.push(entry)
    this.#weight += entry.weight
    let size = 0
    const isWanted = (bytes: number) => {
      if (entry.isLeft) return false
      size += bytes
      if (size <= mostBytes) return true
      entry.overtake()
      this.#giveUp(entry)
      return false
    }
    const { answer, finish } = this.#session.queue(execution, isWanted)
    const finishEntry = (answered: Answer) => {
      latency.record(performance.now() - this.#sinceMs)
      const isAnswered = !entry.isLeft
      this.#next()
      if (isAnswered) resolve(finish(answered))
    }
    const failEntry = (error: unknown) => {
      this.#next()
      reject(this.#options.toError(error))
    }
    answer.then(finishEntry, failEntry).catch(reject)
    return promise
  }

  load(): number {
    return this.#entries.length
  }

  unsent(): number {
    return this.#session.unsent()
  }

  quietMs(): number {
    return performance.now() - this.#sinceMs
  }

  check(): void {
    for (const entry of this.#entries) {
      if (!entry.isLeft && entry.signal?.aborted) entry.abandon()
    }
    const [first] = this.#entries
    if (first === undefined || this.quietMs() < longMs) return
    // Its answer may have arrived while this process did other work.
    setImmediate(() => {
      if (this.#entries[0] === first) this.#giveUp(first)
    })
  }

  end(): void {
    this.#isEnding = true
    if (this.#entries.length === 0) this.#finishAll()
  }

  #entryOf(
    { signal }: Execution,
    latency: LatencyEstimate,
    { resolve, reject }: Pick<PromiseWithResolvers<ResultSet | undefined>, 'resolve' | 'reject'>,
  ): Entry {
    const entry: Entry = {
      latency,
      weight: weightOf(latency),
      signal,
      isLeft: false,
      abandon: () => {
        entry.isLeft = true
        if (this.#isGivenUp && this.#entries[0] === entry) this.#cancelAll()
        reject(cancelled())
      },
      overtake: () => {
        entry.isLeft = true
        resolve(undefined)
      },
    }
    return entry
  }

  #finishAll(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#options.onEnd()
  }

  /** The server has finished the first one. */
  #next(): void {
    this.#weight -= this.#entries.shift()?.weight ?? 0
    this.#sinceMs = performance.now()
    if (!this.#isEnding || this.#entries.length > 0) return
    if (this.#cancelling === undefined) {
      this.#finishAll()
      return
    }
    // A late cancellation must not stop the next statement.
    this.#session.condemn()
    void this.#cancelling.end().then(() => this.#finishAll())
  }

  /** No caller waits for it, nor for those after it: repeats the cancel request until all of them have ended. */
  #cancelAll(): void {
    this.#cancelling ??= cancelUntilEnded(() => this.#session.cancel())
  }

  #giveUp(first: Entry): void {
    this.#isEnding = true
    this.#isGivenUp = true
    first.latency.excludeFromSharing()
    for (const entry of this.#entries.slice(1)) entry.overtake()
    if (first.isLeft) this.#cancelAll()
  }
}

function weightOf(latency: LatencyEstimate): number {
  return latency.isTiny() ? weights.tiny : weights.short
}
