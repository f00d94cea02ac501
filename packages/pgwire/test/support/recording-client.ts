/** @module Speaks the protocol message by message, to any server, and records the answers. */
import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import pg from 'pg'

/** One message to the server. */
export type Message = Buffer

export interface RecordingClient {
  /**
   * Sends messages at once, and waits for this number of ReadyForQuery, or for messages of these types in a row.
   *
   * @returns the answer, a line for each message
   */
  exchange(messages: readonly Message[], end: number | string): Promise<readonly string[]>
  /** Sends, and does not wait. */
  send(messages: readonly Message[]): void
  /** Reads until a message of this type (its letter) arrives. */
  until(type: string): Promise<readonly string[]>
  readonly socket: Socket
  close(): void
}

/**
 * Logs in with node-postgres, then uses its socket.
 *
 * @param hasRoutines lines of errors name the routine that raised them
 */
export async function openRecordingClient(
  url: string,
  hasRoutines = false,
): Promise<RecordingClient> {
  const client = new pg.Client({ connectionString: url })
  // A broken connection counts as closed.
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } })
    .connection
  stream.removeAllListeners('data')
  stream.removeAllListeners('end')
  stream.removeAllListeners('close')
  let received = Buffer.alloc(0)
  let lines: string[] = []
  let wake: () => void = () => undefined
  let isOver = false

  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 5) {
      const size = received.readInt32BE(1) + 1
      if (received.length < size) break
      const letter = String.fromCharCode(received[0] ?? 0)
      lines.push(describe(letter, received.subarray(5, size), hasRoutines))
      received = received.subarray(size)
    }
    wake()
  })
  stream.on('close', () => {
    isOver = true
    wake()
  })

  const take = async (
    isEnough: (seen: readonly string[]) => boolean,
  ): Promise<readonly string[]> => {
    while (!isEnough(lines)) {
      if (isOver) {
        lines.push('(closed)')
        break
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const taken = lines
    lines = []
    return taken
  }

  const send = (messages: readonly Message[]) => void stream.write(Buffer.concat(messages))
  return {
    send,
    socket: stream,
    exchange: (messages, end) => {
      send(messages)
      return take((seen) =>
        typeof end === 'number'
          ? seen.filter((line) => line.startsWith('Z')).length >= end
          : seen
              .map((line) => line.charAt(0))
              .join('')
              .endsWith(end),
      )
    },
    until: (type) => take((seen) => seen.some((line) => line.startsWith(type))),
    close: () => void stream.destroy(),
  }
}

/** One line; leaves out parts that may differ between servers (OIDs of tables, texts of errors). */
function describe(type: string, body: Buffer, hasRoutines: boolean): string {
  const reader = readerOf(body)
  switch (type) {
    case 'T': {
      const count = reader.int16()
      return `T ${Array.from({ length: count }, () => {
        const name = reader.text()
        const table = reader.int32() === 0 ? '' : 'table.'
        const column = reader.int16()
        const oid = reader.int32()
        const size = reader.int16()
        return `${name}(${table}${column} ${oid} ${size} ${reader.int32()} ${reader.int16()})`
      }).join(' ')}`
    }
    case 'D': {
      const count = reader.int16()
      return `D ${Array.from({ length: count }, () => reader.cell()).join('|')}`
    }
    case 't': {
      const count = reader.int16()
      return `t ${Array.from({ length: count }, () => reader.int32()).join(' ')}`
    }
    case 'E':
    case 'N': {
      const fields = new Map<string, string>()
      for (let code = reader.byte(); code !== 0; code = reader.byte()) {
        fields.set(String.fromCharCode(code), reader.text())
      }
      const position = fields.get('P')
      const place = position === undefined ? '' : ` at ${position}`
      const routine = hasRoutines && type === 'E' ? ` ${fields.get('R')}` : ''
      return `${type} ${fields.get('V')} ${fields.get('C')}${place}${routine}`
    }
    case 'C':
      return `C ${reader.text()}`
    case 'S':
      return `S ${reader.text()}=${reader.text()}`
    case 'Z':
      return `Z ${String.fromCharCode(reader.byte())}`
    case 'd':
      return `d ${body.toString('latin1').replaceAll('\n', '\\n')}`
    case 'G':
    case 'H':
      return `${type} ${body.toString('hex')}`
    default:
      return type
  }
}

function readerOf(body: Buffer) {
  let at = 0
  const skip = (size: number) => {
    at += size
    return at - size
  }
  return {
    byte: () => body.readUInt8(skip(1)),
    int16: () => body.readInt16BE(skip(2)),
    int32: () => body.readInt32BE(skip(4)),
    text: () => {
      const end = body.indexOf(0, at)
      const text = body.toString('utf8', at, end)
      at = end + 1
      return text
    },
    cell: () => {
      const size = body.readInt32BE(skip(4))
      if (size < 0) return 'null'
      const bytes = body.subarray(at, at + size)
      at += size
      const isText = isUtf8(bytes) && bytes.every((byte) => byte >= 0x20 || byte === 0x0a)
      return isText ? bytes.toString('utf8') : `\\x${bytes.toString('hex')}`
    },
  }
}

function message(type: string, ...parts: readonly Buffer[]): Message {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const cString = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(`${text}\0`, encoding)
const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const query = (sql: string, encoding: BufferEncoding = 'utf8'): Message =>
  message('Q', cString(sql, encoding))

export const parse = (
  sql: string,
  name = '',
  oids: readonly number[] = [],
  encoding: BufferEncoding = 'utf8',
): Message =>
  message('P', cString(name), cString(sql, encoding), int16(oids.length), ...oids.map(int32))

export interface BindOptions {
  readonly statement?: string
  readonly portal?: string
  readonly parameterFormats?: readonly number[]
  readonly resultFormats?: readonly number[]
}

export const bind = (
  values: readonly (string | Buffer | null)[] = [],
  { statement = '', portal = '', parameterFormats = [], resultFormats = [] }: BindOptions = {},
): Message =>
  message(
    'B',
    cString(portal),
    cString(statement),
    int16(parameterFormats.length),
    ...parameterFormats.map(int16),
    int16(values.length),
    ...values.flatMap((value) => {
      if (value === null) return [int32(-1)]
      const bytes = Buffer.from(value)
      return [int32(bytes.length), bytes]
    }),
    int16(resultFormats.length),
    ...resultFormats.map(int16),
  )

export const describeStatement = (name = ''): Message =>
  message('D', Buffer.from('S'), cString(name))
export const describePortal = (name = ''): Message => message('D', Buffer.from('P'), cString(name))
export const execute = (maxRows = 0, portal = ''): Message =>
  message('E', cString(portal), int32(maxRows))
export const closeStatement = (name = ''): Message => message('C', Buffer.from('S'), cString(name))
export const closePortal = (name = ''): Message => message('C', Buffer.from('P'), cString(name))
export const sync: Message = message('S')
export const flush: Message = message('H')
export const copyData = (data: string | Buffer): Message => message('d', Buffer.from(data))
export const copyDone: Message = message('c')
export const copyFail = (reason: string): Message => message('f', cString(reason))
export const functionCall: Message = message('F', int32(1), int16(0), int16(0), int16(0))
