/** @module Reads entries that are stored in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SelectQueryBuilder } from 'kysely'
import { firstIdAt, timeOfId } from '../../foundation/time-ids.ts'
import type { Store } from '../store/store.ts'
import { markOf, mostSpanMs, rowsOfBatch } from './audit-batches.ts'
import { type AuditFilter, rowMatcher, storedCallers } from './audit-filter.ts'
import type { AuditBatchRow, AuditRow, AuditTables } from './audit-tables.ts'
import { newestFirst } from './merge-rows.ts'
import type { EntrySource } from './row-source.ts'

/** Batches whose marks are read in one query: some 2 kB each. */
const stepSize = 100

/** Batches whose entries are read in one query, and searched in one turn of the event loop. */
const batchesAtOnce = 2

type Head = Pick<AuditBatchRow, 'id' | 'marks'>

type Selection = SelectQueryBuilder<AuditTables, 'engine_audit_batch', object>

export function createBatchSource(store: Store): EntrySource {
  const all = (): Selection => store.withTables<AuditTables>().selectFrom('engine_audit_batch')

  /** Batches of a range that may have such entries, in groups whose entries are read together. */
  async function* groups(
    range: Selection,
    filter: AuditFilter,
    order: 'asc' | 'desc',
  ): AsyncGenerator<{ readonly rows: readonly AuditRow[]; readonly lastId: string }> {
    const { correlationId } = filter
    const marks = [storedCallers(filter), correlationId === undefined ? undefined : [correlationId]]
      .filter((values) => values !== undefined)
      .map((values) => values.map(markOf))
    const mayMatch = textMatcher(filter)
    const matches = rowMatcher(filter)
    for (let after: string | undefined; ; ) {
      const rest =
        after === undefined ? range : range.where('id', order === 'asc' ? '>' : '<', after)
      const heads: readonly Head[] = await rest
        .select(['id', 'marks'])
        .orderBy('id', order)
        .limit(stepSize)
        .execute()
      const found = heads.filter((head) =>
        marks.every((any) => any.some((mark) => head.marks.includes(mark))),
      )
      for (let i = 0; i < found.length; i += batchesAtOnce) {
        const group = found.slice(i, i + batchesAtOnce).map(({ id }) => id)
        const read = await all().select(['contexts', 'entries']).where('id', 'in', group).execute()
        const rows = read
          .flatMap((batch) => (mayMatch(batch) ? rowsOfBatch(batch) : []))
          .filter(matches)
        yield { rows, lastId: group.at(-1) ?? '' }
        await nextTurn()
      }
      after = heads.at(-1)?.id
      if (heads.length < stepSize || after === undefined) return
      await nextTurn()
    }
  }

  const newest = async (filter: AuditFilter, limit: number, before?: string) => {
    if (!canHave(filter)) return []
    const range =
      before === undefined
        ? inTime(all(), filter)
        : inTime(all(), filter)
            .where('first_id', '<', before)
            .where('id', '<', firstIdAt(timeOfId(before) + mostSpanMs + 1))
    let found: readonly AuditRow[] = []
    for await (const { rows, lastId } of groups(range, filter, 'desc')) {
      const older = before === undefined ? rows : rows.filter(({ id }) => id < before)
      found = [...found, ...older].toSorted(newestFirst).slice(0, limit)
      // All entries of the batches that follow are older than their last one.
      if (found.length === limit && (found.at(-1)?.id ?? '') > lastId) break
    }
    return found
  }

  async function* oldest(filter: AuditFilter, last: string): AsyncGenerator<readonly AuditRow[]> {
    if (!canHave(filter)) return
    const range = inTime(all(), filter).where('first_id', '<=', last)
    let waiting: readonly AuditRow[] = []
    for await (const { rows, lastId } of groups(range, filter, 'asc')) {
      const sorted = [...waiting, ...rows.filter(({ id }) => id <= last)].toSorted(
        (left, right) => -newestFirst(left, right),
      )
      // Batches that follow can begin before this one ends.
      const safe = firstIdAt(timeOfId(lastId) - mostSpanMs)
      const end = sorted.findIndex(({ id }) => id >= safe)
      waiting = end < 0 ? [] : sorted.slice(end)
      const page = end < 0 ? sorted : sorted.slice(0, end)
      if (page.length > 0) yield page
    }
    if (waiting.length > 0) yield waiting
  }

  return {
    newest,
    oldest,
    lastId: async (filter) =>
      (await inTime(all(), filter).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())
        ?.id,
  }
}

/** Only statements are in batches. */
function canHave({ kind }: AuditFilter): boolean {
  return kind === undefined || kind === 'query'
}

/** Can a batch have such entries? To look for what they contain is much quicker than to read its JSON. */
function textMatcher(
  filter: AuditFilter,
): (batch: Pick<AuditBatchRow, 'contexts' | 'entries'>) => boolean {
  const { connection, action, error, correlationId, text } = filter
  const callers = storedCallers(filter)?.map((value) => JSON.stringify(value))
  const exact = [connection, action, error === '*' ? undefined : error]
  const shared = exact.filter((value) => value !== undefined).map((value) => JSON.stringify(value))
  const id = correlationId === undefined ? '' : JSON.stringify(correlationId)
  // As it is within a longer text.
  const part = text === undefined ? '' : JSON.stringify(text.toLowerCase()).slice(1, -1)
  return ({ contexts, entries }) =>
    shared.every((value) => contexts.includes(value)) &&
    (callers === undefined || callers.some((value) => contexts.includes(value))) &&
    entries.includes(id) &&
    (part === '' || contexts.toLowerCase().includes(part) || entries.toLowerCase().includes(part))
}

/** Batches that can have entries of this time. */
function inTime(query: Selection, { sinceMs, untilMs }: AuditFilter): Selection {
  const since = sinceMs === undefined ? query : query.where('id', '>=', firstIdAt(sinceMs))
  if (untilMs === undefined) return since
  return since
    .where('first_id', '<', firstIdAt(untilMs))
    .where('id', '<', firstIdAt(untilMs + mostSpanMs + 1))
}
