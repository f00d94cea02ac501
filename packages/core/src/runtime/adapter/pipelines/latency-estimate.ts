/** An estimate of the time that a statement takes, from its earlier runs. */
export interface LatencyEstimate {
  /** Records a run. @param ms from the start of the statement on the server to its answer. */
  record(ms: number): void
  /** True where statements that are queued after it hardly have to wait. */
  isShort(): boolean
  /** True where it takes no longer than sending it takes us. */
  isTiny(): boolean
  /** True where others can wait for it: it takes no longer than a commit that waits for the disk. */
  isBrief(): boolean
  /** The statement delayed others: it is neither short nor brief for the next runs, 250 by default. */
  excludeFromSharing(runs?: number): void
}

/** A statement below this time is short, in milliseconds. */
const shortMs = 3

/** A statement below this time is tiny, in milliseconds: mostly the round trip. */
const tinyMs = 0.3

/** A statement below this time is brief, in milliseconds, its commit included. */
const briefMs = 25

/** Number of runs after which older ones are ignored. */
const memory = 64

/** Number of runs for which a statement that delayed others is neither short nor brief, by default. */
const usualExclusion = 250

/**
 * Uses the quickest of the latest runs: slower ones depend more on other load. A statement that is quick with some
 * values and slow with others is excluded when it delays others.
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
    isShort: () => excludedFor === 0 && Math.min(best, bestBefore) < shortMs,
    isBrief: () => excludedFor === 0 && Math.min(best, bestBefore) < briefMs,
    isTiny: () => Math.min(best, bestBefore) < tinyMs,
    excludeFromSharing: (runs = usualExclusion) => {
      excludedFor = Math.max(excludedFor, runs)
    },
  }
}
