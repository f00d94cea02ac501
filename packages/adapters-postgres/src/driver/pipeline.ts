/** @module One connection that several short reads share: each is sent after the others, without waiting for their answers. */
import { cancelled, type Execution, GatewayError, type ResultSet } from '@engine/core/adapter'
import { driverError } from '../driver-error.ts'
import { hintsOf } from '../native-statement.ts'
import { bufferRows } from './buffer-rows.ts'
import { type CancelBackend, type Cancelling, cancelUntilEnded } from './cancel.ts'
import type { LatencyEstimate } from './latency-estimate.ts'
import { parameterTexts } from './parameter-text.ts'
import { createRowReader } from './row-reader.ts'
import type { ServerSession } from './session.ts'

export interface Pipeline {
  /** Returns whether the statement can be queued after the others. */
  canTake(execution: Execution): boolean
  /**
   * Runs the statement after the others.
   *
   * @returns a promise of undefined when a statement before it takes too long: it must run on another connection.
   * @throws {GatewayError} the database's error.
   */
  run(execution: Execution, latency: LatencyEstimate): Promise<ResultSet | undefined>
  /** Number of statements in progress. */
  load(): number
  /** Number of those that leave in one write at the end of this turn of the event loop. */
  unsent(): number
  /** Milliseconds since the last statement ended, or since the current one started. */
  quietMs(): number
  /** Moves statements that wait for a slow one to other connections. Call it periodically. */
  check(): void
  /** Accepts no more statements, and ends after the last one. */
  end(): void
}

export interface PipelineOptions {
  /** Time limit of the session's statements, in milliseconds. */
  readonly timeoutMs: number
  readonly cancel: CancelBackend
  /** Called once, after `end` and the last statement. */
  readonly onEnd: () => void
}

interface Entry {
  readonly latency: LatencyEstimate
  /** Its caller no longer waits for it. */
  isLeft: boolean
  /** Resolves its caller's promise to undefined, so that the statement runs on another connection. */
  readonly overtake: () => void
}

/** Maximum statements on one connection: the last one waits for all of them. */
const mostEntries = 8

/** Maximum bytes of rows: larger answers run on a connection where their reader can slow them down. */
const mostBytes = 1_000_000

/** A statement that takes longer is not short, in milliseconds. */
const longMs = 50

export function createPipeline(
  session: ServerSession,
  { timeoutMs, cancel, onEnd }: PipelineOptions,
): Pipeline {
  /** In the order in which they were sent; the server runs the first one. */
  const entries: Entry[] = []
  let sinceMs = performance.now()
  let isEnding = false
  let hasEnded = false
  /** The first statement takes too long: the callers of the statements after it no longer wait for them here. */
  let isGivenUp = false
  let cancelling: Cancelling | undefined

  const finish = () => {
    if (hasEnded) return
    hasEnded = true
    onEnd()
  }
  const end = () => {
    isEnding = true
    if (entries.length === 0) finish()
  }
  /** The server has finished the first one. */
  const next = () => {
    entries.shift()
    sinceMs = performance.now()
    if (!isEnding || entries.length > 0) return
    if (cancelling === undefined) {
      finish()
      return
    }
    // A late cancellation must not stop the next statement.
    session.condemn()
    void cancelling.end().then(finish)
  }
  /** No caller waits for it, nor for those after it: repeats the cancel request until all of them have ended. */
  const cancelAll = () => {
    cancelling ??= cancelUntilEnded(() => cancel(session.backendPid))
  }
  const giveUp = (first: Entry) => {
    isEnding = true
    isGivenUp = true
    first.latency.excludeFromSharing()
    for (const entry of entries.slice(1)) entry.overtake()
    if (first.isLeft) cancelAll()
  }

  const run = (execution: Execution, latency: LatencyEstimate): Promise<ResultSet | undefined> => {
    const { statement, values, signal } = execution
    const { steps, requireColumns } = hintsOf(statement)
    const [step] = statement.steps
    const [hints] = steps
    if (step === undefined || hints === undefined) {
      throw new GatewayError('internal', 'a pipeline needs a statement of one step')
    }
    const { promise, resolve, reject } = Promise.withResolvers<ResultSet | undefined>()
    const abandon = () => {
      entry.isLeft = true
      if (isGivenUp && entries[0] === entry) cancelAll()
      reject(cancelled())
    }
    const leave = () => {
      entry.isLeft = true
      signal?.removeEventListener('abort', abandon)
    }
    const entry: Entry = {
      latency,
      isLeft: false,
      overtake: () => {
        leave()
        resolve(undefined)
      },
    }
    signal?.addEventListener('abort', abandon, { once: true })
    if (entries.length === 0) sinceMs = performance.now()
    entries.push(entry)
    const buffered = bufferRows(execution)
    const reader = createRowReader(buffered.execution, step)
    let size = 0
    const onRow = (bytes: Buffer, start: number, end: number) => {
      if (entry.isLeft) return
      size += end - start
      if (size <= mostBytes) {
        reader.read(bytes, start)
        return
      }
      entry.overtake()
      giveUp(entry)
    }
    const answer = session.queue({
      name: hints.statementName,
      text: step.sql,
      values: parameterTexts(values[0] ?? [], hints.delimiters),
      begin: undefined,
      portal: undefined,
      timeZone: undefined,
      onColumns: requireColumns,
      onRow,
      hold: undefined,
    })
    const finishEntry = (tag: string) => {
      latency.record(performance.now() - sinceMs)
      const isAnswered = !entry.isLeft
      leave()
      next()
      if (!isAnswered) return
      const { result } = reader.finish(tag)
      const delivered = buffered.deliver()
      if (delivered === undefined) resolve(result)
      else delivered.then(() => resolve(result), reject)
    }
    const failEntry = (error: unknown) => {
      leave()
      next()
      reject(driverError(error, false))
    }
    answer.then(finishEntry, failEntry).catch(reject)
    return promise
  }

  return {
    canTake: ({ statement, timeoutMs: wanted }) =>
      !isEnding &&
      session.isAlive() &&
      wanted === timeoutMs &&
      entries.length < mostEntries &&
      !session.isPreparing(hintsOf(statement).steps[0]?.statementName ?? ''),
    run,
    load: () => entries.length,
    unsent: session.unsent,
    quietMs: () => performance.now() - sinceMs,
    check: () => {
      const [first] = entries
      if (first === undefined || performance.now() - sinceMs < longMs) return
      // Its answer may have arrived while this process did other work.
      setImmediate(() => {
        if (entries[0] === first) giveUp(first)
      })
    },
    end,
  }
}
