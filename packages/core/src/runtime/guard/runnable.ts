/** @module The unit that the guard runs: a compiled statement with its values and the checks before it may reach its database. */

import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { SqlValue } from '../../compiler/sql-types/value-source.ts'
import type { GatewayError } from '../../foundation/errors.ts'
import type { Execution, ResultSet } from '../adapter/adapter.ts'
import type { RequestValues } from '../execute/parameter-values.ts'
import type { PreparedRecheck } from './prepare-recheck.ts'

/** A statement that can be run. Its compiled form reaches an adapter through `GuardedAdapter` alone. */
export interface Runnable {
  readonly prepared: {
    readonly plan: { readonly connection: string; readonly compiled: CompiledStatement }
    /** The checks before an INSERT with ON CONFLICT; undefined for every other statement. */
    readonly precheck: (() => PreparedRecheck) | undefined
    /** Checks whether an error of a checked write may be reported; undefined where every error may be. */
    readonly recheck: (() => PreparedRecheck) | undefined
    /** The refusal of a write whose check fails. */
    checkFailure(): GatewayError
    /** An error with the facts that the caller may know of it. */
    withReportedFacts(error: unknown, when?: 'commit'): unknown
  }
  /** The sources of `values`; the checks compute their own from it. */
  readonly request: RequestValues
  readonly values: readonly (readonly SqlValue[])[]
}

export interface TimeLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface AloneLimits extends TimeLimits {
  /** An error of `Work` undoes the write: it runs in a transaction. */
  readonly isUndone?: boolean
}

/** The form of the rows, and the time that the statement may take. */
export type RunOptions = Omit<Execution, 'statement' | 'values'>

/** Sends a statement whose checks allow it, once. */
export type SendStatement = (options: RunOptions) => Promise<ResultSet>

/**
 * Runs a statement and returns its answer.
 *
 * @param send sends the statement; called once.
 * @param limits the remaining time, after the time that checks have taken.
 */
export type Work<Answer> = (send: SendStatement, limits: TimeLimits) => Promise<Answer>
