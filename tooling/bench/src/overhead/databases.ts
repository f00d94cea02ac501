/** @module The databases with the same rows, and their drivers without the engine. */
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
import { customerRow, orderRow, schema, sizes } from './tables.ts'

export interface BareDatabase {
  readonly name: string
  /** For `connections`. */
  readonly url: string
  /** The n-th placeholder, from 1. */
  placeholder(n: number): string
  /** Runs a prepared statement and fetches its rows. */
  run(sql: string, values: readonly BareValue[]): Promise<number>
  close(): Promise<void>
}

export type BareValue = string | bigint | number | null

const rowsAtOnce = 500

function* inserts(): Iterable<{
  readonly table: string
  readonly rows: readonly (readonly (number | string)[])[]
}> {
  for (const [table, count, row] of [
    ['customers', sizes.customers, customerRow],
    ['orders', sizes.orders, orderRow],
  ] as const) {
    for (let start = 1; start <= count; start += rowsAtOnce) {
      const length = Math.min(rowsAtOnce, count - start + 1)
      yield { table, rows: Array.from({ length }, (_, index) => row(start + index)) }
    }
  }
}

function insertSql(table: string, rows: readonly (readonly (number | string)[])[]): string {
  const literal = (value: number | string) => (typeof value === 'number' ? value : `'${value}'`)
  return `insert into ${table} values ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`
}

export async function openPostgres(): Promise<BareDatabase> {
  const server = await startPostgres()
  const url = await createDatabase(server.url, 'overhead')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of schema) await client.query(sql)
  for (const { table, rows } of inserts()) await client.query(insertSql(table, rows))
  await client.query('vacuum analyze')
  const names = new Map<string, string>()
  return {
    name: 'PostgreSQL',
    url,
    placeholder: (n) => `$${n}`,
    run: async (text, values) => {
      const name = names.get(text) ?? `s${names.size}`
      names.set(text, name)
      const { rows } = await client.query({ name, text, values: [...values], rowMode: 'array' })
      return rows.length
    },
    close: async () => {
      await client.end()
      await server.stop()
    },
  }
}

export async function openMysql(vendor: MysqlVendor): Promise<BareDatabase> {
  const { name, byteCollation } = mysqlVendors[vendor]
  const server = await startMysql(vendor)
  const url = await createMysqlDatabase(server.url, 'overhead')
  const connection = await createConnection({ uri: url, rowsAsArray: true })
  await connection.query(`set names utf8mb4 collate ${byteCollation}`)
  for (const sql of schema) await connection.query(sql)
  for (const { table, rows } of inserts()) await connection.query(insertSql(table, rows))
  await connection.query('analyze table customers, orders')
  return {
    name,
    url,
    placeholder: () => '?',
    run: async (sql, values) => {
      const [rows] = await connection.execute(sql, [...values])
      return Array.isArray(rows) ? rows.length : 0
    },
    close: async () => {
      await connection.end()
      await server.stop()
    },
  }
}

export async function openSqlite(): Promise<BareDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-overhead-'))
  const url = join(folder, 'overhead.db')
  const database = new Database(url)
  for (const sql of schema) database.exec(sql)
  for (const { table, rows } of inserts()) database.exec(insertSql(table, rows))
  database.exec('analyze')
  // Every statement checks in its loops whether it must stop: this cost is included.
  let isStopped = false
  database.function('tick', { directOnly: true }, (_column: unknown) => (isStopped ? 0 : 1))
  const statements = new Map<string, Database.Statement>()
  return {
    name: 'SQLite',
    url,
    placeholder: (n) => `?${n}`,
    run: async (sql, values) => {
      const statement = statements.get(sql) ?? database.prepare(sql).raw()
      statements.set(sql, statement)
      const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
      return (values.length === 0 ? statement.all() : statement.all(named)).length
    },
    close: async () => {
      isStopped = true
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
