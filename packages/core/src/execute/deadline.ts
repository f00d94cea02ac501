import { GatewayError } from '../errors.ts'

/**
 * Runs `work` with a signal that also fires when time is up. What is then cancelled is reported as a timeout.
 *
 * @throws {GatewayError} `queryTimeout` (408) when time was up first; what `work` throws.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal])
  try {
    return await work(either)
  } catch (error) {
    throw limit.signal.aborted && isCancelled(error) ? timeIsUp(error) : error
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
