/** @module System catalogs from a real PostgreSQL, embedded: PGlite in processes of its own. */
import { fileURLToPath } from 'node:url'
import type { Log } from '@engine/core'
import type { VisibleCatalog } from '@engine/core/server'
import { LRUCache } from 'lru-cache'
import { catalogNumbers } from '../catalog-numbers.ts'
import type { CatalogNumbers, WireCatalog } from '../wire-catalog.ts'
import { createInstancePool } from './instance-pool.ts'
import { startInstance } from './pglite-instance.ts'

export interface PgliteCatalogOptions {
  /** Where the package is. */
  readonly packageUrl: string
  readonly log: Log
  /** Processes, each with some 200 MB, at the same time. Callers who see the same tables share one. */
  readonly maxInstances?: number
  readonly maxWaitMs?: number
  readonly idleMs?: number
  /** One question may take so long, from when it runs. */
  readonly questionMs?: number
}

/** Of the PostgreSQL in the data directory. */
export const pgliteServerVersion = '18.6'

/** What every instance starts from. */
const archivePath: string = fileURLToPath(new URL('../../../data/catalog.tar.gz', import.meta.url))

/** For a start, and for a description: neither does any work of the client's. */
const startTimeoutMs = 30_000
const describeTimeoutMs = 10_000

/** Questions of clients take milliseconds. One of seconds is not about catalogs, and others wait for its end. */
const usualQuestionMs = 5_000

/** Numbers are small, and asked for all the time. */
const maxNumbers = 100

/** Starts nothing before the first question. */
export function createPgliteCatalog(options: PgliteCatalogOptions): WireCatalog {
  const { log, packageUrl, maxInstances = 4, maxWaitMs = 300, idleMs = 10 * 60_000 } = options
  const { questionMs = usualQuestionMs } = options
  const pool = createInstancePool({
    start: (visible) => startInstance(visible, { packageUrl, archivePath, startTimeoutMs, log }),
    maxInstances,
    maxWaitMs,
    idleMs,
    log,
  })
  const numbers = new LRUCache<string, Promise<CatalogNumbers>>({ max: maxNumbers })
  const readNumbers = (visible: VisibleCatalog) =>
    pool.lend({ visible }, AbortSignal.timeout(startTimeoutMs), async ({ mirrors }) =>
      catalogNumbers(visible, mirrors),
    )
  return {
    kind: 'pglite',
    serverVersion: pgliteServerVersion,
    describe: (query, scope) =>
      pool.lend(scope, AbortSignal.timeout(startTimeoutMs), (instance) =>
        instance.describe(query, scope, AbortSignal.timeout(describeTimeoutMs)),
      ),
    run: (query, scope) => {
      const timeout = AbortSignal.timeout(query.timeoutMs)
      const signal = query.signal === undefined ? timeout : AbortSignal.any([timeout, query.signal])
      return pool.lend(scope, signal, (instance) =>
        instance.run(query, scope, AbortSignal.any([signal, AbortSignal.timeout(questionMs)])),
      )
    },
    numbers: (visible) => {
      const known = numbers.get(visible.key)
      if (known !== undefined) return known
      const found = readNumbers(visible)
      numbers.set(visible.key, found)
      found.catch(() => numbers.delete(visible.key))
      return found
    },
    close: () => pool.close(),
  }
}
