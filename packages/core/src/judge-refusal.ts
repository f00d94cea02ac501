/** @module What a write answers whose rows the database did not take. */
import type { ResultSet } from './adapter.ts'
import { GatewayError } from './errors.ts'
import { checkFailed } from './execute/adapter-errors.ts'
import type { ReadyStatement } from './run-query.ts'

/**
 * Runs outside the transaction that was rolled back: a row that fails the check of its permission answers so, whatever else
 * is wrong with it. Else a taken key or a missing parent would tell of rows to whoever may not store such a row at all.
 *
 * @returns the error to answer with.
 */
export async function judgeRefusal(
  error: unknown,
  { prepared, request }: ReadyStatement,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<unknown> {
  if (prepared.recheck === undefined || !isIntegrityError(error)) return error
  const { queries, isComplete } = prepared.recheck()
  for (const { compiled, recipe } of queries) {
    const result: ResultSet = await prepared.adapter.execute({
      statement: compiled,
      values: recipe(request),
      maxRows: 1,
      rowShape: 'array',
      timeoutMs,
      signal,
    })
    if (result.rowCount > 0) return checkFailed()
  }
  return isComplete ? error : checkFailed()
}

/** Keys, NOT NULL, CHECK: class 23 of PostgreSQL's error codes. */
function isIntegrityError(error: unknown): boolean {
  return error instanceof GatewayError && error.sqlState?.startsWith('23') === true
}
