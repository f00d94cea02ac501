/** @module How long a caller waits. */
import { GatewayError } from '@engine/core/adapter'
import { explained } from '../../errors/driver-error.ts'

export interface TimeLimit {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal | undefined
}

/** The longest time that a timer of Node can wait. In milliseconds. */
const longestTimerMs = 2_147_483_647

/** Does the caller no longer wait? */
export function isOver({ deadline, signal }: TimeLimit): boolean {
  return signal?.aborted === true || performance.now() > deadline
}

/** A commit is not stopped; this is the time to wait for one after the deadline. In milliseconds. */
const commitPatienceMs = 10_000

export function remainingMs({ deadline }: TimeLimit): number {
  return Math.min(Math.max(deadline - performance.now(), 0), longestTimerMs)
}

/**
 * The work's result, or `queryTimeout` when the limit comes first.
 *
 * @param stop Called at the limit. False: the work can no longer be stopped, and its end is awaited.
 */
export function within<T>(limit: TimeLimit, work: Promise<T>, stop: () => boolean): Promise<T> {
  const { signal } = limit
  return new Promise((resolve, reject) => {
    const disarm = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', expire)
    }
    const expire = () => {
      disarm()
      if (stop()) reject(explained('57014', false))
      else timer = setTimeout(() => reject(outcomeUnknown()), commitPatienceMs)
    }
    let timer = setTimeout(expire, remainingMs(limit))
    signal?.addEventListener('abort', expire, { once: true })
    work.then(resolve, reject).finally(disarm)
    if (signal?.aborted === true) expire()
  })
}

function outcomeUnknown(): GatewayError {
  const message = 'The database did not say whether the write was committed.'
  return new GatewayError('unavailable', message, { sqlState: '08007' })
}
