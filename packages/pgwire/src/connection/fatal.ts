/** @module What a client is told at the end of its connection. */
import { GatewayError } from '@engine/core'
import type { ErrorFields } from '../protocol/message-writer.ts'

/** The end of a connection in PostgreSQL's words. */
export function fatal(sqlState: string, message: string): ErrorFields {
  return { severity: 'FATAL', sqlState, message }
}

/** Anything thrown before a client was let in. What is no `GatewayError`, or the server's own fault, is told to nobody. */
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
