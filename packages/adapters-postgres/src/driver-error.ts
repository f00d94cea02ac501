/** @module What PostgreSQL reports → what a caller can act on. Its own texts go to the log only: they quote rows. */
import { connectionLost, explainSqlState, GatewayError, type Violation } from '@engine/core'
import { DatabaseError } from 'pg'

/** Wraps what the driver threw; an error of our own stays as it is. */
export function driverError(error: unknown, isWrite: boolean): GatewayError {
  if (error instanceof GatewayError) return error
  if (!(error instanceof DatabaseError)) return connectionLost(error)
  const sqlState = error.code ?? 'XX000'
  if (isStalePlan(error)) {
    return new GatewayError('staleCatalog', 'A table has changed.', { cause: error, sqlState })
  }
  const { problem, message } = explainSqlState(isAboutValue(error) ? '22P02' : sqlState, isWrite)
  return new GatewayError(problem, message, {
    cause: error,
    sqlState,
    ...(sqlState.startsWith('23') ? { violation: violationOf(error) } : {}),
  })
}

/**
 * Some types and configurations are read by parsers and look-ups of their own, which report as those of SQL do: the text of
 * a jsonpath or a tsquery is wrong, not the statement.
 */
function isAboutValue({ code, routine, file }: DatabaseError): boolean {
  if (code === '42601') return file !== undefined && valueParsers.test(file)
  return code === '42704' && routine === 'get_ts_config_oid'
}

const valueParsers = /^(tsquery|tsvector_parser|jsonpath)/

function violationOf({ table, column, constraint }: DatabaseError): Violation {
  return { table, column, constraint }
}

/**
 * Does the server refuse a prepared statement of ours: the tables it was planned for have changed, or it is gone (a pooler
 * in between gave us another session)? Then nothing was executed, and preparing again helps.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  if (error.code === '26000') return true
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
