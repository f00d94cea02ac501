/** @module Reads the bytes of an authenticated client and passes its messages to the session, one at a time. */
import type { Duplex } from 'node:stream'
import type { Log } from '@engine/core'
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { SocketWriter } from '../protocol/create-message-writer.ts'
import { createFrameReader } from '../protocol/frame-reader.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'
import type { ErrorFields } from '../protocol/message-writer.ts'
import { SessionEnd, type WireSession } from '../session/parts/wire-session.ts'
import { fatal } from './fatal.ts'

export interface MessageLoop {
  /** A message is being handled. */
  readonly isBusy: () => boolean
  /** Since when no message has been handled; milliseconds of `clock`. */
  readonly idleSinceMs: () => number
  /** Sends notifications that have arrived, as soon as the session may. */
  deliver(): void
  /** Ends the session when it is between two transactions, with a reason. */
  endWhenIdle(reason: ErrorFields): void
  /** Ends the session now, and cancels the running statement. */
  end(reason: ErrorFields): void
  /** Resolves when the session has ended and everything was sent to the client. Never rejects. */
  readonly ended: Promise<void>
}

export interface MessageLoopOptions {
  readonly stream: Duplex
  /** Bytes that have already arrived. */
  readonly received: Buffer
  readonly writer: SocketWriter
  readonly session: WireSession
  /** Maximum bytes of a message. */
  readonly messageLimit: number
  /** That of the client's texts now; undefined is UTF-8. */
  readonly encoding: () => ClientEncoding | undefined
  readonly log: Log
  readonly clock: () => number
}

/** Maximum bytes that are buffered while a message is handled; then the socket is paused. */
const mostWaiting = 65_536

/**
 * A client that has closed its side may still read: messages that it has sent are answered. But the client may also
 * have ended: after this many milliseconds the running statement is cancelled.
 */
const closedGraceMs = 2_000

/** Milliseconds that the end of a session waits for a running statement, or for a client that does not read. */
const lastWorkMs = 5_000

export function createMessageLoop(options: MessageLoopOptions): MessageLoop {
  const { stream, received, writer, session, messageLimit, log, clock } = options
  const reader = createFrameReader(messageLimit, options.encoding)
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  let isBusy = false
  let isOver = false
  let isDelivering = false
  /** The client sends no more. */
  let isInputOver = stream.readableEnded
  let endReason: ErrorFields | undefined
  let idleSinceMs = clock()
  let closedTimer: NodeJS.Timeout | undefined

  const pump = () => {
    while (!isBusy && !isOver) {
      const message = reader.take()
      if (message === undefined) {
        rest()
        return
      }
      if (message.type === 'desynchronised') finish(fatal('08P01', message.reason))
      else if (message.type === 'terminate') finish()
      else handle(message)
    }
  }

  const handle = (message: FrontendMessage) => {
    const next = reader.peekType()
    writer.hold(next !== undefined)
    wait(attempt(() => session.handle(message, next)) ?? writer.drained())
  }

  /** Turns a throw into a rejection. */
  const attempt = (handle: () => Promise<void> | undefined): Promise<void> | undefined => {
    try {
      return handle()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  const wait = (work: Promise<void> | undefined) => {
    if (work === undefined) return
    isBusy = true
    work.then(goOn, fail)
  }

  const goOn = () => {
    isBusy = false
    const draining = isOver ? undefined : writer.drained()
    if (draining === undefined) settle()
    else wait(draining)
  }

  const settle = () => {
    if (isOver) close()
    else pump()
  }

  /** Everything that has arrived is answered. */
  const rest = () => {
    writer.hold(false)
    writer.flush()
    if (!isDelivering) idleSinceMs = clock()
    isDelivering = false
    if (isInputOver) return finish()
    if (endReason !== undefined && session.status() === 'I') return finish(endReason)
    if (stream.isPaused()) stream.resume()
    deliver()
  }

  const deliver = () => {
    if (isBusy || isOver) return
    const work = attempt(() => session.deliver()) ?? writer.drained()
    isDelivering = work !== undefined
    wait(work)
  }

  const fail = (error: unknown) => {
    isBusy = false
    if (isOver) return close()
    if (error instanceof SessionEnd) return finish()
    log.error({ err: error }, 'wire session failed')
    finish(fatal('XX000', 'Unexpected server error.'))
  }

  /** Handles no more messages; closes as soon as the current one has ended. */
  const finish = (reason?: ErrorFields) => {
    if (isOver) return
    isOver = true
    endReason = reason
    clearTimeout(closedTimer)
    if (isBusy) {
      if (reason === undefined) session.cancel()
      else session.stop()
      closedTimer = setTimeout(() => stream.destroy(), lastWorkMs)
    } else {
      close()
    }
  }

  const close = () => {
    clearTimeout(closedTimer)
    if (endReason !== undefined) writer.error(endReason)
    endReason = undefined
    writer.hold(false)
    writer.flush()
    stream.removeListener('data', onData)
    session.end().then(resolveEnded, (error: unknown) => {
      log.error({ err: error }, 'session could not be ended')
      resolveEnded()
    })
  }

  const onData = (chunk: Buffer) => {
    reader.push(chunk)
    if (!isBusy) pump()
    if (isBusy && reader.buffered() >= mostWaiting) stream.pause()
  }

  stream.on('data', onData)
  stream.on('end', () => {
    isInputOver = true
    if (!isBusy) return pump()
    closedTimer = setTimeout(() => finish(), closedGraceMs)
  })
  stream.on('close', () => finish())
  if (received.length > 0) reader.push(received)
  if (stream.destroyed) finish()
  else pump()

  return {
    isBusy: () => isBusy,
    idleSinceMs: () => idleSinceMs,
    deliver,
    endWhenIdle: (reason) => {
      if (isOver) return
      endReason = reason
      if (!isBusy && session.status() === 'I') finish(reason)
    },
    end: (reason) => finish(reason),
    ended,
  }
}
