import type { Program } from '../program.ts'
import type { ExecuteRequest, Reply } from '../workers/messages.ts'
import { executeAsBound } from './execute-as-bound.ts'
import type { Connection } from './open-connection.ts'
import { startRunTime } from './run-time.ts'

/**
 * The caller handles transactions.
 *
 * @throws errors of SQLite or of the adapter's functions, or an error with a fault.
 */
export function runRequest(
  connection: Connection,
  { values, rowShape, maxRows, schemaVersion }: ExecuteRequest,
  program: Program,
): Extract<Reply, { readonly kind: 'rows' }> {
  const takenMs = startRunTime()
  const call = { program, values, rowShape, maxRows }
  const outcome = executeAsBound(connection, call, schemaVersion)
  return { kind: 'rows', outcome, takenMs: takenMs() }
}
