/** @module The steps of one compiled statement on one connection. The caller handles transactions. */
import {
  afterWrite,
  cancelled,
  checkFailed,
  type Execution,
  GatewayError,
  type ResultSet,
  sqlOf,
} from '@engine/core/adapter'
import { driverError } from '../errors/driver-error.ts'
import type { TargetTable } from '../errors/target-table.ts'
import type { InsertStep } from '../print/step/insert-step.ts'
import { keptRow, keptText, storedRow } from '../values/kept-rows.ts'
import type { CancelStatement } from './cancel.ts'
import type { Outcome } from './exchange.ts'
import type { Program, ProgramStep } from './program.ts'
import type { ResultReader } from './result-packets.ts'
import {
  type AnswerInProgress,
  boundValues,
  finishAnswer,
  holds,
  ignored,
  resultReader,
  startAnswer,
  valuesReader,
} from './result-reader.ts'
import type { MysqlSession } from './session.ts'
import { timedOut } from './timed-out.ts'
import { refusalOf } from './warnings.ts'
import { type Watch, watchOver } from './watch-over.ts'

/** The state that the steps of one statement share while they run. */
interface Run extends AnswerInProgress {
  readonly session: MysqlSession
  /** Rows that steps keep, as JSON text, by step. */
  readonly kept: Map<number, string>
  /** The same row by row, for the steps whose rows are inserted one by one. */
  readonly keptRows: Map<number, readonly string[]>
  readonly watch: Watch
}

/**
 * Runs a compiled statement. A failed check does not roll back anything.
 *
 * @param isInTransaction the caller rolls back when it fails
 * @throws {GatewayError} `checkFailed` when a stored row violates a policy, else the database's error.
 */
export async function runStatement(
  session: MysqlSession,
  execution: Execution,
  cancel: CancelStatement,
  isInTransaction: boolean,
): Promise<ResultSet> {
  const { statement, signal } = execution
  const watch = watchOver(session, execution, cancel)
  /** What has run is stored, whatever becomes of the answer. */
  const stores = !isInTransaction && statement.isWrite
  const answer = startAnswer(execution, stores)
  const run: Run = { ...answer, session, watch, kept: new Map(), keptRows: new Map() }
  const startMs = performance.now()
  try {
    for (const [index, step] of run.program.steps.entries()) {
      watch.check()
      await runStep(run, step, index)
    }
    // A write that is stored already is right: see `mayStoreInterrupted`.
    const isStored = !isInTransaction && !onlyReads(run.program)
    if (!isStored && watch.mayBeStopped()) throw timedOut(undefined)
    run.program.latency?.record(performance.now() - startMs)
  } catch (error) {
    if (signal?.aborted) throw cancelled()
    if (watch.isTimedOut() && !isTimeout(error)) throw timedOut(error)
    if (stores && isAboutAnswer(error)) throw afterWrite(error)
    throw driverError(error, statement.isWrite, targetOf(statement))
  } finally {
    const ended = watch.end()
    if (ended !== undefined) await ended
  }
  try {
    return finishAnswer(run)
  } catch (error) {
    throw stores ? afterWrite(error) : error
  }
}

/** The server's errors come as those of the driver: one of ours is about an answer, or about the connection. */
function isAboutAnswer(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.problem !== 'unavailable'
}

function runStep(run: Run, step: ProgramStep, index: number): Promise<unknown> {
  const { session, execution, kept } = run
  if (step.insertion !== undefined) return insertRows(run, step, step.insertion, index)
  const values = boundValues(execution, step, index, kept)
  const execute = (reader: ResultReader): Promise<Outcome> =>
    session.execute(sqlOf(step), values, reader)
  const read = (reader: ResultReader): Promise<unknown> =>
    execute(reader).then((outcome): undefined | Promise<void> =>
      outcome.warningCount === 0
        ? undefined
        : requireHarmlessWarnings(session, outcome.warningCount),
    )
  switch (step.yields) {
    case 'result':
      return read(resultReader(run, step))
    case 'count':
      return read(
        valuesReader(step, (row) => {
          run.affectedRows += Number(row[0] ?? 0)
        }),
      )
    case 'affected':
      return execute(ignored).then(({ affectedRows }) => {
        run.affectedRows += affectedRows
      })
    case 'keep': {
      const rows: string[] = []
      return read(valuesReader(step, (row) => void rows.push(keptRow(row)))).then(() =>
        keep(run, index, rows),
      )
    }
    case 'assert':
      return read(
        valuesReader(step, ([passes]) => {
          if (!holds(passes)) throw checkFailed()
        }),
      )
    case 'nothing':
      return execute(ignored)
  }
}

function keep({ kept, keptRows, program }: Run, index: number, rows: readonly string[]): void {
  kept.set(index, keptText(rows))
  if (program.insertedOneByOne.has(index)) keptRows.set(index, rows)
}

/**
 * Stores one row, or all rows of an earlier step one by one. Of those that were stored it keeps their positions, numbers and kept
 * cells.
 */
async function insertRows(
  run: Run,
  step: ProgramStep,
  { eachOf, isCounted }: InsertStep['inserts'],
  index: number,
): Promise<void> {
  const { session, execution, kept, keptRows, watch } = run
  const stored: string[] = []
  const insert = async (position: number, row: string, given: ReadonlyMap<number, string>) => {
    const values = boundValues(execution, step, index, given)
    const { affectedRows, insertId } = await session.execute(sqlOf(step), values, ignored)
    if (affectedRows > 0) stored.push(storedRow(position, insertId, row))
  }
  if (eachOf === undefined) await insert(1, '[]', kept)
  else {
    const given = new Map(kept)
    for (const [place, row] of (keptRows.get(eachOf) ?? []).entries()) {
      watch.check()
      await insert(place + 1, row, given.set(eachOf, keptText([row])))
    }
  }
  if (isCounted) run.affectedRows += stored.length
  keep(run, index, stored)
}

/** @throws {GatewayError} for an answer with a warning that says that it is wrong. */
async function requireHarmlessWarnings(session: MysqlSession, count: number): Promise<void> {
  const refusal = refusalOf(await session.warnings(), count)
  if (refusal !== undefined) throw refusal
}

/** The table that it writes to. */
function targetOf({ hints }: Execution['statement']): TargetTable | undefined {
  return hints?.['target'] as TargetTable | undefined
}

/** Also a query that locks rows. */
function onlyReads({ steps }: Program): boolean {
  return steps.every((step) => step.yields === 'result')
}

function isTimeout(error: unknown): boolean {
  return error instanceof GatewayError && error.problem === 'queryTimeout'
}
