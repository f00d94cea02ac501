/** @module Packets of the MySQL protocol, in both directions. */

/** A packet as the driver cuts it out of the stream. The object and its bytes are valid only during the call. */
export interface WirePacket {
  readonly buffer: Buffer
  /** Of the header, which has 4 bytes. */
  readonly start: number
  readonly end: number
  readonly sequenceId: number
  /** More than 1 for a packet of 16 MB and more, which is sent in parts. */
  readonly numPackets: number
  asError(encoding: string): Error
}

export const headerLength = 4

/** The most bytes in one packet; a longer command is sent in several. */
const maxPayload = 0xff_ff_ff

const eofMarker = 0xfe
export const errorMarker = 0xff
export const nullMarker = 0xfb

/** Ends column definitions and rows. A row in binary format begins with 0. */
export function isEof({ buffer, start, end }: WirePacket): boolean {
  return buffer[start + headerLength] === eofMarker && end - start - headerLength < 9
}

/** Position and value of the last number that was read. */
export interface LengthReader {
  readonly position: number
  readonly value: number
}

const last = { position: 0, value: 0 }

/** Reads a length-encoded integer. The result is valid until the next call. */
export function readLength(buffer: Buffer, start: number): LengthReader {
  const first = buffer[start] ?? 0
  if (first < nullMarker) {
    last.value = first
    last.position = start + 1
  } else if (first === 0xfc) {
    last.value = buffer.readUInt16LE(start + 1)
    last.position = start + 3
  } else if (first === 0xfd) {
    last.value = buffer.readUIntLE(start + 1, 3)
    last.position = start + 4
  } else if (first === 0xfe) {
    last.value = buffer.readUInt32LE(start + 1) + buffer.readUInt32LE(start + 5) * 0x1_0000_0000
    last.position = start + 9
  } else {
    throw new RangeError('a length is missing')
  }
  return last
}

/** Reads a length-encoded integer of up to 64 bits. */
export function readBigLength(buffer: Buffer, start: number): bigint {
  return buffer[start] === 0xfe
    ? buffer.readBigUInt64LE(start + 1)
    : BigInt(readLength(buffer, start).value)
}

/** The number of bytes of a length-encoded integer. */
export function sizeOfLength(length: number): number {
  if (length < nullMarker) return 1
  if (length <= 0xff_ff) return 3
  return length <= 0xff_ff_ff ? 4 : 9
}

/** @returns the position after it. */
export function writeLength(buffer: Buffer, position: number, length: number): number {
  switch (sizeOfLength(length)) {
    case 1:
      return buffer.writeUInt8(length, position)
    case 3:
      buffer[position] = 0xfc
      return buffer.writeUInt16LE(length, position + 1)
    case 4:
      buffer[position] = 0xfd
      return buffer.writeUIntLE(length, position + 1, 3)
    default:
      buffer[position] = 0xfe
      return buffer.writeBigUInt64LE(BigInt(length), position + 1)
  }
}

/** What is sent for one command. */
export interface SentCommand {
  readonly bytes: Buffer
  /** Packets that it takes. */
  readonly packets: number
}

/**
 * Adds headers to a command.
 *
 * @param bytes the command after room for one header.
 */
export function framed(bytes: Buffer): SentCommand {
  const length = bytes.length - headerLength
  if (length < maxPayload) {
    writeHeader(bytes, 0, length, 0)
    return { bytes, packets: 1 }
  }
  // A part of full length is followed by another one, even if that is empty.
  const parts: Buffer[] = []
  let packets = 0
  for (let offset = 0; offset <= length; offset += maxPayload) {
    const part = bytes.subarray(headerLength + offset, headerLength + offset + maxPayload)
    const header = Buffer.allocUnsafe(headerLength)
    writeHeader(header, 0, part.length, packets)
    parts.push(header, part)
    packets += 1
  }
  return { bytes: Buffer.concat(parts), packets }
}

function writeHeader(bytes: Buffer, position: number, length: number, sequenceId: number): void {
  bytes.writeUIntLE(length, position, 3)
  bytes[position + 3] = sequenceId & 0xff
}
