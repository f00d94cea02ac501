/** @module Readings that callers share: a caller needs one that began after its call, and few readings run at a time. */

/** Milliseconds between the beginnings of two readings while so many callers wait: a reading then serves more of them. */
const rests = [
  { waiting: 16, ms: 2 },
  { waiting: 4, ms: 1 },
] as const

/** How readings overlap. */
export interface ReadingsAtOnce {
  /** Readings that may run at the same time. */
  readonly most: number
  /** The next one begins before the last one ends where that has run for so many milliseconds. */
  readonly slowMs: number
}

/**
 * Returns a function that resolves with the result of a reading that began after the call. Calls that come while no reading may
 * begin share the next one, whose error all of them get.
 */
export function shareReadings<T>(
  read: () => Promise<T>,
  atOnce: ReadingsAtOnce = { most: 1, slowMs: 0 },
): () => Promise<T> {
  const running: Promise<T>[] = []
  let next: Promise<T> | undefined
  let beganMs = Number.NEGATIVE_INFINITY
  let waiting = 0

  const begin = (): Promise<T> => {
    beganMs = performance.now()
    const own = read().finally(() => running.splice(running.indexOf(own), 1))
    running.push(own)
    return own
  }
  const rest = (): Promise<void> | undefined => {
    const restMs = rests.find((each) => waiting >= each.waiting)?.ms ?? 0
    const leftMs = beganMs + restMs - performance.now()
    if (leftMs <= 0) return undefined
    return new Promise((resolve) => setTimeout(resolve, leftMs))
  }
  const oneEnded = () => Promise.race(running).catch(() => undefined)
  /** Resolves when a reading has ended, or the last one is slow. */
  const endedOrSlow = async (): Promise<void> => {
    const leftMs = beganMs + atOnce.slowMs - performance.now()
    if (leftMs <= 0) return
    let timer: NodeJS.Timeout | undefined
    const isSlow = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, leftMs)
    })
    await Promise.race([oneEnded(), isSlow])
    clearTimeout(timer)
  }
  const beginNext = async (): Promise<T> => {
    if (atOnce.most > 1) await endedOrSlow()
    while (running.length >= atOnce.most) await oneEnded()
    await rest()
    next = undefined
    waiting = 0
    return begin()
  }
  return () => {
    waiting += 1
    if (next !== undefined) return next
    if (running.length === 0) {
      waiting = 0
      return begin()
    }
    next = beginNext()
    return next
  }
}
