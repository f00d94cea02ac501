/** @module The server's description of a result column. */
import { headerLength, readLength, type WirePacket } from './packet.ts'

export interface WireColumn {
  /** Number of the type in the protocol. */
  readonly columnType: number
  readonly isUnsigned: boolean
  /** Bytes without a character set. */
  readonly isBinary: boolean
  /** Digits of the fraction of a time or a decimal. */
  readonly decimals: number
  /** Declared digits of a TINYINT or a BIT: one where it is a boolean; bytes of a LONGTEXT. 0 for other types. */
  readonly width: number
  /** Is it not simply the column of a table? */
  readonly isCalculated: boolean
}

const binaryCharset = 63
const tiny = 1
const bit = 16
const blob = 252
const longestBlob = 0xffff_ffff
const unsignedFlag = 0x20

/** Bytes from the character set to the end. */
const tailLength = 12

/** Strings before the name of the table's column: catalog, schema, table, the table's own name, name. */
const stringsBefore = 5

export function readColumn({ buffer, start, end }: WirePacket): WireColumn {
  const tail = end - tailLength
  return {
    columnType: buffer[tail + 6] as number,
    isUnsigned: isUnsigned(buffer, tail),
    isBinary: isBinary(buffer, tail),
    decimals: buffer[tail + 9] as number,
    width: widthOf(buffer, tail),
    isCalculated: isCalculated(buffer, start + headerLength),
  }
}

/** Is a column described as before? */
export function isSameColumn(column: WireColumn, { buffer, start, end }: WirePacket): boolean {
  const tail = end - tailLength
  return (
    column.columnType === buffer[tail + 6] &&
    column.isUnsigned === isUnsigned(buffer, tail) &&
    column.isBinary === isBinary(buffer, tail) &&
    column.decimals === buffer[tail + 9] &&
    column.width === widthOf(buffer, tail) &&
    column.isCalculated === isCalculated(buffer, start + headerLength)
  )
}

function isUnsigned(buffer: Buffer, tail: number): boolean {
  return ((buffer[tail + 7] as number) & unsignedFlag) !== 0
}

function isBinary(buffer: Buffer, tail: number): boolean {
  return buffer[tail] === binaryCharset && buffer[tail + 1] === 0
}

function widthOf(buffer: Buffer, tail: number): number {
  const type = buffer[tail + 6]
  if (type !== tiny && type !== bit && type !== blob) return 0
  const length = buffer.readUInt32LE(tail + 2)
  // The length of shorter texts may depend on parameters.
  return type !== blob || length === longestBlob ? length : 0
}

function isCalculated(buffer: Buffer, start: number): boolean {
  let position = start
  for (let index = 0; index < stringsBefore; index += 1) {
    const length = readLength(buffer, position)
    position = length.position + length.value
  }
  return buffer[position] === 0
}
