/** @module A query of a transaction whose rows are fetched in pieces: a portal of the server. */
import {
  type Cells,
  type Cursor,
  cancelled,
  type Execution,
  GatewayError,
  sqlOf,
} from '@engine/core/adapter'
import { driverError } from '../errors/driver-error.ts'
import { type CancelBackend, cancellable } from './cancel.ts'
import { hintsOf } from './native-statement.ts'
import { cellsOf } from './protocol/backend-messages.ts'
import { parameterTexts } from './protocol/parameter-text.ts'
import type { ServerSession } from './session.ts'
import type { BeginCommand } from './session-query.ts'

export interface CursorOptions {
  /** Name of the portal; no other portal of the transaction has it. */
  readonly name: string
  /** Opens a transaction before it. */
  readonly begin: BeginCommand | undefined
  readonly cancel: CancelBackend
}

/** @throws {GatewayError} the database's error for the query, before its first row. */
export async function openCursor(
  session: ServerSession,
  execution: Execution,
  { name, begin, cancel }: CursorOptions,
): Promise<Cursor> {
  const { statement, values, signal } = execution
  const [step, another] = statement.steps
  const { steps, expects, columnCount } = hintsOf(statement)
  const [hints] = steps
  if (step?.yields !== 'result' || hints === undefined || another !== undefined) {
    throw new GatewayError('internal', 'a cursor needs a statement of one step')
  }
  const ask = async (work: Promise<string>): Promise<void> => {
    try {
      await cancellable(session, work, signal, cancel)
    } catch (error) {
      throw signal?.aborted ? cancelled() : driverError(error, false)
    }
  }
  await ask(
    session.run({
      name: hints.statementName,
      text: sqlOf(step),
      values: parameterTexts(values[0] ?? [], hints.delimiters),
      begin,
      portal: name,
      settings: statement.settings,
      expects,
      onRow: () => undefined,
      hold: undefined,
    }),
  )
  return {
    fetch: async (count) => {
      const rows: Cells[] = []
      const onRow = (bytes: Buffer, start: number) => {
        const cells = cellsOf(bytes, start)
        rows.push(cells.length === columnCount ? cells : cells.slice(0, columnCount))
      }
      await ask(session.fetch({ portal: name, rows: count, settings: statement.settings, onRow }))
      return rows
    },
    close: async () => {
      if (session.isAlive()) await session.closePortal(name)
    },
  }
}
