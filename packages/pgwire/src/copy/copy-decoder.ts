/** @module What a client sends after COPY … FROM STDIN → rows. */
import type { CopyOptions } from '../session/session-command.ts'
import { createBinaryDecoder } from './binary-decoder.ts'
import type { CopiedTable } from './chosen-columns.ts'
import type { CopyCell } from './copy-encoder.ts'
import { createLineDecoder } from './line-decoder.ts'

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

/** @throws {GatewayError} 42703, 42P10 for a column of FORCE NULL or FORCE NOT NULL that is not copied. */
export function createCopyDecoder(options: CopyDecoderOptions): CopyDecoder {
  return options.copy.format === 'binary'
    ? createBinaryDecoder(options)
    : createLineDecoder(options)
}
