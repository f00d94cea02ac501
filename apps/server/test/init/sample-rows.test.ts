import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decide } from '../../src/init/answers.ts'
import { guessAccess } from '../../src/init/guess-access.ts'
import { readDatabase } from '../../src/init/read-database.ts'
import { readSamples } from '../../src/init/sample-rows.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'

let folder: TestFolder
beforeEach(() => {
  folder = createFolder()
})
afterEach(() => folder.remove())

async function samplesOf(tables: string, signal?: AbortSignal) {
  const path = join(folder.path, 'shop.db')
  const database = new Database(path)
  database.exec(tables)
  database.close()
  const { connection } = await readDatabase('main', path)
  const given = { users: undefined, tenant: undefined, writes: undefined }
  const decisions = await decide(connection, given, undefined)
  const guessed = guessAccess(connection, decisions)
  const options = { ...decisions, connection: 'main', tables: guessed }
  const { callers, tables: found } = await readSamples(path, {
    ...options,
    ...(signal === undefined ? {} : { signal }),
  })
  return { callers, tables: [...found].map(([{ name }, sample]) => ({ name, ...sample })) }
}

const shop = `
  create table users (id integer primary key, email text);
  create table orders (id integer primary key, user_id integer references users (id));
  create table items (id integer primary key, order_id integer not null references orders (id));
  insert into users values (1, 'a'), (2, 'b'), (3, 'c');
  insert into orders values (5, null), (6, 3), (7, 2);
  insert into items values (50, 5), (60, 6), (70, 7);`

test('the caller is a user who has rows; a row without an owner is one of others', async () => {
  const { callers, tables } = await samplesOf(shop)
  expect(callers[0]).toEqual({ id: 3 })
  expect(tables.find(({ name }) => name === 'items')).toMatchObject({
    fields: { id: 3 },
    own: { id: 60 },
    ofTenant: undefined,
    ofOthers: { id: 50 },
  })
})

test('a database that does not answer in time has no samples', async () => {
  expect(await samplesOf(shop, AbortSignal.abort())).toEqual({ callers: [], tables: [] })
})
