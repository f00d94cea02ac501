import { eq, gt, inArray, lt, not, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { counters, folders, memberships, scratch } from '../scratch-schema.ts'

/** Updates with expressions and with other rows, and deletes with other rows. */
export const changes: readonly Program<Db>[] = [
  write('update set sql fragments', async (db) => {
    await db
      .update(scratch)
      .set({
        note: sql`concat(${scratch.name}, '-', ${scratch.n})`,
        n: sql`${scratch.n} * 2 + 1`,
        flag: not(scratch.flag),
      })
      .where(gt(scratch.id, 1))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('update returning partial with aliased expression', async (db) =>
    (
      await db
        .update(scratch)
        .set({ n: 100 })
        .where(inArray(scratch.id, [1, 2]))
        .returning({ id: scratch.id, dbl: sql<number>`${scratch.n} * 2`.as('dbl') })
    ).sort((a, b) => a.id - b.id),
  ),
  write('update with $with', async (db) => {
    const avgN = db.$with('a').as(db.select({ v: sql`avg(${scratch.n})`.as('v') }).from(scratch))
    await db
      .with(avgN)
      .update(scratch)
      .set({ note: 'below' })
      .where(lt(scratch.n, sql`(select ${avgN.v} from ${avgN})`))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write(
    'update from a values list',
    async (db) => {
      await db.execute(
        sql`update ${counters} set n = v.n from (values ('hits', 1), ('misses', 2)) as v(key, n) where ${counters.key} = v.key`,
      )
      return db.select().from(counters).orderBy(counters.key)
    },
    {},
  ),
  write('bulk update with case cast integer', async (db) => {
    await db.update(scratch).set({
      n: sql`case when ${scratch.id} = ${1} then ${11}::integer when ${scratch.id} = ${2} then ${22}::integer else ${scratch.n} end`,
    })
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('update jsonb with jsonb_set and ||', async (db) => {
    await db
      .update(scratch)
      .set({ data: sql`${scratch.data} || ${'{"x": [1,2]}'}::jsonb` })
      .where(lt(scratch.id, 3))
    await db
      .update(scratch)
      .set({ data: sql`jsonb_set(${scratch.data}, '{k}', ${'"v"'}::jsonb)` })
      .where(eq(scratch.id, 1))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('update json remove key', async (db) => {
    await db
      .update(scratch)
      .set({ data: sql`${scratch.data} - 'k'` })
      .where(lt(scratch.id, 3))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('update dates arithmetic', async (db) => {
    await db
      .update(scratch)
      .set({
        day: sql`${scratch.day} + 1`,
        at: sql`${scratch.at} + interval '1 month'`,
        seenAt: sql`date_trunc('hour', ${scratch.seenAt})`,
      })
      .where(lt(scratch.id, 4))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('update decimal arithmetic', async (db) => {
    await db
      .update(scratch)
      .set({ amount: sql`round(${scratch.amount} * 1.075, 2)` })
      .where(lt(scratch.id, 5))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('swap unique values through update', (db) =>
    db
      .update(memberships)
      .set({ points: sql`${memberships.points} + (select sum(m.points) from main.memberships m)` })
      .returning({ id: memberships.id, p: memberships.points })
      .then((r) => r.sort((a, b) => a.id - b.id)),
  ),
  write('delete using by hand', async (db) => {
    await db.execute(
      sql`delete from ${folders} using ${folders} p where ${folders.parentId} = p.id and p.name = 'root'`,
    )
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('delete not in subquery', async (db) => {
    await db
      .delete(folders)
      .where(
        sql`${folders.id} not in (select parent_id from ${folders} where parent_id is not null)`,
      )
    return db.select().from(folders).orderBy(folders.id)
  }),
]
