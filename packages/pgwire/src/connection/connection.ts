/** @module One client connection, from its first byte to its last. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { GatewayError } from '@engine/core'
import { type ClientInfo, canonicalAddress } from '@engine/core/server'
import type {
  PgWireRefusal,
  PgWireServerOptions,
  PgWireSession,
  PgWireSignal,
} from '@engine/core/session'
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
  return new ClientConnection(socket, context)
}

/** A class: one exists for each client, and its functions are shared by all (decision 0088). */
class ClientConnection implements Connection {
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #context: ConnectionContext
  readonly #info: ClientInfo
  readonly #startedAtMs: number
  readonly #stalledMs = createStallWatch()
  /** The socket, or its encrypted content. */
  #stream: Channel['stream']
  /** undefined until the client is authenticated. */
  #session: ConnectionSession | undefined
  #isLeaving = false

  constructor(socket: Socket, context: ConnectionContext) {
    this.#socket = socket
    this.#context = context
    this.#info = {
      ip: socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress),
      userAgent: undefined,
      correlationId: randomUUID(),
      via: 'pgwire',
    }
    this.#stream = socket
    this.#startedAtMs = context.clock()
    // An error closes the socket, and the close is handled elsewhere.
    socket.on('error', (error) => this.#debug('socket failed', error))
    this.closed = this.#run()
  }

  state(): ConnectionState {
    if (this.#isLeaving) return 'leaving'
    return this.#session === undefined ? 'starting' : stateOf(this.#session)
  }

  describe(): PgWireSession | undefined {
    const session = this.#session
    if (session === undefined || this.#isLeaving) return undefined
    const { statementAtMs, ...described } = session.describe()
    const state = stateOf(session)
    const idleSinceMs = session.loop.idleSinceMs()
    const sinceMs = state === 'active' ? Math.max(statementAtMs ?? 0, idleSinceMs) : idleSinceMs
    return { ...described, state, sinceMs }
  }

  checkIdle(nowMs: number): void {
    const { idleLimits } = this.#context
    if (this.#session === undefined) {
      if (nowMs - this.#startedAtMs >= startupTimeoutMs) this.destroy()
      return
    }
    // An unread answer holds a connection to a database, as an idle transaction does.
    if (this.#stalledMs(this.#stream, nowMs) >= idleLimits.idleInTransactionTimeoutMs) {
      this.#debug('the client does not read its answer')
      this.destroy()
      return
    }
    const reason = idleEnd(this.#session, idleLimits, nowMs)
    if (reason !== undefined) this.#session.loop.end(reason)
  }

  endWhenIdle(reason: ErrorFields): void {
    if (this.#session === undefined) this.destroy()
    else this.#session.loop.endWhenIdle(reason)
  }

  end(reason: ErrorFields): void {
    if (this.#session === undefined) this.destroy()
    else this.#session.loop.end(reason)
  }

  destroy(): void {
    this.#stream.destroy()
    this.#socket.destroy()
  }

  async #run(): Promise<void> {
    await this.#serve()
    this.#isLeaving = true
    await closeGently(this.#stream)
    this.#socket.destroy()
  }

  async #serve(): Promise<void> {
    let release: (() => void) | undefined
    try {
      release = this.#context.slots.takeStarting(this.#info.ip)
      this.#session = await this.#start()
    } catch (error) {
      this.#refuse(error)
      // Without a slot the socket closes at once: under a flood of clients it does not wait until the error is read.
      if (release === undefined) this.#socket.destroySoon()
    } finally {
      release?.()
    }
    if (this.#session === undefined) return
    this.#context.onAccepted()
    this.#debug('client let in')
    await this.#session.loop.ended
    this.#session.dispose()
  }

  /** @returns undefined where the connection ends without an answer. */
  async #start(): Promise<ConnectionSession | undefined> {
    const { certificate, onRefused, sendSignal } = this.#context
    const opening = await negotiate(this.#socket, certificate, (channel) => {
      this.#stream = channel.stream
    })
    if (opening === undefined) {
      onRefused('protocol')
      return undefined
    }
    const { packet, channel } = opening
    if (packet.kind === 'startup') return this.#logIn(channel, readRequest(channel, packet))
    const secret = Buffer.from(packet.secret).toString('hex')
    // The connection is closed when the signal was sent: clients wait for that.
    await sendSignal({ kind: 'cancel-request', processId: packet.processId, secret })
    return undefined
  }

  async #logIn(channel: Channel, request: StartupRequest): Promise<ConnectionSession | undefined> {
    const { slots, authenticator, openConnectionSession } = this.#context
    const info = this.#info
    slots.requireFree()
    const login = await authenticator.authenticate(channel, request.user, info)
    if (login === undefined || this.#stream.destroyed) return undefined
    const release = slots.take(login.authenticated.caller)
    try {
      const opened = openConnectionSession({ channel, request, login, info })
      void opened.loop.ended.then(release)
      return opened
    } catch (error) {
      release()
      throw error
    }
  }

  #refuse(error: unknown): void {
    const { log, pool, isDevelopment, onRefused } = this.#context
    onRefused(refusalOf(error))
    this.#debug('client refused', error)
    if (!(error instanceof GatewayError)) {
      log.error({ ...this.#facts(), err: error }, 'startup failed')
    }
    const writer = createMessageWriter(this.#stream, pool)
    writer.error(startupFailure(error, { ...this.#info, isDevelopment }))
    writer.flush()
  }

  #debug(message: string, error?: unknown): void {
    const facts = this.#facts()
    this.#context.log.debug(error === undefined ? facts : { ...facts, err: error }, message)
  }

  #facts(): { readonly correlation_id: string; readonly ip: string | undefined } {
    return { correlation_id: this.#info.correlationId, ip: this.#info.ip }
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
