/** @module System catalogs from a real PostgreSQL, embedded: PGlite in processes of its own. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Log } from '@engine/core'
import type { VisibleCatalog } from '@engine/core/server'
import { LRUCache } from 'lru-cache'
import { catalogNumbers } from '../catalog-numbers.ts'
import type { CatalogNumbers, WireCatalog } from '../wire-catalog.ts'
import { createInstancePool } from './instance-pool.ts'
import { startInstance } from './pglite-instance.ts'

export interface PgliteCatalogOptions {
  /** Location of the package. */
  readonly packageUrl: string
  readonly log: Log
  /** Maximum number of processes at the same time, each with some 200 MB. Callers who see the same tables share one. */
  readonly maxInstances?: number
  readonly maxWaitMs?: number
  readonly idleMs?: number
  /** Time limit of one query, from when it runs. */
  readonly questionMs?: number
}

/** Version of the PostgreSQL in the data directory. */
export const pgliteServerVersion = '18.6'

/** The data directory that every instance starts from; found by the package, wherever a build puts this file. */
const archivePath: string = join(
  createRequire(import.meta.url).resolve('@engine/pgwire/package.json'),
  '../data/catalog.tar.gz',
)

/** Time limit of a start, and of a description: neither runs the client's statement. */
const startTimeoutMs = 30_000
const describeTimeoutMs = 10_000

/**
 * Catalog queries take milliseconds. A query that takes seconds is not about catalogs, and others wait until it ends.
 */
const usualQuestionMs = 5_000

/** OIDs take little memory, and are requested often. */
const maxNumbers = 100

/** Starts no process before the first query. */
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
