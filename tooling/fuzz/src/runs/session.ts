/** @module The settings of every run: seeds, its length, its PostgreSQL. */

import type { Outcome } from '../subjects/subject.ts'

export interface RunOptions {
  /** URL of an empty database, as superuser; only the run uses it. */
  readonly url: string
  /** URL of a MariaDB or MySQL server, whose user may create databases; undefined: without one. */
  readonly mysqlUrl: string | undefined
  readonly seed: number
  /** Number of statements to run; undefined: until the time is over. */
  readonly count: number | undefined
  readonly seconds: number | undefined
  readonly perWorld: number
  /** Only this statement of the first world. */
  readonly only: number | undefined
  /** Ends after this number of findings. */
  readonly maxFindings: number
  readonly minimise: boolean
  /** Called from time to time. */
  readonly onProgress: (text: string) => void
}

/** The seed of a world's statement. */
export function statementSeed(worldSeed: number, index: number): number {
  return (Math.imul(worldSeed, 1_000_003) + index) | 0
}

/** Decides whether a run continues. */
export function createClock({ count, seconds }: Pick<RunOptions, 'count' | 'seconds'>): {
  readonly goesOn: (statements: number) => boolean
} {
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000
  const most = count ?? (seconds === undefined ? 1_000 : Number.POSITIVE_INFINITY)
  return { goesOn: (statements) => statements < most && performance.now() < end }
}

/** Limits that no statement of the grammar reaches. */
export const wideLimits = {
  maxRows: 20_000,
  maxRelationDepth: 1_000,
  maxFilterNesting: 1_000,
  maxFilterConditions: 100_000,
} as const

/** More rows than the engine would return. */
export function isTooLarge(outcome: Outcome): boolean {
  return outcome.kind === 'rows' && outcome.rows.length >= wideLimits.maxRows
}
