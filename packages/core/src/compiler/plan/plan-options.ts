import type { PlanFormat } from '../catalog/database-traits.ts'

/** Options of PostgreSQL's EXPLAIN. `format` is one of the adapter's `planFormats`; the rest may be ignored. */
export interface PlanLineOptions {
  readonly format: PlanFormat
  readonly isVerbose: boolean
  readonly hasCosts: boolean
  /** Runs the statement and measures it, see `Adapter.analyze`. */
  readonly isAnalyzed?: boolean
  /** Options that are named, on or off; all others are as usual. Only where there is an `Adapter.analyze`. */
  readonly named?: Readonly<Partial<Record<PlanDetail, boolean>>>
}

export type PlanDetail = 'buffers' | 'settings' | 'summary' | 'timing' | 'wal'
