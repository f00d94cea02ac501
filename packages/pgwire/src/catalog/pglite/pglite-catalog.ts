/** @module System catalogs from a real PostgreSQL, embedded: PGlite in processes of its own. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Log } from '@engine/core'
import { loadParser } from '@engine/core/session'
import { createBuiltinCatalog } from '../builtin/builtin-catalog.ts'
import { asksForSessionFacts } from '../builtin/session-facts.ts'
import type { TimedCatalogQuery, WireCatalog } from '../wire-catalog.ts'
import { createInstancePool } from './instance-pool.ts'
import { startInstance, startProcess } from './pglite-instance.ts'
import { createSpareProcess } from './spare-process.ts'

export interface PgliteCatalogOptions {
  /** Location of the package. */
  readonly packageUrl: string
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Maximum number of processes at the same time, each with some 200 MB. Callers who see the same tables share one. */
  readonly maxInstances?: number
  readonly maxWaitMs?: number
  /** Milliseconds that a caller waits for the newest catalog before an older one serves. */
  readonly maxFreshMs?: number
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

/** Time limit of a start. Questions wait for it as long as they may last themselves. */
const startTimeoutMs = 30_000

/**
 * Catalog queries take milliseconds. A query that takes seconds is not about catalogs, and others wait until it ends.
 */
const usualQuestionMs = 5_000

/** Clients that change a schema ask for it next: an old answer is for a host on which a new server takes very long. */
const usualFreshMs = 10_000

/** Starts no process before `warm` or the first query. */
export function createPgliteCatalog(options: PgliteCatalogOptions): WireCatalog {
  const {
    log,
    clock,
    packageUrl,
    maxInstances = 4,
    maxWaitMs = 300,
    idleMs = 10 * 60_000,
  } = options
  const { questionMs = usualQuestionMs, maxFreshMs = usualFreshMs } = options
  const spare = createSpareProcess({
    start: () => startProcess({ packageUrl, archivePath, startTimeoutMs }),
    idleMs,
    log,
  })
  const pool = createInstancePool({
    start: (visible) => startInstance(visible, { startProcess: spare.take, startTimeoutMs, log }),
    maxInstances,
    maxWaitMs,
    maxFreshMs,
    idleMs,
    log,
  })
  const session = createBuiltinCatalog({ clock, version: pgliteServerVersion })
  return {
    kind: 'pglite',
    serverVersion: pgliteServerVersion,
    describe: async (query, scope) => {
      await loadParser()
      if (asksForSessionFacts(query.sql, scope)) return session.describe(query, scope)
      const signal = within(query)
      return pool.lend(scope, signal, (instance) => instance.describe(query, scope, signal))
    },
    run: async (query, scope) => {
      await loadParser()
      if (asksForSessionFacts(query.sql, scope)) return session.run(query, scope)
      const signal = within(query)
      return pool.lend(scope, signal, (instance) =>
        instance.run(query, scope, AbortSignal.any([signal, AbortSignal.timeout(questionMs)])),
      )
    },
    warm: spare.warm,
    state: () => pool.state(),
    close: async () => {
      await Promise.all([pool.close(), spare.close()])
    },
  }
}

function within({ timeoutMs, signal }: TimedCatalogQuery): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal])
}
