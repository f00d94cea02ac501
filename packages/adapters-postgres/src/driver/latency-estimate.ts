/** How long a statement takes, learned from its runs. */
export interface LatencyEstimate {
  /** @param ms from its turn to its answer. */
  record(ms: number): void
  /** Those behind it would hardly notice that they had to wait for it. */
  isShort(): boolean
  /** It kept others waiting: not short for a good while. */
  excludeFromSharing(): void
}

/** In milliseconds. */
const shortMs = 3

/** Runs after which older ones are forgotten. */
const memory = 64

/** For so many runs a statement is not short once it was not. */
const excludedRuns = 250

/**
 * Counts the quickest of the latest runs: the others tell more about what else went on. A statement that is quick with some
 * values and slow with others is found out by those that have to wait for it.
 */
export function createLatencyEstimate(): LatencyEstimate {
  let runs = 0
  let best = Number.POSITIVE_INFINITY
  let bestBefore = Number.POSITIVE_INFINITY
  let excludedFor = 0
  return {
    record: (ms) => {
      if (excludedFor > 0) excludedFor -= 1
      if (ms < best) best = ms
      runs += 1
      if (runs < memory) return
      bestBefore = best
      best = Number.POSITIVE_INFINITY
      runs = 0
    },
    isShort: () => excludedFor === 0 && (best < shortMs || bestBefore < shortMs),
    excludeFromSharing: () => {
      excludedFor = excludedRuns
    },
  }
}
