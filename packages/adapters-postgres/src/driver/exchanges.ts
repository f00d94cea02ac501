/** @module The exchanges of one connection: answered in the order in which they were sent. */
import { connectionLost, GatewayError } from '@engine/core/adapter'
import type { Connection } from 'pg'
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts'
import {
  createGroupExchange,
  type GroupExchangeOptions,
  type GroupOutcome,
} from './group-exchange.ts'
import { createFrameReader, headerLength, messages } from './protocol/frames.ts'
import { replaceSocketReader } from './replace-socket-reader.ts'

export interface Exchanges {
  /**
   * Sends whole messages up to Sync, and returns the command tag. Messages that are sent `soon` go out in one write
   * with all others of this turn of the event loop.
   *
   * @throws {GatewayError} `unavailable` when the connection is closed; the server's error, as `DatabaseError`.
   */
  send(sent: readonly Buffer[], when: 'now' | 'soon', options: ExchangeOptions): Promise<string>
  /** Sends several statements and one Sync. It resolves where the statements fail, too. */
  sendGroup(sent: readonly Buffer[], options: GroupExchangeOptions): Promise<GroupOutcome>
  /** Number of exchanges that were sent and are not answered. */
  pending(): number
  /** Number of exchanges that this turn of the event loop sends at its end. */
  unsent(): number
  /** Returns whether no transaction was open after the last answer. */
  isIdle(): boolean
  /** Ends all exchanges, and the connection. */
  abandon(error: GatewayError): void
}

export interface ExchangesOptions {
  /** The server has started the next exchange, or has no more. */
  readonly onNext: (isBusy: boolean) => void
  /** The connection was closed. */
  readonly onEnd: () => void
}

/** Maximum bytes of an answer: it would be held in memory as a whole. */
const maxAnswerBytes = 256 * 1024 * 1024

/** ReadyForQuery outside of any transaction: `I`. */
const idle = 0x49

/** @param connection of a node-postgres client that is connected and idle. It still gets the messages that no exchange expects. */
export function createExchanges(
  connection: Connection,
  { onNext, onEnd }: ExchangesOptions,
): Exchanges {
  const { stream } = connection
  const pending: Exchange[] = []
  let outbox: Buffer[] = []
  let unsent = 0
  /** Status of the last ReadyForQuery. */
  let transactionStatus = idle

  const end = (error: GatewayError) => {
    frames.stop()
    outbox = []
    unsent = 0
    const ended = pending.splice(0)
    for (const exchange of ended) {
      exchange.fail(error)
      exchange.settle()
    }
    onNext(false)
    onEnd()
  }
  const abandon = (error: GatewayError) => {
    end(error)
    stream.destroy()
  }
  const settleFirst = () => {
    pending.shift()?.settle()
    onNext(pending.length > 0)
  }
  const frames = createFrameReader(maxAnswerBytes, {
    onMessage: (type, bytes, start, end) => {
      if (type === messages.readyForQuery) transactionStatus = bytes[start] ?? 0
      const [running] = pending
      if (running === undefined || isUnasked(type)) {
        byPg(bytes.subarray(start - headerLength, end))
        return
      }
      running.take(type, bytes, start, end)
      if (type === messages.readyForQuery) settleFirst()
      else if (running.bytesKept() > maxAnswerBytes) abandon(answerTooLarge())
    },
    onRefused: (reason) =>
      abandon(reason === 'tooLarge' ? answerTooLarge() : connectionLost(undefined)),
  })
  const byPg = replaceSocketReader(stream, frames.read)
  connection.on('end', () => end(connectionLost(undefined)))
  connection.on('error', (cause) => end(connectionLost(cause)))

  const flush = () => {
    const sent = outbox
    outbox = []
    unsent = 0
    if (sent.length > 0 && stream.writable) stream.write(Buffer.concat(sent))
  }
  const begin = (exchange: Exchange, sent: readonly Buffer[], when: 'now' | 'soon') => {
    pending.push(exchange)
    if (pending.length === 1) onNext(true)
    if (when === 'soon' && outbox.length === 0) setImmediate(flush)
    outbox.push(...sent)
    unsent += 1
    if (when === 'now') flush()
  }
  return {
    send: (sent, when, options) =>
      new Promise((resolve, reject) => {
        if (!stream.writable) throw connectionLost(undefined)
        const exchange = createExchange(options, (tag, error) => {
          options.onEnd(error)
          if (error === undefined) resolve(tag)
          else reject(error)
        })
        begin(exchange, sent, when)
      }),
    sendGroup: (sent, options) =>
      new Promise((resolve) => {
        if (stream.writable) begin(createGroupExchange(options, resolve), sent, 'now')
        else resolve({ kind: 'unknown', error: connectionLost(undefined) })
      }),
    pending: () => pending.length,
    unsent: () => unsent,
    isIdle: () => transactionStatus === idle,
    abandon,
  }
}

/** Messages that the server may send at any time; node-postgres handles them. */
function isUnasked(type: number): boolean {
  return (
    type === messages.notice || type === messages.parameterStatus || type === messages.notification
  )
}

function answerTooLarge(): GatewayError {
  return new GatewayError('limitExceeded', 'The statement exceeds a limit of the database.', {
    sqlState: '54000',
    details: { limit: 'bytes of an answer', allowed: maxAnswerBytes },
  })
}
