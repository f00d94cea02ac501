/**
 * @module Key look-ups without leaving the main thread: they take a few microseconds, and a message to a worker and back
 * takes ten times as long.
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
   * Runs a read of one step. Undefined where a worker has to do it: because a lock is held, because it took longer or
   * found more than a key look-up does, or because the program did before.
   */
  run(call: ProgramCall, schemaVersion: number | undefined): Outcome | Fault | undefined
  /** Reads something, however busy the workers are. False: nothing can be said. */
  answers(): boolean
  close(): void
}

/** A statement is stopped after so long: the main thread has others to serve. In milliseconds. */
const longestMs = 20

/** Larger rows are left to the workers, where the statement looks at their size. */
const maxRowBytes = 1_048_576

/** A program that takes longer than this on average goes to the workers from then on. In milliseconds. */
const slowMs = 0.5

/** One run counts for no more than this: the whole process may have been held up. In milliseconds. */
const longestCountedMs = 2

/** How much one run changes the average. */
const weight = 1 / 16

/** Opens its connection with the first read; no sooner than a worker has opened the database. */
export function createDirectReader(location: DatabaseLocation): DirectReader {
  /** Moving average of the time that a program takes, in milliseconds. */
  const averages = new WeakMap<Program, number>()
  const interrupt = createInterrupt(new Int32Array(Object.keys(sharedWords).length))
  let connection: Connection | undefined
  let isOff = false

  /** What keeps this connection from being opened is found by a worker too, and reported by it. */
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

  const timed = (opened: Connection, call: ProgramCall, schemaVersion: number | undefined) => {
    const start = performance.now()
    interrupt.start(longestMs)
    const outcome = executeDirectly(opened, call, schemaVersion)
    const average = averages.get(call.program) ?? 0
    const taken = Math.min(performance.now() - start, longestCountedMs)
    averages.set(call.program, average + (taken - average) * weight)
    return outcome
  }

  const opened = (): Connection | undefined => {
    connection ??= isOff ? undefined : open()
    return isOff ? undefined : connection
  }

  return {
    run: (call, schemaVersion) => {
      const used = opened()
      if (used === undefined || (averages.get(call.program) ?? 0) > slowMs) return undefined
      try {
        return timed(used, call, schemaVersion)
      } catch (error) {
        if (isBusy(error)) return undefined
        const fault = describeFault(error)
        const isTooLarge = fault.kind === 'database' && fault.sqlState === '54000'
        if (fault.kind !== 'interrupted' && !isTooLarge) return fault
        averages.set(call.program, Number.POSITIVE_INFINITY)
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
