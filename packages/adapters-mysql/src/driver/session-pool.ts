/** @module Connections to one database, set up alike, given out one at a time. */
import {
  cancelled,
  GatewayError,
  type Log,
  type PoolState,
  unreachableDatabase,
} from '@engine/core/adapter'

/** What the pool has to know about a connection. */
export interface PooledSession {
  /** May another request use it? */
  isIdle(): boolean
  /** As far as is known on this side. */
  isAlive(): boolean
  close(): void
}

export interface SessionPoolOptions<Session> {
  /** Connections at most. */
  readonly max: number
  /** How long to wait for a connection, in milliseconds. */
  readonly acquireTimeoutMs: number
  readonly open: () => Promise<Session>
  readonly log: Log
}

export interface SessionPool<Session> {
  /**
   * A session that nobody else uses until it is released.
   *
   * @throws {GatewayError} `unavailable` when the database cannot be reached or all connections stay busy.
   */
  acquire(signal: AbortSignal | undefined): Promise<Session>
  /** Gives the session back, or closes it when its state is not known to be clean. */
  release(session: Session): void
  state(): PoolState
  /** Waits for sessions that are in use, then closes all. */
  close(): Promise<void>
}

/** After so long without work a connection is closed, in milliseconds. */
const idleMs = 60_000

interface Waiting<Session> {
  give(session: Session): void
  fail(error: unknown): void
}

interface Resting<Session> {
  readonly session: Session
  readonly timer: NodeJS.Timeout
}

export function createSessionPool<Session extends PooledSession>({
  max,
  acquireTimeoutMs,
  open,
  log,
}: SessionPoolOptions<Session>): SessionPool<Session> {
  /** The one used last is taken first: those that are not needed grow old. */
  const resting: Resting<Session>[] = []
  const waiting: Waiting<Session>[] = []
  /** Sessions in use or being opened. */
  let busy = 0
  let isClosed = false
  let onceQuiet: (() => void) | undefined

  const leave = () => {
    busy -= 1
    if (waiting.length > 0) grow()
    else if (busy === 0) onceQuiet?.()
  }

  /** Opens a session for whoever waits longest. */
  const grow = () => {
    busy += 1
    open().then(
      (session) => hand(session),
      (error: unknown) => {
        busy -= 1
        // Others may get a session that is in use now; when there is none, they would only learn the same, later.
        const concerned = waiting.splice(0, busy === 0 ? waiting.length : 1)
        for (const each of concerned) each.fail(unreachableDatabase(error))
        if (busy === 0) onceQuiet?.()
      },
    )
  }

  /** A session that counts as busy goes to the next one who waits, or to rest. */
  const hand = (session: Session) => {
    const next = waiting.shift()
    if (next !== undefined) {
      next.give(session)
      return
    }
    if (isClosed) {
      session.close()
    } else {
      const rest: Resting<Session> = { session, timer: setTimeout(() => retire(rest), idleMs) }
      rest.timer.unref()
      resting.push(rest)
    }
    leave()
  }

  const retire = (rest: Resting<Session>) => {
    resting.splice(resting.indexOf(rest), 1)
    rest.session.close()
  }

  const closeRested = () => {
    for (const { session, timer } of resting.splice(0)) {
      clearTimeout(timer)
      session.close()
    }
  }

  const takeRested = (): Session | undefined => {
    for (let rest = resting.pop(); rest !== undefined; rest = resting.pop()) {
      clearTimeout(rest.timer)
      if (rest.session.isAlive()) return rest.session
      log.warn({}, 'an idle database connection was lost')
      rest.session.close()
    }
    return undefined
  }

  const waitForSession = (signal: AbortSignal | undefined): Promise<Session> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        const place = waiting.indexOf(entry)
        if (place >= 0) waiting.splice(place, 1)
      }
      const entry: Waiting<Session> = {
        give: (session) => {
          stop()
          resolve(session)
        },
        fail: (error) => {
          stop()
          reject(error)
        },
      }
      const giveUp = () => entry.fail(cancelled())
      const timer = setTimeout(() => entry.fail(allBusy()), acquireTimeoutMs)
      signal?.addEventListener('abort', giveUp)
      waiting.push(entry)
      if (busy + resting.length < max) grow()
    })

  return {
    acquire: async (signal) => {
      if (isClosed || signal?.aborted) throw cancelled()
      const rested = takeRested()
      if (rested === undefined) return waitForSession(signal)
      busy += 1
      return rested
    },
    release: (session) => {
      if (session.isIdle()) {
        hand(session)
        return
      }
      // What has cut this one has most likely cut the others too.
      if (!session.isAlive()) closeRested()
      session.close()
      leave()
    },
    state: () => ({ busy, idle: resting.length, waiting: waiting.length }),
    close: async () => {
      isClosed = true
      for (const each of waiting.splice(0)) each.fail(cancelled())
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
