/** @module A user who tries every write over every table, beside HTTP or through it. */
import {
  admin,
  type Caller,
  type Config,
  createEngine,
  type Engine,
  GatewayError,
  silentLog,
} from '@engine/core'
import type { Column, Connection, Table } from '@engine/core/catalog'
import { parseConfig } from '@engine/core/server'
import { loadAdapters } from '../../src/configuration/adapters.ts'
import { type Decisions, decide } from '../../src/init/answers.ts'
import { type FirstPermission, firstPermissions } from '../../src/init/first-permissions.ts'
import { guessAccess } from '../../src/init/guess-access.ts'
import { quote } from '../../src/init/quote.ts'
import { readDatabase } from '../../src/init/read-database.ts'
import type { Callable } from '../support/accounts.ts'

export type StoredRow = Readonly<Record<string, unknown>>

export interface Attacked {
  readonly engine: Engine
  readonly administrator: Sender
  readonly connection: Connection
  readonly decisions: Decisions
  readonly permissions: readonly FirstPermission[]
}

/** The engine with the permissions that `init` writes when users may write. */
export async function openAttacked(url: Config['connections'][string]): Promise<Attacked> {
  const { connection } = await readDatabase('main', url)
  const given = { users: undefined, tenant: undefined, writes: true }
  const decisions = await decide(connection, given, undefined)
  const options = { ...decisions, connection: 'main' }
  const permissions = firstPermissions(guessAccess(connection, decisions), options)
  const config = { connections: { main: url }, permissions: grantedBy(permissions) } as Config
  const { adapters } = await loadAdapters(parseConfig(config))
  const engine = await createEngine(config, { adapters, log: silentLog, isProduction: false })
  return { engine, administrator: senderOf(engine, admin), connection, decisions, permissions }
}

export function grantedBy(permissions: readonly FirstPermission[]): Config['permissions'] {
  const granted = permissions.filter(({ isActive }) => isActive)
  // Their filters have names from the catalog, without the types of a schema.
  return Object.fromEntries(
    granted.map(({ name, permission }) => [name, permission]),
  ) as Config['permissions']
}

/** Sends statements as one caller. */
export interface Sender {
  /** The values of `$user.<field>`. */
  readonly fields: StoredRow
  /** The rows of the answer; undefined: the statement was refused. */
  readonly send: (sql: string, params: readonly unknown[]) => Promise<Rows | undefined>
}

type Rows = readonly (readonly unknown[])[]

/** A caller that is made up. */
export function senderOf(engine: Engine, caller: Caller): Sender {
  return {
    fields: caller.kind === 'user' ? caller.fields : {},
    send: async (sql, params) => {
      try {
        const { body } = await engine.query(
          { sql, params: [...params], method: 'all', meta: false, signal: noSignal },
          caller,
        )
        const text = typeof body === 'string' ? body : Buffer.from(body).toString()
        return (JSON.parse(text) as { readonly rows: Rows }).rows
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code === 'INTERNAL_ERROR') throw error
        return undefined
      }
    },
  }
}

/** A session that signed up. */
export function sessionSender({ call }: Callable, token: string, fields: StoredRow): Sender {
  return {
    fields,
    send: async (sql, params) => {
      const body = { sql, params, method: 'all' }
      const answer = await call('POST', '/data', { token, body })
      if (answer.status === 200) return answer.body.rows
      if (answer.status < 400 || answer.status > 499 || [401, 408, 429].includes(answer.status)) {
        throw new Error(`${answer.status} ${answer.text} for ${sql}`)
      }
      return undefined
    },
  }
}

/** The rows that are seen, of the columns that may be read; none where they may not. */
export async function rowsOf(
  { send }: Sender,
  table: Table,
  columns: readonly string[] = table.columns.map(nameOf),
): Promise<readonly StoredRow[]> {
  const sql = `select ${columns.map(quote).join(', ')} from "main".${quote(table.name)}`
  const rows = (await send(sql, [])) ?? []
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
}

/** Statements of these tests end by themselves. */
export const noSignal: AbortSignal = new AbortController().signal

/** A row that belongs to others: its key is above 900, or a text that says so. */
export function isTheirs(value: unknown): boolean {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number') return number > 900 && number < 1000
  return typeof value === 'string' && value.startsWith('their-')
}

/** Every statement, in an order in which rows of the attacker are there before they are changed. */
export async function attack(
  { administrator, connection, permissions }: Attacked,
  attacker: Sender,
): Promise<readonly string[]> {
  const accepted: string[] = []
  const send = async (sql: string, params: readonly unknown[]) => {
    const rows = await attacker.send(sql, params)
    if (rows !== undefined) accepted.push(`${sql} ${JSON.stringify(params)}`)
  }
  const tables = [...connection.tables.values()].filter(({ kind }) => kind === 'table')
  const values = new Map<Table, readonly StoredRow[]>()
  for (const table of tables) values.set(table, await rowsOf(administrator, table))
  const known = { connection, values, fields: attacker.fields }
  for (const table of tables) {
    const granted = permissions.find(
      ({ permission, isActive }) =>
        isActive && permission.table === `main.${table.name}` && permission.roles[0] === 'user',
    )?.permission
    const columns = granted?.insert?.columns ?? table.columns.filter(isNeeded).map(nameOf)
    for (const statement of inserts(table, columns, known)) await send(...statement)
  }
  for (const table of tables) {
    for (const statement of changes(table, known)) await send(...statement)
  }
  return accepted
}

interface Known {
  readonly connection: Connection
  readonly values: ReadonlyMap<Table, readonly StoredRow[]>
  readonly fields: StoredRow
}

type Sent = readonly [sql: string, params: readonly unknown[]]

function nameOf({ name }: Column): string {
  return name
}

function isNeeded({ nullable, hasDefault, generated }: Column): boolean {
  return !nullable && !hasDefault && generated === 'no'
}

function inserts(table: Table, granted: readonly string[], known: Known): readonly Sent[] {
  const columns = table.columns.filter(({ name }) => granted.includes(name))
  const needed = columns.filter(isNeeded)
  const sent: Sent[] = []
  let at = 0
  const insert = (chosen: readonly (readonly [Column, unknown])[], end = '') => {
    if (chosen.length === 0) return
    const names = chosen.map(([{ name }]) => quote(name)).join(', ')
    const places = chosen.map((_, index) => `$${index + 1}`).join(', ')
    at += 1
    const params = chosen.map(([column, value]) =>
      value === fresh ? freshKey(column, table, at) : value,
    )
    sent.push([
      `insert into "main".${quote(table.name)} (${names}) values (${places})${end}`,
      params,
    ])
  }
  const plain = (of: readonly Column[]) =>
    of.map((column) => [column, benign(column, table, known)] as const)
  insert(plain(needed))
  insert(plain(columns))
  for (const column of table.columns) {
    const base = plain(columns.filter((each) => each !== column))
    const few = plain(needed.filter((each) => each !== column))
    for (const value of tempting(column, table, known)) {
      insert([...base, [column, value]])
      insert([...few, [column, value]])
    }
  }
  const keys = table.primaryKey.flatMap((ordinal) => table.columns[ordinal] ?? [])
  const target = keys.map(({ name }) => quote(name)).join(', ')
  for (const row of (known.values.get(table) ?? []).slice(0, 6)) {
    const own = keys.map((key) => [key, row[key.name]] as const)
    const rest = plain(columns.filter((column) => !keys.includes(column)))
    for (const [{ name }] of rest) {
      const set = `${quote(name)} = excluded.${quote(name)}`
      insert([...own, ...rest], ` on conflict (${target}) do update set ${set}`)
    }
  }
  return sent
}

function changes(table: Table, known: Known): readonly Sent[] {
  const name = `"main".${quote(table.name)}`
  const sent: Sent[] = []
  const keys = table.primaryKey.flatMap((ordinal) => table.columns[ordinal] ?? [])
  const conditions: [string, unknown[]][] = [
    ['', []],
    ...(known.values.get(table) ?? []).slice(0, 6).map((row): [string, unknown[]] => {
      const compared = keys.map((key, at) => `${quote(key.name)} = $${at + 2}`)
      return [` where ${compared.join(' and ')}`, keys.map((key) => row[key.name])]
    }),
  ].filter(([sql]) => sql !== ' where ') as [string, unknown[]][]
  for (const [where, params] of conditions) {
    for (const column of table.columns) {
      for (const value of tempting(column, table, known)) {
        sent.push([`update ${name} set ${quote(column.name)} = $1${where}`, [value, ...params]])
      }
    }
  }
  for (const [where, params] of conditions.slice(1)) {
    sent.push([`delete from ${name}${where.replaceAll(/\$(\d+)/g, (_, n) => `$${n - 1}`)}`, params])
  }
  return sent
}

const fresh = Symbol('a key that no row has')

function freshKey(column: Column, table: Table, at: number): unknown {
  if (isNumber(column)) return 2000 + at
  return column.type.oid === 2950
    ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    : `mine-${table.name.length}-${at}`
}

function isNumber({ type }: Column): boolean {
  return [20, 21, 23, 700, 701, 1700].includes(type.oid)
}

/** The table that the column refers to, by a foreign key or by its name. */
function targetOf(column: Column, table: Table, { connection }: Known): Table | undefined {
  const key = table.foreignKeys.find(({ columns }) => columns.includes(column.ordinal))
  if (key !== undefined) return connection.tables.get(key.table)
  const noun = column.name.toLowerCase().replace(/_?(?:id|by)$/, '')
  if (/parent|reply/.test(noun)) return table
  const words = (name: string) =>
    name
      .toLowerCase()
      .replace(/^(?:wp|auth|library)_/, '')
      .replace(/s$/, '')
  return [...connection.tables.values()].find(({ name }) => words(name) === noun)
}

/** A value of the attacker's own, where there may be one. */
function benign(column: Column, table: Table, known: Known): unknown {
  const target = targetOf(column, table, known)
  const keyed = table.primaryKey.includes(column.ordinal)
  if (target === undefined) return keyed ? fresh : plainValue(column)
  const own = (known.values.get(target) ?? []).flatMap((row) => keysIn(row, target))
  return own.find((value) => !isTheirs(value)) ?? null
}

function keysIn(row: StoredRow, table: Table): readonly unknown[] {
  return table.primaryKey.slice(0, 1).map((at) => row[table.columns[at]?.name ?? ''])
}

/** Keys of other people's rows, and rights. */
function tempting(column: Column, table: Table, known: Known): readonly unknown[] {
  const target = targetOf(column, table, known)
  const isKey = /(?:id|by|type|owner|author)$/i.test(column.name)
  if (target === undefined && !isKey) return [plainValue(column)]
  const found = target === undefined ? [...known.values.keys()] : [target]
  const keys = found.flatMap((each) =>
    (known.values.get(each) ?? []).flatMap((row) => keysIn(row, each)),
  )
  const fitting = keys.filter((key) => isNumber(column) === (typeof key !== 'string'))
  const theirs = fitting.filter(isTheirs)
  return [
    ...new Set([
      ...(theirs.length > 0 ? theirs : fitting).slice(0, 8),
      ...Object.values(known.fields),
    ]),
  ]
}

function plainValue({ type, name }: Column): unknown {
  switch (type.oid) {
    case 16:
      return true
    case 1082:
      return '2026-01-01'
    case 1083:
      return '10:00:00'
    case 1114:
    case 1184:
      return '2026-01-01T00:00:00Z'
    case 114:
    case 3802:
      return { role: 'admin' }
    case 17:
      return '\\x00'
    default:
      return [20, 21, 23, 700, 701, 1700].includes(type.oid)
        ? 7
        : /role|type|plan|position|level|key|preference/i.test(name)
          ? 'admin'
          : 'mine'
  }
}
