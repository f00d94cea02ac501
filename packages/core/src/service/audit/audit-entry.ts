/** @module One entry of the audit, as it is stored. */
import type { AuditEntry, AuditKind } from '@engine/contract/admin-api'

/** All kinds of audit entries. */
export const auditKinds: readonly AuditKind[] = [
  'query',
  'denial',
  'auth',
  'admin',
  'action',
  'loss',
]

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
