/** @module Passes each message to its handler, and decides what follows an error. */

import { GatewayError } from '@engine/core'
import { cancelled } from '@engine/core/server'
import { errorFields } from '../errors/error-fields.ts'
import type { DuringMessage } from '../errors/routine-of.ts'
import { protocolViolation, wireError } from '../errors/wire-error.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'
import { createPortals } from './cursors/portals.ts'
import { bind, close, describe, execute, parse } from './extended-query.ts'
import { createListens } from './parts/listens.ts'
import { createPreparedStatements } from './parts/prepared-statements.ts'
import { createSessionLookups, type SessionParts } from './parts/session-parts.ts'
import { createTransactionBlock } from './parts/transaction-block.ts'
import {
  SessionEnd,
  type StartedStatement,
  type WireSession,
  type WireSessionOptions,
} from './parts/wire-session.ts'
import { createWaitingDescription } from './results/late-description.ts'
import { createMessageGate } from './results/message-gate.ts'
import { createRunningStatement } from './results/running-statement.ts'
import { createSessionMemory } from './results/session-memory.ts'
import { runSimpleQuery } from './simple-query.ts'
import type { ClientStatement } from './statements/client-statement.ts'

type MessageType = FrontendMessage['type']

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
  const { client, writer, settings, limits, admit, log, isDevelopment } = options
  const portals = createPortals(limits.maxPortals)
  const memory = createSessionMemory(limits.maxMemory)
  const running = createRunningStatement(options.correlationId)
  const lookups = createSessionLookups(options)
  const warn = (sqlState: string, message: string) => {
    if (lookups.facts().hearsWarnings) writer.notice({ severity: 'WARNING', sqlState, message })
  }
  const isOpen = () => block.isOpen()
  const listens = createListens({ ...options, running, isOpen, warn })
  const block = createTransactionBlock({
    client,
    settings,
    follower: listens,
    dependents: portals,
    isReadOnlyByDefault: () => lookups.facts().isReadOnly,
  })
  const gate = createMessageGate()
  let current = noStatement
  let last: StartedStatement | undefined
  let during: DuringMessage = 'other'
  /** Closes portals whose rows were selected with other rights than the session has now. */
  const closeOthers = (): Promise<void> | undefined =>
    portals
      .closeOthers(() => client.rights())
      ?.then((names) => {
        for (const name of names) {
          parts.warn('01000', `portal "${name}" was closed: the rights of the session have changed`)
        }
      })
  /** Statements and values of a session are read by the rules that the databases have for its zone; UTC has none. */
  const inZone = (work: () => Promise<void> | undefined) => (): Promise<void> | undefined => {
    const isPlain = lookups.timeZone() === undefined
    const learning = isPlain ? undefined : client.learnTimeZone(settings.timeZone())
    return learning === undefined ? work() : learning.then(work)
  }
  const parts: SessionParts = {
    ...options,
    gate,
    at: (statement) => {
      current = statement
    },
    block,
    portals,
    listens,
    running,
    memory,
    late: createWaitingDescription(),
    statements: createPreparedStatements(limits.maxStatements, memory, options.clock),
    lookups,
    warn,
    start: (isFree = false) => {
      running.start(lookups.facts().statementTimeoutMs)
      last = { sql: current.sql, startedAtMs: options.clock() }
      const admitted = admit(isFree)
      return admitted === undefined ? inZone(closeOthers)() : admitted.then(inZone(closeOthers))
    },
  }

  /** The client has got ReadyForQuery, and has sent nothing since. */
  let isReady = true

  /** An error occurred: everything up to the next Sync belongs to the same batch, and is skipped. */
  let isSkipping = false

  /** The connection ends and sends its reason: a statement that was stopped for it needs no error of its own. */
  let isStopping = false

  /** @throws {SessionEnd} where the client's credential is no longer valid, or the session was stopped. */
  const report = async (error: unknown): Promise<void> => {
    if (error instanceof SessionEnd) throw error
    const stoppedBy = running.stoppedBy()
    running.finish()
    const correlationId = running.correlationId()
    const fields = errorFields(error, {
      isDevelopment,
      log,
      correlationId,
      stoppedBy,
      sql: current.sql,
      offset: current.offset,
      during,
      visible: () => client.visible(),
    })
    if (isStopping && fields.sqlState === '57014') throw new SessionEnd('the session was stopped')
    writer.error(fields)
    if (fields.severity === 'FATAL') throw new SessionEnd('the credential is no longer valid')
    try {
      await block.fail()
      if (!block.isOpen()) await portals.drop(0, false)
    } catch (cause) {
      log.error({ correlation_id: correlationId, err: cause }, 'a transaction could not be undone')
    }
  }

  const ready = () => {
    running.finish()
    isReady = true
    if (block.status() === 'I') listens.deliver()
    for (const [name, value] of settings.takeChanged()) writer.parameterStatus(name, value)
    writer.readyForQuery(block.status())
    writer.flush()
  }

  /** The credential of a client that waits may have ended since its last statement. */
  const refuse = (error: unknown): never => {
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

  const tell = () => {
    listens.deliver()
    writer.flush()
  }

  const deliver = (): Promise<void> | undefined => {
    if (!isReady || block.status() !== 'I' || !listens.hasNews()) return undefined
    const admitted = admit(true)
    if (admitted !== undefined) return admitted.then(tell, refuse)
    tell()
    return undefined
  }

  /** Runs the work of a message. Returns undefined where the work is not asynchronous, as for most messages. */
  const attend = (
    work: () => Promise<void> | undefined,
    ended: () => void,
    failed: (error: unknown) => Promise<void>,
  ): Promise<void> | undefined => {
    current = noStatement
    running.next()
    try {
      const going = work()
      if (going !== undefined) return going.then(ended, failed)
    } catch (error) {
      return failed(error)
    }
    ended()
    return undefined
  }

  /** A message of the simple protocol: ReadyForQuery follows in every case. */
  const simple = (work: () => Promise<void> | undefined) =>
    attend(work, ready, async (error) => {
      await report(error)
      ready()
    })

  const finish = () => running.finish()

  /** A message of the extended protocol: after an error the rest of its batch is skipped. */
  const extended = (work: () => Promise<void> | undefined) =>
    attend(work, finish, async (error) => {
      isSkipping = true
      await report(error)
    })

  const sync = () =>
    simple(() => {
      isSkipping = false
      return block.isOpen() ? finishImplicit() : portals.drop(0, true)
    })

  const finishImplicit = async () => {
    await block.endImplicit()
    if (!block.isOpen()) await portals.drop(0, true)
  }

  const fault = (of: 'simple' | 'extended' | 'copy', error: GatewayError) => {
    if (of === 'copy') return undefined
    const work = async () => {
      throw error
    }
    return of === 'simple' ? simple(work) : extended(work)
  }

  /** Work that may read more messages before it ends. */
  const gated = (work: Promise<void> | undefined, mayAsk: boolean) =>
    work !== undefined && mayAsk ? gate.enter(work) : work

  const dispatch = (
    message: FrontendMessage,
    next: MessageType | undefined,
  ): Promise<void> | undefined => {
    during = duringOf(message)
    switch (message.type) {
      case 'query':
        return gated(
          simple(inZone(() => runSimpleQuery(parts, message.sql))),
          /\bcopy\b/i.test(message.sql),
        )
      case 'parse':
        return extended(inZone(() => parse(parts, message)))
      case 'bind':
        return extended(inZone(() => bind(parts, message)))
      case 'describe':
        return extended(() => describe(parts, message, next === 'execute'))
      case 'execute':
        return gated(
          extended(inZone(() => execute(parts, message, next === 'sync' && !block.isOpen()))),
          isCopyIn(portals.find(message.portal)?.statement),
        )
      case 'close':
        return extended(() => close(parts, message))
      case 'sync':
        return sync()
      case 'flush':
        writer.flush()
        return undefined
      case 'functionCall':
        return fault(
          'simple',
          wireError('0A000', 'function calls by the protocol are not supported', 'unsupported'),
        )
      case 'tooLarge':
        return fault(message.of, tooLarge(message))
      case 'malformed':
        return fault(message.of, malformed(message))
      case 'copyData':
      case 'copyDone':
      case 'copyFail':
      case 'terminate':
        return undefined
    }
  }

  /** The first message of a batch waits for the newest configuration; the batch runs under it. */
  const dispatchFresh = (
    message: FrontendMessage,
    next: MessageType | undefined,
  ): Promise<void> | undefined => {
    const refused = (cause: unknown) => {
      const error =
        cause instanceof GatewayError ? cause : new GatewayError('internal', 'A bug.', { cause })
      return fault(message.type === 'query' ? 'simple' : 'extended', error)
    }
    try {
      const going = block.isOpen() ? undefined : client.upToDate()
      if (going === undefined) return dispatch(message, next)
      return going.then(() => dispatch(message, next), refused)
    } catch (error) {
      return refused(error)
    }
  }

  const cancel = () => {
    if (running.cancel()) gate.interrupt(cancelled())
  }

  return {
    handle: (message, next) => {
      const isFirst = isReady
      isReady = false
      if (gate.isWaiting()) return gate.offer(message)
      if (isSkipping && message.type !== 'sync') return undefined
      return isFirst && isStatement.has(message.type)
        ? dispatchFresh(message, next)
        : dispatch(message, next)
    },
    deliver,
    cancel,
    stop: () => {
      isStopping = true
      cancel()
    },
    statement: () => last,
    status: () => block.status(),
    end: async () => {
      running.finish()
      gate.interrupt(new SessionEnd('the client is gone'))
      await gate.idle()
      listens.end()
      await portals.closeAll()
      await client.end()
    },
  }
}

function duringOf(message: FrontendMessage): DuringMessage {
  switch (message.type) {
    case 'query':
    case 'parse':
    case 'bind':
    case 'execute':
      return message.type
    case 'describe':
      return `describe ${message.of}`
    default:
      return 'other'
  }
}

function isCopyIn(statement: ClientStatement | undefined): boolean {
  return statement?.kind === 'command' && statement.command.kind === 'copyIn'
}

function tooLarge({
  size,
  limit,
}: Extract<FrontendMessage, { readonly type: 'tooLarge' }>): GatewayError {
  const message = `a message of ${size} bytes is larger than the limit of ${limit}`
  return new GatewayError('payloadTooLarge', message, { sqlState: '54000' })
}

function malformed({
  sqlState,
  reason,
}: Extract<FrontendMessage, { readonly type: 'malformed' }>): GatewayError {
  return sqlState === '08P01' ? protocolViolation(reason) : wireError(sqlState, reason)
}
