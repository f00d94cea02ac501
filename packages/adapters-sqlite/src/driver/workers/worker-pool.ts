/** @module Worker threads that share the work of one database: requests are served in order, threads that hang are replaced. */
import { GatewayError, type PoolState } from '@engine/core/adapter'
import { explained } from '../../errors/driver-error.ts'
import { isPartOfTransaction, type Reply } from './messages.ts'
import { remainingMs, type TimeLimit, within } from './time-limit.ts'
import type { GroupQuestion, Question, WorkerThread } from './worker-thread.ts'

export interface WorkerPool {
  /**
   * Waits for a free thread.
   *
   * @throws {GatewayError} `queryTimeout`; `unavailable` when the database cannot be opened.
   */
  acquire(limit: TimeLimit): Promise<Lease>
  /** Resolves when a thread has opened the database, without occupying one. */
  ready(): Promise<void>
  state(): PoolState
  /** `acquire`, called now, waits for no other caller. */
  hasRoom(): boolean
  /** Waits for all running and waiting work, then ends the threads. */
  close(): Promise<void>
}

/** One thread, for one user at a time. */
export interface Lease {
  /** @throws {GatewayError} `queryTimeout` at the limit, whatever the thread is doing. */
  ask(request: Question, limit: TimeLimit): Promise<Reply>
  /** The members of a group have limits of their own. */
  askGroup(request: GroupQuestion): Promise<Reply>
  /** See `WorkerThread.stop`. */
  stop(member?: number): boolean
  /** See `WorkerThread.runningMember`. */
  runningMember(): number
  /** Releases the thread; a transaction that is still open is rolled back. */
  release(): void
}

export interface WorkerPoolOptions {
  readonly max: number
  start(onExit: () => void): Promise<WorkerThread>
  /** A statement that was stopped has this time to end before its thread is abandoned. In milliseconds. */
  readonly graceMs: number
  /** Called when a thread is abandoned, and once more if one still runs at the end. */
  onAbandon(): void
}

interface Waiter {
  readonly serve: (thread: WorkerThread) => void
  readonly refuse: (error: unknown) => void
}

/** The most waiting requests; further ones are refused at once. */
const maxWaiting = 10_000

/**
 * Shutdown waits this number of milliseconds for statements that were stopped. The driver aborts a process that ends while a
 * statement still runs.
 */
const patienceMs = 5_000

/** The most abandoned threads that may still run, as a multiple of `max`; beyond that they are not replaced. */
const abandonedFactor = 2

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { max, graceMs } = options
  const threads = new Set<WorkerThread>()
  const idle: WorkerThread[] = []
  const waiters = new Set<Waiter>()
  let opening: PromiseWithResolvers<void> | undefined
  let isOpen = false
  let starting = 0
  const abandoned = new Set<Promise<void>>()
  let closing: (() => void) | undefined

  const settleClosing = () => {
    if (waiters.size === 0 && starting === 0 && idle.length === threads.size) closing?.()
  }

  const free = (thread: WorkerThread) => {
    if (!threads.has(thread)) return
    const [waiter] = waiters
    if (waiter === undefined) {
      thread.keepAlive(false)
      idle.push(thread)
      settleClosing()
      return
    }
    waiters.delete(waiter)
    waiter.serve(thread)
  }

  const remove = (thread: WorkerThread) => {
    threads.delete(thread)
    const index = idle.indexOf(thread)
    if (index >= 0) idle.splice(index, 1)
    grow()
    settleClosing()
  }

  const isFull = () => threads.size + starting >= max || abandoned.size >= max * abandonedFactor

  const grow = () => {
    const wanted = opening === undefined ? waiters.size : waiters.size + 1
    if (isFull() || wanted <= starting) return
    starting += 1
    let thread: WorkerThread | undefined
    const onExit = () => {
      if (thread !== undefined) remove(thread)
    }
    options.start(onExit).then(
      (started) => {
        starting -= 1
        thread = started
        threads.add(started)
        isOpen = true
        opening?.resolve()
        opening = undefined
        free(started)
      },
      (error: unknown) => {
        starting -= 1
        if (threads.size === 0) refuseAll(error)
        settleClosing()
      },
    )
  }

  const refuseAll = (error: unknown) => {
    opening?.reject(error)
    opening = undefined
    for (const waiter of waiters) waiter.refuse(error)
    waiters.clear()
  }

  const abandon = (thread: WorkerThread) => {
    options.onAbandon()
    const ended = thread.retire().then(() => {
      abandoned.delete(ended)
      grow()
    })
    abandoned.add(ended)
    remove(thread)
  }

  const wait = (limit: TimeLimit): Promise<WorkerThread> => {
    if (waiters.size >= maxWaiting) return Promise.reject(explained('53000', false))
    let waiter: Waiter | undefined
    const served = new Promise<WorkerThread>((serve, refuse) => {
      waiter = { serve, refuse }
      waiters.add(waiter)
    })
    grow()
    return within(limit, served, () => waiter !== undefined && waiters.delete(waiter))
  }

  return {
    acquire: async (limit) => {
      if (closing !== undefined) {
        throw new GatewayError('unavailable', 'The connection is closed.', { sqlState: '57P01' })
      }
      const thread = idle.pop() ?? (await wait(limit))
      thread.keepAlive(true)
      return createLease(thread, { graceMs, free, abandon })
    },
    ready: () => {
      if (isOpen) return Promise.resolve()
      opening ??= Promise.withResolvers<void>()
      const { promise } = opening
      grow()
      return promise
    },
    hasRoom: () => idle.length > 0 || !isFull(),
    state: () => ({
      busy: threads.size - idle.length,
      idle: idle.length,
      waiting: waiters.size,
    }),
    close: async () => {
      if (closing === undefined) {
        await new Promise<void>((resolve) => {
          closing = resolve
          settleClosing()
        })
      }
      await Promise.all([...threads].map((thread) => thread.close()))
      const patience = { deadline: performance.now() + patienceMs, signal: undefined }
      await within(patience, Promise.all(abandoned), () => true).catch(options.onAbandon)
    },
  }
}

interface LeaseOptions {
  readonly graceMs: number
  free(thread: WorkerThread): void
  abandon(thread: WorkerThread): void
}

function createLease(thread: WorkerThread, { graceMs, free, abandon }: LeaseOptions): Lease {
  let running: Promise<unknown> | undefined
  let isInTransaction = false

  const ask = (request: Question, timeoutMs: number): Promise<Reply> => {
    const reply = thread.ask(request, timeoutMs).then((answer) => {
      running = undefined
      if (answer.kind === 'failed' && !isPartOfTransaction(request)) isInTransaction = false
      return answer
    })
    running = reply
    if (request.kind === 'begin') isInTransaction = true
    if (request.kind === 'commit' || request.kind === 'rollback') isInTransaction = false
    return reply
  }

  /** The running statement was stopped, or its caller no longer waits for it. */
  const recover = async (): Promise<void> => {
    const grace = { deadline: performance.now() + graceMs, signal: undefined }
    const ended = async () => {
      await running
      if (isInTransaction) await ask({ kind: 'rollback' }, graceMs)
    }
    await within(grace, ended(), () => true)
  }

  /** Waits for a statement that was stopped; if it does not end, no other statement follows it on this thread. */
  const stopped = async (): Promise<void> => {
    if (running === undefined) return
    const grace = { deadline: performance.now() + graceMs, signal: undefined }
    await within(grace, running, () => true)
  }

  return {
    ask: async (request, limit) => {
      await stopped()
      return within(limit, ask(request, remainingMs(limit)), () => thread.stop())
    },
    askGroup: async (request) => {
      await stopped()
      return ask(request, Number.POSITIVE_INFINITY)
    },
    stop: thread.stop,
    runningMember: thread.runningMember,
    release: () => {
      if (running === undefined && !isInTransaction) {
        free(thread)
        return
      }
      thread.stop()
      recover().then(
        () => free(thread),
        () => abandon(thread),
      )
    },
  }
}
