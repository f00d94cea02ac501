/** @module Errors in PostgreSQL's words, for faults that this server itself finds. */

import { GatewayError, type Problem } from '@engine/core'
import { changedError, type GatewayErrorOptions } from '@engine/core/server'

/** @param sqlState PostgreSQL's code for the same error */
export function wireError(
  sqlState: string,
  message: string,
  problem: Problem = 'badRequest',
): GatewayError {
  return new GatewayError(problem, message, { sqlState })
}

/** @param routine of PostgreSQL, where the message does not tell it */
export function errorOfRoutine(sqlState: string, message: string, routine: string): GatewayError {
  return new GatewayError('badRequest', message, { sqlState, details: { routine } })
}

/** 08P01: the client breaks a rule of the protocol. */
export function protocolViolation(message: string): GatewayError {
  return wireError('08P01', message)
}

/** Rethrows errors of `work` without a position in the client's text: they concern our own SQL text. */
export async function unplaced<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError) || error.position === undefined) throw error
    throw again(error, {})
  }
}

/** The same error with other details, and without a position. */
export function again(error: GatewayError, details: GatewayErrorOptions['details']): GatewayError {
  return changedError(error, {
    cause: error.cause ?? error,
    details: { ...error.details, ...details },
    position: undefined,
  })
}
