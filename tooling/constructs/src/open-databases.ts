/** @module Each database with the tables of `sample-tables.ts`, and an engine over it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectMysql } from '@engine/adapters-mysql'
import { connect as connectPostgres } from '@engine/adapters-postgres'
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import { createEngine, type Engine } from '@engine/core'
import type { AdapterFactory, AdapterPackage } from '@engine/core/adapter'
import { type DirectConnection, openDirect } from '@engine/corpus'
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseName } from './construct.ts'
import { createStatements, restoreStatements } from './sample-tables.ts'

/** A database that is tried. */
export interface TriedDatabase {
  readonly name: DatabaseName
  readonly engine: Engine
  /** Restores the tables that statements write. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The PostgreSQL that gives the right answers. */
export interface Truth {
  readonly direct: DirectConnection
  readonly client: pg.Client
  readonly close: () => Promise<void>
}

/** Creates the tables in an empty database. */
export async function openTruth(url: string): Promise<Truth> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `create schema main; set search_path = main; create type main.mood as enum ('sad', 'ok', 'happy')`,
  )
  for (const sql of createStatements('postgres')) await client.query(sql)
  const direct = await openDirect(client)
  await client.query(`set search_path = main, pg_catalog; set statement_timeout = '5s'`)
  return { direct, client, close: () => client.end() }
}

/** @param url of the database of `truth`. */
export async function openPostgres(url: string, truth: Truth): Promise<TriedDatabase> {
  const engine = await open('postgres', connectPostgres, { url, schema: 'main' })
  return {
    name: 'PostgreSQL',
    engine,
    restore: async () => {
      for (const sql of restoreStatements('postgres')) await truth.client.query(sql)
    },
    close: () => engine.close(),
  }
}

/** @param url of an empty database. */
export async function openMysql(name: 'MariaDB' | 'MySQL', url: string): Promise<TriedDatabase> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' })
  await connection.query(
    `set time_zone = '+00:00', sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'`,
  )
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const sql of statements) await connection.query(withQuotedNames(sql))
  }
  await run(createStatements('mysql'))
  const engine = await open('mysql', connectMysql, { url })
  return {
    name,
    engine,
    restore: () => run(restoreStatements('mysql')),
    close: async () => {
      await engine.close()
      await connection.end()
    },
  }
}

/** `groups` is a word of MySQL's grammar. */
function withQuotedNames(sql: string): string {
  return sql.replace(/^(create table|insert into|delete from) (\w+)/, '$1 "$2"')
}

/** In a file of its own. */
export async function openSqlite(): Promise<TriedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-constructs-'))
  const url = join(folder, 'samples.db')
  const database = new Database(url)
  database.pragma('journal_mode = WAL')
  for (const sql of createStatements('sqlite')) database.exec(sql)
  const engine = await open('sqlite', connectSqlite, { url })
  return {
    name: 'SQLite',
    engine,
    restore: async () => {
      for (const sql of restoreStatements('sqlite')) database.exec(sql)
    },
    close: async () => {
      await engine.close()
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function open(
  kind: string,
  connect: AdapterFactory | AdapterPackage,
  connection: { readonly url: string; readonly schema?: string },
): Promise<Engine> {
  return createEngine(
    {
      connections: { main: { ...connection, schemaPolling: false } },
      limits: { queryTimeout: 10_000 },
    },
    { adapters: { [`@engine/adapters-${kind}`]: connect } },
  )
}
