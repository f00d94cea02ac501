/** @module Searches entries and returns them in order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import { firstIdAt } from '../../foundation/time-ids.ts'
import type { Store } from '../store/store.ts'
import type { AuditEntry, AuditKind } from './audit-entry.ts'
import { type AuditRow, type AuditTables, fromRow } from './audit-tables.ts'
import { type ExportFormat, exportText } from './export-text.ts'
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

export interface AuditSearch extends AuditFilter {
  /** Id of the last entry of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Reads the audit log. */
export interface AuditReader {
  /** Newest first. @throws {GatewayError} `unavailable` (503). */
  search(search: AuditSearch): Promise<readonly AuditEntry[]>
  /**
   * Oldest first, up to the last entry at the start of the export, read page by page on demand.
   *
   * @throws {GatewayError} `unavailable` (503).
   */
  export(format: ExportFormat, filter: AuditFilter): AsyncIterable<string>
}

/** Entries read in one query: a database within this process blocks all other requests meanwhile. */
const stepSize = 1_000

/** @param redaction how e-mail addresses are stored. */
export function createAuditReader(store: Store, redaction: () => Redaction): AuditReader {
  const all = () => store.withTables<AuditTables>().selectFrom('engine_audit').selectAll()
  const matching = (filter: AuditFilter) => filtered(all(), filter, redaction())

  /** The id at a distance of `stepSize` entries from an end of the range; undefined when there are fewer. */
  const stepEnd = async (range: Selection, order: 'asc' | 'desc'): Promise<string | undefined> => {
    const query = range.clearSelect().select('id').orderBy('id', order)
    return (
      await query
        .limit(1)
        .offset(stepSize - 1)
        .executeTakeFirst()
    )?.id
  }

  const search = async (filter: AuditFilter, limit: number, before?: string) => {
    const rows: AuditRow[] = []
    for (let upper = before; ; ) {
      const range = upper === undefined ? all() : all().where('id', '<', upper)
      const end = hasIndex(filter) ? undefined : await stepEnd(inTime(range, filter), 'desc')
      const below =
        upper === undefined ? matching(filter) : matching(filter).where('id', '<', upper)
      const step = end === undefined ? below : below.where('id', '>=', end)
      rows.push(
        ...(await step
          .orderBy('id', 'desc')
          .limit(limit - rows.length)
          .execute()),
      )
      if (end === undefined || rows.length >= limit) return rows
      upper = end
      await nextTurn()
    }
  }

  async function* pages(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
    const last = await inTime(all(), filter).orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (last === undefined) return
    for (let lower: string | undefined; ; ) {
      const behind = (query: Selection): Selection => {
        const range = query.where('id', '<=', last.id)
        return lower === undefined ? range : range.where('id', '>', lower)
      }
      const end = await stepEnd(behind(inTime(all(), filter)), 'asc')
      const step = behind(matching(filter))
      const rows = await (end === undefined ? step : step.where('id', '<=', end))
        .orderBy('id')
        .execute()
      if (rows.length > 0) yield rows.map(fromRow)
      if (end === undefined) return
      lower = end
      await nextTurn()
    }
  }

  return {
    search: async ({ before, limit, ...filter }) =>
      (await search(filter, limit, before)).map(fromRow),
    export: (format, filter) => exportText(format, pages(filter)),
  }
}

type Selection = SelectQueryBuilder<AuditTables, 'engine_audit', AuditRow>

/** Can the database find such entries without reading all others? */
function hasIndex({ connection, action, error, text }: AuditFilter): boolean {
  return [connection, action, error, text].every((each) => each === undefined)
}

function inTime(query: Selection, { sinceMs, untilMs }: AuditFilter): Selection {
  const since = sinceMs === undefined ? query : query.where('id', '>=', firstIdAt(sinceMs))
  return untilMs === undefined ? since : since.where('id', '<', firstIdAt(untilMs))
}

function filtered(query: Selection, filter: AuditFilter, redaction: Redaction): Selection {
  const { kind, caller, connection, action, error, correlationId, text } = filter
  let narrowed = inTime(query, filter)
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
