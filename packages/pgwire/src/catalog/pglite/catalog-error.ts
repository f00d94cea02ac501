/** @module Converts errors of the embedded PostgreSQL into `GatewayError`. */
import { GatewayError, type Problem } from '@engine/core'
import { type BackendMessage, readErrorFields } from './backend-messages.ts'

/** By SQLSTATE or its class; everything else is `badRequest`. */
const problems: Readonly<Record<string, Problem>> = {
  '42601': 'syntaxError',
  '42703': 'unknownColumn',
  '42P01': 'tableNotFound',
  '42501': 'permissionDenied',
  '0A': 'unsupported',
  '22': 'dataError',
  '53': 'limitExceeded',
  '54': 'limitExceeded',
  '57': 'queryTimeout',
}

/** An ErrorResponse → error; `details` are PostgreSQL's DETAIL and HINT. */
export function catalogError({ body }: BackendMessage): GatewayError {
  const fields = readErrorFields(body)
  const refused = /^permission denied for function (.+)$/.exec(fields.get('M') ?? '')?.[1]
  if (refused !== undefined) return refusedFunction(refused)
  const sqlState = fields.get('C') ?? 'XX000'
  const problem = problems[sqlState] ?? problems[sqlState.slice(0, 2)] ?? 'badRequest'
  const position = fields.get('P')
  const detail = fields.get('D')
  const hint = fields.get('H')
  const routine = fields.get('R')
  return new GatewayError(problem, fields.get('M') ?? 'the statement failed', {
    sqlState,
    ...(position !== undefined && { position: Number(position) }),
    details: {
      ...(detail !== undefined && { detail }),
      ...(hint !== undefined && { hint }),
      ...(routine !== undefined && { routine }),
    },
  })
}

/** A function that is not in `catalog-functions.ts`. */
function refusedFunction(name: string): GatewayError {
  return new GatewayError(
    'unsupported',
    `${name}() is not supported: the system catalogs here have no data, statistics, files or other sessions to answer from`,
    { sqlState: '0A000' },
  )
}

/** @throws {GatewayError} the first error among messages. */
export function throwError(messages: readonly BackendMessage[]): void {
  const error = messages.find(({ type }) => type === 'E')
  if (error !== undefined) throw catalogError(error)
}
