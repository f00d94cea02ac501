/** @module The events that the audit records. */
import type { Caller } from './caller.ts'

/**
 * The caller of the engine's own statements in entries, and their `via`: look-ups of user rows and sessions, and statements of the
 * application's code outside of a request.
 */
export const systemName = 'system'

/** Entries name callers of these kinds so: an id of a user that is one of them gets the prefix `user:`. */
const kindNames: ReadonlySet<string> = new Set<string>([systemName, 'admin', 'anonymous'])
const userPrefix = 'user:'

/**
 * The name of a caller in entries.
 *
 * @param via as in `AuditOrigin`.
 */
export function callerName(caller: Caller, via: string): string {
  switch (caller.kind) {
    case 'user':
      return kindNames.has(caller.id) ? `${userPrefix}${caller.id}` : caller.id
    case 'admin':
      return via === systemName ? systemName : caller.kind
    case 'anonymous':
      return caller.kind
  }
}

/** Who is recorded for a request of a caller. */
export function recordedCaller(
  caller: Caller,
  origin: Pick<RequestOrigin, 'via' | 'isByAdmin'> | undefined,
): Pick<AuditOrigin, 'via' | 'caller' | 'roles' | 'as'> {
  const { kind, roles } = caller
  const via = origin?.via ?? systemName
  if (origin?.isByAdmin !== true) return { via, caller: callerName(caller, via), roles }
  const as = kind === 'user' ? { kind, id: caller.id, roles } : { kind, roles }
  return { via, caller: 'admin', roles: [], as: kind === 'admin' ? undefined : as }
}

/** The id of a user of this name in entries; undefined for the names of other callers. */
export function userIdOf(name: string): string | undefined {
  if (kindNames.has(name)) return undefined
  const id = name.startsWith(userPrefix) ? name.slice(userPrefix.length) : ''
  return kindNames.has(id) ? id : name
}

/** The caller as which an administrator acts. */
export interface ImpersonatedCaller {
  readonly kind: Caller['kind']
  /** Of a user. */
  readonly id?: string
  readonly roles: readonly string[]
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
  /** Whom an administrator, who is the `caller` then, acts as. */
  readonly as?: ImpersonatedCaller | undefined
}

/** The origin of a request, recorded with its events. */
export interface RequestOrigin {
  readonly correlationId: string
  readonly ip: string | undefined
  /** As in `AuditOrigin`. */
  readonly via: string
  /** Public id of the session or API key. */
  readonly credentialId: string | undefined
  /** An administrator acts as the caller: events are the administrator's, and name the caller in `as`. */
  readonly isByAdmin?: boolean | undefined
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
