/** @module Runs the steps of one statement, one round trip each. */
import {
  bindValue,
  type Program,
  type ProgramStep,
  realText,
} from '@engine/adapters-sqlite/dialect'
import { checkFailed, type Execution, misfit, type ResultSet } from '@engine/core/adapter'
import {
  createRowCollector,
  createStoredRowEncoders,
  type RowCollector,
  type StoredRowEncoder,
  type StoredValue,
} from '@engine/core/values'
import type { InStatement, LibsqlResult } from './libsql-client.ts'

/** Maximum bytes of an answer: it is held in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

interface Run {
  readonly program: Program
  readonly execution: Execution
  readonly encode: StoredRowEncoder
  readonly rows: RowCollector
  /** JSON text of values that steps keep, by step. */
  readonly kept: Map<number, string>
  affectedRows: number
  truncated: boolean
}

/**
 * Runs the steps of the program.
 *
 * @param send sends a statement to a client or transaction that keeps those of one program together where necessary.
 * @throws {GatewayError} `checkFailed`; the server's errors.
 */
export async function runProgram(
  program: Program,
  execution: Execution,
  send: (statement: InStatement) => Promise<LibsqlResult>,
): Promise<ResultSet> {
  const run = beginRun(program, execution)
  for (const [index, step] of program.steps.entries()) {
    takeResult(run, step, index, await send(stepStatement(run, step, index)))
  }
  return finishRun(run)
}

/** A program of one step whose rows need no check can be sent as a transaction of its own, in one round trip. */
export function isSingleStep({ steps }: Program): boolean {
  const [step] = steps
  return steps.length === 1 && step?.checkColumn === undefined && step?.yields !== 'assert'
}

function beginRun(program: Program, execution: Execution): Run {
  return {
    program,
    execution,
    encode: createStoredRowEncoders(program.columns, misfit)[execution.rowShape],
    rows: createRowCollector(maxAnswerBytes, () => new RangeError('the answer is too large')),
    kept: new Map(),
    affectedRows: 0,
    truncated: false,
  }
}

function finishRun({ rows, affectedRows, truncated }: Run): ResultSet {
  return { rows: rows.finish(), rowCount: rows.rowCount() + affectedRows, truncated }
}

function stepStatement({ execution, kept }: Run, step: ProgramStep, index: number): InStatement {
  const values = execution.values[index]
  const args = step.parameters.map((parameter, position) =>
    bindValue(parameter, values?.[position] ?? null, kept),
  )
  return { sql: step.sql, args }
}

function takeResult(run: Run, step: ProgramStep, index: number, result: LibsqlResult): void {
  switch (step.yields) {
    case 'result':
      collectRows(run, step, rowsOf(result))
      break
    case 'count':
      for (const row of rowsOf(result)) {
        requireCheck(step, row)
        run.affectedRows += Number(row[0] ?? 0)
      }
      break
    case 'affected':
      run.affectedRows += result.columns.length > 0 ? result.rows.length : result.rowsAffected
      break
    case 'keep':
      run.kept.set(index, `[${[...rowsOf(result)].map(keptRow).join(',')}]`)
      break
    case 'assert':
      for (const row of rowsOf(result)) if (!isTrue(row[0])) throw checkFailed()
      break
    case 'nothing':
  }
}

function collectRows(run: Run, step: ProgramStep, rows: Iterable<readonly StoredValue[]>): void {
  const { program, execution } = run
  // A write without RETURNING returns no rows.
  const isCounted = program.isWrite && program.columns.length === 0
  for (const row of rows) {
    requireCheck(step, row)
    if (step.visibleColumn !== undefined && !isTrue(row[step.visibleColumn])) continue
    if (isCounted) run.affectedRows += 1
    else if (run.rows.rowCount() < execution.maxRows) run.rows.add(run.encode(row))
    else run.truncated = true
  }
}

function requireCheck({ checkColumn }: ProgramStep, row: readonly StoredValue[]): void {
  if (checkColumn !== undefined && !isTrue(row[checkColumn])) throw checkFailed()
}

function isTrue(value: StoredValue | undefined): boolean {
  return (typeof value === 'bigint' || typeof value === 'number') && Number(value) !== 0
}

function* rowsOf({ rows, columns }: LibsqlResult): Iterable<readonly StoredValue[]> {
  for (const row of rows) yield columns.map((_, index) => storedValue(row[index]))
}

function storedValue(value: unknown): StoredValue {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return value as StoredValue
}

/** Values that SQLite's JSON functions read back unchanged; bytes as hexadecimal text. */
function keptRow(row: readonly StoredValue[]): string {
  return `[${row.map(keptValue).join(',')}]`
}

function keptValue(value: StoredValue): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return realText(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `"${Buffer.from(value).toString('hex').toUpperCase()}"`
}
