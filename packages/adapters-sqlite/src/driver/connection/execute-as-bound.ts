/** @module Runs a program on the schema that it was compiled for: SQLite itself would run it on any schema that has its names. */
import { executeProgram, type Outcome, type ProgramCall } from './execute-program.ts'
import type { Connection } from './open-connection.ts'

/**
 * A transaction keeps its schema, which is compared before the program runs. A read gets a transaction for this: it costs less than
 * a comparison after the read, since the file is locked once.
 *
 * @param schemaVersion of the schema that the program was compiled for; undefined: any.
 * @throws a fault `schemaChanged`; as `executeProgram`.
 */
export function executeAsBound(
  connection: Connection,
  call: ProgramCall,
  schemaVersion: number | undefined,
  longestText?: number,
): Outcome {
  const { database, prepare, checkSchema } = connection
  if (database.inTransaction) {
    checkSchema(schemaVersion)
    return executeProgram(connection, call, longestText)
  }
  prepare('begin').run()
  try {
    checkSchema(schemaVersion)
    return executeProgram(connection, call, longestText)
  } finally {
    if (database.inTransaction) prepare('commit').run()
  }
}
