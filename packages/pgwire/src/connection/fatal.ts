/** @module Errors that end a connection. */
import { GatewayError } from '@engine/core'
import type { ErrorFields } from '../protocol/message-writer.ts'

/** PostgreSQL's message for the end of a connection. */
export function fatal(sqlState: string, message: string): ErrorFields {
  return { severity: 'FATAL', sqlState, message }
}

/** Turns anything thrown before authentication into an error. Bugs and faults of the server are not shown to the client. */
export function startupFailure(
  error: unknown,
  {
    correlationId,
    isDevelopment,
  }: { readonly correlationId: string; readonly isDevelopment: boolean },
): ErrorFields {
  if (!(error instanceof GatewayError) || error.status === 500) {
    const detail = `code=INTERNAL_ERROR correlation_id=${correlationId}`
    return { ...fatal('XX000', 'Unexpected server error.'), detail }
  }
  const { code, sqlState = 'XX000', publicMessage, message } = error
  return {
    ...fatal(sqlState, publicMessage),
    detail: `code=${code} correlation_id=${correlationId}`,
    ...(isDevelopment && message !== publicMessage ? { hint: message } : {}),
  }
}
