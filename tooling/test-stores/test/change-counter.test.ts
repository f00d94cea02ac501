import { columnTypes, type Migration, type Store } from '@engine/core/store'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'

interface Tables {
  engine_keys: { id: string; role: string; seen_at: number }
  engine_visits: { id: string; seen_at: number }
  engine_notes: { id: string; role: string }
}

const migration: Migration = {
  name: 'test/0001-counted',
  up: async (database, kind) => {
    const types = columnTypes(kind)
    for (const table of ['engine_keys', 'engine_visits', 'engine_notes']) {
      await database.schema
        .createTable(table)
        .ifNotExists()
        .addColumn('id', types.id, (column) => column.primaryKey())
        .addColumn('role', types.text(40))
        .addColumn('seen_at', types.time)
        .execute()
    }
  },
}

async function opened(store: Store) {
  await store.countChanges(
    [
      { name: 'engine_keys', ignoredColumns: ['seen_at'] },
      { name: 'engine_visits', ignoresInserts: true },
    ],
    [migration],
  )
  return store.withTables<Tables>()
}

eachStore('the change counter', (open) => {
  let stores: TestStore
  let other: Store
  beforeEach(async () => {
    stores = await open()
    other = await stores.openAgain()
    await opened(other)
  })
  afterEach(() => stores.remove())

  /** Whether the work advances the counter, as both nodes see it. */
  async function advancedBy(work: () => Promise<unknown>): Promise<readonly boolean[]> {
    const nodes = [stores.store, other]
    const before = await Promise.all(nodes.map((node) => node.changeCount()))
    await work()
    const after = await Promise.all(nodes.map((node) => node.changeCount()))
    return after.map((count, i) => count !== before[i])
  }

  test('advances with every change of a counted table', async () => {
    const database = await opened(stores.store)
    const key = { id: 'a', role: 'x', seen_at: 1 }
    expect(
      await advancedBy(() => database.insertInto('engine_keys').values(key).execute()),
    ).toEqual([true, true])
    const update = database.updateTable('engine_keys').where('id', '=', 'a')
    expect(await advancedBy(() => update.set({ role: 'y', seen_at: 2 }).execute())).toEqual([
      true,
      true,
    ])
    const both = () =>
      stores.store.transaction<Tables, void>(async (transaction) => {
        await transaction.updateTable('engine_keys').set({ role: 'z' }).execute()
        await transaction.deleteFrom('engine_keys').execute()
      })
    expect(await advancedBy(both)).toEqual([true, true])
    expect(await database.selectFrom('engine_keys').selectAll().execute()).toEqual([])
  })

  test('does not advance with what changes nothing that is remembered', async () => {
    const database = await opened(stores.store)
    await database.insertInto('engine_keys').values({ id: 'a', role: 'x', seen_at: 1 }).execute()
    const update = database.updateTable('engine_keys')
    const quiet: readonly (() => Promise<unknown>)[] = [
      () => update.set({ seen_at: 2 }).execute(),
      () => update.set({ role: 'y' }).where('id', '=', 'b').execute(),
      () => database.deleteFrom('engine_keys').where('id', '=', 'b').execute(),
      () => database.selectFrom('engine_keys').selectAll().execute(),
      () => database.insertInto('engine_visits').values({ id: 'v', seen_at: 1 }).execute(),
      () => database.insertInto('engine_notes').values({ id: 'n', role: 'x' }).execute(),
    ]
    for (const work of quiet) expect(await advancedBy(work)).toEqual([false, false])
    const visit = () => database.updateTable('engine_visits').set({ seen_at: 2 }).execute()
    expect(await advancedBy(visit)).toEqual([true, true])
  })

  test('does not advance with what is undone', async () => {
    const database = await opened(stores.store)
    const key = { id: 'a', role: 'x', seen_at: 1 }
    await database.insertInto('engine_keys').values(key).execute()
    const undone = () =>
      stores.store
        .transaction<Tables, void>(async (transaction) => {
          await transaction.updateTable('engine_keys').set({ role: 'y' }).execute()
          throw new Error('no')
        })
        .catch(() => undefined)
    expect(await advancedBy(undone)).toEqual([false, false])
    const taken = () =>
      database
        .insertInto('engine_keys')
        .values(key)
        .execute()
        .catch(() => undefined)
    expect(await advancedBy(taken)).toEqual([false, false])
    expect(await advancedBy(() => database.deleteFrom('engine_keys').execute())).toEqual([
      true,
      true,
    ])
  })

  test('a reading that begins after a change sees it, on every node, at any load', async () => {
    const database = await opened(stores.store)
    await database.insertInto('engine_keys').values({ id: 'a', role: 'x', seen_at: 1 }).execute()
    let isOver = false
    const load = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        await other.changeCount()
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const counts: number[] = []
    for (let change = 0; change < 50; change += 1) {
      await database
        .updateTable('engine_keys')
        .set({ role: `role ${change}` })
        .execute()
      counts.push(await other.changeCount(), await stores.store.changeCount(60_000))
    }
    isOver = true
    await Promise.all(load)
    expect(new Set(counts).size).toBe(50)
    for (let i = 0; i < counts.length; i += 2) expect(counts[i]).toBe(counts[i + 1])
  })

  test('cannot be read when the database is gone', async () => {
    await opened(stores.store)
    await stores.store.changeCount()
    await stores.store.close()
    await expect((async () => stores.store.changeCount())()).rejects.toMatchObject({
      status: expect.toSatisfy((status) => status >= 500),
    })
  })
})
