import { noAnswer } from './adapter-errors.ts'
import { createDeadlineTimer } from './deadline-timer.ts'
import { GatewayError } from './errors.ts'
import { createLiveList } from './live-list.ts'

/** The time limit for stopping a statement, in milliseconds: a database that hangs does not stop one either. */
export const graceMs = 3_000

/**
 * Runs `work` with a signal that is aborted on timeout. Work that the timeout cancels is reported as a timeout. Work that
 * still does not end is abandoned.
 *
 * @throws {GatewayError} `queryTimeout` (408) on timeout; any error of `work`.
 */
export async function withAbortDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal])
  try {
    return await rejectAfter(timeoutMs, work(either))
  } catch (error) {
    throw limit.signal.aborted && isCancelled(error) ? timeIsUp(error) : error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for a statement that an adapter stops after `timeoutMs`, and rejects when stopping takes longer than `graceMs`. The
 * adapter continues, and gets its connection back later.
 *
 * @throws {GatewayError} `queryTimeout` (408) when it takes longer; any error of `work`.
 */
export function rejectAfter<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadlineMs = performance.now() + timeoutMs + graceMs
    const entry = awaited.add({ deadlineMs, expire: () => reject(noAnswer()) })
    deadlines.expect(deadlineMs)
    work.then(
      (result) => {
        awaited.remove(entry)
        resolve(result)
      },
      (error: unknown) => {
        awaited.remove(entry)
        reject(error)
      },
    )
  })
}

interface Awaited {
  readonly deadlineMs: number
  readonly expire: () => void
}

/** Statements that have not been answered: every one is here for a while. */
const awaited = createLiveList<Awaited>()

const deadlines = createDeadlineTimer((nowMs) => {
  let next = Number.POSITIVE_INFINITY
  for (const { deadlineMs, expire } of awaited) {
    if (deadlineMs <= nowMs) expire()
    else if (deadlineMs < next) next = deadlineMs
  }
  return next === Number.POSITIVE_INFINITY ? undefined : next
})

/** SQLSTATE of a statement that was cancelled. */
function isCancelled(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.sqlState === '57014'
}

function timeIsUp(cause: GatewayError): GatewayError {
  if (cause.problem === 'queryTimeout') return cause
  return new GatewayError('queryTimeout', 'The query took too long.', { cause, sqlState: '57014' })
}
