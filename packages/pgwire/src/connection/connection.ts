/** @module One client connection, from its first byte to its last. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { GatewayError } from '@engine/core'
import {
  type ClientInfo,
  canonicalAddress,
  type PgWireRefusal,
  type PgWireServerOptions,
  type PgWireSession,
  type PgWireSignal,
} from '@engine/core/server'
import { createMessageWriter } from '../protocol/create-message-writer.ts'
import type { ErrorFields } from '../protocol/message-writer.ts'
import type { BufferPool } from '../protocol/output-buffer.ts'
import type { Authenticator } from '../startup/authenticator.ts'
import { type Channel, negotiate } from '../startup/negotiate.ts'
import { readRequest, type StartupRequest } from '../startup/startup-request.ts'
import type { Certificate } from '../startup/tls.ts'
import type { ConnectionSession, OpenConnectionSession } from './connection-session.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { startupFailure } from './fatal.ts'
import { type IdleLimits, idleEnd } from './idle-sessions.ts'
import { closeGently } from './linger.ts'
import { createStallWatch } from './stall-watch.ts'

/** What all connections of a server share. */
export interface ConnectionContext
  extends Pick<PgWireServerOptions, 'isDevelopment' | 'log' | 'clock'> {
  readonly certificate: Certificate | undefined
  readonly authenticator: Authenticator
  /** Stops a session, or its statement, here or in another process. @returns whether there is such a session. */
  readonly sendSignal: (signal: PgWireSignal) => boolean | Promise<boolean>
  readonly pool: BufferPool
  readonly openConnectionSession: OpenConnectionSession
  readonly slots: ConnectionSlots
  readonly idleLimits: IdleLimits
  readonly onAccepted: () => void
  readonly onRefused: (reason: PgWireRefusal) => void
}

export interface Connection {
  state(): ConnectionState
  /** What administrators see; undefined while the client is not authenticated, or leaves. */
  describe(): PgWireSession | undefined
  /** Ends the connection where the client has sent nothing, or read nothing of its answer, for too long. */
  checkIdle(nowMs: number): void
  /** Ends the connection with a reason: at once between transactions, otherwise after the current one. */
  endWhenIdle(reason: ErrorFields): void
  /** Ends the connection with a reason, and cancels the running statement. */
  end(reason: ErrorFields): void
  destroy(): void
  /** Resolves when the connection is closed. Never rejects. */
  readonly closed: Promise<void>
}

/** `leaving`: nothing more is read from the client. */
export type ConnectionState = 'starting' | 'idle' | 'active' | 'idleInTransaction' | 'leaving'

/** Milliseconds from the first byte to the end of the login. */
const startupTimeoutMs = 10_000

export function createConnection(socket: Socket, context: ConnectionContext): Connection {
  const { log, pool, slots, onRefused } = context
  const info: ClientInfo = {
    ip: socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress),
    userAgent: undefined,
    correlationId: randomUUID(),
    via: 'pgwire',
  }
  const facts = { correlation_id: info.correlationId, ip: info.ip }
  let stream = socket
  /** undefined until the client is authenticated. */
  let session: ConnectionSession | undefined
  let isLeaving = false
  const startedAtMs = context.clock()
  const stalledMs = createStallWatch()

  const destroy = () => {
    stream.destroy()
    socket.destroy()
  }

  const logIn = async (
    channel: Channel,
    request: StartupRequest,
  ): Promise<ConnectionSession | undefined> => {
    slots.requireFree()
    const login = await context.authenticator.authenticate(channel, request.user, info)
    if (login === undefined || stream.destroyed) return undefined
    const release = slots.take(login.authenticated.caller)
    try {
      const opened = context.openConnectionSession({ channel, request, login, info })
      void opened.loop.ended.then(release)
      return opened
    } catch (error) {
      release()
      throw error
    }
  }

  /** @returns undefined where the connection ends without an answer. */
  const start = async (): Promise<ConnectionSession | undefined> => {
    const opening = await negotiate(socket, context.certificate, (channel) => {
      stream = channel.stream
    })
    if (opening === undefined) {
      onRefused('protocol')
      return undefined
    }
    const { packet, channel } = opening
    if (packet.kind === 'startup') return logIn(channel, readRequest(channel, packet))
    const secret = Buffer.from(packet.secret).toString('hex')
    // The connection is closed when the signal was sent: clients wait for that.
    await context.sendSignal({ kind: 'cancel-request', processId: packet.processId, secret })
    return undefined
  }

  const refuse = (error: unknown) => {
    onRefused(refusalOf(error))
    log.debug({ ...facts, err: error }, 'client refused')
    if (!(error instanceof GatewayError)) log.error({ ...facts, err: error }, 'startup failed')
    const writer = createMessageWriter(stream, pool)
    writer.error(startupFailure(error, { ...info, isDevelopment: context.isDevelopment }))
    writer.flush()
  }

  const run = async () => {
    let release: (() => void) | undefined
    try {
      release = slots.takeStarting(info.ip)
      session = await start()
    } catch (error) {
      refuse(error)
      // Without a slot the socket closes at once: under a flood of clients it does not wait until the error is read.
      if (release === undefined) socket.destroySoon()
    } finally {
      release?.()
    }
    if (session === undefined) return
    context.onAccepted()
    log.debug(facts, 'client let in')
    await session.loop.ended
    session.dispose()
  }

  // An error closes the socket, and the close is handled elsewhere.
  socket.on('error', (error) => log.debug({ ...facts, err: error }, 'socket failed'))
  const closed = run().then(async () => {
    isLeaving = true
    await closeGently(stream)
    socket.destroy()
  })

  return {
    state: () => {
      if (isLeaving) return 'leaving'
      return session === undefined ? 'starting' : stateOf(session)
    },
    describe: () => {
      if (session === undefined || isLeaving) return undefined
      const { statementAtMs, ...described } = session.describe()
      const state = stateOf(session)
      const idleSinceMs = session.loop.idleSinceMs()
      const sinceMs = state === 'active' ? Math.max(statementAtMs ?? 0, idleSinceMs) : idleSinceMs
      return { ...described, state, sinceMs }
    },
    checkIdle: (nowMs) => {
      if (session === undefined) {
        if (nowMs - startedAtMs >= startupTimeoutMs) destroy()
        return
      }
      // An unread answer holds a connection to a database, as an idle transaction does.
      if (stalledMs(stream, nowMs) >= context.idleLimits.idleInTransactionTimeoutMs) {
        log.debug(facts, 'the client does not read its answer')
        destroy()
        return
      }
      const reason = idleEnd(session, context.idleLimits, nowMs)
      if (reason !== undefined) session.loop.end(reason)
    },
    endWhenIdle: (reason) => {
      if (session === undefined) destroy()
      else session.loop.endWhenIdle(reason)
    },
    end: (reason) => {
      if (session === undefined) destroy()
      else session.loop.end(reason)
    },
    destroy,
    closed,
  }
}

function stateOf({ loop, status }: ConnectionSession): PgWireSession['state'] {
  if (loop.isBusy()) return 'active'
  return status() === 'I' ? 'idle' : 'idleInTransaction'
}

function refusalOf(error: unknown): PgWireRefusal {
  const sqlState = error instanceof GatewayError ? error.sqlState : undefined
  if (sqlState === '53300') return 'connections'
  return sqlState?.startsWith('28') || sqlState === '53400' ? 'credential' : 'protocol'
}
