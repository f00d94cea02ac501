/** @module COPY … FROM STDIN (FORMAT binary). */
import { binaryHeader } from './binary-encoder.ts'
import type { CopyCell, CopyDecoder, CopyDecoderOptions, CopyRow } from './copy-codec.ts'
import { badCopyFormat, copyContext, rowTooLarge } from './copy-error.ts'

/** A piece that cannot be read yet: more bytes are needed. */
const incomplete = Symbol('incomplete')

const signatureSize = 11

export function createBinaryDecoder(options: CopyDecoderOptions): CopyDecoder {
  return new BinaryRows(options)
}

/** A class: the bytes that wait, and the row they are of, are known from piece to piece (decision 0088). */
class BinaryRows implements CopyDecoder {
  readonly #options: CopyDecoderOptions
  /** `buffer.subarray(from, to)` has arrived and is not read yet. */
  #buffer = new Uint8Array(0)
  #from = 0
  #to = 0
  #line = 0
  /** Of which more bytes must come. */
  #awaited: string | undefined
  #stage: 'header' | 'rows' | 'over' = 'header'

  constructor(options: CopyDecoderOptions) {
    this.#options = options
  }

  push(chunk: Uint8Array): readonly CopyRow[] {
    if (this.#stage === 'over' && chunk.length > 0)
      throw this.#fault('received copy data after EOF marker')
    this.#append(chunk)
    if (this.#stage === 'header') {
      const size = this.#readHeader()
      if (size === undefined) return []
      this.#from += size
      this.#stage = 'rows'
    }
    const rows: CopyRow[] = []
    while (this.#stage === 'rows') {
      this.#line += 1
      const row = this.#readRow()
      if (row === incomplete) {
        this.#line -= 1
        break
      }
      if (row === 'end') this.#stage = 'over'
      else rows.push({ line: this.#line, cells: row, text: undefined })
    }
    if (this.#stage === 'over' && this.#to > this.#from)
      throw this.#fault('received copy data after EOF marker')
    return rows
  }

  end(): readonly CopyRow[] {
    if (this.#stage === 'header') {
      const size = this.#to - this.#from
      if (size < signatureSize) throw this.#fault('COPY file signature not recognized')
      const missing = size < signatureSize + 4 ? 'missing flags' : 'missing length'
      throw this.#fault(
        `invalid COPY file header (${size < binaryHeader.length ? missing : 'wrong length'})`,
      )
    }
    // The end marker may be missing, but must not be incomplete.
    if (this.#stage === 'rows' && this.#to - this.#from >= 2) {
      this.#line += 1
      throw this.#fault('unexpected EOF in COPY data', this.#awaited)
    }
    return []
  }

  #fault(message: string, column?: string): Error {
    return badCopyFormat(message, this.#line === 0 ? undefined : this.#context(column))
  }

  #context(column?: string): string {
    return copyContext(this.#options.table.name, this.#line, column)
  }

  #append(chunk: Uint8Array): void {
    const size = this.#to - this.#from
    if (this.#to + chunk.length > this.#buffer.length) {
      const unread = this.#buffer.subarray(this.#from, this.#to)
      if (size + chunk.length > this.#buffer.length)
        this.#buffer = new Uint8Array((size + chunk.length) * 2)
      this.#buffer.set(unread)
      this.#from = 0
      this.#to = size
    }
    this.#buffer.set(chunk, this.#to)
    this.#to += chunk.length
  }

  #view(): DataView {
    return new DataView(this.#buffer.buffer, this.#from, this.#to - this.#from)
  }

  /** Size of the header; undefined while it is not complete. */
  #readHeader(): number | undefined {
    const { maxRowSize } = this.#options
    const begun = this.#buffer.subarray(this.#from, Math.min(this.#to, this.#from + signatureSize))
    if (begun.some((byte, index) => byte !== binaryHeader[index])) {
      throw this.#fault('COPY file signature not recognized')
    }
    if (this.#to - this.#from < binaryHeader.length) return undefined
    const flags = this.#view().getInt32(signatureSize)
    if ((flags & 0x1_0000) !== 0) throw this.#fault('invalid COPY file header (WITH OIDS)')
    if (flags >>> 16 !== 0) throw this.#fault('unrecognized critical flags in COPY file header')
    const extension = this.#view().getInt32(signatureSize + 4)
    if (extension < 0) throw this.#fault('invalid COPY file header (missing length)')
    const size = binaryHeader.length + extension
    if (size > maxRowSize) throw rowTooLarge(maxRowSize, this.#context())
    return this.#to - this.#from < size ? undefined : size
  }

  #readRow(): readonly CopyCell[] | 'end' | typeof incomplete {
    const { columns, maxRowSize } = this.#options
    const data = this.#view()
    this.#awaited = undefined
    if (data.byteLength < 2) return incomplete
    const count = data.getInt16(0)
    if (count === -1) {
      this.#from += 2
      return 'end'
    }
    if (count !== columns.length) {
      throw this.#fault(`row field count is ${count}, expected ${columns.length}`)
    }
    const cells: CopyCell[] = []
    let at = 2
    for (const column of columns) {
      this.#awaited = column
      if (at + 4 > data.byteLength) return incomplete
      const size = data.getInt32(at)
      at += 4
      if (size < -1) throw this.#fault('invalid field size', column)
      if (at + size > maxRowSize) throw rowTooLarge(maxRowSize, this.#context(column))
      if (size === -1) {
        cells.push(null)
        continue
      }
      if (at + size > data.byteLength) return incomplete
      cells.push(this.#buffer.slice(this.#from + at, this.#from + at + size))
      at += size
    }
    this.#from += at
    return cells
  }
}
