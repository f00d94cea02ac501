/** @module COPY … FROM STDIN (FORMAT binary). */
import { binaryHeader } from './binary-encoder.ts'
import type { CopyCell, CopyDecoder, CopyDecoderOptions, CopyRow } from './copy-codec.ts'
import { badCopyFormat, copyContext, rowTooLarge } from './copy-error.ts'

/** A piece that cannot be read yet: more bytes are needed. */
const incomplete = Symbol('incomplete')

const signatureSize = 11

export function createBinaryDecoder({
  table: { name: table },
  columns,
  maxRowSize,
}: CopyDecoderOptions): CopyDecoder {
  /** `buffer.subarray(from, to)` has arrived and is not read yet. */
  let buffer = new Uint8Array(0)
  let from = 0
  let to = 0
  let line = 0
  /** Of which more bytes must come. */
  let awaited: string | undefined
  let stage: 'header' | 'rows' | 'over' = 'header'

  const fail = (message: string, column?: string) =>
    badCopyFormat(message, line === 0 ? undefined : copyContext(table, line, column))

  const append = (chunk: Uint8Array) => {
    const size = to - from
    if (to + chunk.length > buffer.length) {
      const unread = buffer.subarray(from, to)
      if (size + chunk.length > buffer.length) buffer = new Uint8Array((size + chunk.length) * 2)
      buffer.set(unread)
      from = 0
      to = size
    }
    buffer.set(chunk, to)
    to += chunk.length
  }
  const view = () => new DataView(buffer.buffer, from, to - from)

  /** Size of the header; undefined while it is not complete. */
  const readHeader = (): number | undefined => {
    const begun = buffer.subarray(from, Math.min(to, from + signatureSize))
    if (begun.some((byte, index) => byte !== binaryHeader[index])) {
      throw fail('COPY file signature not recognized')
    }
    if (to - from < binaryHeader.length) return undefined
    const flags = view().getInt32(signatureSize)
    if ((flags & 0x1_0000) !== 0) throw fail('invalid COPY file header (WITH OIDS)')
    if (flags >>> 16 !== 0) throw fail('unrecognized critical flags in COPY file header')
    const extension = view().getInt32(signatureSize + 4)
    if (extension < 0) throw fail('invalid COPY file header (missing length)')
    const size = binaryHeader.length + extension
    if (size > maxRowSize) throw rowTooLarge(maxRowSize, copyContext(table, line))
    return to - from < size ? undefined : size
  }

  const readRow = (): readonly CopyCell[] | 'end' | typeof incomplete => {
    const data = view()
    awaited = undefined
    if (data.byteLength < 2) return incomplete
    const count = data.getInt16(0)
    if (count === -1) {
      from += 2
      return 'end'
    }
    if (count !== columns.length) {
      throw fail(`row field count is ${count}, expected ${columns.length}`)
    }
    const cells: CopyCell[] = []
    let at = 2
    for (const column of columns) {
      awaited = column
      if (at + 4 > data.byteLength) return incomplete
      const size = data.getInt32(at)
      at += 4
      if (size < -1) throw fail('invalid field size', column)
      if (at + size > maxRowSize) throw rowTooLarge(maxRowSize, copyContext(table, line, column))
      if (size === -1) {
        cells.push(null)
        continue
      }
      if (at + size > data.byteLength) return incomplete
      cells.push(buffer.slice(from + at, from + at + size))
      at += size
    }
    from += at
    return cells
  }

  const push = (chunk: Uint8Array): readonly CopyRow[] => {
    if (stage === 'over' && chunk.length > 0) throw fail('received copy data after EOF marker')
    append(chunk)
    if (stage === 'header') {
      const size = readHeader()
      if (size === undefined) return []
      from += size
      stage = 'rows'
    }
    const rows: CopyRow[] = []
    while (stage === 'rows') {
      line += 1
      const row = readRow()
      if (row === incomplete) {
        line -= 1
        break
      }
      if (row === 'end') stage = 'over'
      else rows.push({ line, cells: row, text: undefined })
    }
    if (stage === 'over' && to > from) throw fail('received copy data after EOF marker')
    return rows
  }
  return {
    push,
    end: () => {
      if (stage === 'header') {
        const size = to - from
        if (size < signatureSize) throw fail('COPY file signature not recognized')
        const missing = size < signatureSize + 4 ? 'missing flags' : 'missing length'
        throw fail(
          `invalid COPY file header (${size < binaryHeader.length ? missing : 'wrong length'})`,
        )
      }
      // The end marker may be missing, but must not be incomplete.
      if (stage === 'rows' && to - from >= 2) {
        line += 1
        throw fail('unexpected EOF in COPY data', awaited)
      }
      return []
    },
  }
}
