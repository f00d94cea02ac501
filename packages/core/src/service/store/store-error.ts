/** @module Converts errors of the service database to errors that the rest of the service can act on. */
import { GatewayError } from '../../foundation/errors.ts'

/** Deadlock, serialisation failure, lock not available, busy: the same statement may succeed shortly after. */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57P03'])

/** May the same transaction succeed when it is run again? */
export function isPassing(error: unknown): boolean {
  return error instanceof GatewayError && passing.has(error.sqlState ?? '')
}

/** Does a row with the same key exist? After this error, a transaction can only be rolled back. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof GatewayError && error.sqlState === '23505'
}

/** SQLSTATE classes and states of a database that is unavailable, full, read-only or overloaded: its operator has to act. */
const away = /^(08|28|3D|53|57)|^25006$|^42501$|^(40001|40P01|55P03)$/

/**
 * A failure of the service's own statement is not the client's fault: taken keys stay `conflict`, a database that cannot work is
 * `unavailable`, every other error is a fault of the service. The database's error is the cause, for the log, but without values:
 * rows contain addresses, hashes and tokens.
 */
export function storeError(error: unknown): GatewayError {
  const known = error instanceof GatewayError ? error : undefined
  const sqlState = known?.sqlState ?? 'XX000'
  const cause = withoutValues(known?.cause ?? error, sqlState)
  const state = { cause, sqlState }
  if (sqlState === '23505') {
    return new GatewayError('conflict', 'A row with the same key exists already.', state)
  }
  if (known?.problem === 'unavailable' || away.test(sqlState)) {
    return new GatewayError('unavailable', 'The service is not available at the moment.', state)
  }
  return new GatewayError('internal', 'The service database refused a statement.', state)
}

/** Fields of drivers' errors that contain only tables, codes and other names. */
const harmless = ['code', 'errno', 'schema', 'table', 'column', 'constraint', 'routine'] as const

/** SQLSTATE classes whose messages quote values: data that does not fit, and constraints. */
const quoting = /^2[23]/

/** The same error without data of rows: `detail` and similar fields are left out, and messages that quote values. */
function withoutValues(error: unknown, sqlState: string): Error {
  if (!(error instanceof Error)) return new Error(`something of type ${typeof error} was thrown`)
  const facts = harmless.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  const message = quoting.test(sqlState) ? `SQLSTATE ${sqlState}` : error.message
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  const stack = [`${error.name}: ${message}`, ...frames].join('\n')
  return Object.assign(new Error(message), Object.fromEntries(facts), { name: error.name, stack })
}
