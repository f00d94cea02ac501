/** @module The databases, each with its bare driver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type MysqlOfRun } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import { mysqlText, sqliteText } from './raw-values.ts'
import type { StoredType } from './stored-type.ts'
import type { BareDatabase } from './subject.ts'

type RawRow = readonly [id: number, ...cells: (string | null)[]]

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export async function barePostgres(): Promise<BareDatabase> {
  const url = await createDatabase('stored_values')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set time zone 'UTC'")
  return {
    kind: 'postgres',
    connection: { url, schema: 'public' },
    run: async (sql) => void (await client.query(sql)),
    stored: async (table, columns) => {
      const cells = columns.map(({ name }) => `${name}::text`).join(', ')
      const { rows } = await client.query<RawRow & unknown[]>({
        text: `select id, ${cells} from ${table} order by id`,
        rowMode: 'array',
      })
      return rows
    },
    defaultOf: (_, value) => quoted(value),
    close: () => client.end(),
  }
}

export async function bareMysql(server: MysqlOfRun): Promise<BareDatabase> {
  const url = await server.createDatabase('stored_values', 'utf8mb4_general_ci')
  const client = await createConnection({ uri: url, charset: 'utf8mb4' })
  await client.query("set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES'")
  const isMariadb = server.vendor === 'mariadb'
  return {
    kind: server.vendor,
    connection: url,
    run: async (sql) => void (await client.query(sql)),
    stored: async (table, columns) => {
      const cells = columns.map(({ name, type }) => mysqlText(name, type)).join(', ')
      const [rows] = await client.query<RowDataPacket[][]>({
        sql: `select id, ${cells} from ${table} order by id`,
        rowsAsArray: true,
        typeCast: (field) => field.string(),
      })
      return rows.map((row) => {
        const [id, ...cells] = row as unknown as [string, ...(string | null)[]]
        return [Number(id), ...cells]
      })
    },
    defaultOf: ({ type }, value) => mysqlDefault(type, value, isMariadb),
    close: () => client.end(),
  }
}

function mysqlDefault({ type, columns }: StoredType, value: string, isMariadb: boolean): string {
  const declared = (isMariadb ? columns.mariadb : columns.mysql) ?? ''
  const text = quoted(value.replaceAll('\\', '\\\\'))
  const hex = value.slice(2)
  if (declared.startsWith('bit(')) {
    const bits = type === 'boolean' ? Number(value === 't') : BigInt(`0x${hex}`)
    return `b'${bits.toString(2)}'`
  }
  switch (type.replace(/\(.*/, '')) {
    case 'boolean':
      return value === 't' ? '1' : '0'
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
      return value
    case 'real':
      return quoted(String(Math.fround(Number(value))))
    case 'bytea':
      return `(x'${hex}')`
    case 'jsonb':
      return `(${text})`
    case 'timestamptz':
      return quoted(value.replace(/\+00$/, ''))
    default:
      return /^(\w*text|uuid|inet)/.test(declared) ? `(${text})` : text
  }
}

export async function bareSqlite(): Promise<BareDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-stored-'))
  const path = join(folder, 'test.db')
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  return {
    kind: 'sqlite',
    connection: path,
    run: async (sql) => void database.exec(sql),
    stored: async (table, columns) => {
      const statement = database
        .prepare<[], (bigint | number | string | Buffer | null)[]>(
          `select id, ${columns.map(({ name }) => name).join(', ')} from ${table} order by id`,
        )
        .safeIntegers(true)
        .raw(true)
      return statement.all().map(([id, ...cells]) => [Number(id), ...cells.map(sqliteText)])
    },
    defaultOf: ({ type }, value) => sqliteDefault(type, value),
    close: async () => {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function sqliteDefault({ type, columns }: StoredType, value: string): string {
  switch (type.replace(/\(.*/, '')) {
    case 'boolean':
      return value === 't' ? '1' : '0'
    case 'smallint':
    case 'integer':
    case 'bigint':
      return value
    case 'numeric':
      return columns.sqlite === 'numeric text' ? quoted(value) : value
    case 'double precision':
      return value === '-0' ? '-0.0' : value.replace('Infinity', '9e999')
    case 'bytea':
      return `x'${value.slice(2)}'`
    default:
      return quoted(value)
  }
}
