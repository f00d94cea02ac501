/** @module Refreshes the catalogs of all databases before answers about the schema. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { createTokenBucket } from '../../foundation/token-bucket.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
import type { DataSource } from '../databases/data-source.ts'

/** How long introspection of one database may take, in milliseconds. */
const timeoutMs = 3_000

/**
 * Reads the catalogs of all databases that were ever reached, unless requests have caused it too often. When a database fails to
 * answer, its last catalog stays in use.
 *
 * @param isHolding see `DataSource.refreshIfChanged`
 */
export async function refreshCatalogs(
  sources: Iterable<DataSource>,
  log: Log,
  isHolding = false,
): Promise<void> {
  const readings = [...sources].map(async (source) => {
    if (source.introspection() === undefined) return
    try {
      const reading = source.refreshIfChanged(false, isHolding)
      await withTimeout(timeoutMs, reading ?? Promise.resolve())
    } catch (err) {
      log.warn({ connection: source.name, err }, 'the catalog could not be read again')
    }
  })
  await Promise.all(readings)
}

/** The outcome of reading one catalog. */
export type CatalogReading =
  /** `isChanged`: it differs from the reading before. */
  | { readonly isRead: true; readonly isChanged: boolean; readonly tables: number }
  /** The last catalog stays in use. */
  | { readonly isRead: false; readonly error: GatewayError }

/** Reads the catalogs of all databases, and waits for each. */
export async function readCatalogs(
  sources: Iterable<DataSource>,
  log: Log,
): Promise<ReadonlyMap<string, CatalogReading>> {
  const readings = [...sources].map(async (source): Promise<[string, CatalogReading]> => {
    const { name } = source
    const before = source.introspection()
    try {
      await source.refresh()
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ connection: name, err: error }, 'the catalog could not be read again')
      return [name, { isRead: false, error }]
    }
    const found = source.introspection()
    const tables = found?.tables.length ?? 0
    return [name, { isRead: true, isChanged: found !== before, tables }]
  })
  return new Map(await Promise.all(readings))
}

/** The limit for whole readings that questions of sessions cause: it leaves most of what a data source allows to statements that fail. */
const wholeReadings = { most: 1, perSecond: 1 } as const

/**
 * Returns what a session calls before it answers a question about its catalogs. Each call looks at the schema of every database;
 * where a database knows no version, calls past the limit share the last reading.
 *
 * @param clock in milliseconds.
 */
export function createSessionReading(
  sources: Iterable<DataSource>,
  log: Log,
  clock: () => number,
): (isHolding: boolean) => Promise<void> {
  const all = [...sources]
  const versioned = all.filter(({ hasSchemaVersion }) => hasSchemaVersion)
  const others = all.filter(({ hasSchemaVersion }) => !hasSchemaVersion)
  const bucket = createTokenBucket({ ...wholeReadings, clock })
  let last: Promise<void> = Promise.resolve()
  return async (isHolding) => {
    const looking = refreshCatalogs(versioned, log, isHolding)
    // Readings of the others are shared with callers that may wait.
    if (!isHolding && bucket.take()) last = refreshCatalogs(others, log)
    await Promise.all(isHolding ? [looking] : [looking, last])
  }
}
