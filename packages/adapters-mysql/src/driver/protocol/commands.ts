/** @module The commands of prepared statements. */
import type { BoundValue } from '../../values/bind-value.ts'
import { framed, headerLength, type SentCommand, sizeOfLength, writeLength } from './packet.ts'

const commands = { prepare: 0x16, execute: 0x17, close: 0x19 } as const

const types = { double: 5, null: 6, longLong: 8, blob: 252, varString: 253 } as const

export function prepareCommand(sql: string): SentCommand {
  const bytes = Buffer.allocUnsafe(headerLength + 1 + Buffer.byteLength(sql))
  bytes[headerLength] = commands.prepare
  bytes.write(sql, headerLength + 1)
  return framed(bytes)
}

/** The server does not answer it. */
export function closeCommand(id: number): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength + 5)
  bytes[headerLength] = commands.close
  bytes.writeUInt32LE(id, headerLength + 1)
  return framed(bytes).bytes
}

/** Command, id, no cursor, one iteration. */
const fixedLength = 10

export function executeCommand(id: number, values: readonly BoundValue[]): SentCommand {
  const count = values.length
  const bitmapLength = (count + 7) >> 3
  const sizes = values.map(sizeOf)
  let length = headerLength + fixedLength
  if (count > 0) length += bitmapLength + 1 + 2 * count
  for (const size of sizes) length += size
  const bytes = Buffer.allocUnsafe(length)
  bytes[headerLength] = commands.execute
  bytes.writeUInt32LE(id, headerLength + 1)
  bytes[headerLength + 5] = 0
  bytes.writeUInt32LE(1, headerLength + 6)
  if (count === 0) return framed(bytes)
  const bitmap = headerLength + fixedLength
  bytes.fill(0, bitmap, bitmap + bitmapLength)
  let position = bitmap + bitmapLength
  // Types follow.
  bytes[position] = 1
  position += 1
  for (const [index, value] of values.entries()) {
    if (value === null) {
      const byte = bitmap + (index >> 3)
      bytes[byte] = (bytes[byte] as number) | (1 << (index & 7))
    }
    bytes[position] = typeOf(value)
    bytes[position + 1] = 0
    position += 2
  }
  for (const [index, value] of values.entries()) {
    position = writeValue(bytes, position, value, sizes[index] as number)
  }
  return framed(bytes)
}

function typeOf(value: BoundValue): number {
  switch (typeof value) {
    case 'number':
      return types.double
    case 'bigint':
      return types.longLong
    case 'string':
      return types.varString
    default:
      return value === null ? types.null : types.blob
  }
}

/** Bytes of a value, with its length. */
function sizeOf(value: BoundValue): number {
  if (value === null) return 0
  if (typeof value === 'number' || typeof value === 'bigint') return 8
  const length = typeof value === 'string' ? Buffer.byteLength(value) : value.length
  return sizeOfLength(length) + length
}

function writeValue(bytes: Buffer, position: number, value: BoundValue, size: number): number {
  if (value === null) return position
  if (typeof value === 'number') return bytes.writeDoubleLE(value, position)
  if (typeof value === 'bigint') return bytes.writeBigInt64LE(value, position)
  const length = size - (size < 0xfc ? 1 : size <= 0xff_ff + 3 ? 3 : size <= 0xff_ff_ff + 4 ? 4 : 9)
  const start = writeLength(bytes, position, length)
  if (typeof value === 'string') bytes.write(value, start)
  else value.copy(bytes, start)
  return start + length
}
