/** What `error` in an error body can be, with the HTTP statuses that it has. Clients may rely on these. */
export const errorStatuses = {
  BAD_REQUEST: [400, 405, 408, 415, 428],
  UNAUTHORIZED: [401],
  PERMISSION_DENIED: [403],
  TABLE_NOT_FOUND: [404],
  ACTION_NOT_FOUND: [404],
  NOT_FOUND: [404],
  QUERY_TIMEOUT: [408],
  CONFLICT: [409],
  PAYLOAD_TOO_LARGE: [413],
  VALIDATION_ERROR: [400, 422],
  INVALID_CREDENTIALS: [401],
  INVALID_TOKEN: [400],
  EMAIL_EXISTS: [409],
  EMAIL_NOT_VERIFIED: [403],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  UNAVAILABLE: [503],
} as const

/** What `error` in an error body can be. */
export type ErrorCode = keyof typeof errorStatuses

/** A code with one of its statuses. */
export type ErrorAnswer = {
  readonly [Code in ErrorCode]: {
    readonly code: Code
    readonly status: (typeof errorStatuses)[Code][number]
  }
}[ErrorCode]

/** The body of every error answer. */
export interface ErrorBody {
  readonly error: ErrorCode
  /** For people; may change at any time. */
  readonly message: string
  /** Also in the `X-Request-Id` header and in the server's log. */
  readonly correlation_id: string
  /** In development mode only. */
  readonly details?: Readonly<Record<string, unknown>>
}
