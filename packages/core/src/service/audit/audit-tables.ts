/** @module The tables of the audit. */

import type { AuditEntry, AuditKind } from '@engine/contract/admin-api'
import { systemName } from '../../foundation/audit-event.ts'
import type { EntryContext, FinishedEntry } from './audit-entry.ts'
import { isSystemEntry } from './system-entries.ts'

/** A row; JSON is text, times are milliseconds. */
export interface AuditRow {
  id: string
  at: number
  node: string
  kind: string
  via: string | null
  correlation_id: string | null
  ip: string | null
  caller: string | null
  roles: string | null
  credential_id: string | null
  connection: string | null
  action: string | null
  sql_text: string | null
  params: string | null
  duration_us: number | null
  row_count: number | null
  error: string | null
  message: string | null
  facts: string | null
}

/** The columns of a row. */
export const auditColumns: readonly (keyof AuditRow)[] = [
  'id',
  'at',
  'node',
  'kind',
  'via',
  'correlation_id',
  'ip',
  'caller',
  'roles',
  'credential_id',
  'connection',
  'action',
  'sql_text',
  'params',
  'duration_us',
  'row_count',
  'error',
  'message',
  'facts',
]

/** Columns that are whole numbers; all others are text. */
export const numberColumns: ReadonlySet<string> = new Set<keyof AuditRow>([
  'at',
  'duration_us',
  'row_count',
])

/** The rows of many statements: see `batchRowOf`. */
export interface AuditBatchRow {
  /** Of its last entry. */
  id: string
  first_id: string
  entry_count: number
  /** Tells which callers and correlation ids are not in it. */
  marks: string
  /** JSON: an array of values for each context, see `contextColumns`. Many entries have the same. */
  contexts: string
  /** JSON: for each entry an array with the number of its context, from 0, and its values, see `ownColumns`. */
  entries: string
}

export interface AuditTables {
  /** Entries with rows of their own. */
  engine_audit: AuditRow
  engine_audit_batch: AuditBatchRow
  /** One row: the node that deletes old entries, and the end of its lease. */
  engine_audit_lease: { name: string; holder: string; until: number }
}

/** The columns of a context, in the order of their values in a batch: stored batches depend on it. */
export const contextColumns: readonly (keyof AuditRow)[] = [
  'node',
  'kind',
  'via',
  'ip',
  'caller',
  'roles',
  'credential_id',
  'connection',
  'action',
  'sql_text',
  'error',
  'message',
]

/** The other columns, in the order of their values in a batch after the number of the context. */
export const ownColumns: readonly (keyof AuditRow)[] = [
  'id',
  'at',
  'correlation_id',
  'params',
  'duration_us',
  'row_count',
  'facts',
]

export function toRow(entry: FinishedEntry): AuditRow {
  const { context } = entry
  return {
    id: entry.id,
    at: entry.timeMs,
    node: context.node,
    kind: context.kind,
    via: context.via,
    correlation_id: entry.correlationId,
    ip: context.ip,
    caller: context.caller,
    roles: jsonOf(context.roles),
    credential_id: context.credentialId,
    connection: context.connection,
    action: context.action,
    sql_text: context.sql,
    params: jsonOf(entry.params),
    duration_us: microseconds(entry.durationMs),
    row_count: entry.rowCount,
    error: context.error,
    message: context.message,
    facts: jsonOf(entry.facts),
  }
}

/** In the order of `contextColumns`. */
export function contextValues(context: EntryContext): readonly (string | null)[] {
  return [
    context.node,
    context.kind,
    context.via,
    context.ip,
    context.caller,
    jsonOf(context.roles),
    context.credentialId,
    context.connection,
    context.action,
    context.sql,
    context.error,
    context.message,
  ]
}

/** In the order of `ownColumns`. */
export function ownValues(
  entry: FinishedEntry,
  context: number,
): readonly (string | number | null)[] {
  return [
    context,
    entry.id,
    entry.timeMs,
    entry.correlationId,
    jsonOf(entry.params),
    microseconds(entry.durationMs),
    entry.rowCount,
    jsonOf(entry.facts),
  ]
}

export function fromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    node: row.node,
    kind: row.kind as AuditKind,
    via: row.via,
    correlationId: row.correlation_id,
    ip: row.ip,
    caller: isSystemEntry(row) ? systemName : row.caller,
    roles: parsed(row.roles) as AuditEntry['roles'],
    credentialId: row.credential_id,
    connection: row.connection,
    action: row.action,
    sql: row.sql_text,
    params: parsed(row.params) as AuditEntry['params'],
    durationMs: row.duration_us === null ? null : row.duration_us / 1_000,
    rowCount: row.row_count,
    error: row.error,
    message: row.message,
    facts: parsed(row.facts) as AuditEntry['facts'],
  }
}

function microseconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1_000)
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
