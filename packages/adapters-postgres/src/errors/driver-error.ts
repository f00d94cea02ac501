/** @module Maps errors of PostgreSQL to errors that a caller can act on. Its own messages go only to the log: they quote rows. */
import {
  connectionLost,
  type DatabaseReport,
  explainSqlState,
  GatewayError,
  isAboutStatement,
  type Violation,
} from '@engine/core/adapter'

import { DatabaseError } from 'pg'
import { noNumberError } from '../driver/drawn-numbers.ts'

/** Wraps an error of the driver; an error of our own is returned unchanged. */
export function driverError(error: unknown, isWrite: boolean): GatewayError {
  if (error instanceof GatewayError) return error
  if (!(error instanceof DatabaseError)) return connectionLost(error)
  const undrawn = noNumberError(error)
  if (undrawn !== undefined) return undrawn
  const sqlState = error.code ?? 'XX000'
  if (isStalePlan(error)) {
    return new GatewayError('staleCatalog', 'A table has changed.', { cause: error, sqlState })
  }
  const explainedState = isAboutValue(error) ? '22P02' : sqlState
  const { problem, message } = explainSqlState(explainedState, isWrite)
  return new GatewayError(problem, message, {
    cause: error,
    sqlState,
    report: reportOf(error, sqlState, explainedState),
    ...(sqlState.startsWith('23') ? { violation: violationOf(error) } : {}),
  })
}

/** Functions and triggers (the error then has CONTEXT) may raise any state with any text. */
function reportOf(
  { message, detail, where }: DatabaseError,
  code: string,
  explainedState: string,
): DatabaseReport {
  const isPlain = where === undefined && isAboutStatement(explainedState)
  return { code, text: message, detail, isAboutStatement: isPlain }
}

/**
 * Some types and configurations have parsers and look-ups of their own, which use the same codes as SQL: the text of a
 * jsonpath, of a tsquery, of the bounds of a range, of the options of ts_headline or of unistr is wrong, not the statement.
 */
function isAboutValue({ code, routine, file }: DatabaseError): boolean {
  if (code === '42601') {
    return routine === 'unistr' || (file !== undefined && valueParsers.test(file))
  }
  return code === '42704' && routine === 'get_ts_config_oid'
}

const valueParsers = /^(tsquery|tsvector_parser|jsonpath|rangetypes|tsearchcmds)/

function violationOf({ schema, table, column, constraint }: DatabaseError): Violation {
  return { schema, table, column, constraint }
}

/**
 * Returns whether the server refuses a prepared statement of ours: its tables or types have changed since it was planned, or
 * it no longer exists (a pooler gave us another session). Then nothing was executed, and preparing it again helps.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  switch (error.code) {
    case '26000':
      return true
    case '0A000':
      return error.routine === 'RevalidateCachedQuery'
    // A type, function or table that a prepared statement refers to by its number does not exist any more.
    case 'XX000':
      return /^(?:cache lookup failed for|could not open relation with OID)/.test(error.message)
    default:
      return false
  }
}
