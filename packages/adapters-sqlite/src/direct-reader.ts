/**
 * @module Key look-ups on the main thread: they take a few microseconds, and a message to a worker and back takes ten times as
 * long.
 */
import { executeDirectly } from './connection/answer-request.ts'
import type { Outcome, ProgramCall } from './connection/execute-program.ts'
import { describeFault, type Fault, isBusy } from './connection/fault.ts'
import { createInterrupt, sharedWords } from './connection/interrupt.ts'
import { type Connection, openConnection } from './connection/open-connection.ts'
import type { DatabaseLocation } from './location.ts'
import type { Program } from './program.ts'

export interface DirectReader {
  /**
   * Runs a read of one step. Undefined where a worker has to run it: because a lock is held, because it took longer or found more
   * rows than a key look-up does, or because earlier runs of the program took longer.
   */
  run(call: ProgramCall, schemaVersion: number | undefined): Outcome | Fault | undefined
  /** Tries a read, however busy the workers are. False: the result is unknown. */
  answers(): boolean
  close(): void
}

/** A statement is stopped after this time: the main thread has other requests to serve. In milliseconds. */
const longestMs = 20

/** Larger rows are left to the workers, where the statement checks their size. */
const maxRowBytes = 1_048_576

/** A program with a longer average time runs on the workers. In milliseconds. */
const slowMs = 0.5

/** One run counts as this at most: on a busy machine it may have waited for a processor. In milliseconds. */
const longestCountedMs = 1

/** The weight of one run in the average. */
const weight = 1 / 16

/** A slow program is tried here again after so many runs on the workers: the machine may have been busy. */
const retriedAfter = 500

interface Pace {
  /** Moving average of the time that a program takes, in milliseconds. */
  averageMs: number
  /** Runs on the workers since the last one here. */
  skipped: number
}

/** Opens its connection with the first read, but not before a worker has opened the database. */
export function createDirectReader(location: DatabaseLocation): DirectReader {
  const paces = new WeakMap<Program, Pace>()
  const interrupt = createInterrupt(new Int32Array(Object.keys(sharedWords).length))
  let connection: Connection | undefined
  let isOff = false

  /** A worker also finds, and reports, the reason why this connection cannot be opened. */
  const open = (): Connection | undefined => {
    try {
      return openConnection({
        location: { ...location, create: false },
        role: 'reader',
        lockTimeoutMs: 0,
        maxRowBytes,
        interrupt,
        setup: undefined,
      })
    } catch (error) {
      isOff = !isBusy(error)
      return undefined
    }
  }

  const paceOf = (program: Program): Pace => {
    const known = paces.get(program) ?? { averageMs: 0, skipped: 0 }
    paces.set(program, known)
    return known
  }

  /** Is a worker the better place? A slow program gets another chance from time to time. */
  const isSlow = (pace: Pace): boolean => {
    if (pace.averageMs <= slowMs) return false
    pace.skipped += 1
    // Infinity: it was stopped, or has large rows.
    if (pace.skipped < retriedAfter || pace.averageMs === Number.POSITIVE_INFINITY) return true
    pace.skipped = 0
    return false
  }

  const timed = (
    opened: Connection,
    call: ProgramCall,
    schemaVersion: number | undefined,
    pace: Pace,
  ) => {
    const start = performance.now()
    interrupt.start(longestMs)
    const outcome = executeDirectly(opened, call, schemaVersion)
    const takenMs = Math.min(performance.now() - start, longestCountedMs)
    const isRetried = pace.averageMs > slowMs
    pace.averageMs = isRetried ? takenMs : pace.averageMs + (takenMs - pace.averageMs) * weight
    return outcome
  }

  const opened = (): Connection | undefined => {
    connection ??= isOff ? undefined : open()
    return isOff ? undefined : connection
  }

  return {
    run: (call, schemaVersion) => {
      const used = opened()
      const pace = paceOf(call.program)
      if (used === undefined || isSlow(pace)) return undefined
      try {
        return timed(used, call, schemaVersion, pace)
      } catch (error) {
        if (isBusy(error)) return undefined
        const fault = describeFault(error)
        const isTooLarge = fault.kind === 'database' && fault.sqlState === '54000'
        if (fault.kind !== 'interrupted' && !isTooLarge) return fault
        pace.averageMs = Number.POSITIVE_INFINITY
        return undefined
      }
    },
    answers: () => {
      try {
        return opened()?.prepare('select 1 from sqlite_schema limit 1').all() !== undefined
      } catch {
        return false
      }
    },
    close: () => {
      isOff = true
      connection?.close()
    },
  }
}
