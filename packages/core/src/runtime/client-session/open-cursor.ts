/** @module Opens a query of which the client fetches the rows in parts. */

import { rejectAfter } from '../../foundation/deadline.ts'
import type { ResultSet } from '../adapter/adapter.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import { tooManyRowsInPieces } from '../guard/row-overflow.ts'
import type { RunOptions, Work } from '../guard/runnable.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import type { ReadyStatement } from '../query/run-query.ts'
import { bufferedCursor } from './buffered-cursor.ts'
import type {
  OpenExecution,
  RowOverflow,
  SessionCursor,
  SessionStatement,
} from './client-session.ts'
import { nativeCursor } from './native-cursor.ts'
import { maxRowsOf, overflowOf } from './row-limit.ts'
import { runPlanned } from './run-planned.ts'
import { isIndependent, runByItself } from './run-ready.ts'
import type { SessionState } from './session-state.ts'
import type { ClientTransaction } from './session-transaction.ts'

/** How the rows of a cursor are read. */
interface Reading {
  readonly description: StatementDescription
  readonly maxRows: number
  readonly overflow: RowOverflow
  readonly signal: AbortSignal | undefined
}

/** See `ClientSession.open`. */
export async function openCursor(
  state: SessionState,
  transaction: ClientTransaction,
  statement: SessionStatement,
  execution: OpenExecution,
): Promise<SessionCursor> {
  const opened = await runPlanned(
    state,
    statement,
    execution,
    async (ready, { description }, environment) => {
      const { settings } = environment
      const { signal, overflow = overflowOf(settings) } = execution
      const reading = { description, maxRows: maxRowsOf(statement, settings), overflow, signal }
      const work = isIndependent(ready.prepared, transaction)
        ? readByItself(state, environment, ready, reading)
        : openWithin(transaction, environment, ready, reading)
      const cursor = await rejectAfter(settings.limits.queryTimeoutMs, work)
      return { cursor, rowCount: 0 }
    },
  )
  return opened.cursor
}

async function readByItself(
  state: SessionState,
  environment: QueryEnvironment,
  ready: ReadyStatement,
  reading: Reading,
): Promise<SessionCursor> {
  const { maxRows, signal } = reading
  const work: Work<ResultSet> = (send, limits) => send({ rowShape: 'cells', maxRows, ...limits })
  const result = await runByItself(state, environment, ready, { isUndone: false, work }, signal)
  return cursorOf(result, reading)
}

async function openWithin(
  transaction: ClientTransaction,
  { settings }: QueryEnvironment,
  ready: ReadyStatement,
  reading: Reading,
): Promise<SessionCursor> {
  const { prepared } = ready
  const { description, maxRows, overflow, signal } = reading
  const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
  const options: RunOptions = { rowShape: 'cells', maxRows, ...limits }
  const use = async <T>(work: (session: GuardedSession) => Promise<T>): Promise<T> => {
    try {
      return await transaction.use(prepared, work, signal, true)
    } catch (error) {
      throw prepared.withReportedFacts(error)
    }
  }
  return use(async (session) => {
    const cursor = await session.open(ready, options)
    if (cursor !== undefined) return nativeCursor(cursor, { description, maxRows, overflow, use })
    const result = await session.run(ready, limits, (send) => send(options))
    return cursorOf(result, reading)
  })
}

function cursorOf(result: ResultSet, { description, maxRows, overflow }: Reading): SessionCursor {
  if (result.truncated && overflow === 'error') throw tooManyRowsInPieces(maxRows)
  return bufferedCursor(result, description)
}
