/** @module The common interface of COPY's formats: rows from and to the data of the client. */
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { CopyOptions } from '../session/statements/client-statement.ts'
import type { CopiedTable } from './chosen-columns.ts'

/** A value in the client's form: text in formats `text` and `csv` (bytes are UTF-8), binary in `binary`. */
export type CopyCell = string | Uint8Array | null

/** Each result is the content of one CopyData message. */
export interface CopyEncoder {
  /** Sent before the first row: the header line, where there is one. */
  start(): string | undefined
  row(cells: readonly CopyCell[]): string | Uint8Array
  /** Sent after the last row: the trailer of a binary copy. */
  end(): Uint8Array | undefined
}

/** One row: cells are text in formats `text` and `csv`, binary in `binary`. */
export interface CopyRow {
  /** Line number of the data, from 1; in `binary` the number of the row. */
  readonly line: number
  readonly cells: readonly CopyCell[]
  /** The line as received: undefined in `binary`. */
  readonly text: string | undefined
}

/**
 * Takes the data in pieces that end anywhere. Data after the end marker is ignored in the formats of lines.
 *
 * Errors are of class 22 (22P04, 22021) or 54000; `details.context` says where, as PostgreSQL's CONTEXT does.
 */
export interface CopyDecoder {
  /** The rows that end in this piece. */
  push(chunk: Uint8Array): readonly CopyRow[]
  /** The client has sent everything. Returns the last row, where it has no line end. */
  end(): readonly CopyRow[]
}

export interface CopyDecoderOptions {
  readonly copy: CopyOptions
  readonly table: CopiedTable
  /** Names of the columns, in the order of the data. */
  readonly columns: readonly string[]
  /** Limit of one row: in characters of a line, or in bytes in `binary`. */
  readonly maxRowSize: number
  /** Of the lines; undefined is UTF-8. */
  readonly encoding?: ClientEncoding | undefined
}
