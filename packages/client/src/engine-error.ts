import type { ErrorBody, ErrorCode } from '@engine/contract'

/** Error codes of an engine, and of failed requests. */
export type EngineErrorCode =
  | ErrorCode
  /** No server answers, or the connection broke. */
  | 'NETWORK_ERROR'
  /** No answer within the client's time limit. */
  | 'TIMEOUT'
  /** The answer does not come from an engine. */
  | 'INVALID_ANSWER'

/** What an `EngineError` is made of. */
export interface EngineErrorFacts {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly code: EngineErrorCode
  /** Identifies the request in the engine's log. */
  readonly correlationId?: string | undefined
  /** Sent only by an engine in development mode. */
  readonly details?: ErrorBody['details'] | undefined
  /** How long to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** The only error of this package, apart from the reason of an `AbortSignal`. Rely on `code`; the message is for people. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly status: number
  readonly code: EngineErrorCode
  readonly correlationId: string | undefined
  readonly details: ErrorBody['details'] | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, facts: EngineErrorFacts) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.status = facts.status
    this.code = facts.code
    this.correlationId = facts.correlationId
    this.details = facts.details
    this.retryAfterMs = facts.retryAfterMs
  }
}
