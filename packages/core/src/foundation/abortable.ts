import { cancelled } from './adapter-errors.ts'

/** Stops waiting when the signal fires; the work itself continues to its end. */
export async function abortable<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw cancelled()
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled())
    signal.addEventListener('abort', onAbort, { once: true })
    start()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
