/** @module Known limits of a number that only grows, when some answers were lost. */

export interface Counter {
  /** One was added, and the answer confirmed it; with the new value if it was returned. @returns the error, if any. */
  added(value?: number): string | undefined
  /** One may have been added. */
  maybeAdded(): void
  /** The number was read. @returns the error, if any. */
  read(value: number): string | undefined
  /** Range of its possible current value: from, to. */
  readonly range: () => readonly [low: number, high: number]
}

/** A write whose answer was lost is done by then, or never. */
const settledMs = 20_000

export function createCounter(clock: () => number): Counter {
  let low = 0
  /** For each addition that `low` does not include: when its answer was lost. */
  let unknown: readonly number[] = []
  const high = () => low + unknown.length
  const take = (value: number): string | undefined => {
    if (value < low) return `${value} is less than ${low}: an acknowledged write is lost`
    if (value > high()) return `${value} is more than ${high()}: a write was done twice`
    unknown = unknown.slice(value - low).filter((at) => at > clock() - settledMs)
    low = value
    return undefined
  }
  return {
    range: () => [low, high()],
    added: (value) => {
      low += 1
      return value === undefined ? undefined : take(value)
    },
    maybeAdded: () => {
      unknown = [...unknown, clock()]
    },
    read: take,
  }
}
