import {
  cancelled,
  checkFailed,
  type Execution,
  GatewayError,
  type ResultSet,
  sqlOf,
} from '@engine/core/adapter'
import { driverError } from '../errors/driver-error.ts'
import { isFailedCheck } from '../errors/failed-check.ts'
import { type CancelBackend, cancellable } from './cancel.ts'
import { hintsOf, type PostgresHints, type StepHints } from './native-statement.ts'
import { parameterText } from './protocol/parameter-text.ts'
import { createRowReader } from './row-reader.ts'
import type { ServerSession } from './session.ts'
import type { BeginCommand } from './session-query.ts'

export interface RunOptions {
  /** Opens a transaction before the statement. */
  readonly begin?: BeginCommand | undefined
  readonly cancel: CancelBackend
}

/**
 * Runs a compiled statement in a session. The caller manages transactions: a failed check does not roll back.
 *
 * @throws {GatewayError} `checkFailed` when a stored row violates a policy, otherwise the database's error.
 */
export async function runStatement(
  session: ServerSession,
  execution: Execution,
  { begin, cancel }: RunOptions,
): Promise<ResultSet> {
  const { statement, signal } = execution
  const hints = hintsOf(statement)
  /** JSON text of values that steps keep, by step. */
  const kept: (string | undefined)[] = []
  let result: ResultSet | undefined
  for (const [index, step] of statement.steps.entries()) {
    const { statementName, delimiters } = stepHints(hints, index)
    const reader = createRowReader(execution, step)
    const startMs = performance.now()
    const work = session.run({
      name: statementName,
      text: sqlOf(step),
      values: step.parameters.map((source, position) =>
        source.from === 'step'
          ? (kept[source.step] ?? null)
          : parameterText(execution.values[index]?.[position] ?? null, delimiters[position] ?? ','),
      ),
      begin: index === 0 ? begin : undefined,
      expects: step.yields === 'result' ? hints.expects : undefined,
      onRow: (bytes, start) => reader.read(bytes, start),
      hold: reader.hold,
      portal: undefined,
      settings: statement.settings,
    })
    try {
      const tag = await cancellable(session, work, signal, cancel)
      hints.latency?.record(performance.now() - startMs)
      const outcome = reader.finish(tag)
      kept[index] = outcome.kept
      result = outcome.result ?? result
    } catch (error) {
      if (isFailedCheck(error)) throw checkFailed()
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
