/** @module Reads and encodes the values of one column of an answer. */
import { type CellKind, cellEncoder, type StoredValue } from '@engine/core/values'
import type { DriverValue } from './driver-value.ts'
import { textOf, valueReader } from './stored-value.ts'

export interface JsonColumn {
  readonly kind: CellKind
  readonly read: (value: DriverValue) => StoredValue
  /** JSON text. Cells that become JSON from their bytes alone have the same. */
  readonly encode: (value: DriverValue) => string
}

export function jsonColumn(kind: CellKind): JsonColumn {
  const read = readerOf(kind)
  const encodeStored = cellEncoder(kind)
  return {
    kind,
    read,
    encode: (value) => {
      const stored = read(value)
      return stored === null ? 'null' : encodeStored(stored)
    },
  }
}

/** Bytes are text that lost its character set, unless the type may have bytes. */
function readerOf(cell: CellKind): (value: DriverValue) => StoredValue {
  const read = valueReader(cell)
  if (cell.kind === 'bytes' || cell.kind === 'boolean' || cell.kind === 'integer') return read
  return (value) => read(Buffer.isBuffer(value) ? (textOf(value) ?? null) : value)
}
