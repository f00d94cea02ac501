/** @module The engine on a database whose rows are read and restored directly: its writes are committed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectCsv } from '@engine/adapters-csv'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { type Caller, type Config, createEngine, type Engine } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { createMysqlDatabase, dropMysqlDatabases } from '@engine/test-databases'
import { openCsvStore } from '../stores/csv-store.ts'
import { openMysqlStore } from '../stores/mysql-store.ts'
import { openPostgresStore } from '../stores/postgres-store.ts'
import { openSqliteStore } from '../stores/sqlite-store.ts'
import type { Contents, Store } from '../stores/store.ts'
import type { PrintedStatement } from '../tree/tree.ts'
import { rowsOf, type World } from '../world/world.ts'
import { moment, outcomeOf, refusalOf, request } from './engine-subject.ts'
import type { Outcome } from './subject.ts'

export interface WritingEngine {
  readonly store: Store
  /** The content of the store before every statement: it is restored after each. */
  readonly initial: Contents
  /** One statement, or several as a batch. */
  readonly run: (statements: readonly PrintedStatement[], caller: Caller) => Promise<Outcome>
  readonly close: () => Promise<void>
}

export type DatabaseKind = 'postgres' | 'sqlite' | 'mysql' | 'csv'

export interface WritingOptions {
  readonly world: World
  /** All of the configuration but the connection. */
  readonly config: Omit<Config, 'connections'>
  readonly relationships: Readonly<Record<string, unknown>>
  /** PostgreSQL: URL and schema. */
  readonly url: string
  readonly schema: string
  readonly mysqlUrl: string | undefined
}

/** Loads the world into a database of the kind, and opens an engine on it. */
export function openWritingEngine(
  kind: DatabaseKind,
  options: WritingOptions,
): Promise<WritingEngine> {
  switch (kind) {
    case 'postgres':
      return onPostgres(options)
    case 'sqlite':
      return onSqlite(options)
    case 'mysql':
      return onMysql(options)
    case 'csv':
      return onCsv(options)
  }
}

async function onPostgres(options: WritingOptions): Promise<WritingEngine> {
  const { url, schema, world } = options
  const store = await openPostgresStore(url, world, schema)
  const engine = await open(options, 'postgres', connectPostgres, { url, schema })
  return writingEngine(store, engine, async () => undefined)
}

async function onSqlite(options: WritingOptions): Promise<WritingEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-fuzz-'))
  const url = join(folder, 'world.db')
  const store = openSqliteStore(url, options.world)
  const engine = await open(options, 'sqlite', connectSqlite, { url })
  return writingEngine(store, engine, async () => rmSync(folder, { recursive: true, force: true }))
}

async function onMysql(options: WritingOptions): Promise<WritingEngine> {
  const serverUrl = options.mysqlUrl ?? ''
  const url = await createMysqlDatabase(serverUrl, 'fuzz')
  const store = await openMysqlStore(url, options.world)
  const engine = await open(options, 'mysql', connectMysql, { url })
  return writingEngine(store, engine, () =>
    dropMysqlDatabases(serverUrl, new URL(url).pathname.slice(1)),
  )
}

async function onCsv(options: WritingOptions): Promise<WritingEngine> {
  const { world } = options
  const directory = mkdtempSync(join(tmpdir(), 'engine-fuzz-'))
  let engine: Engine | undefined
  const store = openCsvStore(directory, world, async () => {
    await engine?.batch({ statements: refill(world), signal: undefined }, admin)
  })
  const tables = Object.fromEntries(
    world.tables.map(({ name, columns }) => [
      name,
      {
        key: 'id',
        header: true,
        delimiter: ',',
        types: Object.fromEntries(columns.map((column) => [column.name, csvType(column.stored)])),
      },
    ]),
  )
  engine = await open(options, 'csv', connectCsv, { directory, writable: true, tables })
  // Values have the engine's spelling from the beginning.
  await store.restore()
  return writingEngine(store, engine, async () =>
    rmSync(directory, { recursive: true, force: true }),
  )
}

function csvType(stored: string): string {
  return stored.startsWith('varchar') ? 'text' : stored
}

function refill(world: World) {
  const statement = (sql: string, params: readonly unknown[]) =>
    ({ sql, params, method: 'run', meta: false }) as const
  return world.tables.flatMap(({ name, columns }) => {
    const names = columns.map((column) => column.name).join(', ')
    const casts = columns.map(({ stored }, i) => `$${i + 1}::${stored}`).join(', ')
    return [
      statement(`delete from main.${name}`, []),
      ...rowsOf(world, name).map((row) =>
        statement(`insert into main.${name} (${names}) select ${casts}`, row),
      ),
    ]
  })
}

const admin: Caller = { kind: 'admin', roles: [], fields: {} }

function open(
  { config, relationships }: WritingOptions,
  kind: DatabaseKind,
  connect: AdapterFactory,
  place: Readonly<Record<string, unknown>>,
): Promise<Engine> {
  const connections = { main: { ...place, relationships } } as unknown as Config['connections']
  return createEngine(
    { ...config, connections },
    { adapters: { [`@engine/adapters-${kind}`]: connect }, clock: () => moment },
  )
}

async function writingEngine(
  store: Store,
  engine: Engine,
  remove: () => Promise<void>,
): Promise<WritingEngine> {
  return {
    store,
    initial: await store.contents(),
    run: async (statements, caller) => {
      const requests = statements.map(request)
      const [first] = requests
      try {
        const answer =
          requests.length === 1 && first !== undefined
            ? await engine.query(first, caller)
            : await engine.batch({ statements: requests, signal: undefined }, caller)
        return outcomeOf(answer, undefined)
      } catch (error) {
        return refusalOf(error)
      }
    },
    close: async () => {
      await engine.close()
      await store.close()
      await remove()
    },
  }
}
