/** @module Reads entries that have rows of their own. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import { systemName } from '../../foundation/audit-event.ts'
import { firstIdAt } from '../../foundation/time-ids.ts'
import type { Store } from '../store/store.ts'
import {
  type AuditFilter,
  rowMatcher,
  searchedColumns,
  storedCallers,
  systemEntries,
} from './audit-filter.ts'
import type { AuditRow, AuditTables } from './audit-tables.ts'
import { storedSystemCallers } from './system-entries.ts'

/** Reads entries of one kind of storage. The filter is in its stored form: see `storedFilter`. */
export interface EntrySource {
  /** The newest `limit` of them that are older than `before`, newest first. */
  newest(filter: AuditFilter, limit: number, before?: string): Promise<readonly AuditRow[]>
  /** All of them up to the id `last`, oldest first, read page by page on demand. */
  oldest(filter: AuditFilter, last: string): AsyncIterable<readonly AuditRow[]>
  /** The last id in the filter's time; undefined when there is none. */
  lastId(filter: AuditFilter): Promise<string | undefined>
}

/** Entries read in one query: a database within this process blocks all other requests meanwhile. */
const stepSize = 1_000

export function createRowSource(store: Store): EntrySource {
  const all = () => store.withTables<AuditTables>().selectFrom('engine_audit').selectAll()
  const matching = (filter: AuditFilter) => filtered(all(), filter)

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
    const matches = rowMatcher(filter)
    const rows: AuditRow[] = []
    for (let upper = before; ; ) {
      const range = upper === undefined ? all() : all().where('id', '<', upper)
      const end = hasIndex(filter) ? undefined : await stepEnd(inTime(range, filter), 'desc')
      const below =
        upper === undefined ? matching(filter) : matching(filter).where('id', '<', upper)
      const step = end === undefined ? below : below.where('id', '>=', end)
      const missing = limit - rows.length
      const found = await step.orderBy('id', 'desc').limit(missing).execute()
      rows.push(...found.filter(matches))
      if (rows.length >= limit) return rows
      // Where some of them did not match, there may be more in this step.
      const next = found.length === missing ? found.at(-1)?.id : end
      if (next === undefined) return rows
      upper = next
      await nextTurn()
    }
  }

  async function* pages(filter: AuditFilter, last: string): AsyncGenerator<readonly AuditRow[]> {
    const matches = rowMatcher(filter)
    for (let lower: string | undefined; ; ) {
      const behind = (query: Selection): Selection => {
        const range = query.where('id', '<=', last)
        return lower === undefined ? range : range.where('id', '>', lower)
      }
      const end = await stepEnd(behind(inTime(all(), filter)), 'asc')
      const step = behind(matching(filter))
      const rows = await (end === undefined ? step : step.where('id', '<=', end))
        .orderBy('id')
        .execute()
      if (rows.length > 0) yield rows.filter(matches)
      if (end === undefined) return
      lower = end
      await nextTurn()
    }
  }

  return {
    newest: search,
    oldest: pages,
    lastId: async (filter) =>
      (
        await inTime(all(), filter)
          .clearSelect()
          .select('id')
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
      )?.id,
  }
}

type Selection = SelectQueryBuilder<AuditTables, 'engine_audit', AuditRow>

/** Can the database find such entries without reading all others? There can be any number of the engine's own in a row. */
function hasIndex(filter: AuditFilter): boolean {
  const { caller, connection, action, error, correlationId, text } = filter
  const isSearched = [connection, action, error, text].some((each) => each !== undefined)
  const isNarrowed = caller !== undefined || correlationId !== undefined
  return !isSearched && (isNarrowed || systemEntries(filter) === 'any')
}

function inTime(query: Selection, { sinceMs, untilMs }: AuditFilter): Selection {
  const since = sinceMs === undefined ? query : query.where('id', '>=', firstIdAt(sinceMs))
  return untilMs === undefined ? since : since.where('id', '<', firstIdAt(untilMs))
}

function filtered(query: Selection, filter: AuditFilter): Selection {
  const { kind, connection, action, error, correlationId, text } = filter
  let narrowed = inTime(query, filter)
  const exact = {
    kind,
    connection,
    action,
    correlation_id: correlationId,
    error: error === '*' ? undefined : error,
  }
  for (const [column, value] of Object.entries(exact) as [keyof typeof exact, string?][]) {
    if (value !== undefined) narrowed = narrowed.where(column, '=', value)
  }
  const callers = storedCallers(filter)
  if (callers !== undefined) narrowed = narrowed.where('caller', 'in', callers)
  const system = systemEntries(filter)
  if (system === 'only') narrowed = narrowed.where('via', '=', systemName)
  if (system === 'none') narrowed = withoutSystem(narrowed)
  if (error === '*') narrowed = narrowed.where('error', 'is not', null)
  return text === undefined ? narrowed : containing(narrowed, text)
}

function withoutSystem(query: Selection): Selection {
  return query.where((eb) =>
    eb.or([
      eb('via', 'is', null),
      eb('via', '<>', systemName),
      eb('caller', 'is', null),
      eb('caller', 'not in', storedSystemCallers),
    ]),
  )
}

/**
 * Databases differ in the lower case of characters beyond ASCII: here these match any text, and `rowMatcher` decides.
 */
function containing(query: Selection, text: string): Selection {
  const known = text.toLowerCase().replace(/[!%_]/g, '!$&')
  const pattern = `%${known.replace(/[^\p{ASCII}]+/gu, '%')}%`
  return query.where((eb) =>
    eb.or(
      searchedColumns.map(
        (column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`,
      ),
    ),
  )
}
