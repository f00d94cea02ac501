/** @module No write that the guessed permissions allow reaches other people, on schemas of many makes. */
// cspell:ignore compan moderat EVEEE
import type { AuthConfig, Engine } from '@engine/core'
import type { Table } from '@engine/core/catalog'
import { expect } from 'vitest'
import { impossibleWrites } from '../../src/doctor/impossible-writes.ts'
import { quote } from '../../src/init/quote.ts'
import { openAccounts, password } from '../support/accounts.ts'
import {
  type Attacked,
  attack,
  grantedBy,
  isTheirs,
  openAttacked,
  rowsOf,
  type Sender,
  type StoredRow,
  senderOf,
  sessionSender,
} from './attacker.ts'

export interface AttackOptions {
  /** Tables that no user may change at all. */
  readonly untouched: readonly string[]
  /** Keys of other people's rows are above 900, or say so: none of them is seen, or gets into a new row. */
  readonly isMarked: boolean
  /** Keys of users whose membership of other people's tenant does not count. */
  readonly former?: readonly unknown[]
  /** Accounts that exist only read. */
  readonly isBrief?: boolean
  /** The new account signs up, and sends its statements over HTTP. */
  readonly signsUp?: boolean
}

/** A new account, the owner of the first row of users, and those who are members no more try everything. */
export async function attackTest(url: string, options: AttackOptions): Promise<void> {
  const attacked = await openAttacked(url)
  try {
    const { settings } = attacked.engine
    expect(impossibleWrites(settings.permissions, attacked.engine.catalog())).toEqual([])
    if (options.signsUp === true) await attackBySignUp(url, attacked, options)
    else await attackAs(await newAccount(attacked), attacked, options)
    for (const account of await storedAccounts(attacked, options)) {
      if (options.isBrief !== true) await attackAs(account, attacked, options)
      else if (options.isMarked) expectNoneSeen(await stateOf(attacked, account))
    }
  } finally {
    await attacked.engine.close()
  }
}

async function attackBySignUp(
  url: string,
  attacked: Attacked,
  options: AttackOptions,
): Promise<void> {
  const { administrator, decisions, permissions } = attacked
  const { users, tenancy } = decisions
  if (users === undefined) throw new Error('there is no table of users')
  const columns = tenancy?.isOfUser === true ? [tenancy.column] : []
  const auth: AuthConfig = { userTable: { table: `main.${users.table.name}`, columns } }
  const granted = grantedBy(permissions)
  const config = { connections: { main: url }, ...(granted ? { permissions: granted } : {}) }
  const accounts = await openAccounts(auth, { config })
  try {
    const body = { email: 'eve@attack.test', password, name: 'Eve' }
    const { status, body: answer, text } = await accounts.call('POST', '/auth/sign-up', { body })
    expect(status, text).toBe(201)
    const row = (await rowsOf(administrator, users.table)).find((each) =>
      Object.values(each).includes(body.email),
    )
    expect(row).toBeDefined()
    const fields = fieldsOf(row ?? {}, decisions)
    await attackAs(sessionSender(accounts, answer.session.token, fields), attacked, options)
  } finally {
    await accounts.close()
  }
}

async function attackAs(
  attacker: Sender,
  attacked: Attacked,
  { untouched, isMarked }: AttackOptions,
): Promise<void> {
  const before = await stateOf(attacked, attacker)
  if (isMarked) expectNoneSeen(before)
  const accepted = await attack(attacked, attacker)
  const after = await stateOf(attacked, attacker)
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

/** No row of other people is seen. */
function expectNoneSeen(before: ReadonlyMap<Table, TableState>): void {
  const seen = [...before].flatMap(([{ name }, state]) =>
    [...state.seen]
      .filter((key) => (JSON.parse(key) as readonly unknown[]).every(isTheirs))
      .map((key) => `${name} ${key}`),
  )
  expect(seen).toEqual([])
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
  { administrator, connection, permissions }: Attacked,
  attacker: Sender,
): Promise<ReadonlyMap<Table, TableState>> {
  const states = new Map<Table, TableState>()
  for (const table of connection.tables.values()) {
    if (table.kind !== 'table') continue
    const keys = table.primaryKey.flatMap((at) => table.columns[at]?.name ?? [])
    const names = keys.length > 0 ? keys : table.columns.map(({ name }) => name)
    const keyOf = (row: StoredRow) => JSON.stringify(names.map((name) => row[name]))
    const rows = await rowsOf(administrator, table)
    const granted = permissions.find(
      ({ isActive, permission }) =>
        isActive && permission.roles[0] === 'user' && permission.table === `main.${table.name}`,
    )?.permission.select.columns
    const readable = names.every((name) => granted?.includes(name) === true)
    const seen = readable ? await rowsOf(attacker, table, names) : []
    states.set(table, {
      stored: new Map(rows.map((row) => [keyOf(row), row])),
      seen: new Set(seen.map(keyOf)),
    })
  }
  return states
}

/** A row as a sign-up or an invitation makes it: the tenant, where there is one, is the first one. */
async function newAccount({
  engine,
  administrator,
  connection,
  decisions,
}: Attacked): Promise<Sender> {
  const { users, tenancy } = decisions
  if (users === undefined) return userOf(engine, { id: 'eve' })
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
      values[name] = (await rowsOf(administrator, parent))[0]?.[target?.references[0] ?? '']
    } else if ([20, 21, 23, 1700].includes(type.oid)) values[name] = column === key ? 500 : 0
    else if (type.oid === 16) values[name] = false
    else if (type.oid === 114 || type.oid === 3802) values[name] = {}
    else if ([1082, 1114, 1184].includes(type.oid)) values[name] = '2026-01-01T00:00:00Z'
    else values[name] = column === key && type.oid === 1042 ? 'EVEEE' : 'eve'
  }
  const names = Object.keys(values)
  const sql = `insert into "main".${quote(table.name)} (${names.map(quote).join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`
  expect(await administrator.send(sql, Object.values(values)), sql).toBeDefined()
  return userOf(engine, fieldsOf(values, decisions))
}

/** Of the first row, and of those who are members no more. */
async function storedAccounts(
  { engine, administrator, decisions }: Attacked,
  { former = [] }: AttackOptions,
): Promise<readonly Sender[]> {
  const { users } = decisions
  if (users === undefined) return []
  const rows = await rowsOf(administrator, users.table)
  const found = rows.filter((row, at) => at === 0 || former.includes(row[users.key.name]))
  return found.map((row) => userOf(engine, fieldsOf(row, decisions)))
}

function fieldsOf(row: StoredRow, { users, tenancy }: Attacked['decisions']): StoredRow {
  const key = users?.key.name ?? 'id'
  const tenant = tenancy?.isOfUser === true ? { [tenancy.column]: row[tenancy.column] } : {}
  return { [key]: row[key], ...tenant }
}

function userOf(engine: Engine, fields: StoredRow): Sender {
  return senderOf(engine, { kind: 'user', id: 'eve', roles: ['user'], fields })
}
