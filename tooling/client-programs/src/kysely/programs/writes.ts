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
  write('insert many returning numbers', (db) =>
    db
      .insertInto('folders')
      .values([{ name: 'a' }, { name: 'b', parent_id: 1 }])
      .returning(['name', 'parent_id'])
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
