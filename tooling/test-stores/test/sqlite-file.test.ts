import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Migration, openStore, type Store } from '@engine/core/store'
import { serviceDatabases } from '@engine/test-stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

const noTables: readonly Migration[] = []
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-store-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (url: string): Promise<Store> => openStore({ url, serviceDatabases })

test('a new file, and what lies beside it, is readable by its owner only', async () => {
  const store = await open(join(folder, 'service.db'))
  await store.migrate(noTables)
  for (const name of ['service.db', 'service.db-wal']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
  await store.close()
})

test.each([
  ['no/such/directory/service.db', 'cannot be opened'],
  ['not-a-database.db', 'cannot be opened'],
])('%s is refused at once', async (name, says) => {
  writeFileSync(join(folder, 'not-a-database.db'), 'this is a text of some length. '.repeat(100))
  await expect(open(join(folder, name))).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message: expect.stringContaining(says),
  })
})

test.each(['ftp://somewhere/x', 'mysql://user:SECRET@host', 'postgres://user:SECRET@host:port/x'])(
  '%s is no service database',
  async (url) => {
    const refused = expect(open(url)).rejects
    await refused.toMatchObject({ problem: 'invalidConfiguration' })
    await expect(open(url)).rejects.not.toThrow(/SECRET/)
  },
)

test('a transaction in memory is its own, and everybody else waits for it', async () => {
  const store = await open(':memory:')
  await sql`create table numbers (n integer)`.execute(store.database)
  const seen: unknown[] = []
  const count = async (): Promise<void> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from numbers`.execute(
      store.database,
    )
    seen.push(rows[0]?.n)
  }
  const counting: Promise<void>[] = []
  const outside = Promise.withResolvers<void>()
  const work = store.transaction(async (transaction) => {
    await sql`insert into numbers values (1)`.execute(transaction)
    outside.resolve()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sql`insert into numbers values (2)`.execute(transaction)
  })
  await outside.promise
  counting.push(count())
  await Promise.all([work, ...counting])
  expect(seen).toEqual([2])
  await store.close()
})

test('another process that holds the lock is waited for', async () => {
  const path = join(folder, 'service.db')
  const [one, two] = [await open(path), await open(path)]
  await sql`create table numbers (n integer)`.execute(one.database)
  const started = Promise.withResolvers<void>()
  const long = one.transaction(async (transaction) => {
    await sql`insert into numbers values (1)`.execute(transaction)
    started.resolve()
    await new Promise((resolve) => setTimeout(resolve, 400))
  })
  await started.promise
  await sql`insert into numbers values (2)`.execute(two.database)
  await long
  const { rows } = await sql`select n from numbers order by n`.execute(two.database)
  expect(rows).toEqual([{ n: 1 }, { n: 2 }])
  await one.close()
  await two.close()
})
