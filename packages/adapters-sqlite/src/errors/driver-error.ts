/** @module Converts errors of SQLite to errors that a caller can act on. SQLite's own texts go to the log only. */
import {
  type DatabaseReport,
  explainSqlState,
  GatewayError,
  isAboutStatement,
  misfit,
} from '@engine/core/adapter'
import type { Cause, Fault } from './fault.ts'
import { violationOf } from './violation.ts'

/** The error of a statement. */
export function driverError(fault: Fault, isWrite: boolean): GatewayError {
  switch (fault.kind) {
    case 'checkFailed': {
      const message = 'The row violates the check of the permission.'
      return new GatewayError('checkFailed', message, { sqlState: '44000' })
    }
    case 'misfit':
      return misfit(fault.column)
    case 'schemaChanged':
      return new GatewayError('staleCatalog', 'A table has changed.', { sqlState: '0A000' })
    case 'interrupted':
      return explained('57014', isWrite)
    case 'database':
      return databaseError(fault, isWrite)
  }
}

function databaseError(
  { sqlState, cause }: Extract<Fault, { readonly kind: 'database' }>,
  isWrite: boolean,
): GatewayError {
  const { problem, message } = explainSqlState(sqlState, isWrite)
  const isKey = cause.code !== 'SQLITE_CONSTRAINT_UNIQUE'
  const violation = sqlState.startsWith('23') ? violationOf(cause.message, isKey) : undefined
  const report = reportOf(cause, sqlState)
  return new GatewayError(problem, message, { sqlState, cause: errorOf(cause), violation, report })
}

/** Errors of the adapter's functions have no code of SQLite's. */
function reportOf({ code, message }: Cause, sqlState: string): DatabaseReport {
  const isPlain = code !== undefined && isAboutStatement(sqlState)
  return { code: code ?? sqlState, text: message, isAboutStatement: isPlain }
}

/** The error for a database that cannot be opened, for any reason: only its operator can act on it. */
export function cannotOpen(fault: Fault): GatewayError {
  return explained('08001', false, fault.kind === 'database' ? errorOf(fault.cause) : undefined)
}

/** The error for an SQLSTATE, in the words that every database uses. */
export function explained(sqlState: string, isWrite: boolean, cause?: unknown): GatewayError {
  const { problem, message } = explainSqlState(sqlState, isWrite)
  return new GatewayError(problem, message, { sqlState, cause })
}

/** SQLite has one writer at a time. */
export function writerBusy(cause: unknown): GatewayError {
  const message = 'Another transaction was writing all the time: try again.'
  return new GatewayError('queryTimeout', message, { cause, sqlState: '57014' })
}

/** The error in its original form, from the thread where it occurred. */
function errorOf({ name, message, code, stack }: Cause): Error {
  return Object.assign(new Error(message), { name, code, stack })
}
