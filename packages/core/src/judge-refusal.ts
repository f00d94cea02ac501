/** @module What a write answers whose rows were not taken, by the database or by their check. */
import { GatewayError } from './errors.ts'
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
  if (!(error instanceof GatewayError)) return error
  if (error.problem === 'checkFailed') return prepared.checkFailure()
  if (prepared.recheck === undefined || !isIntegrityError(error)) return error
  const { queries, isComplete } = prepared.recheck()
  for (const { compiled, recipe } of queries) {
    const { rowCount } = await prepared.adapter.execute({
      statement: compiled,
      values: recipe(request),
      maxRows: 1,
      rowShape: 'array',
      timeoutMs,
      signal,
    })
    if (rowCount > 0) return prepared.checkFailure()
  }
  return isComplete ? error : prepared.checkFailure()
}

/** Keys, NOT NULL, CHECK: class 23 of PostgreSQL's error codes. */
function isIntegrityError({ sqlState }: GatewayError): boolean {
  return sqlState?.startsWith('23') === true
}
