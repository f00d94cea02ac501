/** @module Runs the steps of one program on one connection. The caller handles transactions. */
import type { RowShape, SqlValue } from '@engine/core/adapter'
import {
  createRowCollector,
  createStoredRowEncoders,
  type RowCollector,
  type StoredRowEncoders,
  type StoredValue,
} from '@engine/core/values'
import { databaseFault, describeFault, faultError } from '../../errors/fault.ts'
import { bindValue, realText } from '../../values/bind-value.ts'
import type { Program, ProgramStep } from '../program.ts'
import type { Connection } from './open-connection.ts'
import type { PreparedStatement } from './statement-cache.ts'

export interface ProgramCall {
  readonly program: Program
  /** `values[s][i]` for `program.steps[s].parameters[i]`. */
  readonly values: readonly (readonly SqlValue[])[]
  readonly rowShape: RowShape
  readonly maxRows: number
}

/** See `ResultSet`. */
export interface Outcome {
  readonly rows: string | Uint8Array
  readonly rowCount: number
  readonly truncated: boolean
}

/** An answer with more bytes is refused: it would be kept in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

const encoders = new WeakMap<Program, StoredRowEncoders>()

/** The state that the steps of one program share while they run. */
interface Run {
  readonly connection: Connection
  readonly call: ProgramCall
  /** Does it run the exact form of steps that have one? */
  readonly isExact: boolean
  readonly add: (row: StoredValue[]) => void
  readonly rows: RowCollector
  /** Rows that steps keep, as JSON text, by step. */
  readonly kept: Map<number, string>
  affectedRows: number
  truncated: boolean
}

/**
 * @param longestText longer rows are returned as bytes, which can be passed to another thread.
 * @throws errors of SQLite or of the adapter's functions, or an error with a fault.
 */
export function executeProgram(
  connection: Connection,
  call: ProgramCall,
  longestText?: number,
): Outcome {
  const { program } = call
  const hasExactForm = program.steps.some(({ exactSql }) => exactSql !== undefined)
  if (!hasExactForm) return runSteps(connection, call, { longestText, isExact: false })
  if (!outOfRange.has(program)) {
    try {
      return runSteps(connection, call, { longestText, isExact: false })
    } catch (error) {
      if (!isOutOfRange(error)) throw error
    }
  }
  const outcome = runSteps(connection, call, { longestText, isExact: true })
  outOfRange.add(program)
  return outcome
}

/** Programs that had to run in their exact form once. */
const outOfRange = new WeakSet<Program>()

function isOutOfRange(error: unknown): boolean {
  const fault = describeFault(error)
  return fault.kind === 'database' && fault.sqlState === '22003'
}

function runSteps(
  connection: Connection,
  call: ProgramCall,
  { longestText, isExact }: { readonly longestText: number | undefined; readonly isExact: boolean },
): Outcome {
  const { program, rowShape } = call
  const rows = createRowCollector(maxAnswerBytes, answerTooLarge, longestText)
  const run: Run = {
    connection,
    call,
    isExact,
    add: adding(rows, rowEncoders(program), rowShape),
    rows,
    kept: new Map(),
    affectedRows: 0,
    truncated: false,
  }
  for (const [index, step] of program.steps.entries()) runStep(run, step, index)
  return {
    rows: run.rows.finish(),
    rowCount: run.rows.rowCount() + run.affectedRows,
    truncated: run.truncated,
  }
}

function adding(
  rows: RowCollector,
  encoders: StoredRowEncoders,
  rowShape: RowShape,
): (row: StoredValue[]) => void {
  const { arrayValues } = encoders
  if (rowShape === 'array' && arrayValues !== undefined) {
    return (row) => rows.addValues(row, arrayValues(row))
  }
  const encode = encoders[rowShape]
  return (row) => rows.add(encode(row))
}

function rowEncoders(program: Program): StoredRowEncoders {
  const known = encoders.get(program)
  if (known !== undefined) return known
  const made = createStoredRowEncoders(program.columns, (column) =>
    faultError({ kind: 'misfit', column }),
  )
  encoders.set(program, made)
  return made
}

function runStep(run: Run, step: ProgramStep, index: number): void {
  run.connection.interrupt.check()
  const sql = run.isExact ? (step.exactSql ?? step.sql) : step.sql
  const statement = run.connection.prepare(sql)
  const bound = bindStep(run, step, index)
  switch (step.yields) {
    case 'result':
      collectRows(run, step, statement, bound)
      break
    case 'count':
      for (const row of rowsOf(statement, bound)) {
        requireCheck(step, row)
        run.affectedRows += Number(row[0] ?? 0)
      }
      break
    case 'affected':
      run.affectedRows += changesOf(statement, bound)
      break
    case 'keep':
      run.kept.set(index, keptText(run, rowsOf(statement, bound)))
      break
    case 'assert':
      for (const row of rowsOf(statement, bound)) if (!isTrue(row[0])) throw checkFailed()
      break
    case 'nothing':
      changesOf(statement, bound)
      break
  }
}

/** By the number of its placeholder: the driver treats `?1` as a name. */
type BoundValues = Readonly<Record<number, StoredValue>>

function bindStep(run: Run, step: ProgramStep, index: number): BoundValues | undefined {
  const { parameters, sizePlaceholder } = step
  if (parameters.length === 0 && sizePlaceholder === undefined) return undefined
  const values = run.call.values[index]
  const bound: Record<number, StoredValue> = {}
  for (const [i, parameter] of parameters.entries()) {
    bound[i + 1] = bindValue(parameter, values?.[i] ?? null, run.kept)
  }
  if (sizePlaceholder !== undefined) bound[sizePlaceholder] = run.connection.maxRowBytes
  return bound
}

function rowsOf(
  statement: PreparedStatement,
  bound: BoundValues | undefined,
): Iterable<StoredValue[]> {
  const rows = bound === undefined ? statement.iterate() : statement.iterate(bound)
  return rows as Iterable<StoredValue[]>
}

function allRowsOf(
  statement: PreparedStatement,
  bound: BoundValues | undefined,
): readonly StoredValue[][] {
  const rows = bound === undefined ? statement.all() : statement.all(bound)
  return rows as readonly StoredValue[][]
}

function changesOf(statement: PreparedStatement, bound: BoundValues | undefined): number {
  if (statement.reader) return [...rowsOf(statement, bound)].length
  return (bound === undefined ? statement.run() : statement.run(bound)).changes
}

function collectRows(
  run: Run,
  step: ProgramStep,
  statement: PreparedStatement,
  bound: BoundValues | undefined,
): void {
  const { program, maxRows } = run.call
  // A write without RETURNING has no result rows; a SELECT without columns has rows, all of them empty.
  const isCounted = program.isWrite && program.columns.length === 0
  // A written row must pass its check even when it is not returned.
  const mayStop = !program.isWrite && step.checkColumn === undefined
  const rows = comeAtOnce(run) ? allRowsOf(statement, bound) : rowsOf(statement, bound)
  for (const row of rows) {
    run.connection.interrupt.check()
    requireCheck(step, row)
    if (step.visibleColumn !== undefined && !isTrue(row[step.visibleColumn])) continue
    if (isCounted) {
      run.affectedRows += 1
    } else if (run.rows.rowCount() < maxRows) {
      run.add(row)
    } else {
      run.truncated = true
      if (mayStop) break
    }
  }
}

/** Rows of more cells are fetched one by one, so that only those that are being written are in memory. */
const mostCellsAtOnce = 200_000

function comeAtOnce({ connection, call: { program, maxRows } }: Run): boolean {
  if (program.isBounded) return true
  const mostCells = maxRows * Math.max(program.columns.length, 1)
  return program.isStored && mostCells <= mostCellsAtOnce && connection.isSmall()
}

function requireCheck({ checkColumn }: ProgramStep, row: readonly StoredValue[]): void {
  if (checkColumn !== undefined && !isTrue(row[checkColumn])) throw checkFailed()
}

function isTrue(value: StoredValue | undefined): boolean {
  return (typeof value === 'bigint' || typeof value === 'number') && Number(value) !== 0
}

/** `[[1,"a"],[2,null]]`: values that SQLite's JSON functions read back unchanged; bytes as hexadecimal text. */
function keptText({ connection }: Run, rows: Iterable<readonly StoredValue[]>): string {
  const texts: string[] = []
  for (const row of rows) {
    connection.interrupt.check()
    texts.push(`[${row.map(keptValue).join(',')}]`)
  }
  return `[${texts.join(',')}]`
}

function keptValue(value: StoredValue): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return realText(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `"${Buffer.from(value).toString('hex').toUpperCase()}"`
}

function checkFailed(): Error {
  return faultError({ kind: 'checkFailed' })
}

function answerTooLarge(): Error {
  return faultError(databaseFault('54000', new Error(`more than ${maxAnswerBytes} bytes of rows`)))
}
