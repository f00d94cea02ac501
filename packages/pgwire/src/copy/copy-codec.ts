/** @module What COPY's formats have in common: rows from and to the data of the client. */
import type { CopyOptions } from '../session/statements/client-statement.ts'
import type { CopiedTable } from './chosen-columns.ts'

/** A value in the client's form: text in formats `text` and `csv` (bytes are UTF-8), binary in `binary`. */
export type CopyCell = string | Uint8Array | null

/** Each result is the content of one CopyData message. */
export interface CopyEncoder {
  /** Before the first row: the header line, where there is one. */
  start(): string | undefined
  row(cells: readonly CopyCell[]): string | Uint8Array
  /** After the last row: what ends a binary copy. */
  end(): Uint8Array | undefined
}

/** One row: cells are text in formats `text` and `csv`, binary in `binary`. */
export interface CopyRow {
  /** Of the data, from 1; in `binary` the number of the row. */
  readonly line: number
  readonly cells: readonly CopyCell[]
  /** As it came: undefined in `binary`. */
  readonly text: string | undefined
}

/**
 * Takes the data in pieces that end anywhere. What follows the end marker is ignored in the formats of lines.
 *
 * Errors are of class 22 (22P04, 22021) or 54000; `details.context` says where, as PostgreSQL's CONTEXT does.
 */
export interface CopyDecoder {
  /** The rows that end in this piece. */
  push(chunk: Uint8Array): readonly CopyRow[]
  /** The client has sent everything: the last row, where it has no end of its own. */
  end(): readonly CopyRow[]
}

export interface CopyDecoderOptions {
  readonly copy: CopyOptions
  readonly table: CopiedTable
  /** Names of the columns, in the order of the data. */
  readonly columns: readonly string[]
  /** Of one row: of characters in a line, of bytes in `binary`. */
  readonly maxRowSize: number
}
