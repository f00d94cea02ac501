/** @module Reads the answers of the embedded PostgreSQL. */
import type { FieldDescription } from '../../protocol/message-writer.ts'

export interface BackendMessage {
  /** One letter. */
  readonly type: string
  readonly body: Buffer
}

/** Splits whole messages into their fields. */
export function backendMessages(bytes: Uint8Array): readonly BackendMessage[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const messages: BackendMessage[] = []
  let at = 0
  while (at < buffer.length) {
    const end = at + 1 + buffer.readInt32BE(at + 1)
    messages.push({
      type: String.fromCharCode(buffer[at] ?? 0),
      body: buffer.subarray(at + 5, end),
    })
    at = end
  }
  return messages
}

/** Status of the last `ReadyForQuery`: I, T or E; undefined when there is none. */
export function lastStatus(bytes: Uint8Array): string | undefined {
  const last = backendMessages(bytes).findLast(({ type }) => type === 'Z')
  return last === undefined ? undefined : String.fromCharCode(last.body[0] ?? 0)
}

/** `T` */
export function readRowDescription(body: Buffer): readonly FieldDescription[] {
  const count = body.readInt16BE(0)
  const fields: FieldDescription[] = []
  let at = 2
  for (let index = 0; index < count; index++) {
    const nameEnd = body.indexOf(0, at)
    const rest = nameEnd + 1
    fields.push({
      name: body.toString('utf8', at, nameEnd),
      tableOid: body.readUInt32BE(rest),
      columnNumber: body.readInt16BE(rest + 4),
      typeOid: body.readUInt32BE(rest + 6),
      typmod: body.readInt32BE(rest + 12),
      format: body.readInt16BE(rest + 16) === 1 ? 1 : 0,
    })
    at = rest + 18
  }
  return fields
}

/** `D` */
export function readDataRow(body: Buffer): readonly (Buffer | null)[] {
  const count = body.readInt16BE(0)
  const cells: (Buffer | null)[] = []
  let at = 2
  for (let index = 0; index < count; index++) {
    const length = body.readInt32BE(at)
    at += 4
    cells.push(length < 0 ? null : body.subarray(at, at + length))
    at += Math.max(length, 0)
  }
  return cells
}

/** `t` */
export function readParameterDescription(body: Buffer): readonly number[] {
  const count = body.readUInt16BE(0)
  return Array.from({ length: count }, (_, index) => body.readUInt32BE(2 + 4 * index))
}

/** `C` */
export function readCommandTag(body: Buffer): string {
  return body.toString('utf8', 0, body.length - 1)
}

/** `E`: fields by their letter. */
export function readErrorFields(body: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let at = 0
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1)
    fields.set(String.fromCharCode(body[at] ?? 0), body.toString('utf8', at + 1, end))
    at = end + 1
  }
  return fields
}
