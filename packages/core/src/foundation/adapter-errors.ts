/** @module Errors that every adapter has to report in the same way. */
import { changedError, GatewayError } from './errors.ts'

/** The caller no longer waits for the answer. */
export function cancelled(): GatewayError {
  return new GatewayError('unavailable', 'The request was cancelled.', { sqlState: '57014' })
}

/** A stored row violates the check of a permission. */
export function checkFailed(): GatewayError {
  return new GatewayError('checkFailed', 'The row violates the check of the permission.', {
    sqlState: '44000',
  })
}

/** A stored value is not of the type of its column, for clients that rely on types. */
export function misfit(column: string): GatewayError {
  const message = `Column "${column}" holds a value that is not of its type.`
  return new GatewayError('dataError', message, { sqlState: '22P02' })
}

/** The connection broke during a statement. */
export function connectionLost(cause: unknown): GatewayError {
  const message = 'The connection to the database was lost.'
  return new GatewayError('unavailable', message, { cause, sqlState: '08006' })
}

/** Did the connection break during a statement? SQLSTATE 57P01 to 57P03 announce it. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.problem !== 'unavailable') return false
  return error.sqlState === '08006' || error.sqlState?.startsWith('57P') === true
}

/** Any failure before a session was open: the caller can only try again later. */
export function unreachableDatabase(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  return new GatewayError('unavailable', 'The database cannot be reached.', {
    cause,
    sqlState: '08001',
  })
}

/** The database did not stop a statement that took too long. */
export function noAnswer(): GatewayError {
  return new GatewayError('queryTimeout', 'The database did not answer in time.', {
    sqlState: '57014',
  })
}

/** The error of a statement whose writes are stored, though its answer is missing. */
export function afterWrite(error: unknown): unknown {
  return error instanceof GatewayError ? changedError(error, { isStored: true }) : error
}
