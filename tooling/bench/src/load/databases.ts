/** @module The measured databases: each with the same rows, and an empty service database of the same kind. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDatabase,
  createMysqlDatabase,
  type MysqlVendor,
  mysqlVendors,
  startMysql,
  startPostgres,
} from '@engine/test-databases'
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { orderRow, sizes, tables } from './workloads.ts'

export const databaseKinds = ['postgres', 'sqlite', 'mariadb', 'mysql'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

export interface MeasuredDatabase {
  readonly kind: DatabaseKind
  readonly title: string
  /** For `connections`, and for the handwritten server. */
  readonly url: string
  readonly serviceUrl: string
  stop(): Promise<void>
}

const rowsAtOnce = 500

function* statements(idType: string): Iterable<string> {
  for (const sql of tables) yield sql.replace('%id', idType)
  const count = sizes.own * (sizes.others + 1)
  for (let start = 1; start <= count; start += rowsAtOnce) {
    const rows = Array.from({ length: rowsAtOnce }, (_, i) => orderRow(start + i))
    const tuples = rows.map((row) => `(${row.map(literal).join(', ')})`)
    yield `insert into orders values ${tuples.join(', ')}`
  }
}

function literal(value: number | string | boolean | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

const openers: Readonly<Record<DatabaseKind, () => Promise<MeasuredDatabase>>> = {
  postgres: async () => {
    const server = await startPostgres()
    const url = await createDatabase(server.url, 'bench')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const sql of statements('integer generated always as identity primary key')) {
      await client.query(sql)
    }
    await client.query('vacuum analyze')
    await client.end()
    const serviceUrl = await createDatabase(server.url, 'service')
    return { kind: 'postgres', title: 'PostgreSQL', url, serviceUrl, stop: () => server.stop() }
  },
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
    const url = join(folder, 'bench.db')
    const database = new Database(url)
    database.pragma('journal_mode = WAL')
    for (const sql of statements('integer primary key')) database.exec(sql)
    database.exec('analyze')
    database.close()
    return {
      kind: 'sqlite',
      title: 'SQLite',
      url,
      serviceUrl: join(folder, 'service.db'),
      stop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
  mariadb: () => openMysql('mariadb'),
  mysql: () => openMysql('mysql'),
}

async function openMysql(vendor: MysqlVendor): Promise<MeasuredDatabase> {
  const { name: title, byteCollation } = mysqlVendors[vendor]
  const server = await startMysql(vendor)
  const url = await createMysqlDatabase(server.url, 'bench')
  const connection = await createConnection({ uri: url })
  await connection.query(`alter database character set utf8mb4 collate ${byteCollation}`)
  for (const sql of statements('integer auto_increment primary key')) await connection.query(sql)
  await connection.query('analyze table orders')
  await connection.end()
  const serviceUrl = await createMysqlDatabase(server.url, 'service')
  return { kind: vendor, title, url, serviceUrl, stop: () => server.stop() }
}

export function openDatabase(kind: DatabaseKind): Promise<MeasuredDatabase> {
  return openers[kind]()
}
