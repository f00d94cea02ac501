/** @module The events that the audit records. */
import type { Caller } from './caller.ts'

/**
 * The caller of the engine's own statements in entries, and their `via`: look-ups of user rows and sessions, and statements of the
 * application's code outside of a request.
 */
export const systemName = 'system'

/** Entries name callers of these kinds so: an id of a user that is one of them gets the prefix `user:`. */
const kindNames: ReadonlySet<string> = new Set<string>([systemName, 'admin', 'anonymous'])

/**
 * The name of a caller in entries.
 *
 * @param via as in `AuditOrigin`.
 */
export function callerName(caller: Caller, via: string): string {
  switch (caller.kind) {
    case 'user':
      return kindNames.has(caller.id) ? `user:${caller.id}` : caller.id
    case 'admin':
      return via === systemName ? systemName : caller.kind
    case 'anonymous':
      return caller.kind
  }
}

/** Caller and origin; filled as far as `audit` settings allow. */
export interface AuditOrigin {
  readonly correlationId: string | undefined
  readonly ip: string | undefined
  /** `http`, `pgwire`, `action:<name>`, `admin`, `cli`, `system`. */
  readonly via: string
  /** `anonymous`, `admin`, `system` (with `via` `system`), or the id of the user. */
  readonly caller: string | undefined
  readonly roles: readonly string[] | undefined
  readonly credentialId: string | undefined
}

/** The origin of a request, recorded with its events. */
export interface RequestOrigin {
  readonly correlationId: string
  readonly ip: string | undefined
  /** As in `AuditOrigin`. */
  readonly via: string
  /** Public id of the session or API key. */
  readonly credentialId: string | undefined
}

/** An event of the audit log; `kind` is its type. */
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
  /** The database's own code, where the database refused it. */
  readonly databaseCode?: string | undefined
  /**
   * For a statement of a batch: its number, from 1, and the number of statements. Then duration and error are those of the whole
   * batch.
   */
  readonly batch?: { readonly number: number; readonly of: number }
}

/** A request that was refused: 401, 403, 422 of a check, 429. */
export interface DenialEvent extends AuditOrigin {
  readonly kind: 'denial'
  /** Undefined while it is unknown. */
  readonly connection?: string | undefined
  readonly sql: string | undefined
  readonly params: readonly unknown[] | undefined
  readonly error: string
  readonly message: string
  /** As in `QueryEvent`. */
  readonly databaseCode?: string | undefined
}

/** An event of an account: `sign-up`, `sign-in`, `sign-in-failed`, `session-revoked` and similar ones. */
export interface AuthEvent extends AuditOrigin {
  readonly kind: 'auth'
  readonly action: string
  /** Never a credential. `email` is redacted according to the settings. */
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
  /** As in `QueryEvent`. */
  readonly databaseCode?: string | undefined
}

/** Takes over events from requests. */
export interface Audit {
  /**
   * Returns at once, unless the queue is full of entries that must not be lost (all except queries): then it returns a promise
   * that resolves when there is room, or when waiting is no longer useful. Never rejects, never throws.
   */
  record(event: AuditEvent): Promise<void> | undefined
  /** Resolves when every event recorded so far is written, or cannot be written at present. */
  flush(): Promise<void>
  close(): Promise<void>
}
