/** @module What databases are like now, before the schema is told of them. */

import type { Log } from '../../foundation/log.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
import type { DataSource } from '../databases/data-source.ts'

/** How long a database may take to tell what it has, in milliseconds. */
const timeoutMs = 3_000

/**
 * Reads the catalogs of all databases again that were ever reached, as often as requests may cause that. One that cannot
 * tell what it has is described as it was.
 */
export async function refreshCatalogs(sources: Iterable<DataSource>, log: Log): Promise<void> {
  const readings = [...sources].map(async ({ name, introspection, refreshOnDemand }) => {
    if (introspection() === undefined) return
    try {
      await withTimeout(timeoutMs, refreshOnDemand() ?? Promise.resolve())
    } catch (err) {
      log.warn({ connection: name, err }, 'the catalog could not be read again')
    }
  })
  await Promise.all(readings)
}

/** What was read so many milliseconds ago is still good for a client that asks one question after the other. */
const minIntervalMs = 1_000

/** Calls `read` when it was not called just now; calls while it runs wait for it. @param clock in milliseconds. */
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
