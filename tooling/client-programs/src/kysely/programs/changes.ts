import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'

const scratchRows = (db: Db) => db.selectFrom('scratch').selectAll().orderBy('id').execute()
const stockRows = (db: Db) => db.selectFrom('stock').selectAll().orderBy('code').execute()
const memberRows = (db: Db) => db.selectFrom('memberships').selectAll().orderBy('id').execute()
const counterRows = (db: Db) => db.selectFrom('counters').selectAll().orderBy('key').execute()
const folderRows = (db: Db) => db.selectFrom('folders').selectAll().orderBy('id').execute()

/** Rows that a write returns have no order. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.id - b.id)

/** Updates, deletes and merges: their results, and the table afterwards. */
export const changes: readonly Program<Db>[] = [
  write('an update that counts on the value read before', async (db) => {
    const swap = (from: number, to: number) =>
      db
        .updateTable('counters')
        .set({ n: to })
        .where('key', '=', 'hits')
        .where('n', '=', from)
        .executeTakeFirst()
    const first = await swap(10, 11)
    const second = await swap(10, 12)
    return [first.numUpdatedRows, second.numUpdatedRows, await counterRows(db)]
  }),
  write('an update that returns an expression', (db) =>
    db
      .updateTable('scratch')
      .set('n', 41)
      .where('id', '=', 2)
      .returning((eb) => ['id', eb('n', '+', 1).as('next')])
      .executeTakeFirst(),
  ),
  write('an update that reads the old value', async (db) => {
    await db
      .updateTable('memberships')
      .set((eb) => ({
        points: eb('points', '+', 10),
        role: eb.fn<string>('upper', ['role']),
      }))
      .where('team', '=', 'red')
      .execute()
    return memberRows(db)
  }),
  write('an update with a common table expression', async (db) => {
    await db
      .with('low', (qb) => qb.selectFrom('stock').select('code').where('quantity', '<', 6))
      .updateTable('stock')
      .set({ price: '9.99' })
      .where('code', 'in', (eb) => eb.selectFrom('low').select('low.code'))
      .execute()
    return stockRows(db)
  }),
  write(
    'an update that breaks a unique key',
    (db) =>
      db.updateTable('memberships').set({ team: 'red' }).where('member', '=', 'ada').execute(),
    { expect: { rejected: 409 } },
  ),
  write('a delete that returns rows', async (db) =>
    byId(await db.deleteFrom('scratch').where('id', '>', 2).returningAll().execute()),
  ),
  write('a delete takes the rows beneath with it', async (db) => [
    await db.deleteFrom('folders').where('id', '=', 2).executeTakeFirst(),
    await folderRows(db),
  ]),
  write(
    'a delete of a row that others need',
    (db) => db.deleteFrom('products').where('id', '=', 1).execute(),
    { expect: { rejected: 409 } },
  ),
  write('a write by hand answers with the number of rows', async (db) => {
    const { numAffectedRows } = await sql`update main.stock set quantity = quantity + 1`.execute(db)
    return [numAffectedRows, await stockRows(db)]
  }),
  write('insert, update and delete in a row', async (db) => {
    const { id } = await db
      .insertInto('scratch')
      .values({ name: 'temporary' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const changed = await db
      .updateTable('scratch')
      .set({ n: 99 })
      .where('id', '=', id)
      .returning(['id', 'n'])
      .execute()
    const gone = await db.deleteFrom('scratch').where('id', '=', id).executeTakeFirst()
    return [id, changed, gone.numDeletedRows, await scratchRows(db)]
  }),
  write(
    'a merge',
    async (db) => [
      await db
        .mergeInto('counters')
        .using('memberships', 'memberships.member', 'counters.key')
        .whenMatched()
        .thenDelete()
        .whenNotMatched()
        .thenDoNothing()
        .executeTakeFirst(),
      await counterRows(db),
    ],
    { portable: false },
  ),
  write(
    'a merge that updates and inserts',
    async (db) => [
      await db
        .mergeInto('counters as c')
        .using('scratch as s', (join) => join.onRef('c.n', '=', 's.n').on('s.id', '<', 4))
        .whenMatchedAnd('s.id', '>', 100)
        .thenDelete()
        .whenMatched()
        .thenUpdateSet((eb) => ({ n: eb('s.id', '+', 1000) }))
        .whenNotMatchedAnd('s.id', '=', 4)
        .thenDoNothing()
        .whenNotMatched()
        .thenInsertValues((eb) => ({ key: eb.ref('s.name'), n: eb.ref('s.n') }))
        .executeTakeFirst(),
      await counterRows(db),
    ],
    { portable: false },
  ),
  write(
    'a merge of values',
    async (db) => {
      const merge = (key: string, n: number) =>
        db
          .mergeInto('counters as c')
          .using(
            sql<{ key: string; n: number }>`(select ${key}::text as key, ${n}::int as n)`.as('s'),
            (join) => join.onRef('c.key', '=', 's.key'),
          )
          .whenMatched()
          .thenUpdateSet((eb) => ({ n: eb('c.n', '+', eb.ref('s.n')) }))
          .whenNotMatched()
          .thenInsertValues((eb) => ({ key: eb.ref('s.key'), n: eb.ref('s.n') }))
          .executeTakeFirst()
      return [await merge('hits', 5), await merge('new', 7), await counterRows(db)]
    },
    { portable: false },
  ),
  write(
    'a common table expression that writes',
    async (db) => [
      await db
        .with('gone', (qb) => qb.deleteFrom('stock').where('quantity', '=', 0).returningAll())
        .selectFrom('gone')
        .selectAll()
        .orderBy('code')
        .execute(),
      await stockRows(db),
    ],
    { portable: false },
  ),
]
