import { eq, inArray, isNotNull, lt, sql, sum } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, read, write } from '../client.ts'
import { customerProfiles, customers, orders } from '../schema.ts'
import { counters, folders, memberships, scratch } from '../scratch-schema.ts'

/** The query builder of 1.0, and its writes in every mode. */
export const builder: readonly Program<Db>[] = [
  read('cte with aggregated and filter', (db) => {
    const c = db.$with('c').as(
      db
        .select({ cid: orders.customerId, total: sum(orders.totalCents).as('total') })
        .from(orders)
        .groupBy(orders.customerId),
    )
    return db
      .with(c)
      .select({ n: customers.companyName, t: c.total })
      .from(customers)
      .leftJoin(c, eq(c.cid, customers.id))
      .orderBy(customers.id)
  }),
  read('group by rollup', (db) =>
    db
      .select({ st: orders.status, c: sql`count(*)` })
      .from(orders)
      .groupBy(sql`rollup(${orders.status})`)
      .orderBy(sql`1 nulls last`),
  ),
  read('date mode and comparisons', (db) =>
    db
      .select({ id: customerProfiles.id, b: customerProfiles.birthday })
      .from(customerProfiles)
      .where(lt(customerProfiles.birthday, new Date('1990-01-01')))
      .orderBy(customerProfiles.id),
  ),
  write('v1 upsert', (db) =>
    db
      .insert(counters)
      .values([
        { key: 'hits', n: 1 },
        { key: 'n', n: 2 },
      ])
      .onConflictDoUpdate({ target: counters.key, set: { n: sql`${counters.n} + excluded.n` } })
      .returning()
      .then((r) => r.sort((a, b) => (a.key < b.key ? -1 : 1))),
  ),
  write('v1 doNothing', (db) =>
    db.insert(memberships).values({ team: 'red', member: 'ada' }).onConflictDoNothing().returning(),
  ),
  write('v1 update returning', (db) =>
    db
      .update(scratch)
      .set({ data: { new: true }, at: new Date(0), amount: '9.999', bytes: Buffer.from('hi') })
      .where(eq(scratch.id, 1))
      .returning(),
  ),
  write('v1 with delete', async (db) => {
    const w = db
      .$with('w')
      .as(db.select({ id: folders.id }).from(folders).where(isNotNull(folders.parentId)))
    await db
      .with(w)
      .delete(folders)
      .where(inArray(folders.id, db.select({ id: w.id }).from(w)))
    return db.select().from(folders).orderBy(folders.id)
  }),
]
