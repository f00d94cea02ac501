/** @module One entry of the audit, as it is stored and returned. */

export type AuditKind = 'query' | 'denial' | 'auth' | 'admin' | 'action' | 'loss'

/** All kinds of audit entries. */
export const auditKinds: readonly AuditKind[] = [
  'query',
  'denial',
  'auth',
  'admin',
  'action',
  'loss',
]

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

/** What the entries of many statements have in common. */
export type EntryContext = Pick<
  AuditEntry,
  | 'node'
  | 'kind'
  | 'via'
  | 'ip'
  | 'caller'
  | 'roles'
  | 'credentialId'
  | 'connection'
  | 'action'
  | 'sql'
  | 'error'
  | 'message'
>

/** An entry on its way to the database. */
export interface FinishedEntry
  extends Pick<
    AuditEntry,
    'id' | 'correlationId' | 'params' | 'durationMs' | 'rowCount' | 'facts'
  > {
  /** Milliseconds since 1970. */
  readonly timeMs: number
  /** The same object for entries that have the same, as far as that is known. */
  readonly context: EntryContext
}

export function entryOf(finished: FinishedEntry): AuditEntry {
  const { id, timeMs, correlationId, params, durationMs, rowCount, facts } = finished
  const { node, kind, via, ip, caller, roles, credentialId } = finished.context
  const { connection, action, sql, error, message } = finished.context
  return {
    id,
    at: new Date(timeMs).toISOString(),
    node,
    kind,
    via,
    correlationId,
    ip,
    caller,
    roles,
    credentialId,
    connection,
    action,
    sql,
    params,
    durationMs,
    rowCount,
    error,
    message,
    facts,
  }
}
