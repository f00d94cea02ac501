/** @module Messages of a server, as text. */
import { isUtf8 } from 'node:buffer'

/** A message as received. */
export interface BackendMessage {
  readonly type: string
  readonly body: Buffer
}

/** Takes whole messages from the beginning of `bytes`. @returns them, and the remaining bytes. */
export function splitMessages(bytes: Buffer): readonly [readonly BackendMessage[], Buffer] {
  const messages: BackendMessage[] = []
  let at = 0
  while (at + 5 <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push({ type: String.fromCharCode(bytes[at] ?? 0), body: bytes.subarray(at + 5, end) })
    at = end
  }
  return [messages, bytes.subarray(at)]
}

/** What a client sees of a message: `D 1|root`, `C SELECT 1`, `Z I`, `E 42P01`, `T id:23:0 name:25:0`. */
export function worded({ type, body }: BackendMessage): string {
  const words = wordsOf(type, body)
  return words === '' ? type : `${type} ${words}`
}

/** The fields of an error or a notice by their letters. */
export function fieldsOf(body: Buffer): ReadonlyMap<string, string> {
  const parts = body
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '')
  return new Map(parts.map((part) => [part.charAt(0), part.slice(1)]))
}

function wordsOf(type: string, body: Buffer): string {
  switch (type) {
    case 'C':
      return body.toString('utf8', 0, body.length - 1)
    case 'D':
      return dataRow(body)
    case 'E':
    case 'N':
      return fieldsOf(body).get('C') ?? ''
    case 'T':
      return rowDescription(body)
    case 't':
      return Array.from({ length: body.readInt16BE(0) }, (_, index) =>
        body.readInt32BE(2 + 4 * index),
      ).join(' ')
    case 'S':
      return body.toString('utf8', 0, body.length - 1).replace('\0', '=')
    case 'G':
    case 'H':
      return Array.from(body.subarray(1), String).join(' ')
    case 'Z':
      return body.toString('latin1')
    case 'd':
      return JSON.stringify(body.toString('latin1'))
    default:
      return ''
  }
}

/** Printable values unchanged, others in hexadecimal. */
function dataRow(body: Buffer): string {
  const values: string[] = []
  let at = 2
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    const length = body.readInt32BE(at)
    const value = body.subarray(at + 4, at + 4 + Math.max(length, 0))
    values.push(length < 0 ? 'NULL' : (printable(value) ?? `\\x${value.toString('hex')}`))
    at += 4 + Math.max(length, 0)
  }
  return values.join('|')
}

/** The bytes as text, unless they are not text or contain invisible characters. */
function printable(value: Buffer): string | undefined {
  if (!isUtf8(value)) return undefined
  const words = value.toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
  return /[\u0000-\u001f\u007f]/.test(words) ? undefined : words
}

/** Name, type, format of each column, and whether it is one of a table: its number there. */
function rowDescription(body: Buffer): string {
  const columns: string[] = []
  let at = 2
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    const end = body.indexOf(0, at)
    const name = body.toString('utf8', at, end)
    const number = body.readInt16BE(end + 5)
    const [type, length, modifier, format] = [
      body.readInt32BE(end + 7),
      body.readInt16BE(end + 11),
      body.readInt32BE(end + 13),
      body.readInt16BE(end + 17),
    ]
    columns.push([name, number, type, length, modifier, format].join(':'))
    at = end + 19
  }
  return columns.join(' ')
}
