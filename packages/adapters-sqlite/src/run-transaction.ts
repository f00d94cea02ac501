/** @module Several statements of one caller in one transaction, on a thread of their own. */
import {
  type Execution,
  GatewayError,
  type ResultSet,
  type Session,
  type TransactionOptions,
} from '@engine/core'
import { explained } from './driver-error.ts'
import type { TimeLimit } from './workers/time-limit.ts'
import type { Lease } from './workers/worker-pool.ts'
import type { Question } from './workers/worker-thread.ts'

export interface TransactionTools {
  acquire(limit: TimeLimit): Promise<Lease>
  /** Sends a request; a fault in the reply is thrown. */
  send(lease: Lease, request: Question, limit: TimeLimit): Promise<ResultSet>
  question(execution: Execution): Question
  /** Throws what a commit would throw for a foreign key that is checked late. */
  checkDeferred(lease: Lease, limit: TimeLimit): Promise<void>
}

/**
 * Commits when `body` resolves, rolls back when it rejects, when a statement failed (even if `body` made nothing of that),
 * or when it sends nothing for longer than one statement may take.
 */
export async function runTransaction<T>(
  { timeoutMs, readOnly, signal }: TransactionOptions,
  body: (session: Session) => Promise<T>,
  tools: TransactionTools,
): Promise<T> {
  const limitFor = (ms: number): TimeLimit => ({ deadline: performance.now() + ms, signal })
  const lease = await tools.acquire(limitFor(timeoutMs))
  const idle = createIdleWatch(timeoutMs, signal)
  const statements = createSession(idle, {
    run: (execution) =>
      tools.send(lease, tools.question(execution), {
        ...limitFor(Math.min(timeoutMs, execution.timeoutMs)),
        signal: eitherSignal(signal, execution.signal),
      }),
    checkDeferred: () => tools.checkDeferred(lease, limitFor(timeoutMs)),
  })
  try {
    await tools.send(lease, { kind: 'begin', isWrite: !readOnly }, limitFor(timeoutMs))
    idle.start()
    const result = await Promise.race([body(statements.session), idle.expired])
    await statements.finish()
    await tools.send(lease, { kind: 'commit' }, limitFor(timeoutMs))
    return result
  } finally {
    idle.stop()
    statements.close()
    lease.release()
  }
}

interface Statements {
  readonly session: Session
  /** Waits for what still runs. Throws what a statement failed with. */
  finish(): Promise<void>
  close(): void
}

interface SessionWork {
  run(execution: Execution): Promise<ResultSet>
  checkDeferred(): Promise<void>
}

/** Runs statements one after the other, also when they are not waited for. */
function createSession(idle: IdleWatch, { run, checkDeferred }: SessionWork): Statements {
  let tail: Promise<unknown> = Promise.resolve()
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  const attempt = async <R>(work: () => Promise<R>): Promise<R> => {
    if (isOver) throw transactionEnded()
    if (failure !== undefined) throw transactionFailed(failure.error)
    idle.stop()
    try {
      return await work()
    } catch (error) {
      failure = { error }
      throw error
    } finally {
      if (!isOver) idle.start()
    }
  }
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = tail.then(() => attempt(work))
    tail = result.catch(() => undefined)
    return result
  }
  return {
    session: {
      execute: (execution) => inTurn(() => run(execution)),
      checkDeferred: () => inTurn(checkDeferred),
    },
    finish: async () => {
      await tail
      if (failure !== undefined) throw failure.error
    },
    close: () => {
      isOver = true
    },
  }
}

interface IdleWatch {
  start(): void
  stop(): void
  /** Rejects when the watch ran for too long, or nobody waits any more. */
  readonly expired: Promise<never>
}

function createIdleWatch(idleMs: number, signal: AbortSignal | undefined): IdleWatch {
  let timer: NodeJS.Timeout | undefined
  let expire = () => undefined as undefined
  const expired = new Promise<never>((_resolve, reject) => {
    expire = () => void reject(explained('57014', false))
  })
  // Nobody may be waiting when the signal fires.
  expired.catch(() => undefined)
  const stop = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', expire)
  }
  return {
    start: () => {
      stop()
      timer = setTimeout(expire, idleMs)
      signal?.addEventListener('abort', expire, { once: true })
      if (signal?.aborted === true) expire()
    },
    stop,
    expired,
  }
}

function eitherSignal(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  if (first === undefined || first === second) return second
  return second === undefined ? first : AbortSignal.any([first, second])
}

function transactionFailed(cause: unknown): GatewayError {
  const message = 'The transaction has failed: nothing of it is kept.'
  return new GatewayError('badRequest', message, { sqlState: '25P02', cause })
}

function transactionEnded(): GatewayError {
  return new GatewayError('badRequest', 'The transaction is over.', { sqlState: '25P01' })
}
