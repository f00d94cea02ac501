/** @module A pool of connections to one database with the same settings; each serves one caller at a time. */
import {
  cancelled,
  GatewayError,
  type Log,
  type PoolState,
  unreachableDatabase,
} from '@engine/core/adapter'
import { createWaitingLine } from '@engine/core/driver'

/** The facts about a connection that the pool needs. */
export interface PooledSession {
  /** May another request use it? */
  isIdle(): boolean
  /** As far as the client side knows. */
  isAlive(): boolean
  close(): void
}

export interface SessionPoolOptions<Session> {
  /** The most connections. */
  readonly max: number
  /** How long to wait for a connection, in milliseconds. */
  readonly acquireTimeoutMs: number
  readonly open: () => Promise<Session>
  readonly log: Log
}

export interface SessionPool<Session> {
  /**
   * A session for this caller alone until it is released.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached or all connections stay busy.
   */
  acquire(signal: AbortSignal | undefined): Promise<Session>
  /** As `acquire`, for a session that is at hand; undefined where there is none. @throws {GatewayError} `cancelled` */
  take(signal: AbortSignal | undefined): Session | undefined
  /** Returns the session to the pool, or closes it when its state may not be clean. */
  release(session: Session): void
  /** A connection broke, and most likely the others with it: those that are open now are not used again. */
  renew(): void
  state(): PoolState
  /** `acquire`, called now, waits for no other caller. */
  hasRoom(): boolean
  /** Waits for sessions that are in use, then closes all. */
  close(): Promise<void>
}

/** A connection that is idle for this time is closed, in milliseconds. */
const idleMs = 60_000

interface Resting<Session> {
  readonly session: Session
  readonly sinceMs: number
}

export function createSessionPool<Session extends PooledSession>({
  max,
  acquireTimeoutMs,
  open,
  log,
}: SessionPoolOptions<Session>): SessionPool<Session> {
  /** The last used one is taken first, so that unneeded ones become idle long enough to be closed. The longest idle one is first. */
  const resting: Resting<Session>[] = []
  /** One timer for all: a timer for each session would be set and cleared by every statement. */
  let sweeper: NodeJS.Timeout | undefined
  const line = createWaitingLine<Session>(acquireTimeoutMs, allBusy)
  /** Counts the times that connections broke; by session, the count when it was opened. */
  let breaks = 0
  const openedAt = new WeakMap<Session, number>()
  /** Sessions in use or being opened. */
  let busy = 0
  let isClosed = false
  let onceQuiet: (() => void) | undefined

  const leave = () => {
    busy -= 1
    if (line.length() > 0) grow()
    else if (busy === 0) onceQuiet?.()
  }

  /** Opens a session for the longest waiting request. */
  const grow = () => {
    busy += 1
    const before = breaks
    open().then(
      (session) => {
        openedAt.set(session, before)
        hand(session)
      },
      (error: unknown) => {
        busy -= 1
        // Later requests may get a session that is in use now; if there is none, they would only fail with the same error later.
        const concerned = busy === 0 ? line.length() : 1
        for (let i = 0; i < concerned; i += 1) line.next()?.fail(unreachableDatabase(error))
        if (busy === 0) onceQuiet?.()
      },
    )
  }

  /** Passes a session that counts as busy to the next waiting request, or to the idle ones. */
  const hand = (session: Session) => {
    const next = line.next()
    if (next !== undefined) {
      next.give(session)
      return
    }
    if (isClosed) {
      session.close()
    } else {
      resting.push({ session, sinceMs: performance.now() })
      sweeper ??= setTimeout(sweep, idleMs).unref()
    }
    leave()
  }

  const sweep = () => {
    const now = performance.now()
    const kept = resting.findIndex(({ sinceMs }) => now - sinceMs < idleMs)
    for (const { session } of resting.splice(0, kept < 0 ? resting.length : kept)) session.close()
    const [oldest] = resting
    sweeper =
      oldest === undefined ? undefined : setTimeout(sweep, oldest.sinceMs + idleMs - now).unref()
  }

  const closeRested = () => {
    for (const { session } of resting.splice(0)) session.close()
  }

  const renew = () => {
    breaks += 1
    closeRested()
  }

  const takeRested = (): Session | undefined => {
    for (let rest = resting.pop(); rest !== undefined; rest = resting.pop()) {
      if (rest.session.isAlive()) return rest.session
      log.warn({}, 'an idle database connection was lost')
      rest.session.close()
    }
    return undefined
  }

  const take = (signal: AbortSignal | undefined): Session | undefined => {
    if (isClosed || signal?.aborted) throw cancelled()
    const rested = takeRested()
    if (rested !== undefined) busy += 1
    return rested
  }

  const mayGrow = () => busy + resting.length < max

  return {
    take,
    acquire: async (signal) => {
      const rested = take(signal)
      if (rested !== undefined) return rested
      const turn = line.enter(signal)
      if (mayGrow()) grow()
      return turn
    },
    release: (session) => {
      if (session.isIdle() && openedAt.get(session) === breaks) {
        hand(session)
        return
      }
      if (!session.isAlive()) renew()
      session.close()
      leave()
    },
    renew,
    hasRoom: () => resting.length > 0 || mayGrow(),
    state: () => ({ busy, idle: resting.length, waiting: line.length() }),
    close: async () => {
      isClosed = true
      clearTimeout(sweeper)
      for (let each = line.next(); each !== undefined; each = line.next()) each.fail(cancelled())
      closeRested()
      if (busy > 0) await new Promise<void>((resolve) => (onceQuiet = resolve))
    },
  }
}

function allBusy(): GatewayError {
  return new GatewayError('unavailable', 'All connections to the database are busy.', {
    sqlState: '53300',
  })
}
