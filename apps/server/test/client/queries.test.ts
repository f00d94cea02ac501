/** `@engine/client` and its drivers for Drizzle and Kysely, on every kind of database. */
import { createClient, EngineError } from '@engine/client'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { batch, engineDialect } from '@engine/client/kysely'
import { defineAction } from '@engine/core'
import { DrizzleQueryError, eq } from 'drizzle-orm'
import { bigint, customType, integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { nodePgCodecs } from 'drizzle-orm-v1/node-postgres/codecs'
import * as next from 'drizzle-orm-v1/pg-core'
import { drizzle as drizzleNext } from 'drizzle-orm-v1/pg-proxy'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const bytea = customType<{ data: Uint8Array; driverData: unknown }>({
  dataType: () => 'bytea',
  toDriver: (value) => value,
  fromDriver: (value) => Uint8Array.from(Buffer.from(String(value).slice(2), 'hex')),
})

const users = pgSchema('main').table('users', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  points: bigint('points', { mode: 'bigint' }),
  photo: bytea('photo'),
  seen: timestamp('seen'),
})

const nextUsers = next.pgSchema('main').table('users', {
  id: next.integer('id').primaryKey(),
  name: next.text('name').notNull(),
  points: next.bigint('points', { mode: 'bigint' }),
  seen: next.timestamp('seen'),
})

interface Database {
  'main.users': {
    id: number
    name: string
    points: string | bigint | null
    photo: string | Uint8Array | null
    seen: string | Date | null
  }
}

interface Actions {
  double: { input: { n: number }; output: { n: number } }
}

const big = 9_007_199_254_740_993n
const moment = new Date('2024-01-15T10:30:00.250Z')
const ada = { id: 1, name: 'Ada', points: big, photo: new Uint8Array([0, 255]), seen: moment }

describeDatabases('the client', (open, kind) => {
  let database: TestDatabase
  let gateway: TestGateway

  const client = () =>
    createClient<Actions>({
      url: 'http://gateway.test',
      fetch: (input, init) => gateway.fetch(new Request(input, init)),
    })

  beforeAll(async () => {
    const bytes = kind === 'postgres' ? 'bytea' : 'blob'
    database = await open(
      `create table users (id integer primary key, name text not null, points bigint, photo ${bytes}, seen timestamp)`,
    )
    gateway = await openGateway({
      connections: { main: database.url },
      actions: {
        double: defineAction({
          roles: ['anonymous'],
          input: z.object({ n: z.number() }),
          output: z.object({ n: z.number() }),
          run: async (_, { n }) => ({ n: n * 2 }),
        }),
      },
    })
  })
  beforeEach(() => database.run('delete from users;'))
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  test('runs statements, batches and actions', async () => {
    const { query, batch: runBatch, action } = client()
    const insert = {
      sql: 'insert into main.users (id, name) values ($1, $2)',
      method: 'run',
    } as const
    const results = await runBatch([
      { ...insert, params: [1, 'Ada'] },
      { sql: 'select name from main.users', params: [], method: 'all' },
    ])
    expect(results).toEqual([{ rows: [] }, { rows: [['Ada']] }])
    expect(await query({ sql: 'select name from main.users', params: [], method: 'get' })).toEqual({
      rows: ['Ada'],
    })
    expect(await action('double', { n: 21 })).toEqual({ n: 42 })
    await expect(query({ ...insert, params: [1, 'Bob'] })).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      correlationId: expect.stringMatching(/./),
    })
  })

  describe('Drizzle 0.45', () => {
    test('reads what it writes', async () => {
      const { callback } = createDrizzleDriver(client())
      const db = drizzle(callback, { schema: { users } })
      expect(await db.insert(users).values(ada).returning()).toEqual([ada])
      expect(await db.select().from(users).where(eq(users.points, big))).toEqual([ada])
      expect(await db.query.users.findFirst({ where: eq(users.id, 9) })).toBeUndefined()
      expect(await db.$count(users)).toBe(1)
    })

    test('runs a batch as a whole or not at all', async () => {
      const { callback, batch: runBatch } = createDrizzleDriver(client())
      const db = drizzle(callback)
      const [made, names] = await runBatch([
        db.insert(users).values({ id: 1, name: 'Ada' }).returning({ id: users.id }),
        db.select({ name: users.name }).from(users),
      ])
      expect([made, names]).toEqual([[{ id: 1 }], [{ name: 'Ada' }]])
      const refused = runBatch([
        db.insert(users).values({ id: 2, name: 'Bob' }),
        db.insert(users).values({ id: 1, name: 'again' }),
      ])
      await expect(refused).rejects.toThrow(DrizzleQueryError)
      expect(await db.$count(users)).toBe(1)
    })

    test('a batch and a query at the same time keep apart', async () => {
      const { callback, batch: runBatch } = createDrizzleDriver(client())
      const db = drizzle(callback)
      const [[inserted], alone] = await Promise.all([
        runBatch([db.insert(users).values({ id: 1, name: 'Ada' }).returning()]),
        db.execute('select 1 as one'),
      ])
      expect(inserted).toMatchObject([{ name: 'Ada' }])
      expect(alone).toEqual([{ one: 1 }])
    })

    test('a batch of queries of another driver is refused before anything is sent', async () => {
      const { callback } = createDrizzleDriver(client())
      const other = createDrizzleDriver(client())
      const query = drizzle(callback).select().from(users)
      await expect(other.batch([query])).rejects.toThrow('made with its callback')
    })

    test('an error has its facts on the cause', async () => {
      const db = drizzle(createDrizzleDriver(client()).callback)
      const error: unknown = await db.execute('select * from main.ghosts').catch((e: unknown) => e)
      expect(error).toBeInstanceOf(DrizzleQueryError)
      const cause = error instanceof Error ? error.cause : undefined
      expect(cause).toBeInstanceOf(EngineError)
      expect(cause).toMatchObject({ code: 'TABLE_NOT_FOUND', status: 404 })
    })
  })

  test('Drizzle 1.0 reads what it writes, alone and in a batch', async () => {
    const driver = createDrizzleDriver(client())
    const db = drizzleNext(driver.callback, { codecs: nodePgCodecs })
    const { photo: _, ...row } = ada
    expect(await db.insert(nextUsers).values(row).returning()).toEqual([row])
    const [again, count] = await driver.batch([
      db.select().from(nextUsers),
      db.update(nextUsers).set({ name: 'Eve' }).returning({ name: nextUsers.name }),
    ])
    expect([again, count]).toEqual([[row], [{ name: 'Eve' }]])
  })

  test('Kysely reads and counts what it writes, alone and in a batch', async () => {
    const engine = client()
    const db = new Kysely<Database>({ dialect: engineDialect(engine) })
    const row = { ...ada, photo: Buffer.from(ada.photo) }
    const made = await db.insertInto('main.users').values(row).returningAll().executeTakeFirst()
    const seen = '2024-01-15 10:30:00.25'
    expect(made).toEqual({ ...ada, points: String(big), photo: '\\x00ff', seen })
    const changed = await db
      .updateTable('main.users')
      .set({ name: 'Eve' })
      .where('points', '=', big)
      .executeTakeFirst()
    expect(changed.numUpdatedRows).toBe(1n)
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])

    const [inserted, names] = await batch(engine, [
      db.insertInto('main.users').values({ id: 2, name: 'Bob' }).returning('id'),
      db.selectFrom('main.users').select('name').orderBy('id'),
    ])
    expect([inserted, names]).toEqual([[{ id: 2 }], [{ name: 'Eve' }, { name: 'Bob' }]])
    await expect(db.transaction().execute(async () => undefined)).rejects.toThrow('batch(client')
    await expect(
      db
        .selectFrom('main.users')
        .select('id')
        .where('id', '=', 'x' as never)
        .execute(),
    ).rejects.toThrow(EngineError)
  })

  test('a signal stops a query', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    const request = { sql: 'select 1', params: [], method: 'all' } as const
    await expect(client().query(request, { signal: stop })).rejects.toThrow('enough')
  })
})
