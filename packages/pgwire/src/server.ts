/** @module The listening server of the wire protocol. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { GatewayError, type PgWireServer } from '@engine/core'
import { closeListener, withinTime } from '@engine/core/server'
import type {
  PgWireLoad,
  PgWireRefusal,
  PgWireServerFactory,
  PgWireSignal,
} from '@engine/core/session'
import {
  type Connection,
  type ConnectionContext,
  createConnection,
} from './connection/connection.ts'
import { createConnectionSessions } from './connection/connection-session.ts'
import { createConnectionSlots } from './connection/connection-slots.ts'
import { fatal } from './connection/fatal.ts'
import { openWireCatalog } from './open-wire-catalog.ts'
import { createBufferPool } from './protocol/output-buffer.ts'
import { createAuthenticator } from './startup/authenticator.ts'
import { createCancelKeys } from './startup/cancel-keys.ts'
import { createCertificate } from './startup/tls.ts'

/** Interval of the check for idle connections, in milliseconds. */
const idleCheckMs = 500

/** Idle milliseconds after which TCP keep-alive probes are sent. */
const keepAliveMs = 60_000

/** Milliseconds after which connections are refused when the server closes, even if clients go on to connect. */
const mostAcceptingMs = 250

/** Milliseconds that cancelled statements and final messages get when the server closes. */
const closeTimeoutMs = 3_000

/** Pause between the start of the server and that of the catalogs, in milliseconds: first statements of clients have priority. */
const warmAfterMs = 1_000

const shutdown = fatal('57P01', 'terminating connection due to administrator command')

/**
 * Serves an engine over the PostgreSQL wire protocol.
 *
 * @throws {GatewayError} `invalidConfiguration` for an invalid certificate; an `Error` with `code` when the port
 *   cannot be had.
 *
 * @example
 * const engine = await createEngine({ connections, permissions, pgWire: { port: 5433 } }, { pgWire: createPgWireServer })
 */
export const createPgWireServer: PgWireServerFactory = async (options) => {
  const { settings, siblings, isDevelopment, directory, log, clock } = options
  const { pgWire } = settings
  const certificate = pgWire.tls && createCertificate(pgWire.tls)
  const cancelKeys = createCancelKeys()
  const pool = createBufferPool()
  const catalog = await openWireCatalog({ kind: pgWire.catalog ?? 'pglite', directory, log, clock })
  const connections = new Set<Connection>()
  const counts = createCounts()

  const sendSignal = (signal: PgWireSignal) =>
    cancelKeys.signal(signal) || (siblings?.signal(signal) ?? false)
  const making = { ...options, catalog, cancelKeys, sendSignal, pool }

  const context: ConnectionContext = {
    isDevelopment,
    log,
    clock,
    certificate,
    sendSignal,
    pool,
    authenticator: createAuthenticator(options),
    openConnectionSession: createConnectionSessions(making),
    slots: createConnectionSlots(pgWire.maxConnections),
    idleLimits: pgWire,
    onAccepted: counts.accept,
    onRefused: counts.refuse,
  }
  const onSocket = (socket: Socket) => {
    const connection = createConnection(socket, context)
    connections.add(connection)
    void connection.closed.then(() => connections.delete(connection))
  }
  const server = createServer(
    { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs },
    onSocket,
  )
  const checkIdle = () => {
    const nowMs = clock()
    for (const connection of connections) connection.checkIdle(nowMs)
  }

  try {
    await listen(server, pgWire.port, pgWire.host)
  } catch (error) {
    await catalog.close()
    throw error
  }
  // A connection could not be accepted, for example because the process has no file descriptors left; later ones may
  // succeed.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'))
  const idleTimer = setInterval(checkIdle, idleCheckMs).unref()
  const warmTimer = setTimeout(catalog.warm, warmAfterMs).unref()

  return {
    address: addressOf(server),
    load: () => ({ ...counts.load(connections), catalog: catalog.state() }),
    sessions: () => [...connections].flatMap((connection) => connection.describe() ?? []),
    replaceCertificate: (tls) => {
      if (certificate === undefined) {
        throw new GatewayError('invalidConfiguration', 'pgWire.tls is not configured')
      }
      certificate.replace(tls)
    },
    signal: cancelKeys.signal,
    close: async (drainMs = 0, lasting = undefined) => {
      const stopped = server.listening ? once(server, 'close') : undefined
      await closeListener(server, {
        limitMs: Math.min(mostAcceptingMs, drainMs / 2),
        close: () => void server.close(),
      })
      const allClosed = Promise.all([...connections].map(({ closed }) => closed))
      if (lasting !== undefined) await Promise.race([lasting, allClosed])
      for (const connection of connections) connection.endWhenIdle(shutdown)
      await withinTime(allClosed, drainMs)
      for (const connection of connections) connection.end(shutdown)
      await withinTime(allClosed, closeTimeoutMs)
      for (const connection of connections) connection.destroy()
      await allClosed
      await stopped
      clearInterval(idleTimer)
      clearTimeout(warmTimer)
      await catalog.close()
    },
  } satisfies PgWireServer
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  const listening = once(server, 'listening')
  server.listen({ port, host, backlog: 1_024 })
  await listening
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return String(address)
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${host}:${address.port}`
}

function createCounts() {
  const refused: Record<PgWireRefusal, number> = { credential: 0, connections: 0, protocol: 0 }
  let accepted = 0
  return {
    accept: () => {
      accepted += 1
    },
    refuse: (reason: PgWireRefusal) => {
      refused[reason] += 1
    },
    load: (connections: Iterable<Connection>): Omit<PgWireLoad, 'catalog'> => {
      const now = { starting: 0, idle: 0, active: 0, idleInTransaction: 0, leaving: 0 }
      for (const connection of connections) now[connection.state()] += 1
      const { leaving: _, ...present } = now
      return { ...present, accepted, refused: { ...refused } }
    },
  }
}
