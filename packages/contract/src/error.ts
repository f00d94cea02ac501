/** What `error` in an error body can be. Clients may rely on these. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'PERMISSION_DENIED'
  | 'TABLE_NOT_FOUND'
  | 'ACTION_NOT_FOUND'
  | 'NOT_FOUND'
  | 'QUERY_TIMEOUT'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'VALIDATION_ERROR'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_TOKEN'
  | 'EMAIL_EXISTS'
  | 'EMAIL_NOT_VERIFIED'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'

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
