/** @module What the service database reports → what the rest of the service can act on. */
import { GatewayError } from '../../foundation/errors.ts'

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
 * its work is `unavailable`, everything else is a fault of ours. What the database said is the cause, for the log, as far as
 * it quotes no values: rows hold addresses, hashes and tokens.
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

/** What drivers say beside the message, as far as it names nothing but tables and codes. */
const harmless = ['code', 'errno', 'schema', 'table', 'column', 'constraint', 'routine'] as const

/** SQLSTATE classes whose messages quote values: data that does not fit, and constraints. */
const quoting = /^2[23]/

/** The same error with nothing of a row in it: `detail` and the like are left out, and messages that quote. */
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
