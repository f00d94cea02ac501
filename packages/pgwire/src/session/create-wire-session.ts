/** @module Passes each message to its handler, and decides what follows an error. */

import { GatewayError } from '@engine/core'
import { cancelled } from '@engine/core/adapter'
import { errorFields } from '../errors/error-fields.ts'
import type { DuringMessage } from '../errors/routine-of.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'
import type { TransactionStatus } from '../protocol/message-writer.ts'
import { bind, close, describe, execute, parse } from './extended-query.ts'
import { duringOf, functionCall, malformed, tooLarge } from './message-faults.ts'
import { createSessionParts, inZone, type SessionProgress } from './parts/create-session-parts.ts'
import type { SessionParts } from './parts/session-parts.ts'
import {
  SessionEnd,
  type StartedStatement,
  type WireSession,
  type WireSessionOptions,
} from './parts/wire-session.ts'
import { standardText } from './reading/standard-text.ts'
import { runSimpleQuery } from './simple-query.ts'
import type { ClientStatement } from './statements/client-statement.ts'

type MessageType = FrontendMessage['type']

/** `simple`: ReadyForQuery follows in every case. `extended`: after an error the rest of its batch is skipped. */
type Protocol = 'simple' | 'extended'

/** The work of a message; undefined where it is not asynchronous, as for most messages. */
type Work = () => Promise<void> | undefined

/** No statement runs. */
const noStatement: ClientStatement = { sql: '', offset: 0, kind: 'empty' }

/** Messages that run or plan a statement. */
const isStatement: ReadonlySet<MessageType> = new Set([
  'query',
  'parse',
  'bind',
  'describe',
  'execute',
])

export function createWireSession(options: WireSessionOptions): WireSession {
  return new EngineWireSession(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class EngineWireSession implements WireSession {
  readonly #parts: SessionParts
  readonly #progress: SessionProgress = { current: noStatement, last: undefined }
  /** The message that is handled. */
  #during: DuringMessage = 'other'
  /** The client has got ReadyForQuery, and has sent nothing since. */
  #isReady = true
  /** An error occurred: everything up to the next Sync belongs to the same batch, and is skipped. */
  #isSkipping = false
  /** The connection ends and sends its reason: a statement that was stopped for it needs no error of its own. */
  #isStopping = false

  constructor(options: WireSessionOptions) {
    this.#parts = createSessionParts(options, this.#progress)
  }

  handle(message: FrontendMessage, next: MessageType | undefined): Promise<void> | undefined {
    const isFirst = this.#isReady
    this.#isReady = false
    const { gate } = this.#parts
    if (gate.isWaiting()) return gate.offer(message)
    if (this.#isSkipping && message.type !== 'sync') return undefined
    return isFirst && isStatement.has(message.type)
      ? this.#dispatchFresh(message, next)
      : this.#dispatch(message, next)
  }

  deliver(): Promise<void> | undefined {
    const { block, listens, admit } = this.#parts
    if (!this.#isReady || block.status() !== 'I' || !listens.hasNews()) return undefined
    const admitted = admit(true)
    if (admitted !== undefined) {
      return admitted.then(
        () => this.#sendNews(),
        (error: unknown) => this.#refuse(error),
      )
    }
    this.#sendNews()
    return undefined
  }

  cancel(): void {
    const { running, gate } = this.#parts
    if (running.cancel()) gate.interrupt(cancelled())
  }

  stop(): void {
    this.#isStopping = true
    this.cancel()
  }

  statement(): StartedStatement | undefined {
    return this.#progress.last
  }

  status(): TransactionStatus {
    return this.#parts.block.status()
  }

  async end(): Promise<void> {
    const { running, gate, listens, portals, client } = this.#parts
    running.finish()
    gate.interrupt(new SessionEnd('the client is gone'))
    await gate.idle()
    listens.end()
    await portals.closeAll()
    await client.end()
  }

  /** The first message of a batch waits for the newest configuration; the batch runs under it. */
  #dispatchFresh(
    message: FrontendMessage,
    next: MessageType | undefined,
  ): Promise<void> | undefined {
    const { block, client } = this.#parts
    const refused = (cause: unknown) => {
      const error =
        cause instanceof GatewayError ? cause : new GatewayError('internal', 'A bug.', { cause })
      return this.#fault(message.type === 'query' ? 'simple' : 'extended', error)
    }
    try {
      const going = block.isOpen() ? undefined : client.upToDate()
      if (going === undefined) return this.#dispatch(message, next)
      return going.then(() => this.#dispatch(message, next), refused)
    } catch (error) {
      return refused(error)
    }
  }

  #dispatch(message: FrontendMessage, next: MessageType | undefined): Promise<void> | undefined {
    const parts = this.#parts
    this.#during = duringOf(message)
    switch (message.type) {
      case 'query': {
        const work = this.#handleIn('simple', () =>
          runSimpleQuery(parts, standardText(parts, message.sql)),
        )
        return this.#gated(work, /\bcopy\b/i.test(message.sql))
      }
      case 'parse':
        return this.#handleIn('extended', () =>
          parse(parts, { ...message, sql: standardText(parts, message.sql) }),
        )
      case 'bind':
        return this.#handleIn('extended', () => bind(parts, message))
      case 'describe':
        return this.#attend('extended', () => describe(parts, message, next === 'execute'))
      case 'execute': {
        const { block, portals } = parts
        const work = this.#handleIn('extended', () =>
          execute(parts, message, next === 'sync' && !block.isOpen()),
        )
        return this.#gated(work, isCopyIn(portals.find(message.portal)?.statement))
      }
      case 'close':
        return this.#attend('extended', () => close(parts, message))
      case 'sync':
        return this.#attend('simple', () => this.#endBatch())
      case 'flush':
        parts.writer.flush()
        return undefined
      case 'functionCall':
        return this.#fault('simple', functionCall())
      case 'tooLarge':
        return this.#fault(message.of, tooLarge(message))
      case 'malformed':
        return this.#fault(message.of, malformed(message))
      case 'copyData':
      case 'copyDone':
      case 'copyFail':
      case 'terminate':
        return undefined
    }
  }

  /** Attends to work that reads statements or values by the rules of the session's zone. */
  #handleIn(protocol: Protocol, work: Work): Promise<void> | undefined {
    return this.#attend(protocol, () => inZone(this.#parts, work))
  }

  /** Runs the work of a message. */
  #attend(protocol: Protocol, work: Work): Promise<void> | undefined {
    this.#progress.current = noStatement
    this.#parts.running.next()
    try {
      const going = work()
      if (going !== undefined) {
        return going.then(
          () => this.#succeed(protocol),
          (error: unknown) => this.#fail(protocol, error),
        )
      }
    } catch (error) {
      return this.#fail(protocol, error)
    }
    this.#succeed(protocol)
    return undefined
  }

  #succeed(protocol: Protocol): void {
    if (protocol === 'simple') this.#becomeReady()
    else this.#parts.running.finish()
  }

  async #fail(protocol: Protocol, error: unknown): Promise<void> {
    if (protocol === 'extended') this.#isSkipping = true
    await this.#report(error)
    if (protocol === 'simple') this.#becomeReady()
  }

  #becomeReady(): void {
    const { running, block, listens, settings, writer } = this.#parts
    running.finish()
    running.settle()
    this.#isReady = true
    if (block.status() === 'I') listens.deliver()
    for (const [name, value] of settings.takeChanged()) writer.parameterStatus(name, value)
    writer.readyForQuery(block.status())
    writer.flush()
  }

  #endBatch(): Promise<void> | undefined {
    const { block, portals } = this.#parts
    this.#isSkipping = false
    return block.isOpen() ? this.#endImplicit() : portals.drop(0, true)
  }

  async #endImplicit(): Promise<void> {
    const { block, portals } = this.#parts
    await block.endImplicit()
    if (!block.isOpen()) await portals.drop(0, true)
  }

  #fault(of: Protocol | 'copy', error: GatewayError): Promise<void> | undefined {
    if (of === 'copy') return undefined
    return this.#attend(of, () => Promise.reject(error))
  }

  /** @param mayRead the work may read more messages before it ends */
  #gated(work: Promise<void> | undefined, mayRead: boolean): Promise<void> | undefined {
    return work !== undefined && mayRead ? this.#parts.gate.enter(work) : work
  }

  /** @throws {SessionEnd} where the client's credential is no longer valid, or the session was stopped. */
  async #report(error: unknown): Promise<void> {
    if (error instanceof SessionEnd) throw error
    const { running, client, writer, log, isDevelopment, block, portals, settings } = this.#parts
    const { sql, offset } = this.#progress.current
    const stoppedBy = running.stoppedBy()
    running.finish()
    const correlationId = running.correlationId()
    const visible = () => client.visible()
    const searchPath = () => settings.show('search_path')
    const context = { isDevelopment, log, correlationId, stoppedBy, visible, searchPath }
    const fields = errorFields(error, { ...context, sql, offset, during: this.#during })
    running.settle()
    if (this.#isStopping && fields.sqlState === '57014') {
      throw new SessionEnd('the session was stopped')
    }
    writer.error(fields)
    if (fields.severity === 'FATAL') throw new SessionEnd('the credential is no longer valid')
    try {
      await block.fail()
      if (!block.isOpen()) await portals.drop(0, false)
    } catch (cause) {
      log.error({ correlation_id: correlationId, err: cause }, 'a transaction could not be undone')
    }
  }

  /** The credential of a client that waits may have ended since its last statement. */
  #refuse(error: unknown): never {
    const { running, client, writer, log, isDevelopment } = this.#parts
    const { message, sqlState } = errorFields(error, {
      isDevelopment,
      log,
      correlationId: running.correlationId(),
      stoppedBy: undefined,
      sql: '',
      offset: 0,
      during: 'other',
      visible: () => client.visible(),
    })
    writer.error({ severity: 'FATAL', sqlState, message })
    throw new SessionEnd('the credential is no longer valid')
  }

  #sendNews(): void {
    this.#parts.listens.deliver()
    this.#parts.writer.flush()
  }
}

function isCopyIn(statement: ClientStatement | undefined): boolean {
  return statement?.kind === 'command' && statement.command.kind === 'copyIn'
}
