import type { ErrorBody, ErrorCode } from '@engine/contract'
import { GatewayError, type Log } from '@engine/core'

interface ErrorAnswer {
  readonly code: ErrorCode
  readonly status: number
  readonly message: string
  readonly correlationId: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A response in the one shape all errors have. */
export function errorResponse(answer: ErrorAnswer): Response {
  const { code, status, message, correlationId, details, headers } = answer
  const body: ErrorBody = {
    error: code,
    message,
    correlation_id: correlationId,
    ...(details === undefined ? {} : { details }),
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

export interface ErrorContext {
  readonly correlationId: string
  readonly isDevelopment: boolean
  readonly log: Log
}

/** Any thrown thing as a response: what is no `GatewayError` is a bug, logged whole and told to nobody. */
export function toErrorResponse(error: unknown, context: ErrorContext): Response {
  const { correlationId, isDevelopment, log } = context
  if (!(error instanceof GatewayError) || error.status >= 500) {
    log.error({ err: error, correlation_id: correlationId }, 'request failed')
  }
  if (!(error instanceof GatewayError)) {
    return errorResponse({
      code: 'INTERNAL_ERROR',
      status: 500,
      message: 'Unexpected server error.',
      correlationId,
    })
  }
  const isHidden = error.problem === 'internal' || error.problem === 'staleCatalog'
  const shown = isDevelopment && !isHidden ? error.message : error.publicMessage
  return errorResponse({
    code: error.code,
    status: error.status,
    message: isHidden ? 'Unexpected server error.' : shown,
    correlationId,
    details: isDevelopment && !isHidden ? error.details : undefined,
    headers: extraHeaders(error),
  })
}

function extraHeaders(error: GatewayError): Readonly<Record<string, string>> {
  switch (error.status) {
    case 401:
      return { 'WWW-Authenticate': 'Bearer' }
    case 405:
      return { Allow: 'POST' }
    case 503:
      return { 'Retry-After': '1' }
    default:
      return {}
  }
}
