import { and, desc, eq, exists, gt, inArray, lt, max, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import {
  counters,
  folders,
  memberships,
  scratch,
  scratchModes,
  settings,
} from '../scratch-schema.ts'

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
  write('update from with join', async (db) => {
    const f2 = alias(folders, 'f2')
    await db
      .update(folders)
      .set({ name: sql`${f2.name} || '/' || ${folders.name}` })
      .from(f2)
      .where(eq(folders.parentId, f2.id))
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('update from left join returning', async (db) => {
    const f2 = alias(folders, 'f2')
    const f3 = alias(folders, 'f3')
    return (
      await db
        .update(folders)
        .set({ name: sql`coalesce(${f3.name}, 'none')` })
        .from(f2)
        .leftJoin(f3, eq(f3.id, f2.parentId))
        .where(eq(folders.parentId, f2.id))
        .returning({ id: folders.id, name: folders.name, p: f2.name })
    ).sort((a, b) => a.id - b.id)
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
  write('toggle boolean', (db) =>
    db
      .update(settings)
      .set({ enabled: not(settings.enabled) })
      .where(eq(settings.id, 1))
      .returning(),
  ),
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
  write('$onUpdate runs', async (db) => {
    await db.update(scratchModes).set({ name: 'z' }).where(eq(scratchModes.id, 3))
    return db
      .select({ id: scratch.id, name: scratch.name, note: scratch.note })
      .from(scratch)
      .orderBy(scratch.id)
  }),
  write('update where exists', async (db) => {
    const f2 = alias(folders, 'c')
    await db
      .update(folders)
      .set({ name: 'parent' })
      .where(exists(db.select({ one: sql`1` }).from(f2).where(eq(f2.parentId, folders.id))))
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('update with order/limit via subquery', async (db) => {
    await db
      .update(scratch)
      .set({ note: 'top' })
      .where(
        inArray(
          scratch.id,
          db.select({ id: scratch.id }).from(scratch).orderBy(desc(scratch.n), scratch.id).limit(2),
        ),
      )
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('optimistic lock update returning none', (db) =>
    db
      .update(counters)
      .set({ n: sql`${counters.n} + 1` })
      .where(and(eq(counters.key, 'hits'), eq(counters.n, 999)))
      .returning(),
  ),
  write('delete with $with', async (db) => {
    const w = db.$with('w').as(db.select({ m: max(scratch.id).as('m') }).from(scratch))
    await db
      .with(w)
      .delete(scratch)
      .where(eq(scratch.id, sql`(select ${w.m} from ${w})`))
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('delete oldest n by subquery limit', async (db) => {
    await db
      .delete(memberships)
      .where(
        inArray(
          memberships.id,
          db
            .select({ id: memberships.id })
            .from(memberships)
            .orderBy(memberships.points, memberships.id)
            .limit(2),
        ),
      )
    return db.select().from(memberships).orderBy(memberships.id)
  }),
  write('delete returning sorted', async (db) =>
    (await db.delete(memberships).where(eq(memberships.team, 'red')).returning()).sort(
      (a, b) => a.id - b.id,
    ),
  ),
  write('delete using by hand', async (db) => {
    await db.execute(
      sql`delete from ${folders} using ${folders} p where ${folders.parentId} = p.id and p.name = 'root'`,
    )
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('delete duplicates keep lowest id', async (db) => {
    const d = alias(scratch, 'd')
    await db.delete(scratch).where(
      exists(
        db
          .select({ one: sql`1` })
          .from(d)
          .where(and(eq(d.n, scratch.n), lt(d.id, scratch.id))),
      ),
    )
    return db.select().from(scratch).orderBy(scratch.id)
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
