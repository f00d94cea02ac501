/** Resolves with the result of work, or rejects with the reason of the signal if it aborts first; the work goes on. */
export async function untilAborted<Value>(
  work: () => Value | Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  signal?.throwIfAborted()
  const value = work()
  if (signal === undefined || !(value instanceof Promise)) return value
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([value, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
