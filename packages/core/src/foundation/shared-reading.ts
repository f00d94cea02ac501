/** @module Readings that callers share: a caller needs one that began after its call, and the readings run one after the other. */

/** The number of waiting callers from which the next reading is delayed, so that it serves more of them. */
const crowd = 4

/** Milliseconds between the beginnings of two readings when there is a crowd. */
const restMs = 1

/**
 * Returns a function that resolves with the result of a reading that began after the call. Calls that come during a reading share
 * the next one, whose error all of them get.
 */
export function shareReadings<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  let beganMs = Number.NEGATIVE_INFINITY
  let waiting = 0

  const begin = (): Promise<T> => {
    beganMs = performance.now()
    const own = read().finally(() => {
      running = undefined
    })
    running = own
    return own
  }
  const rest = (): Promise<void> | undefined => {
    const isCrowded = waiting >= crowd
    if (!isCrowded || performance.now() - beganMs >= restMs) return undefined
    return new Promise((resolve) => setTimeout(resolve, restMs))
  }
  const beginNext = async (): Promise<T> => {
    await rest()
    next = undefined
    waiting = 0
    return begin()
  }
  return () => {
    waiting += 1
    if (next !== undefined) return next
    if (running === undefined) {
      waiting = 0
      return begin()
    }
    next = running.then(beginNext, beginNext)
    return next
  }
}
