/** @module A few embedded PostgreSQLs, each with the mirrors of one visible catalog: started when needed, ended when idle. */
import { GatewayError, type Log } from '@engine/core'
import type { PgWireLoad, VisibleCatalog } from '@engine/core/server'
import type { CatalogScope } from '../wire-catalog.ts'
import { covers } from './covers.ts'
import type { PgliteInstance } from './pglite-instance.ts'
import { cancelled } from './pglite-process.ts'
import { createStartFailures } from './start-failures.ts'

export interface InstancePool {
  /**
   * Lends an instance exclusively to `use`. A visible catalog that uses all other instances does not get the last one.
   * Among the waiting callers, the one served longest ago is next. While the instance of a catalog is built, an older one serves that
   * shows nothing else.
   *
   * @throws {GatewayError} 57014 when `signal` aborts while it waits; what starting an instance throws.
   */
  lend<Result>(
    borrower: Borrower,
    signal: AbortSignal,
    use: (instance: PgliteInstance) => Promise<Result>,
  ): Promise<Result>
  state(): PgWireLoad['catalog']
  close(): Promise<void>
}

/** The visible catalog that the caller waits for. */
export type Borrower = Pick<CatalogScope, 'visible' | 'callerKey'>

export interface InstancePoolOptions {
  readonly start: (visible: VisibleCatalog) => Promise<PgliteInstance>
  /** Maximum number of instances for all visible catalogs together. */
  readonly maxInstances: number
  /** A caller that has waited this long for a busy instance gets a second one, so that a slow statement does not block others. */
  readonly maxWaitMs: number
  /** A caller that has waited this long for the instance of its own catalog takes an older one that shows nothing else. */
  readonly maxFreshMs: number
  /** An instance that was not used for this long ends. */
  readonly idleMs: number
  readonly log: Log
}

interface Member {
  readonly key: string
  readonly visible: VisibleCatalog
  /** Undefined while it starts. */
  instance: PgliteInstance | undefined
  isBusy: boolean
  /** The caller that uses it. */
  callerKey: string | undefined
  /** Grows with every use: the smallest has been idle for longest. */
  lastUse: number
  idleTimer: NodeJS.Timeout | undefined
}

interface Waiter extends Borrower {
  /** Whether it waited longer than `maxWaitMs`. */
  hasWaitedLong: boolean
  /** Whether it waited longer than `maxFreshMs`. */
  takesOlder: boolean
  readonly take: (member: Member) => void
  readonly fail: (error: unknown) => void
}

/** Maximum number of instances for one visible catalog: its callers must not take all instances. */
const maxPerCatalog = 3

/** Maximum number of callers whose last turn is remembered. */
const mostTurns = 10_000

/** Maximum number of waiting callers; more are refused. */
const maxWaiting = 1_000

export function createInstancePool(options: InstancePoolOptions): InstancePool {
  const { start, maxInstances, maxWaitMs, maxFreshMs, idleMs, log } = options
  const members = new Set<Member>()
  const waiters = new Set<Waiter>()
  const turns = createTurns()
  let uses = 0
  const failures = createStartFailures(() => serve())
  let isClosed = false

  const remove = (member: Member): Promise<void> => {
    members.delete(member)
    clearTimeout(member.idleTimer)
    return member.instance?.end() ?? Promise.resolve()
  }

  const rest = (member: Member): void => {
    member.isBusy = false
    member.callerKey = undefined
    member.lastUse = ++uses
    member.idleTimer = setTimeout(() => void remove(member), idleMs).unref()
  }

  const open = (visible: VisibleCatalog): void => {
    const { key } = visible
    const member: Member = {
      key,
      visible,
      instance: undefined,
      isBusy: true,
      callerKey: undefined,
      lastUse: 0,
      idleTimer: undefined,
    }
    members.add(member)
    start(visible).then(
      (instance) => {
        member.instance = instance
        failures.forget()
        if (isClosed) return void remove(member)
        rest(member)
        serve()
      },
      (error: unknown) => {
        members.delete(member)
        failures.note(error)
        log.error({ err: error }, 'an embedded PostgreSQL for the system catalogs did not start')
        for (const waiter of waiters) {
          if (waiter.visible.key === key && !serveWithOlder(waiter)) waiter.fail(error)
        }
        serve()
      },
    )
  }

  /** Returns whether one more instance may start; ends the instance idle for longest where that is necessary. */
  const hasRoom = (): boolean => {
    if (members.size < maxInstances) return true
    const idle = [...members].filter(({ isBusy }) => !isBusy)
    const oldest = idle.reduce<Member | undefined>(
      (first, member) => (first === undefined || member.lastUse < first.lastUse ? member : first),
      undefined,
    )
    if (oldest === undefined) return false
    void remove(oldest)
    return true
  }

  /** Whether the caller has as many instances as one caller may have. */
  const hasEnough = ({ visible: { key }, callerKey }: Waiter): boolean => {
    if (callerKey === undefined) return false
    const own = [...members].filter(
      (member) => member.key === key && member.isBusy && member.callerKey === callerKey,
    )
    return own.length >= maxPerCatalog - 1
  }

  /** Gives idle instances to waiters, and starts missing ones. */
  const serve = (): void => {
    for (const waiter of turns.inOrder(waiters)) {
      if (hasEnough(waiter)) continue
      const all = [...members].filter(({ key }) => key === waiter.visible.key)
      for (const member of all) if (isGone(member)) void remove(member)
      const own = all.filter((member) => members.has(member))
      const idle = own.find(({ isBusy }) => !isBusy)
      if (idle !== undefined) {
        give(idle, waiter)
        continue
      }
      const isStarting = own.some(({ instance }) => instance === undefined)
      if (isStarting && waiter.takesOlder && serveWithOlder(waiter)) continue
      const isEnough = own.length > 0 && !(waiter.hasWaitedLong && own.length < maxPerCatalog)
      if (isStarting || isEnough || failures.reason() !== undefined) continue
      if (hasRoom()) open(waiter.visible)
    }
  }

  const give = (member: Member, waiter: Waiter): void => {
    clearTimeout(member.idleTimer)
    member.isBusy = true
    member.callerKey = waiter.callerKey
    turns.took(waiter)
    waiter.take(member)
  }

  /** @returns whether an instance of an older catalog is free that shows nothing but what the newer one shows. */
  const serveWithOlder = (waiter: Waiter): boolean => {
    const older = [...members].find(
      (member) => !member.isBusy && !isGone(member) && covers(waiter.visible, member.visible),
    )
    if (older === undefined) return false
    give(older, waiter)
    return true
  }

  const acquire = ({ visible, callerKey }: Borrower, signal: AbortSignal): Promise<Member> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closed())
      if (signal.aborted) return reject(cancelled(signal))
      if (waiters.size >= maxWaiting) return reject(tooMany())
      const leave = () => {
        waiters.delete(waiter)
        clearTimeout(waitTimer)
        clearTimeout(freshTimer)
        signal.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        visible,
        callerKey,
        hasWaitedLong: false,
        takesOlder: false,
        take: (member) => {
          leave()
          resolve(member)
        },
        fail: (error) => {
          leave()
          reject(error)
        },
      }
      const abort = () => waiter.fail(cancelled(signal))
      const waitTimer = setTimeout(() => {
        waiter.hasWaitedLong = true
        serve()
      }, maxWaitMs)
      const freshTimer = setTimeout(() => {
        waiter.takesOlder = true
        serve()
      }, maxFreshMs)
      signal.addEventListener('abort', abort, { once: true })
      waiters.add(waiter)
      serve()
      const failure = failures.reason()
      if (failure === undefined || !waiters.has(waiter)) return
      const hasOwn = [...members].some(({ key }) => key === visible.key)
      if (!hasOwn && !serveWithOlder(waiter)) waiter.fail(failure.error)
    })

  const release = (member: Member, instance: PgliteInstance): void => {
    if (isClosed || !instance.isUsable()) {
      void remove(member)
      // An instance was needed, so another one will be needed soon, and the next client should not wait.
      const isLast = ![...members].some(({ key }) => key === member.key)
      if (!isClosed && isLast && hasRoom()) open(member.visible)
    } else {
      rest(member)
    }
    serve()
  }

  return {
    lend: async (borrower, signal, use) => {
      const member = await acquire(borrower, signal)
      const { instance } = member
      if (instance === undefined) throw new Error('an instance was lent before it had started')
      try {
        return await use(instance)
      } finally {
        release(member, instance)
      }
    },
    state: () => {
      const servers = [...members].filter(({ instance }) => instance !== undefined).length
      const status =
        servers > 0
          ? 'ready'
          : members.size > 0
            ? 'starting'
            : failures.reason() === undefined
              ? 'idle'
              : 'failed'
      return { status, servers, failures: failures.count() }
    },
    close: async () => {
      isClosed = true
      for (const waiter of waiters) waiter.fail(closed())
      await Promise.all([...members].map(remove))
    },
  }
}

/** The time at which each caller was last served. */
function createTurns() {
  const lastTurns = new Map<string, number>()
  let count = 0
  const lastTurnOf = ({ callerKey }: Borrower) => lastTurns.get(callerKey ?? '') ?? 0
  return {
    /** Waiters of one caller keep their order of arrival. */
    inOrder: (waiters: Iterable<Waiter>): readonly Waiter[] =>
      [...waiters].toSorted((one, other) => lastTurnOf(one) - lastTurnOf(other)),
    took: ({ callerKey = '' }: Borrower): void => {
      // All callers are removed at once: each is then treated as new.
      if (lastTurns.size >= mostTurns) lastTurns.clear()
      count += 1
      lastTurns.set(callerKey, count)
    },
  }
}

/** It ended while it was idle. */
function isGone({ isBusy, instance }: Member): boolean {
  return !isBusy && instance?.isUsable() === false
}

function closed(): GatewayError {
  return new GatewayError('unavailable', 'the system catalogs are closed', { sqlState: '57P01' })
}

function tooMany(): GatewayError {
  return new GatewayError('limitExceeded', 'too many statements wait for the system catalogs', {
    sqlState: '53000',
  })
}
