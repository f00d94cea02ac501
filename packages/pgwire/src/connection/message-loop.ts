/** @module Reads the bytes of an authenticated client and passes its messages to the session, one at a time. */
import type { Duplex } from 'node:stream'
import type { Log } from '@engine/core'
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { SocketWriter } from '../protocol/create-message-writer.ts'
import { createFrameReader, type FrameReader } from '../protocol/frame-reader.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'
import type { ErrorFields } from '../protocol/message-writer.ts'
import { SessionEnd, type WireSession } from '../session/parts/wire-session.ts'
import { fatal } from './fatal.ts'

export interface MessageLoop {
  /** A message is being handled. */
  isBusy(): boolean
  /** Since when no message has been handled; milliseconds of `clock`. */
  idleSinceMs(): number
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
  return new SessionLoop(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionLoop implements MessageLoop {
  readonly ended: Promise<void>
  readonly #options: MessageLoopOptions
  readonly #reader: FrameReader
  readonly #resolveEnded: () => void
  #isBusy = false
  #isOver = false
  #isDelivering = false
  /** The client sends no more. */
  #isInputOver: boolean
  #endReason: ErrorFields | undefined
  #idleSinceMs: number
  #closedTimer: NodeJS.Timeout | undefined

  constructor(options: MessageLoopOptions) {
    const { stream, received, messageLimit, encoding, clock } = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#options = options
    this.#reader = createFrameReader(messageLimit, encoding)
    this.ended = promise
    this.#resolveEnded = resolve
    this.#isInputOver = stream.readableEnded
    this.#idleSinceMs = clock()
    stream.on('data', this.#onData)
    stream.on('end', () => this.#endInput())
    stream.on('close', () => this.#finish())
    if (received.length > 0) this.#reader.push(received)
    if (stream.destroyed) this.#finish()
    else this.#pump()
  }

  isBusy(): boolean {
    return this.#isBusy
  }

  idleSinceMs(): number {
    return this.#idleSinceMs
  }

  deliver(): void {
    const { session, writer } = this.#options
    if (this.#isBusy || this.#isOver) return
    const work = attempt(() => session.deliver()) ?? writer.drained()
    this.#isDelivering = work !== undefined
    this.#wait(work)
  }

  endWhenIdle(reason: ErrorFields): void {
    if (this.#isOver) return
    this.#endReason = reason
    if (!this.#isBusy && this.#options.session.status() === 'I') this.#finish(reason)
  }

  end(reason: ErrorFields): void {
    this.#finish(reason)
  }

  /** A listener: the stream calls it, and forgets it when the session ends. */
  readonly #onData = (chunk: Buffer): void => {
    this.#reader.push(chunk)
    if (!this.#isBusy) this.#pump()
    if (this.#isBusy && this.#reader.buffered() >= mostWaiting) this.#options.stream.pause()
  }

  #pump(): void {
    while (!this.#isBusy && !this.#isOver) {
      const message = this.#reader.take()
      if (message === undefined) {
        this.#rest()
        return
      }
      if (message.type === 'desynchronised') this.#finish(fatal('08P01', message.reason))
      else if (message.type === 'terminate') this.#finish()
      else this.#handle(message)
    }
  }

  #handle(message: FrontendMessage): void {
    const { session, writer } = this.#options
    const next = this.#reader.peekType()
    writer.hold(next !== undefined)
    this.#wait(attempt(() => session.handle(message, next)) ?? writer.drained())
  }

  #wait(work: Promise<void> | undefined): void {
    if (work === undefined) return
    this.#isBusy = true
    work.then(
      () => this.#goOn(),
      (error: unknown) => this.#fail(error),
    )
  }

  #goOn(): void {
    this.#isBusy = false
    const draining = this.#isOver ? undefined : this.#options.writer.drained()
    if (draining === undefined) this.#settle()
    else this.#wait(draining)
  }

  #settle(): void {
    if (this.#isOver) this.#close()
    else this.#pump()
  }

  /** Everything that has arrived is answered. */
  #rest(): void {
    const { stream, writer, session, clock } = this.#options
    writer.hold(false)
    writer.flush()
    if (!this.#isDelivering) this.#idleSinceMs = clock()
    this.#isDelivering = false
    if (this.#isInputOver) {
      this.#finish()
      return
    }
    if (this.#endReason !== undefined && session.status() === 'I') {
      this.#finish(this.#endReason)
      return
    }
    if (stream.isPaused()) stream.resume()
    this.deliver()
  }

  #fail(error: unknown): void {
    this.#isBusy = false
    if (this.#isOver) {
      this.#close()
      return
    }
    if (error instanceof SessionEnd) {
      this.#finish()
      return
    }
    this.#options.log.error({ err: error }, 'wire session failed')
    this.#finish(fatal('XX000', 'Unexpected server error.'))
  }

  /** Handles no more messages; closes as soon as the current one has ended. */
  #finish(reason?: ErrorFields): void {
    const { session, stream } = this.#options
    if (this.#isOver) return
    this.#isOver = true
    this.#endReason = reason
    clearTimeout(this.#closedTimer)
    if (this.#isBusy) {
      if (reason === undefined) session.cancel()
      else session.stop()
      this.#closedTimer = setTimeout(() => stream.destroy(), lastWorkMs)
    } else {
      this.#close()
    }
  }

  #close(): void {
    const { stream, writer, session, log } = this.#options
    clearTimeout(this.#closedTimer)
    if (this.#endReason !== undefined) writer.error(this.#endReason)
    this.#endReason = undefined
    writer.hold(false)
    writer.flush()
    stream.removeListener('data', this.#onData)
    session.end().then(this.#resolveEnded, (error: unknown) => {
      log.error({ err: error }, 'session could not be ended')
      this.#resolveEnded()
    })
  }

  #endInput(): void {
    this.#isInputOver = true
    if (!this.#isBusy) {
      this.#pump()
      return
    }
    this.#closedTimer = setTimeout(() => this.#finish(), closedGraceMs)
  }
}

/** Turns a throw into a rejection. */
function attempt(handle: () => Promise<void> | undefined): Promise<void> | undefined {
  try {
    return handle()
  } catch (error) {
    return Promise.reject(error)
  }
}
