/** @module PostgreSQL itself, without Engine: the same table, and what it says about the same values. */
import pg from 'pg'
import type { DatabaseKind } from './stored-type.ts'
import type { StoredColumn } from './written.ts'

export type Cell = string | Buffer | null

export interface Reference {
  /** Stores values, each as PostgreSQL's type of its column stores it. */
  store(rows: readonly { readonly id: number; readonly values: readonly string[] }[]): Promise<void>
  /** Stores the rows again under other ids. */
  repeat(shifts: readonly number[]): Promise<void>
  rows(sql: string): Promise<readonly Cell[][]>
  /** A value as a parameter in binary. @throws where PostgreSQL cannot read it. */
  binaryOf(column: StoredColumn, value: string): Promise<Buffer>
  /** The id, and the cells as PostgreSQL sends them in binary: in hexadecimal digits. */
  binaryRows(columns: readonly StoredColumn[]): Promise<readonly Cell[][]>
  close(): Promise<void>
}

/** @param url of an empty database. */
export async function openReference(
  url: string,
  columns: readonly StoredColumn[],
): Promise<Reference> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set time zone 'UTC'")
  const cells = columns.map(({ name, type: { type } }) => `${name} ${type}`)
  const copies = columns.map(
    ({ name, type: { type } }) => `${copyOf(name)} ${type} generated always as (${name}) stored`,
  )
  await client.query('create schema main')
  await client.query(
    `create table main.v (id integer primary key, ${[...cells, ...copies].join(', ')})`,
  )
  const ask = async (text: string, values: readonly unknown[] = []) => {
    const query = {
      text,
      values: [...values],
      rowMode: 'array' as const,
      types: { getTypeParser: () => (value: unknown) => value },
    }
    const { rows } = await client.query<Cell[]>(query as unknown as pg.QueryArrayConfig)
    return rows
  }
  const sends = new Map(
    (
      await ask("select format_type(oid, null), typsend::text from pg_type where typtype = 'b'")
    ).map(([type, send]) => [type, send]),
  )
  const sendOf = ({ type: { type } }: StoredColumn, base: string) =>
    sends.get(formatted(base)) ?? expectSend(type)
  const holes = columns.map(({ type }, at) => `$${at + 2}::text::${baseOf(type.type)}`)
  const insert = `insert into main.v (id, ${columns.map(({ name }) => name).join(', ')}) values ($1, ${holes.join(', ')})`
  return {
    store: async (rows) => {
      for (const { id, values } of rows) await client.query(insert, [id, ...values])
    },
    repeat: async (shifts) => {
      const names = columns.map(({ name }) => name).join(', ')
      await client.query(
        `insert into main.v (id, ${names}) select id + shift, ${names} from main.v, unnest($1::int[]) shift`,
        [shifts],
      )
    },
    rows: (sql) => ask(sql),
    binaryRows: (columns) =>
      ask(
        `select id, ${columns.map((each) => `encode(${sendOf(each, bareOf(each.type.type))}(${each.name}), 'hex')`).join(', ')} from main.v order by id`,
      ),
    binaryOf: async (column, value) => {
      const base = baseOf(column.type.type)
      const [[cell] = []] = await ask(
        `select encode(${sendOf(column, base)}($1::text::${base}), 'hex')`,
        [value],
      )
      return Buffer.from(String(cell), 'hex')
    },
    close: () => client.end(),
  }
}

/** The name of the generated column that copies another. */
export function copyOf(name: string): string {
  return `g${name}`
}

/** A type without its modifiers: a value is rounded when it is stored. */
export function baseOf(type: string): string {
  return /^(var)?char\b/.test(type) ? 'text' : type.replace(/\(.*\)$/, '')
}

/** The type without its modifiers. */
function bareOf(type: string): string {
  return type.replace(/\(.*\)$/, '')
}

const longNames: Readonly<Record<string, string>> = {
  char: 'character',
  varchar: 'character varying',
  time: 'time without time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
}

/** As `format_type` has it. */
function formatted(type: string): string {
  return longNames[type] ?? type
}

function expectSend(type: string): never {
  throw new Error(`PostgreSQL has no binary form of ${type}`)
}

/** The type of the source column for INSERT … SELECT: all that PostgreSQL can assign to the column. */
export function widerColumn(type: string, kind: DatabaseKind): string {
  const base = baseOf(type)
  const isMysql = kind === 'mysql' || kind === 'mariadb'
  switch (base) {
    case 'smallint':
    case 'integer':
      return 'bigint'
    case 'numeric':
      if (isMysql) return 'decimal(65,30)'
      return kind === 'sqlite' ? 'numeric text' : 'numeric'
    case 'real':
    case 'double precision':
      return isMysql ? 'double' : 'double precision'
    case 'time':
      return isMysql ? 'time(6)' : 'time'
    case 'timestamp':
      return isMysql ? 'datetime(6)' : 'timestamp'
    case 'timestamptz':
      return isMysql ? 'timestamp(6) null' : 'timestamptz'
    case 'text':
      return isMysql ? 'mediumtext' : 'text'
    case 'bytea':
      return isMysql ? 'mediumblob' : 'bytea'
    case 'jsonb':
      return isMysql ? 'json' : 'jsonb'
    case 'boolean':
      return isMysql ? 'tinyint(1)' : 'boolean'
    case 'uuid':
      return isMysql ? 'char(36)' : 'uuid'
    default:
      return base
  }
}
