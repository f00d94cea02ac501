/** @module Rows in binary format. */
import type { DriverValue } from '../../values/driver-value.ts'
import type { WireColumn } from './column-definition.ts'
import { headerLength, nullMarker, readLength } from './packet.ts'

/** Types by their number in the protocol. Every type that is not here is sent as bytes after their length. */
export const wireTypes = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longLong: 8,
  int24: 9,
  date: 10,
  time: 11,
  dateTime: 12,
  year: 13,
  newDate: 14,
  json: 245,
  newDecimal: 246,
} as const

/** Number of bytes of a value; `timed`: after one byte that counts them; `counted`: after a length. */
type Width = number | 'timed' | 'counted'

function widthOf({ columnType }: WireColumn): Width {
  switch (columnType) {
    case wireTypes.null:
      return 0
    case wireTypes.tiny:
      return 1
    case wireTypes.short:
    case wireTypes.year:
      return 2
    case wireTypes.long:
    case wireTypes.int24:
    case wireTypes.float:
      return 4
    case wireTypes.longLong:
    case wireTypes.double:
      return 8
    case wireTypes.date:
    case wireTypes.newDate:
    case wireTypes.time:
    case wireTypes.timestamp:
    case wireTypes.dateTime:
      return 'timed'
    default:
      return 'counted'
  }
}

/** The cells of one row at a time, in the bytes of its packet. */
export interface RowCells {
  /** Finds the cells of a row. @throws {RangeError} when the packet is not such a row. */
  locate(buffer: Buffer, start: number, end: number): void
  /** First byte of the value of a column; -1 for NULL. */
  readonly starts: Int32Array
  /** The byte after it. */
  readonly ends: Int32Array
}

/** Marks a width that is read from the row. */
const timed = -1
const counted = -2

export function createRowCells(columns: readonly WireColumn[]): RowCells {
  const count = columns.length
  const widths = Int8Array.from(columns, (column) => {
    const width = widthOf(column)
    if (width === 'timed') return timed
    return width === 'counted' ? counted : width
  })
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  const bitmapLength = (count + 9) >> 3
  return {
    starts,
    ends,
    locate: (buffer, start, end) => {
      const bitmap = start + headerLength + 1
      let position = bitmap + bitmapLength
      for (let index = 0; index < count; index += 1) {
        const bit = index + 2
        if (((buffer[bitmap + (bit >> 3)] as number) >> (bit & 7)) & 1) {
          starts[index] = -1
          continue
        }
        let width = widths[index] as number
        if (width === timed) {
          width = buffer[position] as number
          position += 1
        } else if (width === counted) {
          const first = buffer[position] as number
          if (first < nullMarker) {
            width = first
            position += 1
          } else {
            const length = readLength(buffer, position)
            width = length.value
            position = length.position
          }
        }
        starts[index] = position
        position += width
        ends[index] = position
      }
      if (position !== end) throw new RangeError('a row does not end with its packet')
    },
  }
}

/** Reads a value that is not NULL. */
export type WireReader = (buffer: Buffer, start: number, end: number) => DriverValue

/** Values as mysql2 reads them with the options of this adapter. */
export function wireReader(column: WireColumn): WireReader {
  const { columnType, isUnsigned, isBinary, decimals } = column
  switch (columnType) {
    case wireTypes.null:
      return () => null
    case wireTypes.tiny:
    case wireTypes.short:
    case wireTypes.year:
    case wireTypes.long:
    case wireTypes.int24:
      return integerReader(column)
    case wireTypes.longLong:
      return (buffer, start) =>
        String(isUnsigned ? buffer.readBigUInt64LE(start) : buffer.readBigInt64LE(start))
    case wireTypes.float:
      return (buffer, start) => buffer.readFloatLE(start)
    case wireTypes.double:
      return (buffer, start) => buffer.readDoubleLE(start)
    case wireTypes.decimal:
    case wireTypes.newDecimal:
      return (buffer, start, end) => buffer.toString('latin1', start, end)
    case wireTypes.date:
    case wireTypes.newDate:
      return (buffer, start, end) => dateText(buffer, start, end)
    case wireTypes.timestamp:
    case wireTypes.dateTime:
      return (buffer, start, end) => momentText(buffer, start, end, decimals)
    case wireTypes.time:
      return timeText
    case wireTypes.json:
      return (buffer, start, end) => buffer.toString('utf8', start, end)
    default:
      // The bytes of the packet are valid during the call only.
      return isBinary
        ? (buffer, start, end) => Buffer.from(buffer.subarray(start, end))
        : (buffer, start, end) => buffer.toString('utf8', start, end)
  }
}

/** Integers of 32 bits and less. */
export function integerReader({ columnType, isUnsigned }: WireColumn): NumberReader {
  switch (columnType) {
    case wireTypes.tiny:
      return isUnsigned
        ? (buffer, start) => buffer.readUInt8(start)
        : (buffer, start) => buffer.readInt8(start)
    case wireTypes.year:
      return (buffer, start) => buffer.readUInt16LE(start)
    case wireTypes.short:
      return isUnsigned
        ? (buffer, start) => buffer.readUInt16LE(start)
        : (buffer, start) => buffer.readInt16LE(start)
    default:
      return isUnsigned
        ? (buffer, start) => buffer.readUInt32LE(start)
        : (buffer, start) => buffer.readInt32LE(start)
  }
}

export type NumberReader = (buffer: Buffer, start: number) => number

/** `2024-01-15`; all zeros where no field is sent. */
function dateText(buffer: Buffer, start: number, end: number): string {
  if (end - start < 4) return '0000-00-00'
  const year = String(buffer.readUInt16LE(start)).padStart(4, '0')
  return `${year}-${two(buffer[start + 2])}-${two(buffer[start + 3])}`
}

/** `2024-01-15 10:30:00.250` with the digits of the column. */
function momentText(buffer: Buffer, start: number, end: number, decimals: number): string {
  const date = dateText(buffer, start, end)
  if (end - start < 7) return `${date} 00:00:00`
  const clock = `${date} ${clockText(buffer, start + 4, buffer[start + 4] as number)}`
  if (end - start < 11) return clock
  const digits = microseconds(buffer, start + 7)
  return `${clock}.${decimals === 0 ? digits : digits.slice(0, decimals)}`
}

/** `-838:59:59.25` without zeros at the end of the fraction. */
function timeText(buffer: Buffer, start: number, end: number): string {
  if (end - start < 8) return '00:00:00'
  const sign = buffer[start] === 0 ? '' : '-'
  const hours = buffer.readUInt32LE(start + 1) * 24 + (buffer[start + 5] as number)
  const clock = sign + clockText(buffer, start + 5, hours)
  if (end - start < 12) return clock
  const digits = microseconds(buffer, start + 8).replace(/0+$/, '')
  return digits === '' ? clock : `${clock}.${digits}`
}

/** @param start of the hours, the minutes and the seconds, a byte each. */
function clockText(buffer: Buffer, start: number, hours: number): string {
  return `${two(hours)}:${two(buffer[start + 1])}:${two(buffer[start + 2])}`
}

function microseconds(buffer: Buffer, start: number): string {
  return String(buffer.readUInt32LE(start)).padStart(6, '0')
}

function two(value: number | undefined): string {
  return String(value).padStart(2, '0')
}
