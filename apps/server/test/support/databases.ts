import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MysqlVendor } from '@engine/test-databases'
import {
  createDatabase,
  describeEachMysql,
  describePostgres,
  type MysqlOfRun,
} from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import { describe } from 'vitest'

/** An empty database, and direct access to it without the engine. */
export interface TestDatabase {
  readonly kind: 'postgres' | 'sqlite' | 'mysql'
  /** The configuration of the connection. */
  readonly url: string
  /** Runs statements of the database's own on it, separated by `;`. */
  run(sql: string): Promise<void>
  /** Rows of a query of the database's own. */
  rows(sql: string): Promise<readonly object[]>
  /** Closes and removes it; the engine's connections must be closed. */
  remove(): Promise<void>
}

/** Opens a new database. */
export type OpenDatabase = (setUp?: string) => Promise<TestDatabase>

/** The same tests on each kind of database; `vendor` is that of a MariaDB or MySQL. */
export function describeDatabases(
  name: string,
  tests: (open: OpenDatabase, kind: TestDatabase['kind'], vendor?: MysqlVendor) => void,
): void {
  describePostgres(`${name}, on PostgreSQL`, () => tests(openPostgres, 'postgres'))
  describe(`${name}, on SQLite`, () => tests(openSqlite, 'sqlite'))
  describeEachMysql(`${name},`, (server) => tests(mysqlOpener(server), 'mysql', server.vendor))
}

export async function openPostgres(setUp = ''): Promise<TestDatabase> {
  const url = await createDatabase('specification')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  if (setUp !== '') await client.query(setUp)
  return {
    kind: 'postgres',
    url,
    run: async (sql) => void (await client.query(sql)),
    rows: async (sql) => (await client.query<object>(sql)).rows,
    remove: () => client.end(),
  }
}

export async function openSqlite(setUp = ''): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-specification-'))
  const url = join(folder, 'test.db')
  const database = new Database(url)
  database.pragma('journal_mode = WAL')
  database.exec(setUp)
  return {
    kind: 'sqlite',
    url,
    run: async (sql) => void database.exec(sql),
    rows: async (sql) => database.prepare<[], object>(sql).all(),
    remove: async () => {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Opens databases of a server. `setUp` and `run` may use PostgreSQL's names for column types, and `analyze`. */
export function mysqlOpener(server: MysqlOfRun): OpenDatabase {
  return (setUp) => openMysql(server, setUp)
}

async function openMysql(server: MysqlOfRun, setUp = ''): Promise<TestDatabase> {
  const url = await server.createDatabase('specification')
  const connection = await createConnection({ uri: url, multipleStatements: true })
  await connection.query(
    "set time_zone = '+00:00', sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'",
  )
  // As many rows as PostgreSQL allows.
  const recursion = { mariadb: 'max_recursive_iterations', mysql: 'cte_max_recursion_depth' }
  await connection.query(`set ${recursion[server.vendor]} = 1000000`)
  const rows = async (sql: string): Promise<readonly object[]> =>
    (await connection.query<RowDataPacket[]>(sql.replaceAll(/\bas integer\)/g, 'as signed)')))[0]
  const run = async (sql: string): Promise<void> => {
    await connection.query(server.ddl(withTypes(sql.replace(/\banalyze;/g, ''))))
    if (!/\banalyze;/.test(sql)) return
    const tables = await rows('show tables')
    const names = tables.map((table) => `"${Object.values(table)[0]}"`)
    await connection.query(`analyze table ${names.join(', ')}`)
  }
  if (setUp !== '') await run(setUp)
  return { kind: 'mysql', url, run, rows, remove: () => connection.end() }
}

/** Texts that may be keys, and times with all their digits. */
const mysqlTypes: readonly (readonly [RegExp, string])[] = [
  [/ text\b/g, ' varchar(200)'],
  [/ timestamp\b/g, ' datetime(6)'],
  [/ timestamptz\b/g, ' timestamp(6) null'],
  [/ time\b/g, ' time(6)'],
  [/ jsonb\b/g, ' json'],
]

function withTypes(sql: string): string {
  return sql.replace(
    /create table \w+ \([^;]*\);?|alter table \w+ add column [^;]*/g,
    (statement) => mysqlTypes.reduce((text, [type, own]) => text.replace(type, own), statement),
  )
}
