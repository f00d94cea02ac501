/** @module Turns any thrown value into the fields of an ErrorResponse. No other file does so. */
import { GatewayError, type Log, type Problem } from '@engine/core'
import type { VisibleCatalog } from '@engine/core/session'
import { isCalledPublic, publicConnection, publicName } from '../catalog/public-name.ts'
import type { ErrorFields } from '../protocol/message-writer.ts'
import { wordsOf } from './error-words.ts'
import { type DuringMessage, routineOf } from './routine-of.ts'

export interface ErrorContext {
  /** Clients see the whole message of an error. */
  readonly isDevelopment: boolean
  readonly log: Log
  /** The client and the log both get it. */
  readonly correlationId: string
  /** The statement that failed. */
  readonly sql: string
  /** The message that failed. */
  readonly during: DuringMessage
  /** Characters of the client's text before it. */
  readonly offset: number
  readonly visible: () => VisibleCatalog
  /** Of the session; absent where it has none. */
  readonly searchPath?: (() => string) | undefined
  /** Why the statement was stopped, if it was: PostgreSQL has a message for each reason. */
  readonly stoppedBy: 'client' | 'timeout' | undefined
}

/** For errors that carry no SQLSTATE themselves. */
const fallbacks: Readonly<Record<Problem, string>> = {
  badRequest: '42000',
  syntaxError: '42601',
  unsupported: '0A000',
  unknownColumn: '42703',
  invalidParameter: '22P02',
  limitExceeded: '54000',
  dataError: '22000',
  unauthorized: '28000',
  permissionDenied: '42501',
  columnDenied: '42501',
  tableNotFound: '42P01',
  notFound: '42704',
  methodNotAllowed: '0A000',
  actionNotFound: '42883',
  queryTimeout: '57014',
  conflict: '23000',
  preconditionRequired: '55000',
  payloadTooLarge: '54000',
  invalidValue: '22000',
  checkFailed: '44000',
  invalidInput: '22023',
  unsupportedMediaType: '0A000',
  requestTimeout: '57014',
  invalidCredentials: '28P01',
  invalidToken: '28000',
  emailExists: '23505',
  emailNotVerified: '28000',
  rateLimited: '53400',
  internal: 'XX000',
  staleCatalog: 'XX000',
  unavailable: 'HV00N',
  invalidConfiguration: 'XX000',
}

/** Errors of the server itself: their messages are only for its log, also in development. */
const hidden: ReadonlySet<Problem> = new Set(['internal', 'staleCatalog', 'invalidConfiguration'])

/** As the session calls it: its catalogs have the table in this schema. */
function schemaNamed(
  schema: string | undefined,
  { visible, searchPath }: ErrorContext,
): string | undefined {
  if (schema === undefined || searchPath === undefined) return schema
  const meant = publicConnection(visible())
  return meant?.name === schema && isCalledPublic(meant, searchPath()) ? publicName : schema
}

/**
 * Turns any thrown value into fields for the client. A value that is not a `GatewayError` is a bug: logged in full,
 * never shown.
 */
export function errorFields(error: unknown, context: ErrorContext): ErrorFields {
  logFailure(error, context)
  const { correlationId, isDevelopment, offset, stoppedBy } = context
  const detail = (code: string) => `code=${code} correlation_id=${correlationId}`
  if (!(error instanceof GatewayError) || hidden.has(error.problem)) {
    return {
      severity: 'ERROR',
      sqlState: 'XX000',
      message: 'Unexpected server error.',
      detail: lines(
        isDevelopment && error instanceof GatewayError ? reportLine(error, '') : undefined,
        detail('INTERNAL_ERROR'),
      ),
    }
  }
  const sqlState = sqlStateOf(error)
  const { code, message, publicMessage, position } = error
  const { detail: said, hint, context: where, routine } = error.details ?? {}
  const words = wordsOf({
    error,
    message: isDevelopment ? message : publicMessage,
    sql: context.sql,
    visible: context.visible(),
  })
  const shown =
    sqlState === '57014' && stoppedBy !== undefined ? stopMessages[stoppedBy] : words.message
  return {
    severity: error.problem === 'unauthorized' ? 'FATAL' : 'ERROR',
    sqlState,
    ...words,
    schema: schemaNamed(words.schema, context),
    message: shown,
    routine:
      typeof routine === 'string'
        ? routine
        : (words.routine ??
          routineOf({ sqlState, message: shown, sql: context.sql, during: context.during })),
    detail: lines(
      said ?? words.detail,
      isDevelopment ? reportLine(error, words.message) : undefined,
      detail(sqlState === '57014' ? 'QUERY_TIMEOUT' : code),
    ),
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(typeof where === 'string' ? { context: where } : {}),
    ...(position === undefined ? {} : { position: position + offset }),
  }
}

function lines(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string').join('\n')
}

/** For developers: the database's own message, unless the error message contains it. */
function reportLine({ reportedFacts: told }: GatewayError, message: string): string | undefined {
  const { code, text } = told?.database ?? {}
  if (code === undefined || text === message) return undefined
  return `database: ${text === undefined ? code : `${code} ${text}`}`
}

const stopMessages = {
  client: 'canceling statement due to user request',
  timeout: 'canceling statement due to statement timeout',
} as const

/**
 * With class 08 or 57P a driver would treat its own connection as broken, but the database's is broken (HV00N,
 * "unable to establish connection" of foreign data).
 */
function sqlStateOf({ sqlState, problem }: GatewayError): string {
  if (sqlState === undefined) return fallbacks[problem]
  if (problem !== 'unavailable') return sqlState
  return /^(?:08|28|3D|57P)/.test(sqlState) ? fallbacks.unavailable : sqlState
}

/**
 * Logs bugs in full, an unavailable database in one line, and an error of the database with the database's own message;
 * logs no other errors of clients.
 */
function logFailure(error: unknown, { log, correlationId, stoppedBy }: ErrorContext): void {
  const facts = { correlation_id: correlationId }
  if (!(error instanceof GatewayError) || error.status === 500) {
    log.error({ ...facts, err: error }, 'statement failed')
  } else if (error.status > 500 && stoppedBy === undefined) {
    log.warn({ ...facts, reason: reasonOf(error) }, 'statement failed')
  } else if (error.report !== undefined) {
    const { code, text } = error.report
    log.info({ ...facts, error: error.code, cause: { code, text } }, 'refused by the database')
  }
}

function reasonOf({ cause, message }: GatewayError): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
