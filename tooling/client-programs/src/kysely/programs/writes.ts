import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'

/** Writes from the recipes of Kysely. */
export const writes: readonly Program<Db>[] = [
  write('insert values expression builder', (db) =>
    db
      .insertInto('counters')
      .values((eb) => ({
        key: 'x',
        n: eb.selectFrom('folders').select((e) => e.fn.max('id').as('m')),
        updated_at: sql`timestamp '2024-01-01'`,
      }))
      .returningAll()
      .executeTakeFirst(),
  ),
  write('insert columns expression', (db) =>
    db
      .insertInto('counters')
      .columns(['key', 'n'])
      .expression((eb) =>
        eb
          .selectFrom('customers')
          .select((_e) => [sql<string>`'c' || id`.as('key'), 'id as n'])
          .where('id', '<', 4),
      )
      .returning(['key', 'n'])
      .execute()
      .then((r) => r.sort((a, b) => a.n - b.n)),
  ),
  write('insert onConflict doUpdateSet with excluded eb', (db) =>
    db
      .insertInto('counters')
      .values([
        { key: 'hits', n: 5 },
        { key: 'q', n: 1 },
      ])
      .onConflict((oc) =>
        oc.column('key').doUpdateSet((eb) => ({ n: eb('counters.n', '+', eb.ref('excluded.n')) })),
      )
      .returningAll()
      .execute()
      .then((r) => r.sort((a, b) => (a.key < b.key ? -1 : 1))),
  ),
  write('insert onConflict columns where', (db) =>
    db
      .insertInto('memberships')
      .values({ team: 'red', member: 'ada', points: 3 })
      .onConflict((oc) =>
        oc
          .columns(['team', 'member'])
          .doUpdateSet({ points: 99 })
          .where('memberships.points', '<', 5),
      )
      .returningAll()
      .execute(),
  ),
  write('insert onConflict doNothing no target', (db) =>
    db
      .insertInto('counters')
      .values({ key: 'hits', n: 5 })
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst(),
  ),
  write('insert defaultValues', (db) =>
    db.insertInto('settings').defaultValues().returningAll().executeTakeFirst(),
  ),
  write('insert many returning numbers', (db) =>
    db
      .insertInto('folders')
      .values([{ name: 'a' }, { name: 'b', parent_id: 1 }])
      .returning(['name', 'parent_id'])
      .execute(),
  ),
  write('update with set callbacks', (db) =>
    db
      .updateTable('scratch')
      .set((eb) => ({
        n: eb('n', '*', 2),
        note: eb.fn('concat', ['name', sql.lit('-'), 'n']),
        amount: eb.fn.coalesce('amount', sql.lit(1)),
      }))
      .where('id', '<', 4)
      .returning(['id', 'n', 'note', 'amount'])
      .execute()
      .then((r) => r.sort((a, b) => a.id - b.id)),
  ),
  write('update set by key and value', (db) =>
    db
      .updateTable('scratch')
      .set('n', (eb) => eb('n', '+', 1))
      .set('flag', false)
      .where('id', '=', 1)
      .returning(['n', 'flag'])
      .execute(),
  ),
  write('update from join', async (db) => {
    await db
      .updateTable('folders as f')
      .from('folders as p')
      .set((eb) => ({ name: sql`${eb.ref('p.name')} || '/' || ${eb.ref('f.name')}` }))
      .whereRef('f.parent_id', '=', 'p.id')
      .execute()
    return db.selectFrom('folders').selectAll().orderBy('id').execute()
  }),
  write('delete using', async (db) => {
    await db
      .deleteFrom('folders')
      .using('folders as p')
      .whereRef('folders.parent_id', '=', 'p.id')
      .where('p.name', '=', 'root')
      .execute()
    return db.selectFrom('folders').selectAll().orderBy('id').execute()
  }),
  write('delete using innerJoin', async (db) => {
    await db
      .deleteFrom('memberships')
      .using('memberships as m')
      .innerJoin('counters as c', 'c.n', 'm.points')
      .whereRef('memberships.id', '=', 'm.id')
      .execute()
    return db.selectFrom('memberships').selectAll().orderBy('id').execute()
  }),
  write('delete returning', (db) =>
    db
      .deleteFrom('memberships')
      .where('team', '=', 'blue')
      .returning(['id', 'member'])
      .execute()
      .then((r) => r.sort((a, b) => a.id - b.id)),
  ),
  write('delete numDeletedRows bigint', (db) =>
    db
      .deleteFrom('memberships')
      .where('team', '=', 'blue')
      .executeTakeFirst()
      .then((r) => [r.numDeletedRows, typeof r.numDeletedRows]),
  ),
  write('json object value as param', (db) =>
    db
      .insertInto('scratch')
      .values({
        name: 'x',
        data: JSON.stringify({ a: [1, 2] }),
        bytes: Buffer.from([1, 2]),
        big: 12n,
        amount: 1.5,
        at: '2024-01-01 00:00:00',
        seen_at: new Date('2024-01-01T00:00:00Z'),
        day: '2024-01-01',
      })
      .returningAll()
      .execute(),
  ),
  write('number results of insert/update without returning', async (db) => [
    await db
      .insertInto('folders')
      .values({ name: 'q' })
      .executeTakeFirst()
      .then((r) => r.numInsertedOrUpdatedRows),
    await db
      .updateTable('folders')
      .set({ name: 'r' })
      .where('parent_id', 'is', null)
      .executeTakeFirst()
      .then((r) => r.numUpdatedRows),
  ]),
]
