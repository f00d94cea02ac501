/** @module The engine with a world in each kind of database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import type { Config } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { createMysqlDatabase, dropMysqlDatabases } from '@engine/test-databases'
import Database from 'better-sqlite3'
import { loadMysqlWorld } from '../world/mysql-world.ts'
import { loadSqliteWorld } from '../world/sqlite-world.ts'
import type { World } from '../world/world.ts'
import { type EngineSubject, openEngine } from './engine-subject.ts'

/** A separate engine, and the function that closes it. */
export interface OpenedDatabase {
  readonly engine: EngineSubject
  readonly close: () => Promise<void>
}

export interface OpenOptions {
  readonly world: World
  /** All of the configuration but the connection. */
  readonly config: Omit<Config, 'connections'>
  readonly connection: Readonly<Record<string, unknown>>
  /** Tables that are read after every write. */
  readonly looksAtTables: boolean
}

/** @param schema where the world is already loaded. */
export async function openPostgresWorld(
  url: string,
  schema: string,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const engine = await open('postgres', connectPostgres, { url, schema }, options)
  return { engine, close: () => engine.close() }
}

/** In a separate file. */
export async function openSqliteWorld(options: OpenOptions): Promise<OpenedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-fuzz-'))
  const url = join(folder, 'world.db')
  const database = new Database(url)
  loadSqliteWorld(database, options.world)
  database.close()
  const engine = await open('sqlite', connectSqlite, { url }, options)
  return {
    engine,
    close: async () => {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In a separate database on a server. */
export async function openMysqlWorld(
  serverUrl: string,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const url = await createMysqlDatabase(serverUrl, 'fuzz')
  await loadMysqlWorld(url, options.world)
  const engine = await open('mysql', connectMysql, { url }, options)
  return {
    engine,
    close: async () => {
      await engine.close()
      try {
        await dropMysqlDatabases(serverUrl, new URL(url).pathname.slice(1))
      } catch {
        // A server that a statement has crashed has nothing to drop; the statement is a finding already.
      }
    },
  }
}

function open(
  kind: string,
  connect: AdapterFactory,
  place: { readonly url: string; readonly schema?: string },
  { world, config, connection, looksAtTables }: OpenOptions,
): Promise<EngineSubject> {
  return openEngine({
    config: { ...config, connections: { main: { ...connection, ...place } } },
    adapterPackage: `@engine/adapters-${kind}`,
    connect,
    tables: looksAtTables ? world.tables.map(({ name }) => name) : [],
  })
}
