/** @module Decodes the bodies of messages. */
import { GatewayError } from '@engine/core'
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import { createBodyReader, malformed } from './body-reader.ts'
import type { Format, FrontendMessage, MessageGroup } from './frontend-message.ts'

interface MessageForm {
  readonly group: MessageGroup
  /** The message holds at most a name. */
  readonly isSmall: boolean
}

const forms: ReadonlyMap<number, MessageForm> = new Map(
  (
    [
      ['Q', 'simple', false],
      ['P', 'extended', false],
      ['B', 'extended', false],
      ['D', 'extended', true],
      ['E', 'extended', true],
      ['C', 'extended', true],
      ['H', 'extended', true],
      ['S', 'simple', true],
      ['X', 'simple', true],
      ['F', 'simple', false],
      ['d', 'copy', false],
      ['c', 'copy', true],
      ['f', 'copy', true],
    ] as const
  ).map(([letter, group, isSmall]) => [letter.charCodeAt(0), { group, isSmall }]),
)

/** What is known of messages of a type, given as its byte; undefined for an unknown type. */
export function groupOf(type: number): MessageForm | undefined {
  return forms.get(type)
}

/** Reads a whole message: its body is from `start` to `end`. @param encoding of texts; UTF-8 where it is undefined */
export function decodeMessage(
  type: number,
  bytes: Buffer,
  start: number,
  end: number,
  encoding?: ClientEncoding,
): FrontendMessage {
  try {
    body.begin(bytes, start, end, encoding)
    return decode(type, bytes, start, end)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { sqlState = '08P01', message: reason } = error
    return { type: 'malformed', of: groupOf(type)?.group ?? 'simple', sqlState, reason }
  }
}

const sync: FrontendMessage = { type: 'sync' }
const flush: FrontendMessage = { type: 'flush' }
const terminate: FrontendMessage = { type: 'terminate' }
const copyDone: FrontendMessage = { type: 'copyDone' }

/** One for all: a message is read without a pause. */
const body = createBodyReader()
const readOid = () => body.uint32()
const readFormat = () => format(body.int16())
const readValue = () => body.value()

function decode(type: number, bytes: Buffer, start: number, end: number): FrontendMessage {
  switch (String.fromCharCode(type)) {
    case 'Q': {
      const sql = body.text()
      body.finish()
      return { type: 'query', sql }
    }
    case 'P': {
      const name = body.text()
      const sql = body.text()
      const parameterOids = body.list(readOid, 4)
      body.finish()
      return { type: 'parse', name, sql, parameterOids }
    }
    case 'B': {
      const portal = body.text()
      const statement = body.text()
      const parameterFormats = body.list(readFormat, 2)
      const parameters = body.list(readValue, 4)
      const resultFormats = body.list(readFormat, 2)
      body.finish()
      return { type: 'bind', portal, statement, parameterFormats, parameters, resultFormats }
    }
    case 'D': {
      const of = target(body.byte(), 'DESCRIBE')
      const name = body.text()
      body.finish()
      return { type: 'describe', of, name }
    }
    case 'C': {
      const of = target(body.byte(), 'CLOSE')
      const name = body.text()
      body.finish()
      return { type: 'close', of, name }
    }
    case 'E': {
      const portal = body.text()
      const maxRows = body.int32()
      body.finish()
      // Like PostgreSQL: zero or less means no limit.
      return { type: 'execute', portal, maxRows: Math.max(maxRows, 0) }
    }
    case 'S':
      body.finish()
      return sync
    case 'H':
      body.finish()
      return flush
    case 'X':
      return terminate
    case 'd':
      return { type: 'copyData', data: bytes.subarray(start, end) }
    case 'c':
      return copyDone
    case 'f': {
      const message = body.text()
      body.finish()
      return { type: 'copyFail', message }
    }
    default:
      return { type: 'functionCall' }
  }
}

function format(code: number): Format {
  if (code !== 0 && code !== 1) throw malformed('22023', `unsupported format code: ${code}`)
  return code
}

function target(letter: number, message: 'DESCRIBE' | 'CLOSE'): 'statement' | 'portal' {
  if (letter === 0x53) return 'statement'
  if (letter === 0x50) return 'portal'
  throw malformed('08P01', `invalid ${message} message subtype ${letter}`)
}
