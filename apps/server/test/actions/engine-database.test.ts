import { admin, createEngine, type Engine, type EngineDatabase } from '@engine/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'

const tables = `
  create table accounts (id integer primary key, owner text not null, balance integer not null, unique (owner));
  create table notes (id integer primary key, body text, made timestamp);
`

describeDatabases("the application's own database access", (open, kind) => {
  let test1: TestDatabase
  let other: TestDatabase
  let engine: Engine
  let own: EngineDatabase

  beforeEach(async () => {
    test1 = await open(tables)
    other = await open(tables)
    engine = await createEngine(
      {
        connections: { main: test1.url, other: other.url },
        permissions: { none: { table: 'main.notes', roles: ['nobody'], select: {} } },
        limits: { maxRows: 2, maxFilterConditions: 2, queryTimeout: 2_000 },
      },
      { adapters },
    )
    own = engine.database()
  })
  afterEach(async () => {
    await own.end()
    await engine.close()
    await test1.remove()
    await other.remove()
  })

  const addAccounts = async (count: number) => {
    const values = Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      owner: `o${i + 1}`,
      balance: 100,
    }))
    await own.database.insertInto('main.accounts').values(values).execute()
  }
  const balances = async () => {
    const rows = await test1.rows('select balance from accounts order by id')
    return rows.map((row) => Number(Reflect.get(row, 'balance')))
  }

  test("the application's own database access reads and writes whatever permissions say, as objects by column name", async () => {
    const made = new Date('2026-02-03T04:05:06.789Z')
    const inserted = await own.database
      .insertInto('main.notes')
      .values({ id: 1, body: "it's", made })
      .executeTakeFirstOrThrow()
    expect(inserted.numInsertedOrUpdatedRows).toBe(1n)
    const found = await own.database
      .selectFrom('main.notes')
      .selectAll()
      .where('body', 'like', 'it%')
      .executeTakeFirstOrThrow()
    expect(found).toMatchObject({ id: 1, body: "it's" })
    expect(String(found.made)).toContain('04:05:06')
    const none = await own.database.updateTable('main.notes').set({ body: 'x' }).where('id', '=', 9)
    expect((await none.executeTakeFirstOrThrow()).numUpdatedRows).toBe(0n)
    const gone = await own.database.deleteFrom('main.notes').executeTakeFirstOrThrow()
    expect(gone.numDeletedRows).toBe(1n)
  })

  test("the application's own database access is not cut at maxRows, nor kept to the limits of clients", async () => {
    await addAccounts(5)
    const query = own.database
      .selectFrom('main.accounts')
      .select('id')
      .where((each) => each.or([1, 2, 3, 4].map((id) => each('id', '=', id))))
    expect(await query.execute()).toHaveLength(4)
    const all = await own.database.selectFrom('main.accounts').select('id').execute()
    expect(all).toHaveLength(5)
    const sql = 'select id from main.accounts'
    const request = { sql, params: [], method: 'all', meta: true, signal: undefined } as const
    const asked = await engine.query(request, admin)
    expect(asked.truncated).toBe(true)
  })

  describe('transactions', () => {
    test('transactions of the application keep all that they wrote', async () => {
      await addAccounts(2)
      await own.database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('main.accounts')
          .set({ balance: 50 })
          .where('id', '=', 1)
          .execute()
        const { balance } = await transaction
          .selectFrom('main.accounts')
          .select('balance')
          .where('id', '=', 1)
          .executeTakeFirstOrThrow()
        expect(balance).toBe(50)
        await transaction
          .updateTable('main.accounts')
          .set({ balance: 150 })
          .where('id', '=', 2)
          .execute()
      })
      expect(await balances()).toEqual([50, 150])
    })

    test('transactions of the application keep nothing when the callback throws', async () => {
      await addAccounts(1)
      const work = own.database.transaction().execute(async (transaction) => {
        await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
        throw new Error('changed my mind')
      })
      await expect(work).rejects.toThrow('changed my mind')
      expect(await balances()).toEqual([100])
    })

    test('transactions of the application keep nothing after a failed statement, even where the failure was caught', async () => {
      await addAccounts(2)
      const work = own.database.transaction().execute(async (transaction) => {
        await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
        const taken = transaction
          .insertInto('main.accounts')
          .values({ id: 9, owner: 'o1', balance: 1 })
          .execute()
        await expect(taken).rejects.toMatchObject({ problem: 'conflict' })
      })
      await expect(work).rejects.toMatchObject({ code: expect.any(String) })
      expect(await balances()).toEqual([100, 100])
    })

    test('transactions of the application stay on the connection of their first statement', async () => {
      await addAccounts(1)
      const work = own.database.transaction().execute(async (transaction) => {
        await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
        await transaction.insertInto('other.notes').values({ id: 1 }).execute()
      })
      await expect(work).rejects.toMatchObject({
        problem: 'badRequest',
        message: expect.stringContaining('"main", its statement on "other"'),
      })
      expect(await balances()).toEqual([100])
      expect(await other.rows('select * from notes')).toEqual([])
    })

    test('several at the same time do not mix', async () => {
      await addAccounts(3)
      const raise = (id: number, fails: boolean) =>
        own.database.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('main.accounts')
            .set(({ eb }) => ({ balance: eb('balance', '+', id) }))
            .where('id', '=', id)
            .execute()
          if (fails) throw new Error('no')
        })
      const outcomes = await Promise.allSettled([raise(1, false), raise(2, true), raise(3, false)])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await balances()).toEqual([101, 100, 103])
    })

    test('without any statement do nothing, and nested ones are refused', async () => {
      expect(await own.database.transaction().execute(async () => 'nothing')).toBe('nothing')
      const controlled = await own.database.startTransaction().execute()
      await controlled.insertInto('main.notes').values({ id: 1 }).execute()
      await expect(controlled.savepoint('here').execute()).rejects.toThrow('Savepoints')
      await controlled.rollback().execute()
      expect(await test1.rows('select * from notes')).toEqual([])
      const serial = own.database
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async () => undefined)
      await expect(serial).rejects.toThrow('isolation level')
    })

    test('transactions of the application that are not ended are rolled back at the time limit', async () => {
      await addAccounts(1)
      const work = own.database.transaction().execute(async (transaction) => {
        await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
        await new Promise((resolve) => setTimeout(resolve, 2_500))
        await transaction.updateTable('main.accounts').set({ balance: 1 }).execute()
      })
      await expect(work).rejects.toMatchObject({ name: 'GatewayError' })
      expect(await balances()).toEqual([100])
      await own.database.updateTable('main.accounts').set({ balance: 7 }).execute()
      expect(await balances()).toEqual([7])
    })

    test('transactions of the application end with the work that they are for', async () => {
      await addAccounts(1)
      const controlled = await own.database.startTransaction().execute()
      await controlled.updateTable('main.accounts').set({ balance: 0 }).execute()
      await own.end()
      expect(await balances()).toEqual([100])
      const late = controlled.updateTable('main.accounts').set({ balance: 0 }).execute()
      await expect(late).rejects.toThrow('after the end')
      const other1 = own.database.selectFrom('main.accounts').selectAll().execute()
      await expect(other1).rejects.toThrow('after the end')
    })

    test('transactions of the application are rolled back when the signal fires, while a statement waits for a lock too', async () => {
      await addAccounts(1)
      const abort = new AbortController()
      const stopped = engine.database({ signal: abort.signal })
      const holder = await own.database.startTransaction().execute()
      await holder.updateTable('main.accounts').set({ balance: 1 }).execute()
      const work = stopped.database.transaction().execute(async (transaction) => {
        await transaction.insertInto('main.notes').values({ id: 1 }).execute()
        await transaction.updateTable('main.accounts').set({ balance: 2 }).execute()
      })
      setTimeout(() => abort.abort(), 200)
      await expect(work).rejects.toMatchObject({ sqlState: '57014' })
      await holder.commit().execute()
      expect(await balances()).toEqual([1])
      expect(await test1.rows('select * from notes')).toEqual([])
      await stopped.end()
    })
  })

  test(`a table that is made later is found on ${kind}`, async () => {
    await test1.run('create table later (id integer primary key)')
    await own.database.insertInto('main.later').values({ id: 1 }).execute()
    expect(await own.database.selectFrom('main.later').selectAll().execute()).toEqual([{ id: 1 }])
  })
})
