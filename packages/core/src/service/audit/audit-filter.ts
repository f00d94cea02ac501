/** @module Which entries are looked for. */

import type { AuditKind } from '@engine/contract/admin-api'
import { systemName } from '../../foundation/audit-event.ts'
import { firstIdAt } from '../../foundation/time-ids.ts'
import type { AuditRow } from './audit-tables.ts'
import { isEmail } from './redaction/email-addresses.ts'
import type { Redaction } from './redaction/redact.ts'
import { isSystemEntry, storedSystemCallers } from './system-entries.ts'

/** Conditions on entries; all given conditions must be true. */
export interface AuditFilter {
  readonly kind?: AuditKind | undefined
  /** Id of a user, `anonymous`, `admin` or `system`; an e-mail address is searched in its stored form. */
  readonly caller?: string | undefined
  /** Entries of the engine's own statements, too. Without it only the caller `system` finds them. */
  readonly includeSystem?: boolean | undefined
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

/** The callers that matching entries have, as they are stored; undefined: any. */
export function storedCallers({ caller }: AuditFilter): readonly string[] | undefined {
  if (caller === undefined) return undefined
  return caller === systemName ? storedSystemCallers : [caller]
}

/** Which entries of the engine's own statements match: none but them, none of them, or those among others. */
export function systemEntries({ caller, includeSystem }: AuditFilter): 'only' | 'none' | 'any' {
  if (caller === systemName) return 'only'
  return caller === undefined && includeSystem === true ? 'any' : 'none'
}

/** Does a row fulfil all conditions? The same as the database would say. */
export function rowMatcher(filter: AuditFilter): (row: AuditRow) => boolean {
  const { kind, connection, action, error, correlationId, text, sinceMs, untilMs } = filter
  const callers = storedCallers(filter)
  const system = systemEntries(filter)
  const from = sinceMs === undefined ? '' : firstIdAt(sinceMs)
  const until = untilMs === undefined ? undefined : firstIdAt(untilMs)
  const exact = Object.entries({ kind, connection, action, correlation_id: correlationId })
  const conditions = exact.filter(([, value]) => value !== undefined) as [keyof AuditRow, string][]
  if (error !== undefined && error !== '*') conditions.push(['error', error])
  const part = text?.toLowerCase()
  return (row) =>
    row.id >= from &&
    (until === undefined || row.id < until) &&
    conditions.every(([column, value]) => row[column] === value) &&
    (callers === undefined || (row.caller !== null && callers.includes(row.caller))) &&
    (system === 'any' || isSystemEntry(row) === (system === 'only')) &&
    (error !== '*' || row.error !== null) &&
    (part === undefined ||
      searchedColumns.some((column) => row[column]?.toLowerCase().includes(part) === true))
}
