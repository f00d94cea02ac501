/** @module Rows in binary format as JSON. */
import type { DriverValue } from '../../values/driver-value.ts'
import type { JsonColumn } from '../../values/json-column.ts'
import {
  createRowCells,
  integerReader,
  type NumberReader,
  type RowCells,
  type WireReader,
  wireReader,
} from './binary-row.ts'
import { type CellForm, cellForm } from './cell-form.ts'
import type { WireColumn } from './column-definition.ts'
import type { JsonBuffer } from './json-buffer.ts'

/** Where a column stands in a row. */
export interface JsonField {
  /** `,`, `"id":` */
  readonly before: Buffer
  readonly column: number
}

export interface RowShape {
  readonly open: '[' | '{'
  readonly fields: readonly JsonField[]
  readonly close: ']' | '}'
}

/** Reads the rows of one result; computed once for a statement's columns. */
export interface RowFormat {
  /** Finds the cells of a row. It must be called before the others. */
  locate(buffer: Buffer, start: number, end: number): void
  /** A value of the located row; null for NULL and for a column that is not there. */
  value(column: number, buffer: Buffer): DriverValue
  /** Appends the located row. */
  write(buffer: Buffer, out: JsonBuffer, shape: RowShape): void
  /** All values of the located row. */
  allValues(buffer: Buffer): readonly DriverValue[]
}

/** Appends one cell. */
type CellWriter = (buffer: Buffer, start: number, end: number, out: JsonBuffer) => void

export function createRowFormat(
  columns: readonly WireColumn[],
  answer: readonly JsonColumn[],
): RowFormat {
  const cells: RowCells = createRowCells(columns)
  const { starts, ends } = cells
  const readers = columns.map(wireReader)
  const writers = answer.map((column, index) => {
    const wire = columns[index]
    const read = readers[index]
    return wire === undefined || read === undefined ? undefined : cellWriter(column, wire, read)
  })
  const value: RowFormat['value'] = (column, buffer) => {
    const read = readers[column]
    const start = starts[column] as number
    return read === undefined || start < 0 ? null : read(buffer, start, ends[column] as number)
  }
  return {
    locate: cells.locate,
    value,
    allValues: (buffer) => readers.map((_, column) => value(column, buffer)),
    write: (buffer, out, { open, fields, close }) => {
      out.byte(open === '[' ? openBracket : openBrace)
      for (const { before, column } of fields) {
        out.bytes(before, 0, before.length)
        const write = writers[column]
        const start = starts[column] as number
        if (write === undefined || start < 0) out.bytes(jsonNull, 0, 4)
        else write(buffer, start, ends[column] as number, out)
      }
      out.byte(close === ']' ? closeBracket : closeBrace)
    },
  }
}

const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const jsonNull = Buffer.from('null')
const jsonTrue = Buffer.from('true')
const jsonFalse = Buffer.from('false')

function cellWriter(column: JsonColumn, wire: WireColumn, read: WireReader): CellWriter {
  const encoded: CellWriter = (buffer, start, end, out) =>
    out.text(column.encode(read(buffer, start, end)))
  const form = cellForm(column.kind, wire)
  return form === undefined ? encoded : writerOf(form, wire, encoded)
}

function writerOf(form: CellForm, wire: WireColumn, encoded: CellWriter): CellWriter {
  switch (form) {
    case 'integer':
      return writeInteger(integerReader(wire))
    case 'quotedInteger':
      return inQuotes(writeInteger(integerReader(wire)))
    case 'boolean':
      return writeBoolean(integerReader(wire))
    case 'long':
      return writeLong(wire, false, encoded)
    case 'quotedLong':
      return writeLong(wire, true, encoded)
    case 'longBoolean':
      return writeBoolean(
        (buffer, start) => buffer.readUInt32LE(start) | buffer.readUInt32LE(start + 4),
      )
    case 'digits':
      return inQuotes((buffer, start, end, out) => out.bytes(buffer, start, end))
    case 'text':
      return (buffer, start, end, out) => out.quoted(buffer, start, end)
    case 'uuid':
      return writeUuid(encoded)
    case 'date':
      return (buffer, start, end, out) =>
        end - start === 4 ? quotedDate(buffer, start, end, out) : encoded(buffer, start, end, out)
    case 'timestamp':
      return writeMoment(wire, noOffset, encoded)
    case 'timestamptz':
      return writeMoment(wire, utc, encoded)
  }
}

const quote = 0x22
const hyphen = 0x2d
const colon = 0x3a
const space = 0x20
const point = 0x2e

function inQuotes(write: CellWriter): CellWriter {
  return (buffer, start, end, out) => {
    out.byte(quote)
    write(buffer, start, end, out)
    out.byte(quote)
  }
}

function writeInteger(read: NumberReader): CellWriter {
  return (buffer, start, _, out) => out.integer(read(buffer, start))
}

function writeBoolean(read: NumberReader): CellWriter {
  return (buffer, start, _, out) => {
    const word = read(buffer, start) === 0 ? jsonFalse : jsonTrue
    out.bytes(word, 0, word.length)
  }
}

/** Values that a double cannot hold exactly are encoded. */
function writeLong({ isUnsigned }: WireColumn, isQuoted: boolean, encoded: CellWriter): CellWriter {
  return (buffer, start, end, out) => {
    const high = isUnsigned ? buffer.readUInt32LE(start + 4) : buffer.readInt32LE(start + 4)
    const value = high * 0x1_0000_0000 + buffer.readUInt32LE(start)
    if (!Number.isSafeInteger(value)) {
      encoded(buffer, start, end, out)
      return
    }
    if (isQuoted) out.byte(quote)
    out.integer(value)
    if (isQuoted) out.byte(quote)
  }
}

/** Only ASCII letters have a lower case that is one byte. */
function writeUuid(encoded: CellWriter): CellWriter {
  return (buffer, start, end, out) => {
    for (let index = start; index < end; index++) {
      const byte = buffer[index] as number
      const isLower =
        byte === hyphen || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
      if (!isLower) {
        encoded(buffer, start, end, out)
        return
      }
    }
    out.byte(quote)
    out.bytes(buffer, start, end)
    out.byte(quote)
  }
}

const quotedDate: CellWriter = inQuotes(writeDate)

function writeDate(buffer: Buffer, start: number, _: number, out: JsonBuffer): void {
  out.digits(buffer.readUInt16LE(start), 4)
  out.byte(hyphen)
  out.digits(buffer[start + 2] as number, 2)
  out.byte(hyphen)
  out.digits(buffer[start + 3] as number, 2)
}

const noOffset = Buffer.alloc(0)
const utc = Buffer.from('+00')
const midnight = Buffer.from('00:00:00')

/** `"2024-01-15 10:30:00.25+00"` */
function writeMoment({ decimals }: WireColumn, offset: Buffer, encoded: CellWriter): CellWriter {
  return (buffer, start, end, out) => {
    const size = end - start
    if (size !== 4 && size !== 7 && size !== 11) {
      encoded(buffer, start, end, out)
      return
    }
    out.byte(quote)
    writeDate(buffer, start, end, out)
    out.byte(space)
    if (size === 4) {
      out.bytes(midnight, 0, midnight.length)
    } else {
      out.digits(buffer[start + 4] as number, 2)
      out.byte(colon)
      out.digits(buffer[start + 5] as number, 2)
      out.byte(colon)
      out.digits(buffer[start + 6] as number, 2)
    }
    if (size === 11) writeFraction(buffer.readUInt32LE(start + 7), decimals, out)
    out.bytes(offset, 0, offset.length)
    out.byte(quote)
  }
}

/** `.25`, without zeros at the end. */
function writeFraction(microseconds: number, decimals: number, out: JsonBuffer): void {
  let digits = 6
  let value = microseconds
  while (digits > 0 && (value % 10 === 0 || (decimals > 0 && digits > decimals))) {
    value = Math.floor(value / 10)
    digits -= 1
  }
  if (digits === 0) return
  out.byte(point)
  out.digits(value, digits)
}
