import { isConnectionLost } from '../../foundation/adapter-errors.ts'

/** One repetition on a new connection is enough; a statement that crashes the server must not do so again and again. */
const mostAttempts = 2

export interface RetryOptions {
  readonly isWrite: boolean
  readonly signal: AbortSignal | undefined
  /** Has a part of the answer already been sent? */
  readonly isPastReturn?: () => boolean
}

/** Runs a statement; a read whose connection breaks is run again on another one, a write never. */
export async function retryReads<T>(
  { isWrite, signal, isPastReturn = () => false }: RetryOptions,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const mayTryAgain = !isWrite && attempt < mostAttempts && !signal?.aborted && !isPastReturn()
      if (!(mayTryAgain && isConnectionLost(error))) throw error
    }
  }
}
