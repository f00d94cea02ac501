import type { Writable } from 'node:stream'
import type { Format } from './frontend-message.ts'
import type { ErrorFields, MessageWriter } from './message-writer.ts'
import { type BufferPool, createOutputBuffer } from './output-buffer.ts'
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

/** Writes into buffers of `pool`; keeps none while it has sent everything. */
export function createMessageWriter(sink: MessageSink, pool: BufferPool): SocketWriter {
  const output = createOutputBuffer(pool)
  let draining: Promise<void> | undefined
  let isHeld = false
  let isFlushWanted = false

  const send = (bytes: Buffer, done: () => void) => {
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
  const sendAll = () => {
    isFlushWanted = false
    output.flush(send)
  }
  const sendWanted = () => {
    if (isFlushWanted) sendAll()
  }
  const flush = () => {
    if (!isHeld) {
      sendAll()
    } else if (!isFlushWanted) {
      isFlushWanted = true
      setImmediate(sendWanted)
    }
  }

  /** @returns the position of the length. */
  const begin = (letter: number): number => {
    output.byte(letter)
    return output.reserveInt32()
  }

  const finish = (position: number) => {
    const end = output.length()
    output.setInt32(position, end - position)
    if (end >= sentFrom) sendAll()
  }

  const bodiless = (letter: number) => finish(begin(letter))

  const cString = (text: string) => {
    output.text(text.includes('\0') ? text.replaceAll('\0', '') : text)
    output.byte(0)
  }

  const fields = (letter: number, error: ErrorFields) => {
    const position = begin(letter)
    const field = (code: string, value: string | number | undefined) => {
      if (value === undefined) return
      output.byte(code.charCodeAt(0))
      cString(String(value))
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
    output.byte(0)
    finish(position)
  }

  const copyResponse = (letter: number, format: Format, columnCount: number) => {
    const position = begin(letter)
    output.byte(format)
    output.int16(columnCount)
    for (let i = 0; i < columnCount; i += 1) output.int16(format)
    finish(position)
  }

  return {
    rowDescription: (columns) => {
      const position = begin(letters.rowDescription)
      output.int16(columns.length)
      for (const field of columns) {
        const { name, tableOid, columnNumber, typeOid, typmod, format } = field
        cString(name)
        output.int32(tableOid)
        output.int16(columnNumber)
        output.int32(typeOid)
        output.int16(field.typeLength ?? typeLength(typeOid))
        output.int32(typmod)
        output.int16(format)
      }
      finish(position)
    },
    dataRow: (cells) => {
      const position = begin(letters.dataRow)
      const { length } = cells
      output.int16(length)
      for (let i = 0; i < length; i += 1) {
        const cell = cells[i]
        if (cell === null || cell === undefined) output.int32(-1)
        else output.sized(cell)
      }
      finish(position)
    },
    commandComplete: (tag) => {
      const position = begin(letters.commandComplete)
      cString(tag)
      finish(position)
    },
    parameterDescription: (oids) => {
      const position = begin(letters.parameterDescription)
      output.int16(oids.length)
      for (const oid of oids) output.int32(oid)
      finish(position)
    },
    parseComplete: () => bodiless(letters.parseComplete),
    bindComplete: () => bodiless(letters.bindComplete),
    closeComplete: () => bodiless(letters.closeComplete),
    noData: () => bodiless(letters.noData),
    portalSuspended: () => bodiless(letters.portalSuspended),
    emptyQueryResponse: () => bodiless(letters.emptyQueryResponse),
    readyForQuery: (status) => {
      const position = begin(letters.readyForQuery)
      output.byte(status.charCodeAt(0))
      finish(position)
    },
    error: (error) => fields(letters.error, error),
    notice: (notice) => fields(letters.notice, notice),
    notification: (processId, channel, payload) => {
      const position = begin(letters.notification)
      output.int32(processId)
      cString(channel)
      cString(payload)
      finish(position)
    },
    parameterStatus: (name, value) => {
      const position = begin(letters.parameterStatus)
      cString(name)
      cString(value)
      finish(position)
    },
    copyInResponse: (format, columnCount) =>
      copyResponse(letters.copyInResponse, format, columnCount),
    copyOutResponse: (format, columnCount) =>
      copyResponse(letters.copyOutResponse, format, columnCount),
    copyData: (data) => {
      const position = begin(letters.copyData)
      if (typeof data === 'string') output.text(data)
      else output.bytes(data)
      finish(position)
    },
    copyDone: () => bodiless(letters.copyDone),
    raw: (messages) => {
      output.bytes(messages)
      if (output.length() >= sentFrom) sendAll()
    },
    flush,
    hold: (held) => {
      isHeld = held
      if (!held) sendWanted()
    },
    drained: () => {
      if (!sink.writable || !sink.writableNeedDrain) return undefined
      draining ??= new Promise((resolve) => {
        const finished = () => {
          sink.removeListener('drain', finished)
          sink.removeListener('close', finished)
          draining = undefined
          resolve()
        }
        sink.once('drain', finished)
        sink.once('close', finished)
      })
      return draining
    },
  }
}
