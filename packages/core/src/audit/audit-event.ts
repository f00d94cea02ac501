/** @module What is written down about what happened. */

/** Who and where; filled as far as `audit` settings allow. */
export interface AuditOrigin {
  readonly correlationId: string | undefined
  readonly ip: string | undefined
  /** `http`, `pgwire`, `action:<name>`, `admin`, `system`. */
  readonly via: string
  /** `anonymous`, `admin`, or the id of the user. */
  readonly caller: string | undefined
  readonly roles: readonly string[] | undefined
  readonly credentialId: string | undefined
}

export type AuditEvent = QueryEvent | DenialEvent | AuthEvent | AdminEvent | ActionEvent

/** A statement that ran, or failed while it ran. */
export interface QueryEvent extends AuditOrigin {
  readonly kind: 'query'
  readonly connection: string | undefined
  readonly sql: string
  readonly params: readonly unknown[]
  readonly durationMs: number
  readonly rowCount: number | undefined
  /** Error code; undefined when it succeeded. */
  readonly error: string | undefined
}

/** A request that was refused: 401, 403, 422 of a check, 429. */
export interface DenialEvent extends AuditOrigin {
  readonly kind: 'denial'
  readonly sql: string | undefined
  readonly params: readonly unknown[] | undefined
  readonly error: string
  readonly message: string
}

/** Something that happened to an account: `sign-up`, `sign-in`, `sign-in-failed`, `session-revoked` and the like. */
export interface AuthEvent extends AuditOrigin {
  readonly kind: 'auth'
  readonly action: string
  /** Never a credential. `email` is redacted as the settings say. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** A change by an administrator. */
export interface AdminEvent extends AuditOrigin {
  readonly kind: 'admin'
  readonly action: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** A run of an action. */
export interface ActionEvent extends AuditOrigin {
  readonly kind: 'action'
  readonly action: string
  readonly durationMs: number
  readonly error: string | undefined
}

/** Takes events off the request's path. */
export interface Audit {
  /**
   * Returns at once, unless the event is a denial or of an administrator and the queue is full: then a promise that
   * resolves when it is written or queued. Never rejects.
   */
  record(event: AuditEvent): Promise<void> | undefined
  /** Resolves when everything recorded until now is written, or could not be. */
  flush(): Promise<void>
  close(): Promise<void>
}
