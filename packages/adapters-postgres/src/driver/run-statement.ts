import type { Execution, ResultSet } from '@engine/core'
import { cancelled, checkFailed, GatewayError } from '@engine/core'
import { driverError } from '../driver-error.ts'
import { hintsOf } from '../native-statement.ts'
import type { CancelBackend } from './cancel.ts'
import { parameterText } from './parameter-text.ts'
import type { BeginCommand, ServerSession } from './session.ts'

export interface RunOptions {
  /** Opens a transaction in front of the statement. */
  readonly begin?: BeginCommand | undefined
  readonly cancel: CancelBackend
}

/**
 * Runs a compiled statement in a session. Transactions are the caller's: a failed check has not rolled back anything.
 *
 * @throws {GatewayError} `checkFailed` when a stored row violates a policy, else what the database reported.
 */
export async function runStatement(
  session: ServerSession,
  execution: Execution,
  { begin, cancel }: RunOptions,
): Promise<ResultSet> {
  const { statement, signal } = execution
  const [step] = statement.steps
  if (step === undefined) throw new GatewayError('internal', 'a statement without steps')
  const hints = hintsOf(statement)
  const reader = createRowReader(execution)
  const values = execution.values[0] ?? []
  const work = session.run({
    name: hints.statementName,
    text: step.sql,
    values: values.map((value, index) => parameterText(value, hints.delimiters[index] ?? ',')),
    begin,
    onColumns: hints.requireColumns,
    onRow: reader.read,
  })
  try {
    const tag = await cancellable(session, work, signal, cancel)
    return reader.finish(tag)
  } catch (error) {
    throw signal?.aborted ? cancelled() : driverError(error, statement.isWrite)
  }
}

interface RowReader {
  read(cells: readonly (string | null)[]): void
  finish(tag: string): ResultSet
}

function createRowReader({ statement, rowShape, maxRows }: Execution): RowReader {
  const { yields, checkColumn, visibleColumn } = statement.steps[0] ?? { yields: 'nothing' }
  const encode = hintsOf(statement).encoders[rowShape]
  let rows = ''
  let rowCount = 0
  let isTruncated = false
  let isPermitted = true
  return {
    read: (cells) => {
      if (checkColumn !== undefined && cells[checkColumn] !== 't') isPermitted = false
      if (visibleColumn !== undefined && cells[visibleColumn] !== 't') return
      if (yields === 'count') {
        rowCount = Number(cells[0])
      } else if (rowCount < maxRows) {
        rows += rowCount === 0 ? encode(cells) : `,${encode(cells)}`
        rowCount += 1
      } else {
        isTruncated = true
      }
    },
    finish: (tag) => {
      if (!isPermitted) throw checkFailed()
      if (yields === 'affected') return { rows: '', rowCount: affectedRows(tag), truncated: false }
      return { rows, rowCount, truncated: isTruncated }
    },
  }
}

/** `INSERT 0 5` → 5 */
function affectedRows(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1))
}

/**
 * Stops the work on the server when the signal fires. The session stays busy until the server has been told: a late
 * cancellation must not hit what runs next.
 */
async function cancellable<T>(
  session: ServerSession,
  work: Promise<T>,
  signal: AbortSignal | undefined,
  cancel: CancelBackend,
): Promise<T> {
  if (signal === undefined) return work
  let cancelling: Promise<void> | undefined
  const onAbort = () => {
    cancelling = cancel(session.backendPid)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (cancelling !== undefined) {
      await cancelling
      session.condemn()
    }
  }
}
