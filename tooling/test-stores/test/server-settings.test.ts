/** A service database on servers with settings that people have. */
import { columnTypes, type Migration, openStore } from '@engine/core/store'
import { createMysqlDatabase, type MysqlServer } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { serviceDatabases } from '@engine/test-stores'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Tables {
  engine_notes: { id: string; text: string; at: number }
}

const notes: Migration = {
  name: 'notes/0001',
  up: async (database, kind) => {
    const { id, text, time } = columnTypes(kind)
    await database.schema
      .createTable('engine_notes')
      .ifNotExists()
      .addColumn('id', id, (column) => column.primaryKey())
      .addColumn('text', text(20), (column) => column.notNull())
      .addColumn('at', time, (column) => column.notNull())
      .execute()
  },
}

const everywhere = {
  'sql-mode': 'ANSI_QUOTES',
  'default-time-zone': '+05:30',
  'completion-type': 'CHAIN',
  'transaction-isolation': 'SERIALIZABLE',
  'character-set-server': 'latin1',
  'collation-server': 'latin1_swedish_ci',
} as const

const own = {
  mysql: { 'sql-require-primary-key': 'ON', 'sql-generate-invisible-primary-key': 'ON' },
  mariadb: { 'sql-safe-updates': 'ON' },
} as const

describeEachMysql('a service database with settings of its own', ({ vendor, start }) => {
  let server: MysqlServer
  let url: string

  beforeAll(async () => {
    server = await start({ settings: { ...everywhere, ...own[vendor] } })
    url = await createMysqlDatabase(server.url, 'settings')
  })
  afterAll(() => server?.stop())

  test('what is committed is there for the next process', async () => {
    const store = await openStore({ url, serviceDatabases })
    await store.migrate([notes])
    const text = `it's "Ω" \\ 東京`
    await store.transaction<Tables, void>(async (transaction) => {
      await transaction.insertInto('engine_notes').values({ id: 'a', text, at: 1 }).execute()
    })
    const database = store.withTables<Tables>()
    // Over the connection whose transaction has ended.
    await database.insertInto('engine_notes').values({ id: 'b', text, at: 2 }).execute()
    await database.updateTable('engine_notes').set({ at: 3 }).execute()

    const other = await openStore({ url, serviceDatabases })
    const read = other.withTables<Tables>().selectFrom('engine_notes').selectAll().orderBy('id')
    expect(await read.execute()).toEqual([
      { id: 'a', text, at: 3 },
      { id: 'b', text, at: 3 },
    ])
    await expect(
      database
        .insertInto('engine_notes')
        .values({ id: 'c', text: 'x'.repeat(21), at: 1 })
        .execute(),
    ).rejects.toMatchObject({ sqlState: '22001' })
    await other.close()
    await store.close()
  })
})
