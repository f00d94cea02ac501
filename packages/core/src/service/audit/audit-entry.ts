/** @module One line of the audit, as it is kept and given back. */

export type AuditKind = 'query' | 'denial' | 'auth' | 'admin' | 'action' | 'loss'

export const auditKinds: readonly AuditKind[] = [
  'query',
  'denial',
  'auth',
  'admin',
  'action',
  'loss',
]

/** What is kept of an event; null is what the event does not have, or the settings leave out. */
export interface AuditEntry {
  /** Grows with time: entries in the order of their ids are in the order of their times. */
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
  /** What happened to an account or was done by an administrator; the name of an action. */
  readonly action: string | null
  readonly sql: string | null
  /** `params[0]` is `$1`. */
  readonly params: readonly unknown[] | null
  readonly durationMs: number | null
  readonly rowCount: number | null
  /** Code of the error that clients saw. */
  readonly error: string | null
  readonly message: string | null
  readonly facts: Readonly<Record<string, unknown>> | null
}
