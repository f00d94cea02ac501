import { columnTypes, type Migration } from '@engine/core/store'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'

interface Tables {
  engine_lines: { id: string; text: string; data: Uint8Array | null }
}

const lines: Migration = {
  name: 'test/0001-lines',
  up: async (database, kind) => {
    const types = columnTypes(kind)
    await database.schema
      .createTable('engine_lines')
      .ifNotExists()
      .addColumn('id', types.id, (column) => column.primaryKey())
      .addColumn('text', types.text(100), (column) => column.notNull())
      .addColumn('data', types.bytes)
      .execute()
  },
}

eachStore('statements in the background', (open, kind) => {
  let stores: TestStore
  beforeEach(async () => {
    stores = await open()
    await stores.store.migrate([lines])
  })
  afterEach(() => stores.remove())

  const database = () => stores.store.withTables<Tables>()
  const insertion = (id: string) =>
    database()
      .insertInto('engine_lines')
      .values({ id, text: `line ${id}`, data: new Uint8Array([1, 2, 3]) })

  test('are stored, in their order, beside other writes', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => String(i).padStart(2, '0'))
    await Promise.all(
      ids.map((id, i) =>
        i % 4 === 3 ? insertion(id).execute() : stores.store.runInBackground(insertion(id)),
      ),
    )
    const again = await stores.openAgain()
    const rows = await again
      .withTables<Tables>()
      .selectFrom('engine_lines')
      .selectAll()
      .orderBy('id')
      .execute()
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(new Uint8Array(rows[0]?.data ?? [])).toEqual(new Uint8Array([1, 2, 3]))
  })

  test('fail alone', async () => {
    await stores.store.runInBackground(insertion('a'))
    await expect(stores.store.runInBackground(insertion('a'))).rejects.toMatchObject({
      problem: 'conflict',
      sqlState: '23505',
    })
    await stores.store.runInBackground(insertion('b'))
    const rows = await database().selectFrom('engine_lines').select('id').orderBy('id').execute()
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('do not go around the change counter', async () => {
    await stores.store.countChanges([{ name: 'engine_lines' }], [])
    await expect(stores.store.runInBackground(insertion('a'))).rejects.toThrow('counted change')
    expect(await database().selectFrom('engine_lines').selectAll().execute()).toEqual([])
  })

  if (kind === 'sqlite') {
    test('that were begun are stored before the file is closed', async () => {
      const begun = stores.store.runInBackground(insertion('a'))
      await stores.store.close()
      await begun
      const again = await stores.openAgain()
      const rows = await again
        .withTables<Tables>()
        .selectFrom('engine_lines')
        .select('id')
        .execute()
      expect(rows).toEqual([{ id: 'a' }])
    })
  }
})
