import type { Writable } from 'node:stream'
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { Format } from './frontend-message.ts'
import type {
  ErrorFields,
  FieldDescription,
  MessageWriter,
  TransactionStatus,
} from './message-writer.ts'
import { type BufferPool, createOutputBuffer, type OutputBuffer } from './output-buffer.ts'
import { typeLength } from './type-length.ts'

/**
 * The destination of messages: a socket, with TLS or without. It does not read the bytes again after it has accepted
 * them.
 */
export type MessageSink = Pick<
  Writable,
  'write' | 'writable' | 'writableLength' | 'writableNeedDrain' | 'once' | 'removeListener'
>

export interface SocketWriter extends MessageWriter {
  /**
   * While more messages will follow soon, `flush` waits for them, but not beyond this turn of the event loop: answers
   * to messages that arrived together are sent together.
   *
   * @param isHeld false: sends the bytes that were held.
   */
  hold(isHeld: boolean): void
}

/** Above this number of bytes, messages are sent without a call of `flush`. */
const sentFrom = 24_576

const letters = {
  rowDescription: 0x54,
  dataRow: 0x44,
  commandComplete: 0x43,
  parameterDescription: 0x74,
  parseComplete: 0x31,
  bindComplete: 0x32,
  closeComplete: 0x33,
  noData: 0x6e,
  portalSuspended: 0x73,
  emptyQueryResponse: 0x49,
  readyForQuery: 0x5a,
  error: 0x45,
  notice: 0x4e,
  notification: 0x41,
  parameterStatus: 0x53,
  copyInResponse: 0x47,
  copyOutResponse: 0x48,
  copyData: 0x64,
  copyDone: 0x63,
} as const

const inUtf8 = () => undefined

/**
 * Writes into buffers of `pool`; keeps none while it has sent everything.
 *
 * @param encoding that of the client now; undefined is UTF-8
 */
export function createMessageWriter(
  sink: MessageSink,
  pool: BufferPool,
  encoding: () => ClientEncoding | undefined = inUtf8,
): SocketWriter {
  return new SinkWriter(sink, pool, encoding)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SinkWriter implements SocketWriter {
  readonly #sink: MessageSink
  readonly #output: OutputBuffer
  readonly #encoding: () => ClientEncoding | undefined
  #draining: Promise<void> | undefined
  #isHeld = false
  #isFlushWanted = false

  constructor(sink: MessageSink, pool: BufferPool, encoding: () => ClientEncoding | undefined) {
    this.#sink = sink
    this.#encoding = encoding
    this.#output = createOutputBuffer(pool)
  }

  rowDescription(columns: readonly FieldDescription[]): void {
    const output = this.#output
    const encoding = this.#encoding()
    const names = columns.map(({ name }) => encoding?.encode(withoutNul(name)) ?? name)
    const position = this.#begin(letters.rowDescription)
    output.int16(columns.length)
    for (const [i, field] of columns.entries()) {
      const { tableOid, columnNumber, typeOid, typmod, format } = field
      this.#cString(names[i] ?? '')
      output.int32(tableOid)
      output.int16(columnNumber)
      output.int32(typeOid)
      output.int16(field.typeLength ?? typeLength(typeOid))
      output.int32(typmod)
      output.int16(format)
    }
    this.#finish(position)
  }

  dataRow(texts: readonly (string | Uint8Array | null)[]): void {
    const encoding = this.#encoding()
    const cells =
      encoding === undefined
        ? texts
        : texts.map((cell) => (typeof cell === 'string' ? encoding.encode(cell) : cell))
    const output = this.#output
    const position = this.#begin(letters.dataRow)
    const { length } = cells
    output.int16(length)
    for (let i = 0; i < length; i += 1) {
      const cell = cells[i]
      if (cell === null || cell === undefined) output.int32(-1)
      else output.sized(cell)
    }
    this.#finish(position)
  }

  commandComplete(tag: string): void {
    const position = this.#begin(letters.commandComplete)
    this.#cString(tag)
    this.#finish(position)
  }

  parameterDescription(oids: readonly number[]): void {
    const position = this.#begin(letters.parameterDescription)
    this.#output.int16(oids.length)
    for (const oid of oids) this.#output.int32(oid)
    this.#finish(position)
  }

  parseComplete(): void {
    this.#bodiless(letters.parseComplete)
  }

  bindComplete(): void {
    this.#bodiless(letters.bindComplete)
  }

  closeComplete(): void {
    this.#bodiless(letters.closeComplete)
  }

  noData(): void {
    this.#bodiless(letters.noData)
  }

  portalSuspended(): void {
    this.#bodiless(letters.portalSuspended)
  }

  emptyQueryResponse(): void {
    this.#bodiless(letters.emptyQueryResponse)
  }

  readyForQuery(status: TransactionStatus): void {
    const position = this.#begin(letters.readyForQuery)
    this.#output.byte(status.charCodeAt(0))
    this.#finish(position)
  }

  error(error: ErrorFields): void {
    this.#fields(letters.error, error)
  }

  notice(notice: ErrorFields): void {
    this.#fields(letters.notice, notice)
  }

  notification(processId: number, channel: string, payload: string): void {
    const position = this.#begin(letters.notification)
    this.#output.int32(processId)
    this.#lossy(channel)
    this.#lossy(payload)
    this.#finish(position)
  }

  parameterStatus(name: string, value: string): void {
    const position = this.#begin(letters.parameterStatus)
    this.#cString(name)
    this.#lossy(value)
    this.#finish(position)
  }

  copyInResponse(format: Format, columnCount: number): void {
    this.#copyResponse(letters.copyInResponse, format, columnCount)
  }

  copyOutResponse(format: Format, columnCount: number): void {
    this.#copyResponse(letters.copyOutResponse, format, columnCount)
  }

  copyData(data: string | Uint8Array): void {
    const encoded = typeof data === 'string' ? (this.#encoding()?.encode(data) ?? data) : data
    const position = this.#begin(letters.copyData)
    if (typeof encoded === 'string') this.#output.text(encoded)
    else this.#output.bytes(encoded)
    this.#finish(position)
  }

  copyDone(): void {
    this.#bodiless(letters.copyDone)
  }

  raw(messages: Uint8Array): void {
    this.#output.bytes(messages)
    if (this.#output.length() >= sentFrom) this.#sendAll()
  }

  flush(): void {
    if (!this.#isHeld) {
      this.#sendAll()
    } else if (!this.#isFlushWanted) {
      this.#isFlushWanted = true
      setImmediate(() => this.#sendWanted())
    }
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (!isHeld) this.#sendWanted()
  }

  drained(): Promise<void> | undefined {
    const sink = this.#sink
    if (!sink.writable || !sink.writableNeedDrain) return undefined
    this.#draining ??= new Promise((resolve) => {
      const finished = () => {
        sink.removeListener('drain', finished)
        sink.removeListener('close', finished)
        this.#draining = undefined
        resolve()
      }
      sink.once('drain', finished)
      sink.once('close', finished)
    })
    return this.#draining
  }

  #send(bytes: Buffer, done: () => void): void {
    const sink = this.#sink
    if (!sink.writable) {
      done()
      return
    }
    let isDone = false
    const finish = () => {
      if (!isDone) done()
      isDone = true
    }
    sink.write(bytes, finish)
    // The kernel has accepted all bytes; the callback would report it only after the rest of this turn.
    if (sink.writableLength === 0) finish()
  }

  #sendAll(): void {
    this.#isFlushWanted = false
    this.#output.flush((bytes, done) => this.#send(bytes, done))
  }

  #sendWanted(): void {
    if (this.#isFlushWanted) this.#sendAll()
  }

  /** @returns the position of the length. */
  #begin(letter: number): number {
    this.#output.byte(letter)
    return this.#output.reserveInt32()
  }

  #finish(position: number): void {
    const output = this.#output
    const end = output.length()
    output.setInt32(position, end - position)
    if (end >= sentFrom) this.#sendAll()
  }

  #bodiless(letter: number): void {
    this.#finish(this.#begin(letter))
  }

  #cString(text: string | Uint8Array): void {
    if (typeof text === 'string') this.#output.text(withoutNul(text))
    else this.#output.bytes(text)
    this.#output.byte(0)
  }

  /** Texts that must arrive in every case: an error about a character would take their place. */
  #lossy(text: string): void {
    this.#cString(this.#encoding()?.encodeLossy(withoutNul(text)) ?? text)
  }

  #fields(letter: number, error: ErrorFields): void {
    const position = this.#begin(letter)
    const field = (code: string, value: string | number | undefined) => {
      if (value === undefined) return
      this.#output.byte(code.charCodeAt(0))
      this.#lossy(String(value))
    }
    field('S', error.severity)
    field('V', error.severity)
    field('C', error.sqlState)
    field('M', error.message)
    field('D', error.detail)
    field('H', error.hint)
    field('P', error.position)
    field('W', error.context)
    field('s', error.schema)
    field('t', error.table)
    field('c', error.column)
    field('n', error.constraint)
    field('R', error.routine)
    this.#output.byte(0)
    this.#finish(position)
  }

  #copyResponse(letter: number, format: Format, columnCount: number): void {
    const position = this.#begin(letter)
    this.#output.byte(format)
    this.#output.int16(columnCount)
    for (let i = 0; i < columnCount; i += 1) this.#output.int16(format)
    this.#finish(position)
  }
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
