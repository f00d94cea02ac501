/** @module What the service database reports → what the rest of the service can act on. */
import { GatewayError } from '../errors.ts'

/** Deadlock, serialisation failure, lock not to be had, busy: the same may succeed a moment later. */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57P03'])

/** May the same transaction succeed when it is run again? */
export function isPassing(error: unknown): boolean {
  return error instanceof GatewayError && passing.has(error.sqlState ?? '')
}

/** Is there a row with the same key already? After it, a transaction can only be rolled back. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof GatewayError && error.sqlState === '23505'
}

/** SQLSTATE classes and states of a database that is away, full, read-only or overloaded: its operator has to act. */
const away = /^(08|28|3D|53|57)|^25006$|^42501$|^(40001|40P01|55P03)$/

/**
 * Nothing of a client's is wrong when a statement of our own fails: taken keys stay `conflict`, a database that cannot do
 * its work is `unavailable`, everything else is a fault of ours. Says nothing that the database said; that is the cause.
 */
export function storeError(error: unknown): GatewayError {
  if (!(error instanceof GatewayError)) {
    return new GatewayError('internal', 'The service database refused a statement.', {
      cause: error,
    })
  }
  const { sqlState = 'XX000', cause = error } = error
  if (sqlState === '23505') return error
  if (error.problem === 'unavailable' || away.test(sqlState)) {
    return new GatewayError('unavailable', 'The service is not available at the moment.', {
      cause,
      sqlState,
    })
  }
  return new GatewayError('internal', 'The service database refused a statement.', {
    cause,
    sqlState,
  })
}
