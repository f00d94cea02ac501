/**
 * @module What every request passes, without async functions: each of them allocates about a kilobyte and costs several times as much
 * as a callback.
 */

/** Calls `work`; what it throws at once is a rejection, too. */
export function started<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Calls `finish` when the work has ended, whatever its outcome: `try` with `finally`. */
export function finishing<T>(work: () => Promise<T>, finish: () => void): Promise<T> {
  return started(work).then(
    (result) => {
      finish()
      return result
    },
    (error: unknown) => {
      finish()
      throw error
    },
  )
}
