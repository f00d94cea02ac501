/** @module A server of the wire protocol for a small SQLite database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import {
  type Audit,
  type AuditEvent,
  type Config,
  createEngine,
  type Engine,
  type PgWireServer,
} from '@engine/core'
import type { AuthProvider } from '@engine/core/server'
import { createPgWireServer } from '@engine/pgwire'

export interface WireServer {
  readonly address: string
  readonly server: PgWireServer
  readonly engine: Engine
  /** Audit entries, oldest first. */
  readonly events: readonly AuditEvent[]
  close(): Promise<void>
}

export interface WireServerOptions {
  readonly pgWire?: Config['pgWire']
  readonly config?: Omit<Config, 'auth' | 'pgWire' | 'connections'>
  readonly provider?: AuthProvider
  /** URL of the database; default: a new SQLite database with `itemCount` items. */
  readonly url?: string
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Packages are found from here. */
  readonly directory?: string
}

/** Rows of `main.items`: (1, 'item 1') and so on. */
export const itemCount = 3_000

/** Takes some minutes unless it is cancelled. */
export const endlessQuery =
  'select count(*) from items a, items b, items c where a.id + b.id + c.id < 0'

export async function openWireServer({
  pgWire = {},
  config = {},
  provider,
  url,
  clock,
  directory,
}: WireServerOptions = {}): Promise<WireServer> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-wire-'))
  const path = join(folder, 'shop.db')
  fill(path)
  const events: AuditEvent[] = []
  const audit: Audit = {
    record: (event) => void events.push(event),
    flush: async () => undefined,
    close: async () => undefined,
  }
  const options = pgWire === true ? {} : pgWire
  const engine = await createEngine(
    {
      ...config,
      connections: { main: url ?? `file:${path}` },
      ...(provider === undefined ? {} : { auth: provider as object }),
      pgWire: { port: 0, catalog: 'builtin', ...options },
    },
    {
      adapters: {
        '@engine/adapters-postgres': connectPostgres,
        '@engine/adapters-sqlite': connectSqlite,
      },
      pgWire: createPgWireServer,
      audit,
      ...(clock === undefined ? {} : { clock }),
      ...(directory === undefined ? {} : { directory }),
    },
  )
  const server = await engine.startPgWire()
  return {
    address: server.address,
    server,
    engine,
    events,
    close: async () => {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function fill(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(`
    create table items (id integer primary key, name text not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${itemCount})
    insert into items select i, 'item ' || i from n;
  `)
  database.close()
}
