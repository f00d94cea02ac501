import { isConnectionLost } from '../../foundation/adapter-errors.ts'
import { started } from '../../foundation/finishing.ts'

/** One repetition on a new connection is enough; a statement that crashes the server must not do so again and again. */
const mostAttempts = 2

export interface RetryOptions {
  readonly isWrite: boolean
  readonly signal: AbortSignal | undefined
  /** Has a part of the answer already been sent? */
  readonly isPastReturn?: () => boolean
}

/** Runs a statement; a read whose connection breaks is run again on another one, a write never. */
export function retryReads<T>(options: RetryOptions, run: () => Promise<T>): Promise<T> {
  return runAttempt(1, options, run)
}

function runAttempt<T>(attempt: number, options: RetryOptions, run: () => Promise<T>): Promise<T> {
  return started(run).catch((error: unknown) => {
    const { isWrite, signal, isPastReturn = () => false } = options
    const mayTryAgain = !isWrite && attempt < mostAttempts && !signal?.aborted && !isPastReturn()
    if (!(mayTryAgain && isConnectionLost(error))) throw error
    return runAttempt(attempt + 1, options, run)
  })
}
