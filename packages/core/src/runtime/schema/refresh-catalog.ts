/** @module Refreshes the catalogs of all databases before the answer to `GET /schema`. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
import type { DataSource } from '../databases/data-source.ts'

/** How long introspection of one database may take, in milliseconds. */
const timeoutMs = 3_000

/**
 * Reads the catalogs of all databases that were ever reached, unless requests have caused it too often. When a database fails to
 * answer, its last catalog stays in use.
 */
export async function refreshCatalogs(sources: Iterable<DataSource>, log: Log): Promise<void> {
  const readings = [...sources].map(async ({ name, introspection, refreshIfChanged }) => {
    if (introspection() === undefined) return
    try {
      await withTimeout(timeoutMs, refreshIfChanged(false) ?? Promise.resolve())
    } catch (err) {
      log.warn({ connection: name, err }, 'the catalog could not be read again')
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
  const readings = [...sources].map(
    async ({ name, introspection, refresh }): Promise<[string, CatalogReading]> => {
      const before = introspection()
      try {
        await refresh()
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        log.warn({ connection: name, err: error }, 'the catalog could not be read again')
        return [name, { isRead: false, error }]
      }
      const found = introspection()
      const tables = found?.tables.length ?? 0
      return [name, { isRead: true, isChanged: found !== before, tables }]
    },
  )
  return new Map(await Promise.all(readings))
}

/** Milliseconds for which a catalog that was just read counts as fresh: clients often send several requests in a row. */
const minIntervalMs = 1_000

/** Calls `read` at most once a second; calls in between wait for the last one. @param clock in milliseconds. */
export function throttle(read: () => Promise<void>, clock: () => number): () => Promise<void> {
  let startedMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> = Promise.resolve()
  return () => {
    const nowMs = clock()
    if (nowMs - startedMs >= minIntervalMs) {
      startedMs = nowMs
      running = read()
    }
    return running
  }
}
