/** @module The row before the document of `json_populate_record(base, document)`: its type gives the keys that are read. */
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import { fieldsOfType, hasOwnNames } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression } from '../tree/expression.ts'

const functions: ReadonlySet<string> = new Set([
  'json_populate_record',
  'json_populate_recordset',
  'jsonb_populate_record',
  'jsonb_populate_recordset',
])

/**
 * @throws {GatewayError} `badRequest` (42804) for a base that is no row; `unsupported` for a row of a table, whose fields the database
 *   calls `f1`, `f2` ..., and of which it does not know the type.
 */
export function requireRowBase(
  { name, schema }: PgFunction,
  [base]: readonly Expression[],
  position: number | undefined,
  { context: { types } }: ExpressionEnvironment,
): void {
  if (schema !== undefined || !functions.has(name) || base === undefined) return
  const { type } = base
  if (type.oid !== oids.record && fieldsOfType(type, types) === undefined) {
    throw bindError(`first argument of ${name} must be a row type`, { sqlState: '42804', position })
  }
  if (type.fields !== undefined && (base.kind === 'constant' || !hasOwnNames(type))) {
    const construct = `a row of a table as the first argument of ${name}(), except in FROM`
    throw unsupported(construct, position)
  }
}
