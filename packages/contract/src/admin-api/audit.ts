/** @module Entries of the audit. */

/** What an entry is about. */
export type AuditKind = 'query' | 'denial' | 'auth' | 'admin' | 'action' | 'loss'

/** The stored data of an event; null for data that the event does not have, or that the settings leave out. */
export interface AuditEntry {
  /** Increases with time: the order of ids is the order of times. */
  readonly id: string
  /** ISO 8601, UTC. */
  readonly at: string
  /** The node that wrote it. */
  readonly node: string
  /** `loss`: entries were lost before this one; `facts` says how many. */
  readonly kind: AuditKind
  readonly via: string | null
  readonly correlationId: string | null
  readonly ip: string | null
  readonly caller: string | null
  readonly roles: readonly string[] | null
  readonly credentialId: string | null
  readonly connection: string | null
  /** The event of an account or the action of an administrator; the name of an action. */
  readonly action: string | null
  readonly sql: string | null
  /** `params[0]` is `$1`. */
  readonly params: readonly unknown[] | null
  readonly durationMs: number | null
  readonly rowCount: number | null
  /** Code of the error that the client received. */
  readonly error: string | null
  readonly message: string | null
  readonly facts: Readonly<Record<string, unknown>> | null
}

/** A page of the audit, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** `before` of the next page; null at the end. */
  readonly next: string | null
}
