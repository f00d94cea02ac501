/** @module COPY … TO STDOUT (FORMAT binary). */
import type { CopyCell, CopyEncoder } from './copy-codec.ts'

/** The first bytes of every binary copy: the signature, no flags, no extension. */
export const binaryHeader: Uint8Array = Uint8Array.from([
  ...[0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00],
  ...[0, 0, 0, 0],
  ...[0, 0, 0, 0],
])

/** The header is sent with the first row, as PostgreSQL does: clients treat each message as a row. */
export function createBinaryEncoder(): CopyEncoder {
  let isBegun = false
  const takeHeader = () => {
    const header = isBegun ? none : binaryHeader
    isBegun = true
    return header
  }
  return {
    start: () => undefined,
    row: (cells) => tuple(takeHeader(), cells),
    end: () => Uint8Array.from([...takeHeader(), 0xff, 0xff]),
  }
}

const none = new Uint8Array(0)

/** int16 count, then for each field int32 length (-1 is NULL) and its bytes. */
function tuple(header: Uint8Array, cells: readonly CopyCell[]): Uint8Array {
  let size = header.length + 2
  for (const cell of cells) size += 4 + byteLength(cell)
  const bytes = Buffer.allocUnsafe(size)
  bytes.set(header)
  let at = bytes.writeInt16BE(cells.length, header.length)
  for (const cell of cells) {
    if (cell === null) {
      at = bytes.writeInt32BE(-1, at)
      continue
    }
    at = bytes.writeInt32BE(byteLength(cell), at)
    if (typeof cell === 'string') at += bytes.write(cell, at)
    else {
      bytes.set(cell, at)
      at += cell.length
    }
  }
  return bytes
}

function byteLength(cell: CopyCell): number {
  if (cell === null) return 0
  return typeof cell === 'string' ? Buffer.byteLength(cell) : cell.length
}
