/** @module What a write answers whose rows were not taken, by the database or by their check. */
import type { Execution, ResultSet } from './adapter.ts'
import { GatewayError } from './errors.ts'
import type { PreparedRecheck } from './prepare-recheck.ts'
import type { ReadyStatement } from './run-query.ts'

interface Limits {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs where the write is going to run, before it: in its transaction, if it has one with other statements.
 *
 * @throws {GatewayError} `checkFailed` for a row that may not be proposed, see `precheckOf`.
 */
export async function requireProposals(
  { prepared, request }: ReadyStatement,
  execute: (execution: Execution) => Promise<ResultSet>,
  limits: Limits,
): Promise<void> {
  if (prepared.precheck === undefined) return
  const precheck = prepared.precheck()
  const hasFailed = await findsRows(precheck, request, execute, limits)
  if (hasFailed || !precheck.isComplete) throw prepared.checkFailure()
}

/**
 * A row that fails the check of its permission answers so, whatever else is wrong with it. Else a taken key or a missing
 * parent would tell of rows to whoever may not store such a row at all.
 *
 * @param execute runs where the write ran, after it was undone: outside the transaction that was rolled back by default.
 * @returns the error to answer with.
 */
export async function judgeRefusal(
  error: unknown,
  ready: ReadyStatement,
  limits: Limits,
  execute: (execution: Execution) => Promise<ResultSet> = (execution) =>
    ready.prepared.adapter.execute(execution),
): Promise<unknown> {
  const { prepared, request } = ready
  if (!(error instanceof GatewayError)) return error
  if (error.problem === 'checkFailed') return prepared.checkFailure()
  if (prepared.recheck === undefined || !isIntegrityError(error)) return error
  const recheck = prepared.recheck()
  const hasFailed = await findsRows(recheck, request, execute, limits)
  return hasFailed || !recheck.isComplete ? prepared.checkFailure() : error
}

/** May `judgeRefusal` have something to ask the database? Known before the write runs. */
export function mayNeedJudgement({ prepared }: ReadyStatement): boolean {
  return prepared.recheck !== undefined
}

/** Does any of the queries give a row? */
async function findsRows(
  { queries }: PreparedRecheck,
  request: ReadyStatement['request'],
  execute: (execution: Execution) => Promise<ResultSet>,
  limits: Limits,
): Promise<boolean> {
  for (const { compiled, recipe } of queries) {
    const { rowCount } = await execute({
      statement: compiled,
      values: recipe(request),
      maxRows: 1,
      rowShape: 'array',
      ...limits,
    })
    if (rowCount > 0) return true
  }
  return false
}

/** Keys, NOT NULL, CHECK: class 23 of PostgreSQL's error codes. */
function isIntegrityError({ sqlState }: GatewayError): boolean {
  return sqlState?.startsWith('23') === true
}
