/**
 * Waits for work, but no longer than that; the work itself goes on to its own end.
 *
 * @throws {Error} when time is up; what the work rejects with.
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${milliseconds} ms`)),
    milliseconds,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
