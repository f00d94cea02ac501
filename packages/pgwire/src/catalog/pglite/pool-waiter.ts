/** @module A caller that waits for an embedded PostgreSQL, and whose turn it is. */
import type { VisibleCatalog } from '@engine/core/session'
import type { CatalogScope } from '../wire-catalog.ts'
import type { PgliteInstance } from './pglite-instance.ts'
import { cancelled } from './pglite-process.ts'

/** The visible catalog that the caller waits for. */
export type Borrower = Pick<CatalogScope, 'visible' | 'callerKey'>

/** An instance of the pool, or one that starts. */
export interface Member {
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

export interface Waiter extends Borrower {
  /** Whether it waited longer than `maxWaitMs`. */
  hasWaitedLong: boolean
  /** Whether it waited longer than `maxFreshMs`. */
  takesOlder: boolean
  /** The member that it took. Rejects when the wait failed. */
  readonly member: Promise<Member>
  readonly take: (member: Member) => void
  readonly fail: (error: unknown) => void
}

export interface WaiterOptions {
  readonly maxWaitMs: number
  readonly maxFreshMs: number
  /** It has waited long enough for more. */
  readonly onChange: () => void
  /** It waits no longer. */
  readonly onEnd: () => void
}

/** @param signal the wait fails when it aborts. */
export function createWaiter(
  { visible, callerKey }: Borrower,
  signal: AbortSignal,
  { maxWaitMs, maxFreshMs, onChange, onEnd }: WaiterOptions,
): Waiter {
  const { promise, resolve, reject } = Promise.withResolvers<Member>()
  const leave = () => {
    onEnd()
    clearTimeout(waitTimer)
    clearTimeout(freshTimer)
    signal.removeEventListener('abort', abort)
  }
  const waiter: Waiter = {
    visible,
    callerKey,
    hasWaitedLong: false,
    takesOlder: false,
    member: promise,
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
    onChange()
  }, maxWaitMs)
  const freshTimer = setTimeout(() => {
    waiter.takesOlder = true
    onChange()
  }, maxFreshMs)
  signal.addEventListener('abort', abort, { once: true })
  return waiter
}

/** Maximum number of callers whose last turn is remembered. */
const mostTurns = 10_000

export interface Turns {
  /** Waiters of one caller keep their order of arrival. */
  inOrder(waiters: Iterable<Waiter>): readonly Waiter[]
  took(borrower: Borrower): void
}

/** The time at which each caller was last served. */
export function createTurns(): Turns {
  const lastTurns = new Map<string, number>()
  let count = 0
  const lastTurnOf = ({ callerKey }: Borrower) => lastTurns.get(callerKey ?? '') ?? 0
  return {
    inOrder: (waiters) =>
      [...waiters].toSorted((one, other) => lastTurnOf(one) - lastTurnOf(other)),
    took: ({ callerKey = '' }) => {
      // All callers are removed at once: each is then treated as new.
      if (lastTurns.size >= mostTurns) lastTurns.clear()
      count += 1
      lastTurns.set(callerKey, count)
    },
  }
}
