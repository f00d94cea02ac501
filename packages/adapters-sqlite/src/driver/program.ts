/** @module A compiled statement as plain data, as sent to a worker thread; types are resolved to the spelling of their values. */
import type { PlanStep } from '@engine/core/adapter'
import type { ParameterKind, StoredColumn } from '@engine/core/values'

/** A compiled statement in the form that a worker runs. */
export interface Program {
  /** Unique in the process: the whole program is sent to a worker only once. */
  readonly id: number
  readonly steps: readonly ProgramStep[]
  /** Columns of the answer; empty when it has no rows. */
  readonly columns: readonly StoredColumn[]
  readonly isWrite: boolean
  readonly needsTransaction: boolean
  /** Only a few rows: they are fetched at once instead of one by one. */
  readonly isBounded: boolean
  /** Its rows are a part of the stored ones: a small number is fetched at once where the database is small. */
  readonly isStored: boolean
  /** It may run on the main thread, while it is short. */
  readonly isSimple: boolean
}

/** One SQL text of a program. */
export interface ProgramStep {
  readonly sql: string
  /** Where `sql` has fast sums that fail beyond 64 bits (22003): the same with exact ones. */
  readonly exactSql: string | undefined
  readonly parameters: readonly ParameterKind[]
  /** Number of the placeholder for the maximum size of a row, where the SQL checks it. */
  readonly sizePlaceholder: number | undefined
  readonly yields: PlanStep['yields']
  readonly checkColumn: number | undefined
  readonly visibleColumn: number | undefined
}
