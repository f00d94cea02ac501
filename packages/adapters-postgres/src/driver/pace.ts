/** How long a statement takes, learned from its runs. */
export interface Pace {
  /** @param ms from its turn to its answer. */
  note(ms: number): void
  /** Those behind it would hardly notice that they had to wait for it. */
  isShort(): boolean
  /** It kept others waiting: not short for a good while. */
  bar(): void
}

/** In milliseconds. */
const shortMs = 3

/** Runs after which older ones are forgotten. */
const memory = 64

/** For so many runs a statement is not short once it was not. */
const barredRuns = 250

/**
 * Counts the quickest of the latest runs: the others tell more about what else went on. A statement that is quick with some
 * values and slow with others is found out by those that have to wait for it.
 */
export function createPace(): Pace {
  let runs = 0
  let best = Number.POSITIVE_INFINITY
  let bestBefore = Number.POSITIVE_INFINITY
  let barredFor = 0
  return {
    note: (ms) => {
      if (barredFor > 0) barredFor -= 1
      if (ms < best) best = ms
      runs += 1
      if (runs < memory) return
      bestBefore = best
      best = Number.POSITIVE_INFINITY
      runs = 0
    },
    isShort: () => barredFor === 0 && (best < shortMs || bestBefore < shortMs),
    bar: () => {
      barredFor = barredRuns
    },
  }
}
