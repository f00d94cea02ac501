/** @module Runs a program on the schema that it was compiled for: SQLite itself would run it on any schema that has its names. */
import { executeProgram, type Outcome, type ProgramCall } from './execute-program.ts'
import type { Connection } from './open-connection.ts'

/**
 * A transaction keeps its schema: it is compared before the program runs. A read without a transaction is compared afterwards,
 * because another process may change the schema between two commands: versions only grow, so the read ran on the one before.
 *
 * @param schemaVersion of the schema that the program was compiled for; undefined: any.
 * @throws a fault `schemaChanged`, before anything is written; as `executeProgram`.
 */
export function executeAsBound(
  connection: Connection,
  call: ProgramCall,
  schemaVersion: number | undefined,
  longestText?: number,
): Outcome {
  const isKept = connection.database.inTransaction
  if (isKept) connection.checkSchema(schemaVersion)
  const outcome = executeProgram(connection, call, longestText)
  if (!isKept) connection.checkSchema(schemaVersion)
  return outcome
}
