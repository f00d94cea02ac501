import type { ErrorAnswer, ErrorCode } from '@engine/contract'
import { suggestion } from './faults.ts'
import type { RateDecision } from './rate-limiter.ts'

/**
 * Every problem that Engine reports on purpose: the code clients see and the HTTP status it travels under.
 * Several problems share a code (`VALIDATION_ERROR` is 400 for a request body and 422 for a refused write).
 */
const problems = {
  badRequest: { code: 'BAD_REQUEST', status: 400 },
  syntaxError: { code: 'BAD_REQUEST', status: 400 },
  unsupported: { code: 'BAD_REQUEST', status: 400 },
  unknownColumn: { code: 'BAD_REQUEST', status: 400 },
  invalidParameter: { code: 'BAD_REQUEST', status: 400 },
  limitExceeded: { code: 'BAD_REQUEST', status: 400 },
  dataError: { code: 'BAD_REQUEST', status: 400 },
  unauthorized: { code: 'UNAUTHORIZED', status: 401 },
  permissionDenied: { code: 'PERMISSION_DENIED', status: 403 },
  columnDenied: { code: 'PERMISSION_DENIED', status: 403 },
  tableNotFound: { code: 'TABLE_NOT_FOUND', status: 404 },
  notFound: { code: 'NOT_FOUND', status: 404 },
  methodNotAllowed: { code: 'BAD_REQUEST', status: 405 },
  actionNotFound: { code: 'ACTION_NOT_FOUND', status: 404 },
  queryTimeout: { code: 'QUERY_TIMEOUT', status: 408 },
  conflict: { code: 'CONFLICT', status: 409 },
  preconditionRequired: { code: 'BAD_REQUEST', status: 428 },
  payloadTooLarge: { code: 'PAYLOAD_TOO_LARGE', status: 413 },
  invalidValue: { code: 'VALIDATION_ERROR', status: 422 },
  checkFailed: { code: 'VALIDATION_ERROR', status: 422 },
  invalidInput: { code: 'VALIDATION_ERROR', status: 400 },
  unsupportedMediaType: { code: 'BAD_REQUEST', status: 415 },
  requestTimeout: { code: 'BAD_REQUEST', status: 408 },
  invalidCredentials: { code: 'INVALID_CREDENTIALS', status: 401 },
  invalidToken: { code: 'INVALID_TOKEN', status: 400 },
  emailExists: { code: 'EMAIL_EXISTS', status: 409 },
  emailNotVerified: { code: 'EMAIL_NOT_VERIFIED', status: 403 },
  rateLimited: { code: 'RATE_LIMITED', status: 429 },
  internal: { code: 'INTERNAL_ERROR', status: 500 },
  /** The database no longer has a table or column of the plan: the engine reads its catalog again and retries once. */
  staleCatalog: { code: 'INTERNAL_ERROR', status: 500 },
  unavailable: { code: 'UNAVAILABLE', status: 503 },
  invalidConfiguration: { code: 'INTERNAL_ERROR', status: 500 },
} as const

/** The engine's own name of a problem; more specific than the code that clients see. */
export type Problem = keyof typeof problems

/** The code and the HTTP status of each problem, for references and clients' descriptions. */
export const problemTable: Readonly<Record<Problem, ErrorAnswer>> = problems

/**
 * The table, columns and constraint of a violation, in the database's own names. For the server only: `ReportedFacts` has the
 * part that a caller may know.
 */
export interface Violation {
  /** Its name in the database; undefined where there are no schemas, or the database does not report it. */
  readonly schema?: string | undefined
  /** Undefined where the database does not report it: then it is the table that the statement writes. */
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  /** Columns of the key, in its order, where the database reports them. */
  readonly columns?: readonly string[] | undefined
}

/** The database's own report of a failure. For logs; the part for the caller is in `ReportedFacts`. */
export interface DatabaseReport {
  /** The database's own code: `23505`, `1062`, `SQLITE_CONSTRAINT_UNIQUE`. Also recorded in the audit. */
  readonly code: string
  readonly text: string
  /** PostgreSQL's DETAIL: it quotes rows. */
  readonly detail?: string | undefined
  /** The text is about the statement or the database and quotes no stored value, see `isAboutStatement`. */
  readonly isAboutStatement: boolean
}

/** The facts of a database error that its caller may know. Only `withReportedFacts` makes them. */
export interface ReportedFacts {
  readonly connection: string
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
  /** For developers. */
  readonly database?: Partial<DatabaseReport> | undefined
}

/** The parts of a `GatewayError` besides its message. */
export interface GatewayErrorOptions {
  /** The error underneath, for the log; never shown to a client. */
  readonly cause?: unknown
  /** Shown to clients in development mode only. */
  readonly details?: Readonly<Record<string, unknown>>
  /** For a refusal: the reason alone, without the caller and the operation. For explanations. */
  readonly reason?: string
  /** The message for clients in production, when `message` would reveal too much. */
  readonly publicMessage?: string
  /** The exceeded rate limit; becomes `Retry-After` and `RateLimit` headers. */
  readonly rate?: RateDecision | undefined
  /** The SQLSTATE of PostgreSQL for this error (five characters), for the wire protocol. */
  readonly sqlState?: string
  /** 1-based character position in the client's SQL text. */
  readonly position?: number
  /** For SQLSTATE class 23. */
  readonly violation?: Violation | undefined
  readonly report?: DatabaseReport | undefined
  readonly reportedFacts?: ReportedFacts | undefined
  /** What the statement wrote is stored, and only its answer is missing: nothing may repeat it. */
  readonly isStored?: boolean
}

/** The only error thrown on purpose. Clients rely on `code`; `message` may change at any time. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly problem: Problem
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly reason: string | undefined
  readonly publicMessage: string
  readonly rate: RateDecision | undefined
  readonly sqlState: string | undefined
  readonly position: number | undefined
  readonly violation: Violation | undefined
  readonly report: DatabaseReport | undefined
  readonly reportedFacts: ReportedFacts | undefined
  readonly isStored: boolean

  constructor(problem: Problem, message: string, options: GatewayErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    // JavaScript checks no types: an action may name a problem that is not there.
    if (!Object.hasOwn(problems, problem)) throw new TypeError(unknownProblem(problem))
    this.problem = problem
    this.code = problems[problem].code
    this.status = problems[problem].status
    this.details = options.details
    this.reason = options.reason
    this.publicMessage = options.publicMessage ?? message
    this.rate = options.rate
    this.sqlState = options.sqlState
    this.position = options.position
    this.violation = options.violation
    this.report = options.report
    this.reportedFacts = options.reportedFacts
    this.isStored = options.isStored ?? false
  }
}

function unknownProblem(name: string): string {
  const camelCase = String(name)
    .toLowerCase()
    .replace(/[_-]+([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return `GatewayError: there is no problem "${name}"${suggestion(camelCase, Object.keys(problems))}`
}

/** The parts of a copy that replace those of the error. */
export interface ErrorChanges
  extends Pick<
    GatewayErrorOptions,
    'details' | 'publicMessage' | 'reportedFacts' | 'cause' | 'report' | 'isStored'
  > {
  readonly message?: string
  /** Undefined: the copy has none. */
  readonly position?: number | undefined
}

/** The same error with some facts replaced. */
export function changedError(error: GatewayError, changes: ErrorChanges): GatewayError {
  const { reason, sqlState } = error
  const { message, position, ...others } = {
    message: error.message,
    position: error.position,
    ...changes,
  }
  const { problem, publicMessage, details, rate, violation, report, reportedFacts, isStored } =
    error
  const options: GatewayErrorOptions = {
    publicMessage,
    rate,
    violation,
    report,
    reportedFacts,
    isStored,
    ...(details === undefined ? {} : { details }),
    ...(reason === undefined ? {} : { reason }),
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(position === undefined ? {} : { position }),
    ...('cause' in error ? { cause: error.cause } : {}),
    ...others,
  }
  return new GatewayError(problem, message, options)
}
