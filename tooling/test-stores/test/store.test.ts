import { columnTypes, createIndex, isUniqueViolation, type Migration } from '@engine/core/store'
import { eachStore, type TestStore } from '@engine/test-stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

interface Tables {
  engine_things: {
    id: string
    name: string
    note: string | null
    made_at: number
    is_big: number
    data: Uint8Array | null
  }
  engine_log: { id?: number; text: string }
}

const things: Migration = {
  name: 'test/0001-things',
  up: async (database, kind) => {
    const types = columnTypes(kind)
    await database.schema
      .createTable('engine_things')
      .ifNotExists()
      .addColumn('id', types.id, (column) => column.primaryKey())
      .addColumn('name', types.text(100), (column) => column.notNull())
      .addColumn('note', types.longText)
      .addColumn('made_at', types.time, (column) => column.notNull())
      .addColumn('is_big', types.flag, (column) => column.notNull())
      .addColumn('data', types.bytes)
      .execute()
    await createIndex(database, kind, {
      name: 'engine_things_name',
      table: 'engine_things',
      columns: ['name'],
      isUnique: true,
    })
  },
}

const log: Migration = {
  name: 'test/0002-log',
  up: async (database, kind) => {
    const types = columnTypes(kind)
    await database.schema
      .createTable('engine_log')
      .ifNotExists()
      .addColumn('id', types.serial, (column) => column.primaryKey())
      .addColumn('text', types.text(191), (column) => column.notNull())
      .execute()
  },
}

const thing = { id: 'a', name: 'A', note: null, made_at: 1_790_000_000_123, is_big: 1, data: null }

eachStore('the service database', (open, kind) => {
  let opened: TestStore
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.remove())

  describe('values', () => {
    beforeEach(() => opened.store.migrate([things, log]))

    test('times and counts are numbers, bytes are bytes, texts are as they were', async () => {
      const database = opened.store.withTables<Tables>()
      const data = new Uint8Array([0, 255, 39, 92])
      const note = 'it\'s \\ \u{1F600} \u0001 "x"'.repeat(20_000)
      await database
        .insertInto('engine_things')
        .values({ ...thing, note, data })
        .execute()
      const row = await database.selectFrom('engine_things').selectAll().executeTakeFirstOrThrow()
      expect({ ...row, data: [...(row.data ?? [])] }).toEqual({ ...thing, note, data: [...data] })
      const sums = await database
        .selectFrom('engine_things')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number>('made_at').as('sum'),
          fn.max('made_at').as('max'),
        ])
        .executeTakeFirstOrThrow()
      expect(sums).toEqual({ count: 1, sum: thing.made_at, max: thing.made_at })
    })

    test('texts differ by case, accents and trailing blanks, and sort by their bytes', async () => {
      const database = opened.store.withTables<Tables>()
      const names = ['a', 'A', 'a ', 'ä', 'B', 'ß', 'ss', '']
      for (const name of names) {
        await database
          .insertInto('engine_things')
          .values({ ...thing, id: name, name })
          .execute()
      }
      const rows = await database
        .selectFrom('engine_things')
        .select('name')
        .orderBy('name')
        .execute()
      expect(rows.map(({ name }) => name)).toEqual(['', 'A', 'B', 'a', 'a ', 'ss', 'ß', 'ä'])
      const found = await database
        .selectFrom('engine_things')
        .select('id')
        .where('name', '=', 'a ')
        .execute()
      expect(found).toEqual([{ id: 'a ' }])
    })

    test('an update counts the rows that it found', async () => {
      const database = opened.store.withTables<Tables>()
      await database.insertInto('engine_things').values(thing).execute()
      const same = await database
        .updateTable('engine_things')
        .set({ is_big: 1 })
        .where('id', '=', 'a')
        .executeTakeFirstOrThrow()
      const none = await database
        .updateTable('engine_things')
        .set({ is_big: 1 })
        .where('id', '=', 'b')
        .executeTakeFirstOrThrow()
      const gone = await database.deleteFrom('engine_things').executeTakeFirstOrThrow()
      expect([same.numUpdatedRows, none.numUpdatedRows, gone.numDeletedRows]).toEqual([1n, 0n, 1n])
    })

    test('a limit can be a parameter, a serial counts up', async () => {
      const database = opened.store.withTables<Tables>()
      for (const text of ['x', 'y', 'z']) {
        await database.insertInto('engine_log').values({ text }).execute()
      }
      const rows = await database
        .selectFrom('engine_log')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(2)
        .execute()
      expect(rows).toEqual([
        { id: 3, text: 'z' },
        { id: 2, text: 'y' },
      ])
    })

    test('a taken key is a conflict, anything else that is wrong a fault of ours', async () => {
      const database = opened.store.withTables<Tables>()
      await database.insertInto('engine_things').values(thing).execute()
      const again = database.insertInto('engine_things').values(thing).execute()
      await expect(again).rejects.toSatisfy(isUniqueViolation)
      const wrong = sql`select secret_column from engine_things`.execute(database)
      await expect(wrong).rejects.toMatchObject({
        problem: 'internal',
        message: 'The service database refused a statement.',
      })
    })
  })

  describe('transactions', () => {
    beforeEach(() => opened.store.migrate([things, log]))

    const namesOf = async () => {
      const database = opened.store.withTables<Tables>()
      const rows = await database.selectFrom('engine_things').select('id').orderBy('id').execute()
      return rows.map(({ id }) => id)
    }

    test('work that throws leaves no changes', async () => {
      const failed = opened.store.transaction<Tables, void>(async (transaction) => {
        await transaction.insertInto('engine_things').values(thing).execute()
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await namesOf()).toEqual([])
    })

    test('after a failed statement nothing is kept, even where the failure was caught', async () => {
      await opened.store.database.insertInto('engine_things').values(thing).execute()
      const work = opened.store.transaction<Tables, void>(async (transaction) => {
        const other = { ...thing, id: 'b', name: 'B' }
        await transaction.insertInto('engine_things').values(other).execute()
        const taken = transaction.insertInto('engine_things').values(thing).execute()
        await taken.catch(() => undefined)
      })
      await expect(work).rejects.toSatisfy(isUniqueViolation)
      expect(await namesOf()).toEqual(['a'])
    })

    test('many at the same time each happen, none is lost', async () => {
      const counted = { ...thing, made_at: 0 }
      await opened.store.database.insertInto('engine_things').values(counted).execute()
      const again = await opened.openAgain()
      await again.migrate([things, log])
      const one = (store = opened.store) =>
        store.transaction<Tables, void>(async (transaction) => {
          const query = transaction.selectFrom('engine_things').select('made_at')
          const locks = kind === 'postgres' || kind === 'mysql'
          const row = await (locks ? query.forUpdate() : query).executeTakeFirstOrThrow()
          await transaction
            .updateTable('engine_things')
            .set({ made_at: row.made_at + 1 })
            .execute()
        })
      await Promise.all(
        Array.from({ length: 30 }, (_, i) => one(i % 3 === 0 ? again : opened.store)),
      )
      const row = await opened.store
        .withTables<Tables>()
        .selectFrom('engine_things')
        .select('made_at')
        .executeTakeFirstOrThrow()
      expect(row.made_at).toBe(30)
    })

    test('a statement that goes around the transaction is refused, not waited for', async () => {
      const work = opened.store.transaction(async () => {
        await opened.store.database.selectFrom('engine_things').selectAll().execute()
      })
      await expect(work).rejects.toThrow('went around')
      expect(await namesOf()).toEqual([])
    })
  })

  describe('migrations', () => {
    test('six nodes at once apply each once', async () => {
      const nodes = await Promise.all(Array.from({ length: 6 }, () => opened.openAgain()))
      const applied: string[] = []
      const counting = [things, log].map((migration) => ({
        name: migration.name,
        up: async (...given: Parameters<Migration['up']>) => {
          applied.push(migration.name)
          await migration.up(...given)
        },
      }))
      await Promise.all(nodes.map((node) => node.migrate(counting)))
      await Promise.all(nodes.map((node) => node.whenReady()))
      expect(applied).toEqual([things.name, log.name])
      const rows = await nodes[3]?.database.selectFrom('engine_migrations').select('name').execute()
      expect(rows).toHaveLength(2)
    })

    test('one that fails is named, leaves nothing half done, and can be repeated', async () => {
      const broken: Migration = {
        name: log.name,
        up: async (database, each) => {
          await log.up(database, each)
          await sql`create table engine_log (nonsense`.execute(database)
        },
      }
      const failed = opened.store.migrate([things, broken])
      await expect(failed).rejects.toMatchObject({
        problem: 'invalidConfiguration',
        message: 'service_db: the migration test/0002-log failed.',
      })
      if (kind !== 'mysql') {
        const left = opened.store.database.selectFrom('engine_log').selectAll().execute()
        await expect(left).rejects.toMatchObject({ problem: 'internal' })
      }
      await opened.store.migrate([things, log])
      await opened.store.database.insertInto('engine_log').values({ text: 'x' }).execute()
      const rows = await opened.store.database.selectFrom('engine_log').select('text').execute()
      expect(rows).toEqual([{ text: 'x' }])
    })

    test('a database that a newer version has changed is refused', async () => {
      await opened.store.migrate([things, log])
      const older = await opened.openAgain()
      await expect(older.migrate([things])).rejects.toMatchObject({
        problem: 'invalidConfiguration',
        message: expect.stringContaining('newer version (test/0002-log)'),
      })
      const others = await opened.openAgain()
      await others.migrate([{ name: 'test/other-0001', up: async () => undefined }])
      await expect(others.ping()).resolves.toBeUndefined()
    })

    test('data is there after a restart', async () => {
      await opened.store.migrate([things])
      await opened.store.database.insertInto('engine_things').values(thing).execute()
      await opened.store.close()
      const again = await opened.openAgain()
      await again.migrate([things])
      const rows = await again.database.selectFrom('engine_things').select('id').execute()
      expect(rows).toEqual([{ id: 'a' }])
    })
  })
})
