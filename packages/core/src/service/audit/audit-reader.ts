/** @module Searches entries and returns them in order. */

import type { AuditEntry } from '@engine/contract/admin-api'
import type { Store } from '../store/store.ts'
import { type AuditFilter, storedFilter } from './audit-filter.ts'
import { fromRow } from './audit-tables.ts'
import { createBatchSource } from './batch-source.ts'
import { type ExportFormat, exportText } from './export-text.ts'
import { mergeNewest, mergeOldest } from './merge-rows.ts'
import type { Redaction } from './redaction/redact.ts'
import { createRowSource } from './row-source.ts'

export interface AuditSearch extends AuditFilter {
  /** Id of the last entry of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Reads the audit log. */
export interface AuditReader {
  /** Newest first. @throws {GatewayError} `unavailable` (503). */
  search(search: AuditSearch): Promise<readonly AuditEntry[]>
  /** @returns undefined when there is no such entry. @throws {GatewayError} `unavailable` (503). */
  find(id: string): Promise<AuditEntry | undefined>
  /**
   * Oldest first, up to the last entry at the start of the export, read page by page on demand.
   *
   * @throws {GatewayError} `unavailable` (503).
   */
  export(format: ExportFormat, filter: AuditFilter): AsyncIterable<string>
}

/** @param redaction how e-mail addresses are stored. */
export function createAuditReader(store: Store, redaction: () => Redaction): AuditReader {
  const rows = createRowSource(store)
  const batches = createBatchSource(store)

  async function* pages(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
    const ids = await Promise.all([rows.lastId(filter), batches.lastId(filter)])
    const last = ids
      .filter((id) => id !== undefined)
      .toSorted()
      .at(-1)
    if (last === undefined) return
    const merged = mergeOldest(rows.oldest(filter, last), batches.oldest(filter, last))
    for await (const page of merged) yield page.map(fromRow)
  }

  const search = async ({ before, limit, ...wanted }: AuditSearch) => {
    const filter = storedFilter(wanted, redaction())
    const [single, batched] = await Promise.all([
      rows.newest(filter, limit, before),
      batches.newest(filter, limit, before),
    ])
    return mergeNewest(single, batched, limit).map(fromRow)
  }
  return {
    search,
    find: async (id) => {
      // The least text that follows the id.
      const [entry] = await search({ before: `${id}0`, limit: 1, includeSystem: true })
      return entry?.id === id ? entry : undefined
    },
    export: (format, filter) => exportText(format, pages(storedFilter(filter, redaction()))),
  }
}
