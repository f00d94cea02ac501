/** @module The steps of one compiled statement on one connection. The caller handles transactions. */
import {
  cancelled,
  checkFailed,
  type Execution,
  GatewayError,
  type ResultSet,
} from '@engine/core/adapter'
import { driverError } from '../driver-error.ts'
import { type Program, type ProgramStep, programOf } from '../program.ts'
import type { RowFormat } from '../protocol/json-rows.ts'
import type { TargetTable } from '../target-table.ts'
import { bindValue } from '../values/bind-value.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { keptText } from '../values/kept-rows.ts'
import { isTrue } from '../values/stored-value.ts'
import { type AnswerRows, createAnswerRows } from './answer-rows.ts'
import type { CancelStatement } from './cancel.ts'
import type { Outcome, ResultReader } from './exchange.ts'
import type { MysqlSession } from './session.ts'
import { refusalOf } from './warnings.ts'
import { watchOver } from './watch-over.ts'

/** The state that the steps of one statement share while they run. */
interface Run {
  readonly session: MysqlSession
  readonly program: Program
  readonly execution: Execution
  readonly rows: AnswerRows
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
    rows: createAnswerRows(program, execution.rowShape),
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
    const ended = watch.end()
    if (ended !== undefined) await ended
  }
  return {
    rows: run.rows.finish(),
    rowCount: run.rows.count() + run.affectedRows,
    truncated: run.isTruncated,
  }
}

async function runStep(run: Run, step: ProgramStep, index: number): Promise<void> {
  const { session, execution, kept } = run
  const given = execution.values[index] ?? []
  const values = step.kinds.map((kind, i) => bindValue(kind, given[i] ?? null, kept))
  const execute = (reader: ResultReader): Promise<Outcome> =>
    session.execute(step.sql, values, reader)
  const read = async (reader: ResultReader): Promise<void> => {
    const { warningCount } = await execute(reader)
    if (warningCount === 0) return
    const refusal = refusalOf(await session.rows('show warnings'))
    if (refusal !== undefined) throw refusal
  }
  switch (step.yields) {
    case 'result':
      await read(resultReader(run, step))
      break
    case 'count':
      await read(
        valuesReader(step, (row) => {
          run.affectedRows += Number(row[0] ?? 0)
        }),
      )
      break
    case 'affected':
      run.affectedRows += (await execute(ignored)).affectedRows
      break
    case 'keep': {
      const rows: (readonly DriverValue[])[] = []
      await read(valuesReader(step, (row) => void rows.push(row)))
      kept.set(index, keptText(rows))
      break
    }
    case 'assert':
      await read(
        valuesReader(step, ([passes]) => {
          if (!holds(passes)) throw checkFailed()
        }),
      )
      break
    case 'nothing':
      await execute(ignored)
      break
  }
}

const ignored: ResultReader = { columns: () => undefined, row: () => undefined }

/** Reads rows with a format that is known once their columns are. */
function formattedReader(
  step: ProgramStep,
  onRow: (format: RowFormat, buffer: Buffer, start: number, end: number) => void,
): ResultReader {
  let format: RowFormat | undefined
  return {
    columns: (columns) => {
      format = step.formatOf(columns)
    },
    row: (buffer, start, end) => {
      if (format !== undefined) onRow(format, buffer, start, end)
    },
  }
}

function valuesReader(
  step: ProgramStep,
  onRow: (row: readonly DriverValue[]) => void,
): ResultReader {
  return formattedReader(step, (format, buffer, start, end) => {
    format.locate(buffer, start, end)
    onRow(format.allValues(buffer))
  })
}

function resultReader(run: Run, step: ProgramStep): ResultReader {
  const { visibleColumn } = step
  const { program, execution, rows } = run
  const { maxRows } = execution
  // A write without RETURNING has no result rows; a SELECT without columns has rows, all of them empty.
  const isCounted = program.isWrite && !program.hasColumns
  return formattedReader(step, (format, buffer, start, end) => {
    format.locate(buffer, start, end)
    if (visibleColumn !== undefined && !holds(format.value(visibleColumn, buffer))) return
    if (isCounted) run.affectedRows += 1
    else if (rows.count() < maxRows) rows.add(format, buffer)
    else run.isTruncated = true
  })
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
