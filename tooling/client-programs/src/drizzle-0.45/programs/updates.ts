import { and, eq, gt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { orders } from '../schema.ts'
import { counters, memberships, scratch, settings } from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const memberRows = (db: Db) => db.select().from(memberships).orderBy(memberships.id)
const counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)

/** Rows that a write returns have no order. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.id - b.id)

/** Updates; each returns its RETURNING rows and the table afterwards. */
export const updates: readonly Program<Db>[] = [
  write('an update that returns the rows as they are now', async (db) =>
    byId(await db.update(scratch).set({ n: 0 }).where(gt(scratch.id, 2)).returning()),
  ),
  write('an update to the default by hand', async (db) => {
    await db.execute(sql`update main.settings set level = default, name = default where id = 2`)
    return db.select().from(settings).orderBy(settings.id)
  }),
  write('two columns that change places', async (db) => {
    await db.execute(sql`update main.memberships set team = member, member = team where id = 1`)
    return memberRows(db)
  }),
  write('an update to a value from a subquery', async (db) => {
    await db
      .update(counters)
      .set({ n: sql`(select count(*) from ${orders} where ${orders.status} = 'new')` })
      .where(eq(counters.key, 'hits'))
    return counterRows(db)
  }),
  write('an update of json', async (db) => {
    await db
      .update(scratch)
      .set({ data: sql`jsonb_set(${scratch.data}, '{k}', '"new"')` })
      .where(sql`${scratch.data} ? 'k'`)
    return scratchRows(db)
  }),
  write('a prepared update run twice', async (db) => {
    const rename = db
      .update(scratch)
      .set({ note: sql`${sql.placeholder('note')}` })
      .where(eq(scratch.id, sql.placeholder('id')))
      .returning({ id: scratch.id, note: scratch.note })
      .prepare('rename_scratch')
    return [
      await rename.execute({ id: 1, note: 'first' }),
      await rename.execute({ id: 2, note: 'second' }),
    ]
  }),
  write('an update that counts on the value read before', async (db) => {
    const swap = (from: number, to: number) =>
      db
        .update(counters)
        .set({ n: to })
        .where(and(eq(counters.key, 'hits'), eq(counters.n, from)))
        .returning({ n: counters.n })
    return [await swap(10, 11), await swap(10, 12)]
  }),
]
