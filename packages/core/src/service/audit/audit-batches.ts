/**
 * @module Batches: entries of many statements in one row. Under load, a row with four indexes for each of them costs the database as
 * much as the statements themselves.
 */
import { timeOfId } from '../../foundation/time-ids.ts'
import { type AuditBatchRow, type AuditRow, auditColumns } from './audit-tables.ts'

/** Rows to insert: each is in one of the two. */
export interface PackedRows {
  /** Rows of their own. */
  readonly single: readonly AuditRow[]
  /** Each becomes one row; in ascending order of ids. */
  readonly batches: readonly (readonly AuditRow[])[]
}

/** Fewer entries than this have rows of their own, which the database finds by its indexes. */
const leastEntries = 16

/** Maximum time between the first and the last entry of a batch, in milliseconds: readers rely on it. */
export const mostSpanMs = 1_000

/**
 * Decides which rows are stored together: those of statements that come one after the other. It depends on nothing else, so that a
 * repeated attempt makes the same batches.
 */
export function packRows(rows: readonly AuditRow[]): PackedRows {
  const single: AuditRow[] = []
  const batches: AuditRow[][] = []
  let current: AuditRow[] = []
  const end = () => {
    if (current.length < leastEntries) single.push(...current)
    else batches.push(current)
    current = []
  }
  for (const row of rows) {
    if (row.kind !== 'query') {
      single.push(row)
      continue
    }
    if (!follows(current, row)) end()
    current.push(row)
  }
  end()
  return { single, batches }
}

function follows(current: readonly AuditRow[], row: AuditRow): boolean {
  const first = current[0]
  const last = current.at(-1)
  if (first === undefined || last === undefined) return true
  return row.id > last.id && timeOfId(row.id) - timeOfId(first.id) <= mostSpanMs
}

/** @param rows at least one; in ascending order of ids. */
export function batchRowOf(rows: readonly AuditRow[]): AuditBatchRow {
  return {
    id: rows.at(-1)?.id ?? '',
    first_id: rows[0]?.id ?? '',
    entry_count: rows.length,
    marks: marksOf(rows),
    entries: JSON.stringify(rows.map(valuesOf)),
  }
}

/** The rows of a batch, as they would be in the table. */
export function rowsOfBatch(entries: string): readonly AuditRow[] {
  return (JSON.parse(entries) as readonly (readonly unknown[])[]).map(
    (values) =>
      Object.fromEntries(auditColumns.map((name, i) => [name, values[i]])) as unknown as AuditRow,
  )
}

/** Written out: much faster than a loop over the columns. In the order of `auditColumns`. */
function valuesOf(row: AuditRow): readonly unknown[] {
  return [
    row.id,
    row.at,
    row.node,
    row.kind,
    row.via,
    row.correlation_id,
    row.ip,
    row.caller,
    row.roles,
    row.credential_id,
    row.connection,
    row.action,
    row.sql_text,
    row.params,
    row.duration_us,
    row.row_count,
    row.error,
    row.message,
    row.facts,
  ]
}

/** The marks of all callers and correlation ids of a batch. */
function marksOf(rows: readonly AuditRow[]): string {
  const hashes = new Set<number>()
  let lastCaller: string | null = null
  for (const { caller, correlation_id: correlationId } of rows) {
    if (caller !== null && caller !== lastCaller) hashes.add(hashOf(caller))
    lastCaller = caller
    if (correlationId !== null) hashes.add(hashOf(correlationId))
  }
  let marks = ''
  for (const hash of hashes) marks += markOfHash(hash)
  return marks
}

/**
 * What `marks` of a batch contains when one of its entries has this caller or correlation id; others can have the same mark, about
 * one of 260 000.
 */
export function markOf(value: string): string {
  return markOfHash(hashOf(value))
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function markOfHash(hash: number): string {
  return ` ${digits[hash & 63]}${digits[(hash >>> 6) & 63]}${digits[(hash >>> 12) & 63]}`
}

/** FNV-1a, the last 18 bits mixed with those before. */
function hashOf(value: string): number {
  let hash = 0x81_1c_9d_c5
  for (let i = 0; i < value.length; i += 1) {
    hash = Math.imul(hash ^ value.charCodeAt(i), 0x01_00_01_93)
  }
  return (hash ^ (hash >>> 18)) & 0x3_ff_ff
}
