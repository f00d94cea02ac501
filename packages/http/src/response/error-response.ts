import type { ErrorBody } from '@engine/contract'
import { GatewayError, type Log, type Problem } from '@engine/core'
import type { ReportedFacts } from '@engine/core/server'
import { rateLimitHeaders } from '../admission/rate-limit-headers.ts'
import { type Answer, jsonAnswer, type WholeBody } from './answer.ts'
import { commonHeaders } from './common-headers.ts'

/** Options for error answers, the same for all requests. */
export interface ErrorPolicy {
  /** Clients see full messages and details. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** Every request has a line in the log with the reason of its failure. */
  readonly logsRequests?: boolean
}

/** The request that an error answers. */
export interface ErrorContext extends ErrorPolicy {
  readonly correlationId: string
  /**
   * The client closed the connection: the client does not read the answer, and its failure is not logged as an error.
   */
  readonly isAbandoned?: boolean
  /** The request had a bearer token: a 401 then says that the token is invalid (RFC 6750, 3.1). */
  readonly hadToken?: boolean
}

/** Errors of the server itself: their messages are only for its log, also in development. */
const hidden: ReadonlySet<Problem> = new Set(['internal', 'staleCatalog', 'invalidConfiguration'])

/**
 * Turns any thrown value into an answer. A value that is not a `GatewayError` is a bug: logged in full, never shown to
 * the client.
 */
export function errorAnswer(error: unknown, context: ErrorContext): Answer<WholeBody> {
  const { correlationId, isDevelopment } = context
  logFailure(error, context)
  if (!(error instanceof GatewayError) || hidden.has(error.problem)) {
    const shown = error instanceof GatewayError ? factsOf(error, ['database']) : undefined
    const body: ErrorBody = {
      error: 'INTERNAL_ERROR',
      message: 'Unexpected server error.',
      correlation_id: correlationId,
      ...(isDevelopment && shown !== undefined ? { details: shown } : {}),
    }
    return jsonAnswer(JSON.stringify(body), { status: 500 })
  }
  const { code, status, message, publicMessage } = error
  const details = detailsOf(error)
  const body: ErrorBody = {
    error: code,
    message: isDevelopment ? message : publicMessage,
    correlation_id: correlationId,
    ...(isDevelopment && details !== undefined ? { details } : {}),
  }
  return jsonAnswer(JSON.stringify(body), { status, headers: extraHeaders(error, context) })
}

/** Details for developers, with the database's own message. */
function detailsOf(error: GatewayError): ErrorBody['details'] {
  const { details, reportedFacts: shown } = error
  if (shown === undefined) return details
  const table = shown.table === undefined ? {} : { table: `${shown.connection}.${shown.table}` }
  const facts = factsOf(error, ['column', 'constraint', 'database'])
  const all = { ...details, ...table, ...facts }
  return Object.keys(all).length === 0 ? undefined : all
}

/** Removes details that are undefined. */
function factsOf(
  { reportedFacts: shown = { connection: '' } }: GatewayError,
  names: readonly (keyof ReportedFacts)[],
): ErrorBody['details'] {
  const facts = names.flatMap((name) => (shown[name] === undefined ? [] : [[name, shown[name]]]))
  return facts.length === 0 ? undefined : Object.fromEntries(facts)
}

/** The answer to a request that did not reach a route. */
export function toErrorResponse(error: unknown, context: ErrorContext): Response {
  const { status, body, headers } = errorAnswer(error, context)
  return new Response(typeof body === 'string' ? body : null, {
    status,
    headers: {
      ...commonHeaders({ headers: {} }),
      ...headers,
      'X-Request-Id': context.correlationId,
    },
  })
}

/**
 * Logs bugs in full, an unavailable database in one line, and an error of the database with the database's own message,
 * unless the line of the request has it. Logs no other errors of clients.
 */
function logFailure(
  error: unknown,
  { log, logsRequests = false, correlationId, isAbandoned = false }: ErrorContext,
): void {
  const facts = { correlation_id: correlationId }
  if (isAbandoned) {
    log.debug({ ...facts, err: error }, 'the client went away')
  } else if (!(error instanceof GatewayError) || error.status === 500) {
    log.error({ ...facts, err: error }, 'request failed')
  } else if (error.status > 500) {
    log.warn({ ...facts, reason: reasonOf(error) }, 'request failed')
  } else if (!logsRequests && error.report !== undefined) {
    log.info({ ...facts, error: error.code, cause: causeOf(error) }, 'refused by the database')
  }
}

/** The message of its database, for logs. */
export function causeOf({
  report,
}: GatewayError): { readonly code: string; readonly text: string } | undefined {
  return report && { code: report.code, text: report.text }
}

function reasonOf(error: GatewayError): string {
  const { cause, message } = error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function extraHeaders(
  { status, rate, problem }: GatewayError,
  { hadToken = false }: ErrorContext,
): Answer['headers'] {
  if (rate !== undefined) return rateLimitHeaders([rate])
  switch (status) {
    case 401:
      return {
        'WWW-Authenticate':
          hadToken && problem === 'unauthorized' ? 'Bearer error="invalid_token"' : 'Bearer',
      }
    case 405:
      return { Allow: 'POST' }
    case 503:
      return { 'Retry-After': '1' }
    default:
      return undefined
  }
}
