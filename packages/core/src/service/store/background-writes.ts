/** @module Statements that no request waits for: on another thread, where the database writes on one. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { CountedChanges } from './change-counter.ts'
import type { ServiceDatabase } from './service-database.ts'
import type { Store, StoreValue } from './store.ts'
import { storeValue } from './store-dialect.ts'
import { storeError } from './store-error.ts'

export interface BackgroundWritesOptions {
  readonly service: Pick<ServiceDatabase, 'writeElsewhere'>
  readonly database: Kysely<unknown>
  readonly counted: CountedChanges
  /** Throws while the tables are not up to date. */
  readonly requireReady: () => void
}

type WriteElsewhere = NonNullable<ServiceDatabase['writeElsewhere']>

export type BackgroundWrites = Pick<Store, 'runInBackground' | 'runManyInBackground'>

export function createBackgroundWrites(options: BackgroundWritesOptions): BackgroundWrites {
  const { service, database, counted } = options
  const { writeElsewhere } = service
  if (writeElsewhere === undefined) {
    return {
      runInBackground: async (query) => {
        await database.executeQuery(compileUncounted(query, counted))
      },
    }
  }
  const write = writer(writeElsewhere, options)
  return {
    runInBackground: async (query) => {
      const { sql, parameters } = compileUncounted(query, counted)
      await write(sql, [parameters.map(storeValue)])
    },
    runManyInBackground: async (query, parameterLists) =>
      write(compileUncounted(query, counted).sql, parameterLists),
  }
}

function writer(
  writeElsewhere: WriteElsewhere,
  { requireReady }: BackgroundWritesOptions,
): (sql: string, parameterLists: readonly (readonly StoreValue[])[]) => Promise<void> {
  return async (sql, parameterLists) => {
    requireReady()
    try {
      await writeElsewhere(sql, parameterLists)
    } catch (error) {
      throw storeError(error)
    }
  }
}

/** Changes that are counted need a transaction of their own. */
function compileUncounted(query: Compilable, counted: CountedChanges): CompiledQuery {
  const compiled = query.compile()
  if (counted.has(compiled.sql, compiled.query)) {
    throw new Error('a counted change in the background')
  }
  return compiled
}
