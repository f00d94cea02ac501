/** @module The rules that the pages propose are guessed by the code of `init`, for callers of any kind. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RulesGuess } from '@engine/http'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { guessRules } from '../../src/init/guess-rules.ts'
import { readDatabase } from '../../src/init/read-database.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

let folder: TestFolder
beforeEach(() => {
  folder = createFolder()
})
afterEach(() => folder.remove())

async function rulesOf(tables: string, column?: string, field?: string): Promise<RulesGuess> {
  const path = join(folder.path, 'shop.db')
  const database = new Database(path)
  database.exec(tables)
  database.close()
  const { connection } = await readDatabase('main', path)
  return guessRules(connection, { column, field })
}

const shop = `
  create table customers (id integer primary key, name text, password_hash text, credit_limit integer);
  create table orders (id integer primary key, customer_id integer references customers (id), note text);
  create table invoices (id integer primary key, customer_id integer, user_id integer);
  create table items (id integer primary key, order_id integer not null references orders (id), units integer);
  create table returns (id integer primary key, item_id integer references items (id));
  create table products (id integer primary key, name text);`

test('columns that say whose a row is: the one of most tables first', async () => {
  const { scopes, scope } = await rulesOf(shop)
  expect(scopes).toEqual([
    { column: 'customer_id', field: 'customer_id', tables: 2 },
    { column: 'user_id', field: 'id', tables: 1 },
  ])
  expect(scope).toEqual(scopes[0])
})

test('tables are tied by the column, by being the caller, and through what they belong to', async () => {
  const { tables } = await rulesOf(shop)
  const own = { customer_id: '$user.customer_id' }
  const tied = Object.entries(tables).map(([name, { tie, select }]) => [
    name,
    tie?.kind,
    select?.['where'],
  ])
  expect(tied).toEqual([
    ['customers', 'itself', { id: '$user.customer_id' }],
    ['invoices', 'column', own],
    ['items', 'relation', { order: own }],
    ['orders', 'column', own],
    ['products', undefined, undefined],
    ['returns', 'relation', { item: { order: own } }],
  ])
  expect(tables['customers']).toMatchObject({
    hidden: ['password_hash'],
    writes: { update: { columns: ['name'], where: { id: '$user.customer_id' } } },
  })
  expect(tables['items']?.writes).toMatchObject({
    insert: { columns: ['order_id', 'units'], check: { order: own } },
  })
})

test('another field, and no column at all', async () => {
  const other = await rulesOf(shop, 'customer_id', 'buyer')
  expect(other.tables['orders']?.select).toMatchObject({ where: { customer_id: '$user.buyer' } })
})

test('without a column nothing is tied, and nothing is written', async () => {
  const { scope, tables } = await rulesOf(shop, '')
  expect(scope).toBeUndefined()
  for (const { tie, writes } of Object.values(tables)) {
    expect([tie, writes]).toEqual([undefined, undefined])
  }
})

const saas = readFileSync(new URL('attacked/saas.sql', import.meta.url), 'utf8').replaceAll(
  '#key',
  'integer primary key',
)

test.each(['organization_id', 'user_id'])(
  'by %s no table that decides about access is written',
  async (column) => {
    const { tables } = await rulesOf(saas, column)
    for (const name of [
      'organizations',
      'memberships',
      'invitations',
      'user_settings',
      'api_keys',
      'audit_logs',
    ]) {
      expect(tables[name]?.writes, name).toBeUndefined()
    }
    expect(tables['memberships']?.comments.join()).toContain('Read-only')
    expect(tables['comments']?.writes).toBeDefined()
  },
)

test('by a tenant, the people who sign in are not written', async () => {
  const { tables } = await rulesOf(
    `create table companies (id integer primary key, name text);
     create table users (id integer primary key, company_id integer references companies (id), email text, role text);
     create table tickets (id integer primary key, company_id integer references companies (id), user_id integer references users (id), subject text);`,
    'company_id',
  )
  expect(tables['users']).toMatchObject({
    select: { where: { company_id: '$user.company_id' } },
    comments: ['Read-only: its rows are people who sign in.'],
  })
  expect(tables['companies']?.writes).toBeUndefined()
  expect(tables['tickets']?.writes).toMatchObject({
    insert: {
      columns: ['user_id', 'subject'],
      preset: { company_id: '$user.company_id' },
      check: {
        $or: [{ user_id: { $isNull: true } }, { user: { company_id: '$user.company_id' } }],
      },
    },
  })
})
