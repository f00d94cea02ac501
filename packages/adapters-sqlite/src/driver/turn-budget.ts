/** @module The main thread's work in portions: between two of them the event loop serves its other requests. */

export interface TurnBudget {
  /** Works at once, or in a later turn of the event loop when this one has had its portion; in the order of the calls. */
  run<T>(work: () => T): T | Promise<T>
}

/** Work of one turn begins within this time. In milliseconds. */
const portionMs = 5

/**
 * @param now in milliseconds.
 * @param inNextTurn calls back in the next turn of the event loop.
 */
export function createTurnBudget(
  now: () => number = () => performance.now(),
  inNextTurn: (callback: () => void) => unknown = setImmediate,
): TurnBudget {
  let begunAt: number | undefined
  const waiting: (() => void)[] = []

  const hasTime = (): boolean => {
    if (begunAt !== undefined) return now() - begunAt < portionMs
    begunAt = now()
    inNextTurn(beginTurn)
    return true
  }
  const beginTurn = () => {
    begunAt = undefined
    let done = 0
    while (done < waiting.length && hasTime()) {
      waiting[done]?.()
      done += 1
    }
    waiting.splice(0, done)
  }
  return {
    run: (work) => {
      if (waiting.length === 0 && hasTime()) return work()
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        })
      })
    },
  }
}
