/** @module The rows of a file → the rows of its table. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { FileFormat } from '../format/file-format.ts'
import { readRecords } from '../format/read-records.ts'
import { decimalScale, storedText } from '../types/column-type.ts'
import { LoadError } from './load-error.ts'
import type { LoadJob } from './load-job.ts'
import { type DeclaredColumn, quoted, textTableName } from './make-table.ts'

export interface ReadOptions {
  readonly job: LoadJob
  readonly format: FileFormat
  readonly columns: readonly DeclaredColumn[]
  /**
   * The types were guessed from the beginning of the file: a value that does not fit shows that the guess was wrong.
   */
  readonly isGuess: boolean
  readonly onProgress: (bytes: number) => void
}

export interface Reading {
  readonly rowCount: number
  /** Rows that were left out. */
  readonly skippedCount: number
  /** The first of them: its position and its error. */
  readonly firstFault: string | undefined
}

/** Stops reading a file: the guessed types are wrong. */
class WrongGuess extends Error {}

/**
 * Fills the table.
 *
 * @returns undefined when the guessed types were wrong.
 * @throws {LoadError} for the first invalid row, unless such rows are skipped.
 */
export function readTable(database: DatabaseSync, options: ReadOptions): Reading | undefined {
  try {
    return fillTable(database, options)
  } catch (error) {
    if (error instanceof WrongGuess) return undefined
    throw error
  }
}

function fillTable(database: DatabaseSync, options: ReadOptions): Reading {
  const { job, format, columns, isGuess, onProgress } = options
  const row = createRow(columns, isGuess)
  const insert = createInsert(database, job, columns.length)
  let skippedCount = 0
  let firstFault: string | undefined
  let rowCount = 0
  const fault = (line: number, reason: string): void => {
    const message = `${job.path}:${line}: ${reason}`
    if (!job.skipsFaults) throw new LoadError(message)
    firstFault ??= message
    skippedCount += 1
  }
  let isHeader = format.header !== undefined
  readRecords(
    job.path,
    format.encoding,
    format.delimiter,
    {
      record: (cells, line, text, start, end) => {
        if (isHeader) {
          isHeader = false
          return
        }
        if (cells.length !== columns.length) {
          fault(line, `${cells.length} values where there are ${columns.length} columns`)
          return
        }
        const wrong = row.set(cells)
        if (wrong !== undefined) {
          if (isGuess && !wrong.isKept) throw new WrongGuess()
          fault(line, `the value of "${wrong.name}" is no ${wrong.type.kind}`)
          return
        }
        rowCount += 1
        insert(rowCount, row.values, text, start, end)
      },
      fault: ({ line, reason }) => fault(line, reason),
    },
    onProgress,
  )
  return { rowCount, skippedCount, firstFault }
}

interface Row {
  /** Values of the row that was set last. */
  readonly values: readonly (string | null)[]
  /** The column whose value cannot be stored. */
  set(cells: readonly string[]): DeclaredColumn | undefined
}

function createRow(columns: readonly DeclaredColumn[], isGuess: boolean): Row {
  const values: (string | null)[] = columns.map(() => null)
  /** A column that was always empty may have any type; decimals may have several scales. */
  const contradicts = columns.map(({ type, isKept, isAlwaysNull }) => {
    if (!isGuess || isKept) return undefined
    if (isAlwaysNull) return () => true
    const scale = type.kind === 'decimal' ? type.digits?.scale : undefined
    return scale === undefined ? undefined : (cell: string) => decimalScale(cell) !== scale
  })
  return {
    values,
    set: (cells) => {
      for (let index = 0; index < columns.length; index += 1) {
        const cell = cells[index] as string
        const column = columns[index] as DeclaredColumn
        if (cell === '') {
          if (column.isNotNull) return column
          values[index] = null
          continue
        }
        const stored = storedText(cell, column.type)
        if (stored === undefined || contradicts[index]?.(cell) === true) return column
        values[index] = stored
      }
      return undefined
    },
  }
}

type InsertRow = (
  id: number,
  values: readonly (string | null)[],
  text: string,
  start: number,
  end: number,
) => void

function createInsert(
  database: DatabaseSync,
  { table, keepsText }: LoadJob,
  width: number,
): InsertRow {
  const marks = Array.from({ length: width }, () => '?').join(', ')
  const insert = database.prepare(`insert into ${quoted(table)} values (${marks})`)
  const keep: StatementSync | undefined = keepsText
    ? database.prepare(`insert into ${quoted(textTableName(table))} values (?, ?)`)
    : undefined
  return (id, values, text, start, end) => {
    insert.run(...values)
    keep?.run(id, text.slice(start, end))
  }
}
