/** Callers whose rows are in a table of a connection, while the configuration is replaced. */
import { type Config, silentLog } from '@engine/core'
import { createGateway, type Gateway } from '@engine/http'
import { serviceDatabases } from '@engine/test-stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const setUp = (team: string) => `
  create table people (id text primary key, team text not null);
  insert into people values ('ada', '${team}');
  create table notes (id integer primary key, team text not null, origin text not null);
  insert into notes values (1, 'red', '${team}'), (2, 'blue', '${team}');
`

let red: TestDatabase
let blue: TestDatabase
let service: TestDatabase
let gateway: Gateway

const config = (main: object, changes: Partial<Config> = {}): Config => ({
  connections: { main: main as { url: string } },
  service_db: service.url,
  auth: {
    secret,
    userTable: { table: 'main.people', columns: ['team'] },
    signUp: { enabled: false },
    roles: { claim: 'roles' },
  },
  permissions: {
    own: { table: 'main.notes', roles: ['user'], select: { where: { team: '$user.team' } } },
  },
  ...changes,
})

const notes = async (): Promise<unknown> => {
  const response = await gateway.app.request('/data', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await bearer({ roles: ['user'] })) },
    body: JSON.stringify({ sql: 'select team, origin from notes', params: [], method: 'values' }),
  })
  return ((await response.json()) as { rows: unknown }).rows
}

beforeAll(async () => {
  red = await openSqlite(setUp('red'))
  blue = await openSqlite(setUp('blue'))
  service = await openSqlite()
  const options = { adapters, serviceDatabases, log: silentLog, isDevelopment: true }
  gateway = await createGateway(config({ url: red.url }), options)
})

afterAll(async () => {
  await gateway.close()
  await Promise.all([red.remove(), blue.remove(), service.remove()])
})

test('the row of a user is read from the database that is configured now', async () => {
  expect(await notes()).toEqual([['red', 'red']])
  await gateway.reconfigure(config({ url: blue.url }))
  expect(await notes()).toEqual([['blue', 'blue']])
  await gateway.reconfigure(config({ url: red.url }))
  expect(await notes()).toEqual([['red', 'red']])
})

test('a configuration without the table of the users is refused', async () => {
  const hidden = { url: red.url, tables: { exclude: ['people'] } }
  await expect(gateway.reconfigure(config(hidden))).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    details: { faults: [{ path: 'auth.userTable.table', message: 'there is no table "people"' }] },
  })
  expect(await notes()).toEqual([['red', 'red']])
})

test('no request reads its user from one database and its rows from the other', async () => {
  let isOver = false
  const seen = new Set<string>()
  const repeat = async () => {
    while (!isOver) seen.add(String(await notes()))
  }
  const running = Array.from({ length: 8 }, repeat)
  for (let i = 0; i < 6; i += 1) {
    const { url } = i % 2 === 0 ? blue : red
    await gateway.reconfigure(config({ url }))
    expect(await notes()).toEqual(i % 2 === 0 ? [['blue', 'blue']] : [['red', 'red']])
  }
  isOver = true
  await Promise.all(running)
  expect([...seen].toSorted()).toEqual(['blue,blue', 'red,red'])
})
