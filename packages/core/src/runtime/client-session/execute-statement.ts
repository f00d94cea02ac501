/** @module Runs a statement of a session; its rows go to the client as they arrive. */

import type { RowReceiver } from '../adapter/adapter.ts'
import { tooManyRows, tooManyRowsInPieces } from '../guard/row-overflow.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type {
  SessionExecution,
  SessionReceiver,
  SessionResult,
  SessionStatement,
} from './client-session.ts'
import { maxRowsOf, overflowOf } from './row-limit.ts'
import { runPlanned } from './run-planned.ts'
import { runReady } from './run-ready.ts'
import type { SessionState } from './session-state.ts'

/** See `ClientSession.execute`. */
export function executeStatement(
  state: SessionState,
  statement: SessionStatement,
  execution: SessionExecution,
): Promise<SessionResult> {
  const { signal } = execution
  let receiver: BegunReceiver | undefined
  return runPlanned(
    state,
    statement,
    execution,
    (ready, { description }, environment): Promise<SessionResult> => {
      const { settings } = environment
      const { overflow = overflowOf(settings) } = execution
      const maxRows = maxRowsOf(statement, settings)
      const begun = begunReceiver(execution.receiver, description)
      receiver = begun
      const tooMany = () => {
        begun.begin()
        if (statement.maxRows !== undefined) return tooManyRowsInPieces(maxRows)
        return tooManyRows(maxRows, description.isWrite)
      }
      const delivery = {
        receiver: begun,
        maxRows,
        tooMany: overflow === 'error' ? tooMany : undefined,
      }
      return runReady(state, environment, ready, delivery, signal).then(
        ({ rowCount, truncated }) => {
          begun.begin()
          return { rowCount, truncated, description }
        },
      )
    },
    () => receiver?.isBegun() === true,
  )
}

interface BegunReceiver extends RowReceiver {
  begin(): void
  isBegun(): boolean
}

/** Passes the description of the rows on once: before the first row, or at the end when there are no rows. */
function begunReceiver(
  receiver: SessionReceiver,
  description: StatementDescription,
): BegunReceiver {
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    receiver.begin(description)
  }
  return {
    begin,
    isBegun: () => isBegun,
    row: (cells) => {
      if (!isBegun) begin()
      receiver.row(cells)
    },
    hold: () => receiver.hold(),
  }
}
