/** @module The steps of one compiled statement on one connection. The caller handles transactions. */
import {
  cancelled,
  checkFailed,
  type Execution,
  GatewayError,
  type ResultSet,
} from '@engine/core/adapter'
import { createRowCollector, type RowCollector } from '@engine/core/values'
import { driverError } from '../driver-error.ts'
import { type Program, type ProgramStep, programOf } from '../program.ts'
import type { TargetTable } from '../target-table.ts'
import { bindValue } from '../values/bind-value.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { keptText } from '../values/kept-rows.ts'
import { isTrue } from '../values/stored-value.ts'
import type { CancelStatement } from './cancel.ts'
import type { MysqlSession, Outcome, ResultListener } from './session.ts'
import { refusalOf } from './warnings.ts'
import { watchOver } from './watch-over.ts'

/** An answer with more bytes is refused: it would be kept in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

/** The state that the steps of one statement share while they run. */
interface Run {
  readonly session: MysqlSession
  readonly program: Program
  readonly execution: Execution
  readonly rows: RowCollector
  /** Rows that steps keep, as JSON text, by step. */
  readonly kept: Map<number, string>
  affectedRows: number
  isTruncated: boolean
}

/**
 * Runs a compiled statement. A failed check does not roll back anything.
 *
 * @throws {GatewayError} `checkFailed` when a stored row violates a policy, else the database's error.
 */
export async function runStatement(
  session: MysqlSession,
  execution: Execution,
  cancel: CancelStatement,
): Promise<ResultSet> {
  const { statement, signal } = execution
  const program = programOf(statement)
  const run: Run = {
    session,
    program,
    execution,
    rows: createRowCollector(maxAnswerBytes, answerTooLarge),
    kept: new Map(),
    affectedRows: 0,
    isTruncated: false,
  }
  const watch = watchOver(session, execution, cancel)
  try {
    for (const [index, step] of program.steps.entries()) {
      watch.check()
      await runStep(run, step, index)
    }
  } catch (error) {
    if (signal?.aborted) throw cancelled()
    throw watch.isTimedOut()
      ? timedOut(error)
      : driverError(error, program.isWrite, targetOf(statement))
  } finally {
    await watch.end()
  }
  return {
    rows: run.rows.finish(),
    rowCount: run.rows.rowCount() + run.affectedRows,
    truncated: run.isTruncated,
  }
}

async function runStep(run: Run, step: ProgramStep, index: number): Promise<void> {
  const { session, execution, kept } = run
  const given = execution.values[index] ?? []
  const values = step.kinds.map((kind, i) => bindValue(kind, given[i] ?? null, kept))
  const execute = (
    onRow: ResultListener['onRow'],
    onColumns?: ResultListener['onColumns'],
  ): Promise<Outcome> => session.execute(step.sql, values, { onRow, onColumns })
  const read = async (
    onRow: ResultListener['onRow'],
    onColumns?: ResultListener['onColumns'],
  ): Promise<void> => {
    const { warningCount } = await execute(onRow, onColumns)
    if (warningCount === 0) return
    const refusal = refusalOf(await session.rows('show warnings'))
    if (refusal !== undefined) throw refusal
  }
  switch (step.yields) {
    case 'result':
      await read(resultReader(run, step), run.program.checkColumns)
      break
    case 'count':
      await read((row) => {
        requireCheck(step, row)
        run.affectedRows += Number(row[0] ?? 0)
      })
      break
    case 'affected':
      run.affectedRows += (await execute(() => undefined)).affectedRows
      break
    case 'keep': {
      const rows: (readonly DriverValue[])[] = []
      await read((row) => void rows.push(row))
      kept.set(index, keptText(rows))
      break
    }
    case 'assert':
      await read(([holds = null]) => {
        if (holds === null || !isTrue(holds)) throw checkFailed()
      })
      break
    case 'nothing':
      await execute(() => undefined)
      break
  }
}

function resultReader(run: Run, step: ProgramStep): (row: readonly DriverValue[]) => void {
  const { program, execution, rows } = run
  const { maxRows, rowShape } = execution
  const encode = program.encoders[rowShape]
  // A write without RETURNING has no result rows; a SELECT without columns has rows, all of them empty.
  const isCounted = program.isWrite && !program.hasColumns
  return (row) => {
    requireCheck(step, row)
    if (step.visibleColumn !== undefined && !holds(row[step.visibleColumn])) return
    if (isCounted) run.affectedRows += 1
    else if (rows.rowCount() < maxRows) rows.add(encode(row))
    else run.isTruncated = true
  }
}

function requireCheck({ checkColumn }: ProgramStep, row: readonly DriverValue[]): void {
  if (checkColumn !== undefined && !holds(row[checkColumn])) throw checkFailed()
}

function holds(value: DriverValue | undefined): boolean {
  return value !== null && value !== undefined && isTrue(value)
}

/** The table that it writes to. */
function targetOf({ hints }: Execution['statement']): TargetTable | undefined {
  return hints?.['target'] as TargetTable | undefined
}

function timedOut(cause: unknown): GatewayError {
  return new GatewayError('queryTimeout', 'The query took too long.', { cause, sqlState: '57014' })
}

function answerTooLarge(): GatewayError {
  return new GatewayError('limitExceeded', 'The answer has too many bytes.', { sqlState: '54000' })
}
