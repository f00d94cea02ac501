/** @module Reads the rows of one step. */
import type { Execution, ResultSet } from '@engine/core/adapter'
import { type BoundValue, bindValue } from '../values/bind-value.ts'
import type { DriverValue } from '../values/driver-value.ts'
import { isTrue } from '../values/stored-value.ts'
import { type AnswerRows, createAnswerRows } from './answer-rows.ts'
import { type Program, type ProgramStep, programOf } from './program.ts'
import type { RowFormat } from './protocol/json-rows.ts'
import type { ResultReader } from './result-packets.ts'

/** The answer to a statement, while its rows arrive. */
export interface AnswerInProgress {
  readonly program: Program
  readonly execution: Execution
  readonly rows: AnswerRows
  /** What it writes cannot be undone. */
  readonly isStored: boolean
  affectedRows: number
  isTruncated: boolean
}

export function startAnswer(execution: Execution, isStored: boolean): AnswerInProgress {
  const program = programOf(execution.statement)
  return {
    program,
    execution,
    rows: createAnswerRows(program, execution.rowShape),
    isStored,
    affectedRows: 0,
    isTruncated: false,
  }
}

export function finishAnswer({ rows, affectedRows, isTruncated }: AnswerInProgress): ResultSet {
  return {
    rows: rows.finish(),
    rowCount: rows.count() + affectedRows,
    truncated: isTruncated,
  }
}

/** @param kept rows that earlier steps kept, as JSON text. */
export function boundValues(
  { values }: Execution,
  { kinds }: ProgramStep,
  index: number,
  kept: ReadonlyMap<number, string>,
): readonly BoundValue[] {
  const given = values[index] ?? []
  return kinds.map((kind, i) => bindValue(kind, given[i] ?? null, kept))
}

export const ignored: ResultReader = { columns: () => undefined, row: () => undefined }

/** Reads rows with a format that is known once their columns are. */
function formattedReader(
  step: ProgramStep,
  isStored: boolean,
  onRow: (format: RowFormat, buffer: Buffer, start: number, end: number) => void,
): ResultReader {
  let format: RowFormat | undefined
  return {
    columns: (columns) => {
      format = step.formatOf(columns, isStored)
    },
    row: (buffer, start, end) => {
      if (format !== undefined) onRow(format, buffer, start, end)
    },
  }
}

export function valuesReader(
  step: ProgramStep,
  onRow: (row: readonly DriverValue[]) => void,
): ResultReader {
  return formattedReader(step, false, (format, buffer, start, end) => {
    format.locate(buffer, start, end)
    onRow(format.allValues(buffer))
  })
}

/** @param isWanted called with the size of each row: false where it need not be kept. */
export function resultReader(
  answer: AnswerInProgress,
  step: ProgramStep,
  isWanted: (bytes: number) => boolean = () => true,
): ResultReader {
  const { visibleColumn } = step
  const { program, execution, rows, isStored } = answer
  const { maxRows } = execution
  // A write without RETURNING has no result rows; a SELECT without columns has rows, all of them empty.
  const isCounted = program.isWrite && !program.hasColumns
  return formattedReader(step, isStored, (format, buffer, start, end) => {
    if (!isWanted(end - start)) return
    format.locate(buffer, start, end)
    if (visibleColumn !== undefined && !holds(format.value(visibleColumn, buffer))) return
    if (isCounted) answer.affectedRows += 1
    else if (rows.count() < maxRows) rows.add(format, buffer)
    else answer.isTruncated = true
  })
}

export function holds(value: DriverValue | undefined): boolean {
  return value !== null && value !== undefined && isTrue(value)
}
