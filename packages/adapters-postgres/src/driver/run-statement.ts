import type { Execution, PlanStep, ResultSet } from '@engine/core'
import { cancelled, checkFailed, GatewayError } from '@engine/core'
import { driverError } from '../driver-error.ts'
import { hintsOf, type PostgresHints, type StepHints } from '../native-statement.ts'
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
  const hints = hintsOf(statement)
  /** JSON text of what steps kept, by step. */
  const kept: (string | undefined)[] = []
  let result: ResultSet | undefined
  for (const [index, step] of statement.steps.entries()) {
    const { statementName, delimiters } = stepHints(hints, index)
    const reader = createRowReader(execution, step)
    const work = session.run({
      name: statementName,
      text: step.sql,
      values: step.parameters.map((source, position) =>
        source.from === 'step'
          ? (kept[source.step] ?? null)
          : parameterText(execution.values[index]?.[position] ?? null, delimiters[position] ?? ','),
      ),
      begin: index === 0 ? begin : undefined,
      onColumns: step.yields === 'result' ? hints.requireColumns : () => undefined,
      onRow: reader.read,
    })
    try {
      const tag = await cancellable(session, work, signal, cancel)
      const outcome = reader.finish(tag)
      kept[index] = outcome.kept
      result = outcome.result ?? result
    } catch (error) {
      throw signal?.aborted ? cancelled() : driverError(error, statement.isWrite)
    }
  }
  if (result === undefined) throw new GatewayError('internal', 'a statement without an answer')
  return result
}

function stepHints({ steps }: PostgresHints, index: number): StepHints {
  const hints = steps[index]
  if (hints === undefined) throw new GatewayError('internal', 'a step that nothing prepared')
  return hints
}

interface RowReader {
  read(cells: readonly (string | null)[]): void
  finish(tag: string): StepOutcome
}

interface StepOutcome {
  readonly result: ResultSet | undefined
  readonly kept: string | undefined
}

function createRowReader(
  { statement, rowShape, maxRows }: Execution,
  { yields, checkColumn, visibleColumn }: PlanStep,
): RowReader {
  const encode = hintsOf(statement).encoders[rowShape]
  const kept: string[] = []
  let rows = ''
  let rowCount = 0
  let isTruncated = false
  let isPermitted = true
  return {
    read: (cells) => {
      if (checkColumn !== undefined && cells[checkColumn] !== 't') isPermitted = false
      if (visibleColumn !== undefined && cells[visibleColumn] !== 't') return
      if (yields === 'keep') {
        kept.push(JSON.stringify(cells))
      } else if (yields === 'assert') {
        if (cells[0] !== 't') isPermitted = false
      } else if (yields === 'count') {
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
      switch (yields) {
        case 'keep':
          return { result: undefined, kept: `[${kept.join(',')}]` }
        case 'assert':
        case 'nothing':
          return { result: undefined, kept: undefined }
        case 'affected':
          rowCount = affectedRows(tag)
          break
        default:
      }
      return { result: { rows, rowCount, truncated: isTruncated }, kept: undefined }
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
