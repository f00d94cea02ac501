/** A service database that is restored from a backup, under a node that runs: nothing that was remembered is valid. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnTypes, type Migration, openStore, type Store } from '@engine/core/store'
import { eachStore, serviceDatabases, type TestStore } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const keys: Migration = {
  name: 'test/0001-keys',
  up: async (database, kind) => {
    await database.schema
      .createTable('engine_keys')
      .ifNotExists()
      .addColumn('id', columnTypes(kind).id, (column) => column.primaryKey())
      .execute()
  },
}

async function opened(store: Store): Promise<Store> {
  await store.countChanges([{ name: 'engine_keys', ignoresInserts: true }], [keys])
  return store
}

const remove = (store: Store) =>
  store.database.deleteFrom('engine_keys').where('id', '=', 'a').execute()

async function value({ database }: Store): Promise<number> {
  const row = await database.selectFrom('engine_changes').select('value').executeTakeFirst()
  return row?.value ?? Number.NaN
}

/** Writes the row of the counter as a restored backup does. */
async function restore({ database }: Store, count: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('engine_changes').execute()
    await transaction.insertInto('engine_changes').values({ id: 1, value: count }).execute()
  })
}

eachStore('a counter that goes back', (open, kind) => {
  let stores: TestStore
  beforeEach(async () => {
    stores = await open()
    await opened(stores.store)
  })
  afterEach(() => stores.remove())

  test('a counter that goes back is noticed by every node', async () => {
    const other = await opened(await stores.openAgain())
    const backup = await value(stores.store)
    for (const id of ['a', 'b']) {
      await stores.store.database.insertInto('engine_keys').values({ id }).execute()
    }
    await remove(stores.store)
    const nodes = [stores.store, other]
    const before = await Promise.all(nodes.map((node) => node.changeCount()))
    await restore(stores.store, backup)
    await new Promise((resolve) => setImmediate(resolve))
    for (const [i, node] of nodes.entries()) expect(await node.changeCount()).not.toBe(before[i])
  })

  test('a counter that goes back goes another way than before', async () => {
    const steps = new Set<number>()
    for (let i = 0; i < 20; i += 1) {
      await stores.store.database.insertInto('engine_keys').values({ id: 'a' }).execute()
      const before = await value(stores.store)
      await remove(stores.store)
      steps.add((await value(stores.store)) - before)
    }
    expect(Math.min(...steps)).toBeGreaterThan(0)
    expect(steps.size).toBeGreaterThan(1)
  })

  if (kind !== 'postgres') return
  test('a counter that goes back is noticed although it is the same number', async () => {
    const before = await stores.store.changeCount()
    await restore(stores.store, await value(stores.store))
    expect(await stores.store.changeCount()).not.toBe(before)
  })
})

describe('a SQLite file', () => {
  test('a SQLite file is restored in place, with the same number', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-backup-'))
    const [url, copy] = [join(folder, 'service.db'), join(folder, 'backup.db')]
    const store = await opened(await openStore({ url, serviceDatabases }))
    await sql`vacuum into ${sql.lit(copy)}`.execute(store.database)
    await store.database.insertInto('engine_keys').values({ id: 'a' }).execute()
    const before = store.changeCount()
    const backup = new Database(copy)
    await backup.backup(url)
    backup.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await store.database.selectFrom('engine_keys').selectAll().execute()).toEqual([])
    expect(store.changeCount()).not.toBe(before)
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
