/** @module Statements run only on the schema that they were compiled for: SQLite itself would run them on any that has their names. */
import { GatewayError } from '@engine/core/adapter'
import { LibsqlBatchError } from '@libsql/client/web'
import type { InStatement, LibsqlResult } from './libsql-client.ts'

/** Fails on any other schema, before the statement that is sent with it. */
const checkSql = `select case when (select schema_version from pragma_schema_version) = ?1 then 1 else json('') end`

/**
 * @param batch sends statements in one round trip, and in one transaction; the first one that fails ends them.
 * @param schemaVersion of the schema that the statement was compiled for; undefined: any.
 * @throws {GatewayError} `staleCatalog` before anything has run.
 */
export async function executeAsBound(
  batch: (statements: InStatement[]) => Promise<readonly LibsqlResult[]>,
  statement: InStatement,
  schemaVersion: number | undefined,
): Promise<LibsqlResult> {
  const check = schemaVersion === undefined ? [] : [{ sql: checkSql, args: [schemaVersion] }]
  try {
    const result = (await batch([...check, statement])).at(-1)
    if (result === undefined) throw new GatewayError('internal', 'a batch without a result')
    return result
  } catch (error) {
    if (check.length === 0 || !isOfCheck(error)) throw error
    throw new GatewayError('staleCatalog', 'A table has changed.', {
      sqlState: '0A000',
      cause: error,
    })
  }
}

function isOfCheck(error: unknown): boolean {
  return (
    error instanceof LibsqlBatchError &&
    error.statementIndex === 0 &&
    error.message.endsWith('malformed JSON')
  )
}
