/** @module Reads the tables of a database through the engine, as the server will. */
import { generate } from '@engine/codegen'
import { type Config, createEngine, GatewayError, silentLog } from '@engine/core'
import type { Connection } from '@engine/core/catalog'
import { parseConfig } from '@engine/core/server'
import { loadAdapters } from '../configuration/adapters.ts'
import { reasonOf } from '../doctor/reason-of.ts'

export interface DatabaseTables {
  readonly connection: Connection
  /** Types for `defineConfig<Schema>`. */
  readonly schemaText: string
}

/** A database that does not answer within this number of milliseconds counts as unavailable. */
const timeoutMs = 10_000

/** @throws {GatewayError} `unavailable` with the reason; `invalidConfiguration` for a wrong URL. */
export async function readDatabase(
  name: string,
  connection: Config['connections'][string],
): Promise<DatabaseTables> {
  const config: Config = { connections: { [name]: connection } }
  const { adapters } = await loadAdapters(parseConfig(config))
  let reason: string | undefined
  const log = {
    ...silentLog,
    warn: ({ cause }: { readonly cause?: string }) => {
      if (cause !== undefined) reason = reasonOf(cause, config)
    },
  }
  const engine = await createEngine(config, { adapters, log, isProduction: false })
  try {
    const found = engine.catalog().connections.get(name)
    const reachable = await engine.health(AbortSignal.timeout(timeoutMs))
    if (found === undefined || reachable.get(name) !== true) {
      throw new GatewayError(
        'unavailable',
        `The database cannot be reached: ${reason ?? 'no answer'}`,
      )
    }
    const { document } = await engine.describe()
    return { connection: found, schemaText: generate(document, { format: 'permissions' }) }
  } finally {
    await engine.close()
  }
}
