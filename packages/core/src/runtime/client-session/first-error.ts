/** @module The error that made a transaction fail. */
import { GatewayError } from '../../foundation/errors.ts'

/**
 * Returns the error of the statement that failed first. A statement whose table has changed is tried again with a fresh catalog;
 * in a transaction the second attempt only learns that the first one has failed.
 */
export function firstError(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  if (error.sqlState === '25P02' && error.cause instanceof GatewayError) {
    return firstError(error.cause)
  }
  if (error.problem !== 'staleCatalog') return error
  return new GatewayError(
    'conflict',
    'A table of the statement has changed: try the transaction again.',
    {
      cause: error.cause,
      sqlState: '40001',
    },
  )
}
