/** @module Which entries are looked for. */
import { firstIdAt } from '../../foundation/time-ids.ts'
import type { AuditKind } from './audit-entry.ts'
import type { AuditRow } from './audit-tables.ts'
import { isEmail } from './redaction/email-addresses.ts'
import type { Redaction } from './redaction/redact.ts'

/** Conditions on entries; all given conditions must be true. */
export interface AuditFilter {
  readonly kind?: AuditKind | undefined
  /** Id of a user, `anonymous` or `admin`; an e-mail address is searched in its stored form. */
  readonly caller?: string | undefined
  readonly connection?: string | undefined
  readonly action?: string | undefined
  /** Code of the error, or `*` for any. */
  readonly error?: string | undefined
  readonly correlationId?: string | undefined
  /** Part of SQL, parameters, message or facts; case-insensitive. */
  readonly text?: string | undefined
  /** Milliseconds since 1970; inclusive. */
  readonly sinceMs?: number | undefined
  /** Milliseconds since 1970; exclusive. */
  readonly untilMs?: number | undefined
}

/** The columns in which `text` is looked for. */
export const searchedColumns: readonly ('sql_text' | 'params' | 'message' | 'facts')[] = [
  'sql_text',
  'params',
  'message',
  'facts',
]

/** With e-mail addresses as they are stored. */
export function storedFilter(filter: AuditFilter, redaction: Redaction): AuditFilter {
  const { caller, text } = filter
  return {
    ...filter,
    caller: caller === undefined ? undefined : redaction.identity(caller),
    text: text !== undefined && isEmail(text) ? redaction.identity(text) : text,
  }
}

/** Does a row fulfil all conditions? The same as the database would say. */
export function rowMatcher(filter: AuditFilter): (row: AuditRow) => boolean {
  const { kind, caller, connection, action, error, correlationId, text, sinceMs, untilMs } = filter
  const from = sinceMs === undefined ? '' : firstIdAt(sinceMs)
  const until = untilMs === undefined ? undefined : firstIdAt(untilMs)
  const exact = Object.entries({ kind, caller, connection, action, correlation_id: correlationId })
  const conditions = exact.filter(([, value]) => value !== undefined) as [keyof AuditRow, string][]
  if (error !== undefined && error !== '*') conditions.push(['error', error])
  const part = text?.toLowerCase()
  return (row) =>
    row.id >= from &&
    (until === undefined || row.id < until) &&
    conditions.every(([column, value]) => row[column] === value) &&
    (error !== '*' || row.error !== null) &&
    (part === undefined ||
      searchedColumns.some((column) => row[column]?.toLowerCase().includes(part) === true))
}
