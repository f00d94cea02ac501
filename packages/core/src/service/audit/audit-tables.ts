/** @module The tables of the audit. */
import type { AuditEntry, AuditKind } from './audit-entry.ts'

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

/** The columns of a row, in the order of their values in a batch: stored batches depend on it. */
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
  /** JSON: an array of values for each row. */
  entries: string
}

export interface AuditTables {
  /** Entries with rows of their own. */
  engine_audit: AuditRow
  engine_audit_batch: AuditBatchRow
  /** One row: the node that deletes old entries, and the end of its lease. */
  engine_audit_lease: { name: string; holder: string; until: number }
}

export function toRow(entry: AuditEntry): AuditRow {
  const { roles, params, facts, durationMs } = entry
  return {
    id: entry.id,
    at: timeOf(entry.at),
    node: entry.node,
    kind: entry.kind,
    via: entry.via,
    correlation_id: entry.correlationId,
    ip: entry.ip,
    caller: entry.caller,
    roles: jsonOf(roles),
    credential_id: entry.credentialId,
    connection: entry.connection,
    action: entry.action,
    sql_text: entry.sql,
    params: jsonOf(params),
    duration_us: durationMs === null ? null : Math.round(durationMs * 1_000),
    row_count: entry.rowCount,
    error: entry.error,
    message: entry.message,
    facts: jsonOf(facts),
  }
}

let last = { text: '', timeMs: Number.NaN }

/** Many entries have the same millisecond. */
function timeOf(text: string): number {
  if (text !== last.text) last = { text, timeMs: Date.parse(text) }
  return last.timeMs
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
    caller: row.caller,
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

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
