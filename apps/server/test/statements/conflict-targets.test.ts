/** Upserts over indexes of expressions and of some rows, as Drizzle and Kysely write them, through the drivers of the client. */
import { createClient } from '@engine/client'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { engineDialect } from '@engine/client/kysely'
import { describePostgres } from '@engine/test-databases/vitest'
import { sql as drizzleSql, eq, isNull } from 'drizzle-orm'
import { integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { Kysely, sql as kyselySql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const tables = `
  create table users (id integer primary key, email text, handle text, deleted_at timestamp);
  create unique index by_email on users (lower(email));
  create unique index by_handle on users (handle) where deleted_at is null;
  insert into users values (1, 'Ada@x', 'Ada', null), (2, 'Old@x', 'old', '2026-01-01 00:00:00');
`

interface Tables {
  users: { id: number; email: string | null; handle: string | null; deleted_at: string | null }
}

const users = pgSchema('main').table('users', {
  id: integer().primaryKey(),
  email: text(),
  handle: text(),
  deletedAt: timestamp('deleted_at'),
})

function upsertsOn(open: () => Promise<TestDatabase>): void {
  let database: TestDatabase
  let gateway: TestGateway
  const client = () =>
    createClient({
      url: 'http://gateway.test',
      fetch: (input, init) => gateway.fetch(new Request(input, init)),
    })
  beforeAll(async () => {
    database = await open()
    gateway = await openGateway({ connections: { main: database.url }, open: true })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  test('Drizzle', async () => {
    const db = drizzle(createDrizzleDriver(client()).callback, { schema: { users } })
    expect(
      await db
        .insert(users)
        .values([
          { id: 11, email: 'b@x', handle: 'Ada' },
          { id: 12, email: 'c@x', handle: 'old' },
        ])
        .onConflictDoUpdate({
          target: users.handle,
          targetWhere: isNull(users.deletedAt),
          set: { handle: 'Lovelace' },
        })
        .returning({ id: users.id, handle: users.handle }),
    ).toEqual([
      { id: 1, handle: 'Lovelace' },
      { id: 12, handle: 'old' },
    ])
    // Its builder takes columns only.
    const insert = drizzleSql`insert into ${users} (id, email) values (13, 'ADA@X')`
    const update = drizzleSql`on conflict (lower(${users.email})) do update set handle = 'Ada'`
    await db.execute(drizzleSql`${insert} ${update}`)
    expect(await db.select({ id: users.id }).from(users).where(eq(users.handle, 'Ada'))).toEqual([
      { id: 1 },
    ])
  })

  test('Kysely', async () => {
    const db = new Kysely<Tables>({ dialect: engineDialect(client()) }).withSchema('main')
    const insert = db.insertInto('users')
    expect(
      await insert
        .values({ id: 20, email: 'aDa@x' })
        .onConflict((conflict) => conflict.expression(kyselySql`lower(email)`).doNothing())
        .returning('id')
        .execute(),
    ).toEqual([])
    expect(
      await insert
        .values({ id: 21, email: 'd@x', handle: 'Ada' })
        .onConflict((conflict) =>
          conflict
            .column('handle')
            .where('deleted_at', 'is', null)
            .doUpdateSet((row) => ({ email: row.ref('excluded.email') })),
        )
        .returning(['id', 'email'])
        .execute(),
    ).toEqual([{ id: 1, email: 'd@x' }])
    const withParameter = insert
      .values({ id: 22, handle: 'ada' })
      .onConflict((conflict) => conflict.column('handle').where('email', '=', 'x').doNothing())
    await expect(withParameter.execute()).rejects.toThrow('write a literal')
  })
}

describePostgres('on PostgreSQL', () => upsertsOn(() => openPostgres(tables)))
describe('on SQLite', () => upsertsOn(() => openSqlite(tables)))
