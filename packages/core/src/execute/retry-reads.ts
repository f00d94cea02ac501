import { isConnectionLost } from './adapter-errors.ts'

/** How often a read is tried on another connection when its own breaks. */
const mostAttempts = 3

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
