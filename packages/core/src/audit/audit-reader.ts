/** @module Looks entries up, and gives them out in order. */
import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import type { AuditEntry, AuditKind } from './audit-entry.ts'
import { type AuditRow, type AuditTables, fromRow } from './audit-tables.ts'
import { firstIdAt } from './entry-id.ts'
import { type ExportFormat, exportText } from './export-text.ts'
import { isEmail } from './redaction/email-addresses.ts'
import type { Redaction } from './redaction/redact.ts'

/** What entries must be; all that is given must hold. */
export interface AuditFilter {
  readonly kind?: AuditKind | undefined
  /** Id of a user, `anonymous` or `admin`; an e-mail address is looked for as it is kept. */
  readonly caller?: string | undefined
  readonly connection?: string | undefined
  readonly action?: string | undefined
  /** Code of the error, or `*` for any. */
  readonly error?: string | undefined
  readonly correlationId?: string | undefined
  /** Part of SQL, parameters, message or facts; case does not count. */
  readonly text?: string | undefined
  /** Milliseconds since 1970; from then on. */
  readonly sinceMs?: number | undefined
  /** Milliseconds since 1970; before then. */
  readonly untilMs?: number | undefined
}

export interface AuditSearch extends AuditFilter {
  /** Id of the last entry of the page before. */
  readonly before?: string | undefined
  readonly limit: number
}

export interface AuditReader {
  /** Newest first. @throws {GatewayError} `unavailable` (503). */
  search(search: AuditSearch): Promise<readonly AuditEntry[]>
  /**
   * Oldest first, up to what is there when it begins, a page at a time as it is read.
   *
   * @throws {GatewayError} `unavailable` (503).
   */
  export(format: ExportFormat, filter: AuditFilter): AsyncIterable<string>
}

const pageSize = 500

/** @param redaction how e-mail addresses are kept. */
export function createAuditReader(store: Store, redaction: Redaction): AuditReader {
  const matching = (filter: AuditFilter) =>
    filtered(
      store.withTables<AuditTables>().selectFrom('engine_audit').selectAll(),
      filter,
      redaction,
    )
  return {
    search: async ({ before, limit, ...filter }) => {
      const query =
        before === undefined ? matching(filter) : matching(filter).where('id', '<', before)
      const rows = await query.orderBy('id', 'desc').limit(limit).execute()
      return rows.map(fromRow)
    },
    export: (format, filter) => exportText(format, pages(matching, filter)),
  }
}

type Selection = SelectQueryBuilder<AuditTables, 'engine_audit', AuditRow>

async function* pages(
  matching: (filter: AuditFilter) => Selection,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  const newest = await matching(filter).orderBy('id', 'desc').limit(1).executeTakeFirst()
  let last: string | undefined
  while (newest !== undefined) {
    const upTo = matching(filter).where('id', '<=', newest.id)
    const behind = last === undefined ? upTo : upTo.where('id', '>', last)
    const rows = await behind.orderBy('id').limit(pageSize).execute()
    if (rows.length > 0) yield rows.map(fromRow)
    if (rows.length < pageSize) return
    last = rows.at(-1)?.id
  }
}

function filtered(query: Selection, filter: AuditFilter, redaction: Redaction): Selection {
  const { kind, caller, connection, action, error, correlationId, text, sinceMs, untilMs } = filter
  let narrowed = query
  const exact = {
    kind,
    caller: caller === undefined ? undefined : redaction.identity(caller),
    connection,
    action,
    correlation_id: correlationId,
    error: error === '*' ? undefined : error,
  }
  for (const [column, value] of Object.entries(exact) as [keyof typeof exact, string?][]) {
    if (value !== undefined) narrowed = narrowed.where(column, '=', value)
  }
  if (error === '*') narrowed = narrowed.where('error', 'is not', null)
  if (sinceMs !== undefined) narrowed = narrowed.where('id', '>=', firstIdAt(sinceMs))
  if (untilMs !== undefined) narrowed = narrowed.where('id', '<', firstIdAt(untilMs))
  if (text !== undefined)
    narrowed = containing(narrowed, isEmail(text) ? redaction.identity(text) : text)
  return narrowed
}

const searched = ['sql_text', 'params', 'message', 'facts'] as const

function containing(query: Selection, text: string): Selection {
  const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  return query.where((eb) =>
    eb.or(
      searched.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`),
    ),
  )
}
