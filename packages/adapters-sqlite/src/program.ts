/** @module A compiled statement as plain data: what a worker thread is told, types resolved to how values are spelled. */
import type { PlanStep } from '@engine/core/adapter'
import type { StoredColumn } from '@engine/core/values'

export interface Program {
  /** Unique in the process: a worker is told the whole program only once. */
  readonly id: number
  readonly steps: readonly ProgramStep[]
  /** Of the answer; empty when it has no rows. */
  readonly columns: readonly StoredColumn[]
  readonly isWrite: boolean
  readonly needsTransaction: boolean
  /** A handful of rows at most: they are fetched at once instead of one by one. */
  readonly isBounded: boolean
}

export interface ProgramStep {
  readonly sql: string
  readonly parameters: readonly ParameterKind[]
  /** Number of the placeholder that stands for the size which a row may have, where the SQL looks at it. */
  readonly sizePlaceholder: number | undefined
  readonly yields: PlanStep['yields']
  readonly checkColumn: number | undefined
  readonly visibleColumn: number | undefined
}

/** How a value is given to SQLite. `step`: the kept rows of an earlier step. */
export type ParameterKind =
  | { readonly kind: 'integer' | 'boolean' | 'float' | 'bytes' | 'text' }
  | { readonly kind: 'array'; readonly element: ParameterKind }
  | { readonly kind: 'step'; readonly step: number }
