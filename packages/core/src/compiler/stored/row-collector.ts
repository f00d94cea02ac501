/** @module Converts rows of stored values to the JSON text of an answer. */
import type { CellKind } from './cell-kind.ts'
import { cellText } from './cell-text.ts'
import { type CellEncoder, cellEncoder } from './encode-cell.ts'
import { type StoredRowValues, storedRowValues } from './row-values.ts'
import type { StoredValue } from './stored-value.ts'

/** Name and form of a result column. */
export interface StoredColumn {
  readonly name: string
  readonly cell: CellKind
}

/** JSON text of one row. Values after the last column are ignored. */
export type StoredRowEncoder = (row: readonly StoredValue[]) => string

/** An encoder for each shape of rows. */
export interface StoredRowEncoders {
  readonly array: StoredRowEncoder
  /** The same as `array`; undefined where a column has documents or arrays. */
  readonly arrayValues: StoredRowValues | undefined
  readonly object: StoredRowEncoder
  /** Strings in PostgreSQL's text format. Throws where a value is not of its column's type. */
  readonly cells: StoredRowEncoder
}

/**
 * Makes the functions that write stored rows in each form of an answer.
 *
 * @param misfit makes the error for a value that is not of the type of the named column.
 */
export function createStoredRowEncoders(
  columns: readonly StoredColumn[],
  misfit: (column: string) => Error,
): StoredRowEncoders {
  const cells = columns.map(({ cell }) => cellEncoder(cell))
  return {
    array: arrayEncoder(cells),
    arrayValues: storedRowValues(columns.map(({ cell }) => cell)),
    object: objectEncoder(columns, cells),
    cells: arrayEncoder(columns.map((column) => textEncoder(column, misfit))),
  }
}

function textEncoder({ name, cell }: StoredColumn, misfit: (column: string) => Error): CellEncoder {
  const textOf = cellText(cell)
  return (value) => {
    const text = textOf(value)
    if (text === undefined) throw misfit(name)
    return JSON.stringify(text)
  }
}

/** `[1,"a"]` */
function arrayEncoder(cells: readonly CellEncoder[]): StoredRowEncoder {
  return (row) => {
    let text = '['
    for (let index = 0; index < cells.length; index += 1) {
      if (index > 0) text += ','
      text += encode(cells[index], row[index])
    }
    return `${text}]`
  }
}

/** `{"id":1,"name":"a"}`; of columns with the same name the last one wins. */
function objectEncoder(
  columns: readonly StoredColumn[],
  cells: readonly CellEncoder[],
): StoredRowEncoder {
  const last = new Map(columns.map(({ name }, index) => [name, index]))
  const fields = [...last].map(([name, index], position) => ({
    key: `${position === 0 ? '' : ','}${JSON.stringify(name)}:`,
    index,
  }))
  return (row) => {
    let text = '{'
    for (const { key, index } of fields) text += key + encode(cells[index], row[index])
    return `${text}}`
  }
}

function encode(cell: CellEncoder | undefined, value: StoredValue | undefined): string {
  return value === null || value === undefined || cell === undefined ? 'null' : cell(value)
}

/** Collects the rows of an answer as one text. */
export interface RowCollector {
  /** Adds one row's JSON text. */
  add(row: string): void
  /** Adds a row after `StoredRowValues` has replaced its values. @param characters of its texts. */
  addValues(row: readonly unknown[], characters: number): void
  readonly rowCount: () => number
  /** Rows separated by commas: text when it is short, else UTF-8 bytes in a buffer of their own. */
  finish(): string | Uint8Array
}

/** Characters that are collected before they become bytes. */
const chunkLength = 65_536

/** Longer texts are passed to another thread as bytes. */
const shortLength = 4_096

/** Characters of texts in rows that are not JSON yet, and their number. */
const pendingLength = 16_384
const pendingRows = 128

/**
 * Collects the rows of an answer and writes them as JSON.
 *
 * @param tooLarge makes the error for rows of more than `maxBytes` bytes in all.
 * @param longestText longer texts are returned as bytes.
 */
export function createRowCollector(
  maxBytes: number,
  tooLarge: () => Error,
  longestText: number = shortLength,
): RowCollector {
  let pending: (readonly unknown[])[] = []
  let pendingSize = 0
  const chunks: Buffer[] = []
  let byteCount = 0
  let rowCount = 0
  let text = ''
  const flush = () => {
    const chunk = Buffer.from(text)
    byteCount += chunk.length
    if (byteCount > maxBytes) throw tooLarge()
    chunks.push(chunk)
    text = ''
  }
  const append = (rows: string) => {
    text += text === '' && chunks.length === 0 ? rows : `,${rows}`
    if (text.length > chunkLength) flush()
  }
  const stringify = () => {
    if (pending.length === 0) return
    const rows = JSON.stringify(pending)
    pending = []
    pendingSize = 0
    append(rows.slice(1, -1))
  }
  return {
    add: (row) => {
      stringify()
      append(row)
      rowCount += 1
    },
    addValues: (row, characters) => {
      pending.push(row)
      rowCount += 1
      pendingSize += characters
      if (pendingSize > pendingLength || pending.length === pendingRows) stringify()
    },
    rowCount: () => rowCount,
    finish: () => {
      stringify()
      if (chunks.length === 0 && text.length <= longestText) return text
      flush()
      return united(chunks, byteCount)
    },
  }
}

function united(chunks: readonly Buffer[], byteCount: number): Uint8Array {
  const [first] = chunks
  // Already alone in its buffer, as all except short ones are.
  if (first !== undefined && first.length === byteCount && first.buffer.byteLength === byteCount) {
    return first
  }
  const bytes = new Uint8Array(byteCount)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
