/** @module No write that the guessed permissions allow reaches other people, on schemas of many makes. */
// cspell:ignore compan moderat EVEEE
import { admin, type Caller } from '@engine/core'
import type { Table } from '@engine/core/server'
import { expect } from 'vitest'
import { impossibleWrites } from '../../src/doctor/impossible-writes.ts'
import { quote } from '../../src/init/quote.ts'
import {
  type Attacked,
  attack,
  isTheirs,
  noSignal,
  openAttacked,
  rowsOf,
  type StoredRow,
} from './attacker.ts'

export interface AttackOptions {
  /** Tables that no user may change at all. */
  readonly untouched: readonly string[]
  /** Keys of other people's rows are above 900, or say so: none of them may get into a new row. */
  readonly isMarked: boolean
}

/** A new account, and the owner of the first row of users, try everything. */
export async function attackTest(url: string, options: AttackOptions): Promise<Attacked> {
  const attacked = await openAttacked(url)
  try {
    const { settings } = attacked.engine
    expect(impossibleWrites(settings.permissions, attacked.engine.catalog())).toEqual([])
    const callers = [await newAccount(attacked), await firstAccount(attacked)]
    for (const caller of callers) {
      if (caller !== undefined) await attackAs(caller, attacked, options)
    }
    return attacked
  } finally {
    await attacked.engine.close()
  }
}

async function attackAs(
  caller: Caller,
  attacked: Attacked,
  { untouched, isMarked }: AttackOptions,
): Promise<void> {
  const before = await stateOf(attacked, caller)
  const accepted = await attack(attacked, caller)
  const after = await stateOf(attacked, caller)
  const told = () => accepted.join('\n')
  for (const [table, { stored, seen }] of before) {
    const now = after.get(table) ?? { stored: new Map(), seen: new Set<string>() }
    for (const [key, row] of stored) {
      if (seen.has(key)) continue
      expect(now.stored.get(key), `${table.name} ${key}\n${told()}`).toEqual(row)
      expect(now.seen.has(key), `sees ${table.name} ${key}\n${told()}`).toBe(false)
    }
    if (untouched.includes(table.name)) {
      expect([...now.stored], `${table.name}\n${told()}`).toEqual([...stored])
    }
    if (isMarked) expectNoneOfTheirs(table, stored, now.stored, told)
    if (table === attacked.decisions.users?.table) expectNoMoreRights(stored, now.stored, told)
  }
}

/** Nothing new refers to a row of other people. */
function expectNoneOfTheirs(
  table: Table,
  before: ReadonlyMap<string, StoredRow>,
  after: ReadonlyMap<string, StoredRow>,
  told: () => string,
): void {
  for (const [key, row] of after) {
    for (const [name, value] of Object.entries(row)) {
      const isNew = before.get(key)?.[name] !== value
      const own = table.columns.find((column) => column.name === name)
      if (!isNew || (own !== undefined && table.primaryKey.join() === String(own.ordinal))) continue
      expect(isTheirs(value), `${table.name} ${name} ${key}\n${told()}`).toBe(false)
    }
  }
}

const rights =
  /role|admin|super|staff|level|rank|group|team|tenant|org|compan|plan|status|type|verified|moderat|reputation/i

function expectNoMoreRights(
  before: ReadonlyMap<string, StoredRow>,
  after: ReadonlyMap<string, StoredRow>,
  told: () => string,
): void {
  for (const [key, row] of before) {
    for (const [name, value] of Object.entries(row)) {
      if (rights.test(name) && !/^company ?_?name$/i.test(name)) {
        expect(after.get(key)?.[name], `${name} ${key}\n${told()}`).toEqual(value)
      }
    }
  }
}

interface TableState {
  readonly stored: ReadonlyMap<string, StoredRow>
  readonly seen: ReadonlySet<string>
}

async function stateOf(
  { engine, connection, permissions }: Attacked,
  caller: Caller,
): Promise<ReadonlyMap<Table, TableState>> {
  const states = new Map<Table, TableState>()
  for (const table of connection.tables.values()) {
    if (table.kind !== 'table' || table.columns.some(({ mayBeUnreadable }) => mayBeUnreadable)) {
      if (table.kind !== 'table') continue
    }
    const keys = table.primaryKey.flatMap((at) => table.columns[at]?.name ?? [])
    const names = keys.length > 0 ? keys : table.columns.map(({ name }) => name)
    const keyOf = (row: StoredRow) => JSON.stringify(names.map((name) => row[name]))
    const rows = await rowsOf(engine, table, admin)
    const granted = permissions.find(
      ({ isActive, permission }) =>
        isActive && permission.roles[0] === 'user' && permission.table === `main.${table.name}`,
    )?.permission.select.columns
    const readable = names.every((name) => granted?.includes(name) === true)
    const seen = readable ? await rowsOf(engine, table, caller, names) : []
    states.set(table, {
      stored: new Map(rows.map((row) => [keyOf(row), row])),
      seen: new Set(seen.map(keyOf)),
    })
  }
  return states
}

/** A row as a sign-up or an invitation makes it: the tenant, where there is one, is the first one. */
async function newAccount({ engine, connection, decisions }: Attacked): Promise<Caller> {
  const { users, tenancy } = decisions
  if (users === undefined) return userOf({ id: 'eve' })
  const { table, key } = users
  const values: Record<string, unknown> = {}
  for (const column of table.columns) {
    const { name, nullable, hasDefault, generated, ordinal, type } = column
    const isTenant = tenancy?.isOfUser === true && name === tenancy.column
    const isNeeded = !nullable && !hasDefault && generated === 'no'
    if (column !== key && !isNeeded && !isTenant) continue
    const target = table.foreignKeys.find(({ columns }) => columns.includes(ordinal))
    const parent = target && connection.tables.get(target.table)
    if (parent !== undefined && parent !== table) {
      values[name] = (await rowsOf(engine, parent, admin))[0]?.[target?.references[0] ?? '']
    } else if ([20, 21, 23, 1700].includes(type.oid)) values[name] = column === key ? 500 : 0
    else if (type.oid === 16) values[name] = false
    else if ([1082, 1114, 1184].includes(type.oid)) values[name] = '2026-01-01T00:00:00Z'
    else values[name] = column === key && type.oid === 1042 ? 'EVEEE' : 'eve'
  }
  const names = Object.keys(values)
  const sql = `insert into "main".${quote(table.name)} (${names.map(quote).join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`
  await engine.query(
    { sql, params: Object.values(values), method: 'all', meta: false, signal: noSignal },
    admin,
  )
  return userOf(fieldsOf(values, decisions))
}

async function firstAccount({ engine, decisions }: Attacked): Promise<Caller | undefined> {
  const { users } = decisions
  const [row] = users === undefined ? [] : await rowsOf(engine, users.table, admin)
  return row === undefined ? undefined : userOf(fieldsOf(row, decisions))
}

function fieldsOf(row: StoredRow, { users, tenancy }: Attacked['decisions']): StoredRow {
  const key = users?.key.name ?? 'id'
  const tenant = tenancy?.isOfUser === true ? { [tenancy.column]: row[tenancy.column] } : {}
  return { [key]: row[key], ...tenant }
}

function userOf(fields: StoredRow): Caller {
  return { kind: 'user', id: 'eve', roles: ['user'], fields }
}
