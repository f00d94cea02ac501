/** @module Reads the rows of a `ResultSet` of shape `cells` in pieces: parsed all at once, they would take many times its bytes. */
import type { Cells, ResultSet } from '../adapter/adapter.ts'

export interface CellRows {
  /** The next rows, at most `count`; fewer only at the end. */
  next(count: number): readonly Cells[]
  /** Bytes of the rows that are left. */
  readonly byteLength: () => number
}

/** @param rows rows as JSON arrays of strings and nulls: `["1","a"],["2",null]`. Only short ones are a string. */
export function cellRows(rows: ResultSet['rows']): CellRows {
  return typeof rows === 'string' ? parsedRows(rows) : scannedRows(rows)
}

function parsedRows(text: string): CellRows {
  let left = JSON.parse(`[${text}]`) as readonly Cells[]
  return {
    next: (count) => {
      const taken = left.slice(0, count)
      left = left.slice(count)
      return taken
    },
    byteLength: () => (left.length === 0 ? 0 : text.length),
  }
}

function scannedRows(bytes: Uint8Array): CellRows {
  let start = 0
  return {
    next: (count) => {
      let end = start
      for (let taken = 0; taken < count && end < bytes.length; taken += 1) {
        end = endOfRow(bytes, end)
      }
      const text = utf8.decode(bytes.subarray(start, end))
      // The comma after the last row belongs to no piece.
      start = end + 1
      return JSON.parse(`[${text}]`) as readonly Cells[]
    },
    byteLength: () => Math.max(bytes.length - start, 0),
  }
}

const utf8 = new TextDecoder()

const quote = 0x22
const backslash = 0x5c
const closing = 0x5d

/** The position after the bracket that ends the row. Brackets in strings do not count. */
function endOfRow(bytes: Uint8Array, start: number): number {
  let isInString = false
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (isInString && byte === backslash) i += 1
    else if (byte === quote) isInString = !isInString
    else if (byte === closing && !isInString) return i + 1
  }
  return bytes.length
}
