/** @module Writes messages for the embedded PostgreSQL. */
import type { Format } from '../../protocol/frontend-message.ts'

/** `Q`: answered with one `ReadyForQuery`, whatever the text contains. */
export function queryMessage(sql: string): Buffer {
  return message('Q', [text(sql)])
}

/** `P`, of the unnamed statement. */
export function parseMessage(sql: string, parameterOids: readonly number[]): Buffer {
  return message('P', [
    text(''),
    text(sql),
    int16(parameterOids.length),
    ...parameterOids.map(int32),
  ])
}

/** `D`, of the unnamed statement. */
export function describeStatementMessage(): Buffer {
  return message('D', [Buffer.from('S'), text('')])
}

/** `D`, of the unnamed portal. */
export function describePortalMessage(): Buffer {
  return message('D', [Buffer.from('P'), text('')])
}

/** `B`, of the unnamed statement to the unnamed portal. */
export function bindMessage(
  parameters: readonly (Uint8Array | null)[],
  parameterFormats: readonly Format[],
  resultFormats: readonly Format[],
): Buffer {
  return message('B', [
    text(''),
    text(''),
    int16(parameterFormats.length),
    ...parameterFormats.map(int16),
    int16(parameters.length),
    ...parameters.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value])),
    int16(resultFormats.length),
    ...resultFormats.map(int16),
  ])
}

/** `E`, of the unnamed portal; 0 is all rows. */
export function executeMessage(maxRows: number): Buffer {
  return message('E', [text(''), int32(maxRows)])
}

/** `S`: answered with one `ReadyForQuery`. */
export function syncMessage(): Buffer {
  return message('S', [])
}

function message(type: string, parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 4)
  return Buffer.concat([Buffer.from(type), int32(size), ...parts])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}
