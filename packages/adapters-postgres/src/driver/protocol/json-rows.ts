/** @module DataRow → JSON without JavaScript values: the bytes of a cell are copied from the socket into the answer. */
import { isAscii, isUtf8 } from 'node:buffer'
import type { WireKind } from '@engine/core/catalog'
import { type RowEncoder, unreachable } from '@engine/core/driver'
import { cellsOf } from './backend-messages.ts'

/** How the cells of a row become JSON; computed once for a plan. */
export interface RowLayout {
  /** One for each column of the answer; undefined: only `encode` encodes rows. */
  readonly forms: readonly CellForm[] | undefined
  /** Defines the JSON of a row; every other path must give the same result. */
  readonly encode: RowEncoder
}

/**
 * - `verbatim`: unchanged, since it is JSON already
 * - `quoted`: in quotes; no character needs an escape
 * - `text`: in quotes, with escapes
 */
export type CellForm = 'verbatim' | 'quoted' | 'float' | 'boolean' | 'text' | EncodedForm

/** Encodes any other text as JSON. */
type EncodedForm = (text: string) => string

/** Rows of one answer, while they are assembled. */
export interface JsonRows {
  /** Appends a row. @param start of a DataRow, after its header. */
  add(bytes: Buffer, start: number): void
  /** `ResultSet.rows`; no row may be added afterwards. */
  finish(): string | Uint8Array
}

/** @param encodeCell JSON of one cell of this kind. */
export function cellForm(kind: WireKind, encodeCell: EncodedForm): CellForm {
  switch (kind.kind) {
    case 'integer':
    case 'json':
      return 'verbatim'
    case 'bigint':
    case 'decimal':
      return 'quoted'
    case 'bytes':
    case 'text':
      return 'text'
    case 'boolean':
    case 'float':
      return kind.kind
    case 'array':
      return encodeCell
    default:
      return unreachable(kind)
  }
}

/** Longer texts are encoded by JSON.stringify. */
const maxScanned = 1_024

/** Shorter cells are copied byte by byte: a call takes longer. */
const minBlock = 48

/** Size of the first block of memory, in bytes. */
const firstCapacity = 1_024

export function createJsonRows(layout: RowLayout): JsonRows {
  return new RowBuffer(layout)
}

/** A class, since every answer has one: methods cost nothing where closures are allocated. */
class RowBuffer implements JsonRows {
  readonly #layout: RowLayout
  #out = Buffer.allocUnsafe(firstCapacity)
  #length = 0

  constructor(layout: RowLayout) {
    this.#layout = layout
  }

  add(bytes: Buffer, start: number): void {
    const { forms, encode } = this.#layout
    if (this.#length > 0) {
      this.#reserve(1)
      this.#out[this.#length++] = comma
    }
    if (forms === undefined) this.#addString(encode(cellsOf(bytes, start)))
    else this.#addArray(forms, bytes, start)
  }

  finish(): string | Uint8Array {
    return finished(this.#out.subarray(0, this.#length))
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#out.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 4, this.#length + more))
    this.#out.copy(larger, 0, 0, this.#length)
    this.#out = larger
  }

  #addString(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#out.write(text, this.#length, 'utf8')
  }

  #addBlock(bytes: Buffer, start: number, end: number): void {
    this.#reserve(end - start + 2)
    const out = this.#out
    let length = this.#length
    if (end - start >= minBlock) {
      bytes.copy(out, length, start, end)
      length += end - start
    } else {
      for (let index = start; index < end; index++) out[length++] = bytes[index] as number
    }
    this.#length = length
  }

  #addQuoted(bytes: Buffer, start: number, end: number): void {
    this.#reserve(end - start + 2)
    this.#out[this.#length++] = quote
    this.#addBlock(bytes, start, end)
    this.#out[this.#length++] = quote
  }

  #addText(bytes: Buffer, start: number, end: number): void {
    if (end - start > maxScanned) {
      this.#addString(JSON.stringify(bytes.toString('utf8', start, end)))
      return
    }
    this.#reserve((end - start) * longestEscape + 2)
    const out = this.#out
    let length = this.#length
    out[length++] = quote
    for (let index = start; index < end; index++) {
      const byte = bytes[index] as number
      if (byte >= 0x20 && byte !== quote && byte !== backslash) out[length++] = byte
      else length += out.write(escapes[byte] ?? '', length, 'latin1')
    }
    out[length++] = quote
    this.#length = length
  }

  #addCell(form: CellForm, bytes: Buffer, start: number, end: number): void {
    switch (form) {
      case 'verbatim':
        this.#addBlock(bytes, start, end)
        break
      case 'quoted':
        this.#addQuoted(bytes, start, end)
        break
      case 'text':
        this.#addText(bytes, start, end)
        break
      case 'boolean': {
        const word = bytes[start] === letterT ? jsonTrue : jsonFalse
        this.#addBlock(word, 0, word.length)
        break
      }
      case 'float':
        if (isNumber(bytes[end - 1])) this.#addBlock(bytes, start, end)
        else this.#addQuoted(bytes, start, end)
        break
      default:
        this.#addString(form(bytes.toString('utf8', start, end)))
    }
  }

  /** `[1,"a"]` */
  #addArray(columns: readonly CellForm[], bytes: Buffer, start: number): void {
    const count = bytes.readInt16BE(start)
    let position = start + 2
    this.#reserve(2)
    this.#out[this.#length++] = openBracket
    for (let index = 0; index < columns.length; index++) {
      this.#reserve(6)
      if (index > 0) this.#out[this.#length++] = comma
      const size = index < count ? bytes.readInt32BE(position) : -1
      position += 4
      if (size < 0) {
        this.#addBlock(jsonNull, 0, 4)
      } else {
        this.#addCell(columns[index] as CellForm, bytes, position, position + size)
        position += size
      }
    }
    this.#reserve(1)
    this.#out[this.#length++] = closeBracket
  }
}

/** Larger answers stay bytes: a text would be copied once more. */
const maxText = 16_384

/** A server whose encoding is SQL_ASCII sends any bytes: invalid UTF-8 becomes U+FFFD, as in any decoded text. */
function finished(rows: Buffer): string | Uint8Array {
  if (rows.length <= maxText) return rows.toString(isAscii(rows) ? 'latin1' : 'utf8')
  return isUtf8(rows) ? rows : Buffer.from(rows.toString('utf8'))
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const letterT = 0x74
const jsonTrue = Buffer.from('true')
const jsonFalse = Buffer.from('false')
const jsonNull = Buffer.from('null')

/** `\u0001` */
const longestEscape = 6

/** By byte: JSON escapes of those below the space, the quote and the backslash. */
const escapes: readonly string[] = Array.from({ length: 0x5d }, (_, byte) =>
  JSON.stringify(String.fromCharCode(byte)).slice(1, -1),
)

/** Returns whether a float ends like a number. NaN and the infinities end in letters. */
function isNumber(last: number | undefined): boolean {
  return last !== undefined && last <= 0x39
}
