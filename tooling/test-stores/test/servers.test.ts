import { columnTypes, type Migration, openStore, type Store } from '@engine/core/store'
import { findPostgres, type PrivateServer, startPostgres } from '@engine/test-databases'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import {
  openMysqlStore,
  openPostgresStore,
  serviceDatabases,
  type TestStore,
} from '@engine/test-stores'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Tables {
  engine_seats: { id: string; taken: number }
}

const seats: Migration = {
  name: 'seats/0001',
  up: async (database, kind) => {
    const { id, count } = columnTypes(kind)
    await database.schema
      .createTable('engine_seats')
      .ifNotExists()
      .addColumn('id', id, (column) => column.primaryKey())
      .addColumn('taken', count, (column) => column.notNull())
      .execute()
  },
}

const unavailable = {
  problem: 'unavailable',
  message: 'The service is not available at the moment.',
}

function describeServer(open: () => Promise<TestStore>): void {
  let opened: TestStore
  beforeAll(async () => {
    opened = await open()
    await opened.store.migrate([seats])
    const values = ['a', 'b'].map((id) => ({ id, taken: 0 }))
    await opened.store.database.insertInto('engine_seats').values(values).execute()
  })
  afterAll(() => opened.remove())

  test('a transaction that the server gave up on is run again', async () => {
    let runs = 0
    const meeting = createMeeting(2)
    const take = (first: string, second: string) =>
      opened.store.transaction<Tables, void>(async (transaction) => {
        runs += 1
        const raise = (id: string) =>
          transaction
            .updateTable('engine_seats')
            .set(({ eb }) => ({ taken: eb('taken', '+', 1) }))
            .where('id', '=', id)
            .execute()
        await raise(first)
        await meeting()
        await raise(second)
      })
    await Promise.all([take('a', 'b'), take('b', 'a')])
    const rows = await opened.store
      .withTables<Tables>()
      .selectFrom('engine_seats')
      .selectAll()
      .execute()
    expect(rows.map(({ taken }) => taken)).toEqual([2, 2])
    expect(runs).toBeGreaterThan(2)
  })
}

/** Callers wait until this number has arrived; later ones do not wait. */
function createMeeting(size: number): () => Promise<void> {
  const everyone = Promise.withResolvers<void>()
  let came = 0
  return async () => {
    came += 1
    if (came === size) everyone.resolve()
    await everyone.promise
  }
}

describePostgres('on PostgreSQL', () => describeServer(openPostgresStore))
describeEachMysql('transactions', (server) => describeServer(() => openMysqlStore(server)))

function describeAbsence(start: () => Promise<PrivateServer>, prepare: (url: string) => string) {
  test('a server that is down at the start is awaited; one that restarts is found again', async () => {
    const server = await start()
    const url = prepare(server.url)
    await server.kill()
    const messages: string[] = []
    const note = (_facts: object, message: string) => void messages.push(message)
    const log = { debug: () => undefined, info: note, warn: note, error: note }
    const store: Store = await openStore({ url, serviceDatabases, log })
    await store.migrate([seats])
    const read = () => store.database.selectFrom('engine_seats').selectAll().execute()
    await expect(read()).rejects.toMatchObject(unavailable)
    await expect(store.ping()).rejects.toMatchObject(unavailable)
    await server.restart()
    await store.whenReady()
    expect(await read()).toEqual([])
    await store.ping()
    expect(messages[0]).toMatch(/^the service database cannot be reached\b/)
    expect(messages.at(-1)).toBe('the service database can be reached')

    const slept = sql`select ${sql.raw(url.startsWith('p') ? 'pg_sleep(20)' : 'sleep(20)')}`
    const broken = expect(slept.execute(store.database)).rejects.toMatchObject(unavailable)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await server.kill()
    await broken
    await expect(read()).rejects.toMatchObject(unavailable)
    await server.restart()
    await expect
      .poll(() => read().catch((error: unknown) => error), { timeout: 20_000 })
      .toEqual([])
    await store.close()
    await server.stop()
  })
}

describe.skipIf(findPostgres().kind !== 'binaries')('a PostgreSQL of its own', () => {
  describeAbsence(
    () => startPostgres({ settings: { synchronous_commit: 'on' } }),
    (url) => url,
  )
})

describeEachMysql('a server of its own', ({ start }) => {
  describeAbsence(start, (url) => new URL('/mysql', url).href)
})
