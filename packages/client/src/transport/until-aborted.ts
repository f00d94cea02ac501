/** What some work gives, or the reason of a signal that does not want to wait for it; the work goes on. */
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
