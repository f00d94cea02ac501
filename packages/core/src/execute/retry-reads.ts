import { isConnectionLost } from './adapter-errors.ts'

/** Once more on a new connection is enough; a statement that brings the server down must not do so again and again. */
const mostAttempts = 2

/** Runs a statement; a read whose connection breaks is run again on another one, a write never. */
export async function retryReads<T>(
  { isWrite, signal }: { readonly isWrite: boolean; readonly signal: AbortSignal | undefined },
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const mayTryAgain = !isWrite && attempt < mostAttempts && !signal?.aborted
      if (!(mayTryAgain && isConnectionLost(error))) throw error
    }
  }
}
