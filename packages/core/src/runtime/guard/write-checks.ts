/**
 * @module The error of a failed write. An error of the database must not be reported before the check of the permission is
 * known to hold: it may depend on rows that the caller cannot see. The check is evaluated in the state that the
 * write saw; where that is not possible, it counts as failed.
 */

import type { KnownTraits } from '../../compiler/catalog/database-traits.ts'
import { changedError, GatewayError } from '../../foundation/errors.ts'
import type { Execution, IsolationLevel, ResultSet } from '../adapter/adapter.ts'
import type { PreparedRecheck } from './prepare-recheck.ts'
import { isTooManyRows } from './row-overflow.ts'
import type { Runnable, TimeLimits } from './runnable.ts'

/** Runs one execution: alone or in a transaction. */
export type Send = (execution: Execution) => Promise<ResultSet>

/**
 * How the state in which the check can be evaluated now relates to the state that the failed write saw.
 *
 * - `same`: a query sees the same rows as the write.
 * - `other`: rows may have changed in between.
 * - `judged`: the check was evaluated before the write, in the same state, and held.
 */
export type CheckState = 'same' | 'other' | 'judged'

/** `again`: the write must run again in a transaction that sees one state, with the check evaluated before it. */
export type Verdict =
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'again' }

/**
 * Chooses the error that a failed write reports.
 *
 * @param send must not depend on the transaction of the failed write, unless `state` is `same`.
 */
export async function classifyWriteError(
  error: unknown,
  ready: Runnable,
  { oneStateIsolation }: Pick<KnownTraits, 'oneStateIsolation'>,
  send: Send,
  limits: TimeLimits,
  state: CheckState,
): Promise<Verdict> {
  const { prepared } = ready
  const failed: Verdict = { kind: 'error', error: checkFailureFor(error, ready) }
  if (error instanceof GatewayError && error.problem === 'checkFailed') return failed
  if (prepared.recheck === undefined || !mayDependOnRows(error)) return { kind: 'error', error }
  const recheck = prepared.recheck()
  if (!recheck.isComplete) return failed
  if (state === 'judged' && !recheck.isPure) return { kind: 'error', error }
  if (state === 'other' && !recheck.isPure) {
    return oneStateIsolation === undefined ? failed : { kind: 'again' }
  }
  const finding = await findFailingRows(recheck, ready, send, limits)
  return finding.hasFailed ? failed : { kind: 'error', error }
}

/** The error of a failed check. It carries the database's error for the log only; callers never get it. */
function checkFailureFor(error: unknown, { prepared }: Runnable): GatewayError {
  const failure = prepared.checkFailure()
  if (!(error instanceof GatewayError)) return failure
  const { report } = error
  return changedError(failure, { cause: error.cause ?? error, report })
}

/**
 * Evaluates the check of the rows that a write proposes, before the write runs.
 *
 * @throws {GatewayError} `checkFailed` when a row fails it, or when the result cannot be known.
 */
export async function runPrecheck(
  recheck: PreparedRecheck | undefined,
  ready: Runnable,
  send: Send,
  limits: TimeLimits,
): Promise<void> {
  if (recheck === undefined) return
  if (!recheck.isComplete) throw ready.prepared.checkFailure()
  const { hasFailed, cause } = await findFailingRows(recheck, ready, send, limits)
  if (hasFailed) throw checkFailureFor(cause, ready)
}

/**
 * Evaluates the check of a write before it runs in a transaction that sees one state. Checks that depend on the request
 * alone, and checks that cannot be evaluated, are left to `classifyWriteError`.
 *
 * @throws {GatewayError} `checkFailed`
 */
export async function runPrecheckInOneState(
  ready: Runnable,
  send: Send,
  limits: TimeLimits,
): Promise<void> {
  const recheck = ready.prepared.recheck?.()
  if (recheck === undefined || recheck.isPure || !recheck.isComplete) return
  await runPrecheck(recheck, ready, send, limits)
}

/** Does a transaction of this level see one state, apart from its own writes? */
export function seesOneState(
  { oneStateIsolation }: Pick<KnownTraits, 'oneStateIsolation'>,
  isolation: IsolationLevel | undefined,
): boolean {
  if (oneStateIsolation === undefined || isolation === undefined) return false
  return strictness[isolation] >= strictness[oneStateIsolation]
}

const strictness: Readonly<Record<IsolationLevel, number>> = {
  'read uncommitted': 0,
  'read committed': 1,
  'repeatable read': 2,
  serializable: 3,
}

/** A conflict with another transaction: the same statement can succeed when it is retried. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof GatewayError && (error.sqlState === '40001' || error.sqlState === '40P01')
}

/**
 * May the error depend on rows? These do not: connections (SQLSTATE class 08), the state of
 * the transaction (25), serialization (40), resources (53), the operator (57); a stale plan.
 */
function mayDependOnRows(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  if (independentOfRows.has(error.problem) || isTooManyRows(error)) return false
  return error.sqlState === undefined || !/^(?:08|25|40|53|57)/.test(error.sqlState)
}

const independentOfRows: ReadonlySet<GatewayError['problem']> = new Set([
  'unavailable',
  'queryTimeout',
  'staleCatalog',
  'tableNotFound',
  'unknownColumn',
])

interface Finding {
  readonly hasFailed: boolean
  /** Why the check cannot be computed. For the log. */
  readonly cause?: unknown
}

/** Does a proposed row fail its check? A check that depends on rows and cannot be computed counts as failed. */
async function findFailingRows(
  { queries, isPure }: PreparedRecheck,
  { request }: Runnable,
  send: Send,
  limits: TimeLimits,
): Promise<Finding> {
  for (const { compiled, recipe } of queries) {
    const execution: Execution = {
      statement: compiled,
      values: recipe(request),
      maxRows: 1,
      rowShape: 'array',
      ...limits,
    }
    try {
      const { rowCount } = await send(execution)
      if (rowCount > 0) return { hasFailed: true }
    } catch (error) {
      if (isPure || !mayDependOnRows(error)) throw error
      return { hasFailed: true, cause: error }
    }
  }
  return { hasFailed: false }
}
