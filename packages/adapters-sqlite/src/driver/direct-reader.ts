/**
 * @module Short reads on the main thread: a key look-up takes a few microseconds, and a message to a worker and back takes ten
 * times as long.
 */

import { describeFault, type Fault, isBusy } from '../errors/fault.ts'
import { executeDirectly } from './connection/answer-request.ts'
import type { Outcome, ProgramCall } from './connection/execute-program.ts'
import { createInterrupt, sharedWordCount } from './connection/interrupt.ts'
import { type Connection, openConnection } from './connection/open-connection.ts'
import { createRunTimer } from './connection/run-time.ts'
import type { DatabaseLocation } from './location.ts'
import { type Pace, paceOf } from './pace.ts'
import { createTurnBudget } from './turn-budget.ts'
import { isOver, type TimeLimit } from './workers/time-limit.ts'

export interface DirectReader {
  /**
   * Runs a read of one step, in a later turn of the event loop when this one has read enough. Undefined where a worker has to run
   * it: because a lock is held, because it took too long here or its rows are too large, because runs of the program are not known
   * to be short, or because its caller no longer waits.
   */
  run(call: ProgramCall, options: DirectReadOptions): Read | Promise<Read>
  /** Tries a read, however busy the workers are. False: the result is unknown. */
  answers(): boolean
  close(): void
}

export interface DirectReadOptions {
  readonly schemaVersion: number | undefined
  readonly limit: TimeLimit
}

type Read = Outcome | Fault | undefined

/** A statement is stopped after this time: the main thread has other requests to serve. In milliseconds. */
const longestMs = 10

/** Larger rows are left to the workers, where the statement checks their size. */
const maxRowBytes = 1_048_576

/** Opens its connection with the first read, but not before a worker has opened the database. */
export function createDirectReader(location: DatabaseLocation): DirectReader {
  const interrupt = createInterrupt(new Int32Array(sharedWordCount))
  const startRunTime = createRunTimer()
  const budget = createTurnBudget()
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
        synchronous: 'full',
      })
    } catch (error) {
      isOff = !isBusy(error)
      return undefined
    }
  }

  const timed = (
    opened: Connection,
    call: ProgramCall,
    schemaVersion: number | undefined,
    pace: Pace,
  ) => {
    const takenMs = startRunTime()
    interrupt.start(longestMs)
    const outcome = executeDirectly(opened, call, schemaVersion)
    const ms = takenMs()
    if (ms !== undefined) pace.ranHere({ takenMs: ms, answerBytes: outcome.rows.length })
    return outcome
  }

  const opened = (): Connection | undefined => {
    connection ??= isOff ? undefined : open()
    return isOff ? undefined : connection
  }

  const read = (
    call: ProgramCall,
    { schemaVersion, limit }: DirectReadOptions,
    pace: Pace,
  ): Read => {
    const used = opened()
    if (used === undefined || isOver(limit) || !pace.isStillShort()) return undefined
    try {
      return timed(used, call, schemaVersion, pace)
    } catch (error) {
      if (isBusy(error)) return undefined
      const fault = describeFault(error)
      const isTooLarge = fault.kind === 'database' && fault.sqlState === '54000'
      if (fault.kind !== 'interrupted' && !isTooLarge) return fault
      pace.stoppedHere()
      return undefined
    }
  }

  return {
    run: (call, options) => {
      const pace = paceOf(call.program)
      if (opened() === undefined || !pace.isShort()) return undefined
      return budget.run(() => read(call, options, pace))
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
