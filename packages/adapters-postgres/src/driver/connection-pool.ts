/** @module A pool of connections to one database, all with the same settings. */
import { cancelled, type Log, type PoolState, unreachableDatabase } from '@engine/core/adapter'
import { createWaitingLine } from '@engine/core/driver'
import { Pool, type PoolClient } from 'pg'
import { backendEnd } from './backend-end.ts'
import { openSession } from './open-session.ts'
import type { ServerSession } from './session.ts'

export interface ConnectionPoolOptions {
  readonly url: string
  /** Maximum connections. */
  readonly max: number
  readonly readOnly: boolean
  /** Maximum wait for a connection, in milliseconds. */
  readonly acquireTimeoutMs: number
  readonly log: Log
}

export interface ConnectionPool {
  /**
   * Returns a session for exclusive use until it is released.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached or all connections stay busy.
   */
  acquire(signal: AbortSignal | undefined): Promise<ServerSession>
  /** As `acquire`, for a session that is at hand; undefined where there is none. */
  take(signal: AbortSignal | undefined): ServerSession | undefined
  /** Returns the session to the pool, or closes it when its state may not be clean. */
  release(session: ServerSession): void
  /** Makes every session prepare its statements again, after a table has changed. */
  renewStatements(): void
  /** A connection broke, and most likely the others with it: connections that are open now are not used again. */
  renewConnections(): void
  state(): PoolState
  /** `acquire`, called now, waits for no other caller. */
  hasRoom(): boolean
  /** Waits for sessions that are in use, then closes all connections. */
  close(): Promise<void>
}

/** How long a released session is kept aside, in milliseconds. */
const parkMs = 200

export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    fallback_application_name: 'engine',
  })
  const { log } = options
  // An idle connection broke; the pool has already removed it.
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))

  // While a connection is in use the pool has no listener; its queries report the error. Listens from the start: the
  // server can close a connection in the packet that accepts it.
  pool.on('connect', (client) => {
    client.on('error', (err) => log.debug({ err }, 'a database connection was lost'))
  })

  const sessions = new WeakMap<PoolClient, ServerSession>()
  /** Clients of sessions that are in use. */
  const clients = new Map<ServerSession, PoolClient>()
  /**
   * Recently released sessions, for the next caller: taking one from the pool costs as much time as a small statement.
   */
  let parked: ServerSession[] = []
  let parkTimer: NodeJS.Timeout | undefined
  /** Callers that wait for a connection; they are rejected when the pool closes. */
  const waiting = new Set<() => void>()
  /** Callers that wait for a session in use: to hand it on costs a fraction of what the pool of the driver does for it. */
  const line = createWaitingLine<ServerSession>(options.acquireTimeoutMs, () =>
    unreachableDatabase(new Error('all connections stayed busy')),
  )
  /** Callers for whom a connection is being taken from the pool of the driver, or opened. */
  let connecting = 0
  let epoch = 0
  /** Counts the times that connections broke; by session, the count when it was opened. */
  let breaks = 0
  const openedAt = new WeakMap<ServerSession, number>()
  let closed: Promise<void> | undefined

  const sessionOf = async (client: PoolClient): Promise<ServerSession> => {
    const known = sessions.get(client)
    if (known !== undefined) return known
    const session = await openSession(client, options.readOnly)
    sessions.set(client, session)
    openedAt.set(session, breaks)
    return session
  }

  const isUsable = (session: ServerSession): boolean =>
    session.isAlive() && openedAt.get(session) === breaks

  const free = (session: ServerSession): void => {
    const client = clients.get(session)
    clients.delete(session)
    client?.release(!session.isIdle())
    admit()
  }

  const closing = new AbortController()
  /** Sessions that were given up, until their backends have ended. */
  const givenUp = new Set<ServerSession>()
  const giveBack = (session: ServerSession): void => {
    if (!session.wasGivenUp() || closing.signal.aborted) {
      free(session)
      return
    }
    givenUp.add(session)
    void backendEnd(options.url, session.backend, log, closing.signal).then(() => {
      givenUp.delete(session)
      free(session)
    })
  }

  const giveParkedBack = (): void => {
    clearTimeout(parkTimer)
    parkTimer = undefined
    const sessionsBefore = parked
    parked = []
    for (const session of sessionsBefore) giveBack(session)
  }

  const park = (session: ServerSession): void => {
    parked.push(session)
    parkTimer ??= setTimeout(giveParkedBack, parkMs).unref()
  }

  const takeParked = (): ServerSession | undefined => {
    for (let session = parked.pop(); session !== undefined; session = parked.pop()) {
      if (isUsable(session)) return session
      // The connection broke while it was idle: the pool closes it.
      session.condemn()
      giveBack(session)
    }
    return undefined
  }

  const acquireFromPool = async (signal: AbortSignal | undefined): Promise<ServerSession> => {
    connecting += 1
    try {
      return await connected(signal)
    } finally {
      connecting -= 1
      // Whoever waits for a session must not wait for one that did not come.
      admit()
    }
  }

  const connected = async (signal: AbortSignal | undefined): Promise<ServerSession> => {
    for (;;) {
      const client = await connect(pool, signal, waiting)
      try {
        const session = await sessionOf(client)
        if (isUsable(session)) {
          session.renew(epoch)
          clients.set(session, client)
          return session
        }
      } catch (error) {
        client.release(true)
        throw unreachableDatabase(error)
      }
      // The connection broke while it was idle: no statement was sent, another connection may succeed.
      client.release(true)
    }
  }

  const take = (signal: AbortSignal | undefined): ServerSession | undefined => {
    const session = signal?.aborted || closed !== undefined ? undefined : takeParked()
    session?.renew(epoch)
    return session
  }

  const hasRoom = () => clients.size + connecting < options.max

  /** The first in the line open connections of their own where there is room. */
  const admit = () => {
    while (closed === undefined && hasRoom()) {
      const next = line.next()
      if (next === undefined) return
      acquireFromPool(next.signal).then(next.give, next.fail)
    }
  }

  return {
    take,
    acquire: (signal) => {
      const session = take(signal)
      if (session !== undefined) return Promise.resolve(session)
      const mustWait = closed === undefined && !signal?.aborted && !hasRoom()
      return mustWait ? line.enter(signal) : acquireFromPool(signal)
    },
    release: (session) => {
      const isWanted = pool.waitingCount > 0 || closed !== undefined
      if (isWanted || !session.isIdle() || !isUsable(session)) {
        giveBack(session)
        return
      }
      const next = line.next()
      if (next === undefined) {
        park(session)
      } else {
        session.renew(epoch)
        next.give(session)
      }
    },
    renewStatements: () => {
      epoch += 1
    },
    renewConnections: () => {
      breaks += 1
    },
    hasRoom: () => parked.length > 0 || (line.length() === 0 && hasRoom()),
    state: () => ({
      busy: clients.size - parked.length,
      idle: pool.idleCount + parked.length,
      waiting: waiting.size + line.length(),
      givenUp: givenUp.size,
    }),
    close: () => {
      closing.abort()
      closed ??= pool.end()
      giveParkedBack()
      for (const giveUp of [...waiting]) giveUp()
      for (let next = line.next(); next !== undefined; next = line.next()) next.fail(cancelled())
      return closed
    },
  }
}

/** A connection from the pool; one that arrives too late is returned at once. */
function connect(
  pool: Pool,
  signal: AbortSignal | undefined,
  waiting: Set<() => void>,
): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const stop = () => {
      isWaiting = false
      waiting.delete(giveUp)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = () => {
      stop()
      reject(cancelled())
    }
    if (signal?.aborted) {
      giveUp()
      return
    }
    waiting.add(giveUp)
    signal?.addEventListener('abort', giveUp)
    pool.connect((error, client) => {
      if (!isWaiting) {
        client?.release()
        return
      }
      stop()
      if (client === undefined) reject(unreachableDatabase(error))
      else resolve(client)
    })
  })
}
