/** @module Databases served over the wire protocol, for tests. */
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { type Config, createEngine, type EngineOptions, type PgWireOptions } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'

export interface ServedDatabases {
  /** For any client; the user is `tester`, the database `main`. */
  readonly url: string
  close(): Promise<void>
}

/** Every client may log in. */
export async function serveDatabases(
  { pgWire, ...config }: Omit<Config, 'pgWire'> & { readonly pgWire?: PgWireOptions },
  options: Omit<EngineOptions, 'adapters' | 'pgWire'> = {},
): Promise<ServedDatabases> {
  const engine = await createEngine(
    { ...config, pgWire: { ...pgWire, port: 0 } },
    {
      ...options,
      adapters: {
        '@engine/adapters-postgres': connectPostgres,
        '@engine/adapters-sqlite': connectSqlite,
      },
      pgWire: createPgWireServer,
    },
  )
  const server = await engine.startPgWire({ isDevelopment: true })
  return { url: `postgres://tester@${server.address}/main`, close: () => engine.close() }
}
