import { noAnswer } from './adapter-errors.ts'
import { GatewayError } from './errors.ts'

/** How long stopping a statement may take, in milliseconds: a database that hangs does not stop one either. */
export const graceMs = 3_000

/**
 * Runs `work` with a signal that also fires when time is up. What is then cancelled is reported as a timeout. Work that does
 * not even end then is left to itself.
 *
 * @throws {GatewayError} `queryTimeout` (408) when time was up first; what `work` throws.
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
 * Waits for a statement that an adapter stops when `timeoutMs` are over, and no longer than it may take to do so. The
 * adapter goes on, and gets its connection back in its own time.
 *
 * @throws {GatewayError} `queryTimeout` (408) when it takes longer; what `work` throws.
 */
export async function rejectAfter<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer()), timeoutMs + graceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** SQLSTATE of a statement that was cancelled. */
function isCancelled(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.sqlState === '57014'
}

function timeIsUp(cause: GatewayError): GatewayError {
  if (cause.problem === 'queryTimeout') return cause
  return new GatewayError('queryTimeout', 'The query took too long.', { cause, sqlState: '57014' })
}
