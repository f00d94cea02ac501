/** @module The tables of the audit. */
import { columnTypes } from '../store/column-types.ts'
import { createIndex } from '../store/create-index.ts'
import type { Migration } from '../store/store.ts'
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

export interface AuditTables {
  engine_audit: AuditRow
  /** One row: the node that deletes old entries, and the end of its lease. */
  engine_audit_lease: { name: string; holder: string; until: number }
}

/** Migrations of the tables of the audit log. */
export const auditMigrations: readonly Migration[] = [
  {
    name: 'core/audit-0001-entries',
    up: async (database, kind) => {
      const types = columnTypes(kind)
      await database.schema
        .createTable('engine_audit')
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.notNull().primaryKey())
        .addColumn('at', types.time, (column) => column.notNull())
        .addColumn('node', types.text(64), (column) => column.notNull())
        .addColumn('kind', types.text(16), (column) => column.notNull())
        .addColumn('via', types.text(191))
        .addColumn('correlation_id', types.text(128))
        .addColumn('ip', types.text(64))
        .addColumn('caller', types.text(191))
        .addColumn('roles', types.longText)
        .addColumn('credential_id', types.text(128))
        .addColumn('connection', types.text(191))
        .addColumn('action', types.text(191))
        .addColumn('sql_text', types.longText)
        .addColumn('params', types.longText)
        .addColumn('duration_us', types.count)
        .addColumn('row_count', types.count)
        .addColumn('error', types.text(64))
        .addColumn('message', types.longText)
        .addColumn('facts', types.longText)
        .execute()
      const table = 'engine_audit'
      const index = (name: string, columns: readonly string[]) =>
        createIndex(database, kind, { name, table, columns })
      await index('engine_audit_kind', ['kind', 'id'])
      await index('engine_audit_caller', ['caller', 'id'])
      await index('engine_audit_correlation', ['correlation_id'])
      await database.schema
        .createTable('engine_audit_lease')
        .ifNotExists()
        .addColumn('name', types.id, (column) => column.notNull().primaryKey())
        .addColumn('holder', types.id, (column) => column.notNull())
        .addColumn('until', types.time, (column) => column.notNull())
        .execute()
    },
  },
]

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
