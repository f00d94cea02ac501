import { eq, inArray, isNull, like, lt, max, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { customers, orders } from '../schema.ts'
import { counters, folders, scratch, settings } from '../scratch-schema.ts'

/** Many rows at once, rows from queries, and values that the database generates. */
export const bulkWrites: readonly Program<Db>[] = [
  write('insert returning whole with sql expression', (db) =>
    db
      .insert(scratch)
      .values({
        name: sql`upper(${'abc'})`,
        n: sql`1 + 2`,
        at: sql`timestamp '2024-01-01 10:00:00'`,
      })
      .returning(),
  ),
  write('insert with a scalar subquery as value', (db) =>
    db
      .insert(folders)
      .values({ name: 'sub', parentId: sql`(select max(id) from ${folders})` })
      .returning(),
  ),
  write('insert with $with and select', async (db) => {
    const w = db
      .$with('w')
      .as(
        db
          .select({ name: folders.name, id: folders.id })
          .from(folders)
          .where(isNull(folders.parentId)),
      )
    await db
      .with(w)
      .insert(folders)
      .values([{ name: 'cte', parentId: sql`(select max(id) from w)` }])
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('insert select with builder', async (db) => {
    await db.insert(folders).select((qb) =>
      qb
        .select({
          id: sql`${folders.id} + 100`.as('id'),
          name: sql`${folders.name} || '!'`.as('name'),
          parentId: folders.id,
        })
        .from(folders),
    )
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('insert select from another table returning', (db) =>
    db
      .insert(counters)
      .select(
        db
          .select({ key: customers.companyName, n: customers.id, updatedAt: customers.createdAt })
          .from(customers)
          .where(lt(customers.id, 2)),
      )
      .returning(),
  ),
  write('insert select with a join and aggregate', async (db) => {
    await db.insert(counters).select(
      db
        .select({
          key: sql<string>`'c' || ${customers.id}`.as('key'),
          n: sql<number>`count(${orders.id})`.as('n'),
          updatedAt: max(orders.orderDate).as('updated_at'),
        })
        .from(customers)
        .leftJoin(orders, eq(orders.customerId, customers.id))
        .groupBy(customers.id),
    )
    return db.select().from(counters).orderBy(counters.key)
  }),
  write(
    'insert select on conflict',
    async (db) => {
      await db
        .insert(counters)
        .select(
          db
            .select({
              key: counters.key,
              n: sql<number>`${counters.n} + 100`.as('n'),
              updatedAt: counters.updatedAt,
            })
            .from(counters),
        )
        .onConflictDoUpdate({ target: counters.key, set: { n: sql`excluded.n` } })
      return db.select().from(counters).orderBy(counters.key)
    },
    { expect: 'equal' },
  ),
  write('insert default sql literal', async (db) => {
    await db.insert(scratch).values({ name: 'd', n: sql`default` })
    return db.select().from(scratch).orderBy(scratch.id)
  }),
  write('insert explicit undefined and null', (db) =>
    db.insert(settings).values({ name: undefined, comment: null, ratio: undefined }).returning(),
  ),
  write(
    'insert 500 rows returning ids',
    async (db) =>
      (
        await db
          .insert(folders)
          .values(Array.from({ length: 500 }, (_, i) => ({ name: `f${i}` })))
          .returning({ id: folders.id })
      ).length,
  ),
  write('json insert shapes and read back with operators', async (db) => {
    await db.insert(scratch).values([
      { name: 'j1', data: { a: { b: [1, 2, { c: 'x' }] }, t: true, n: null } },
      { name: 'j2', data: [1, 'two', null] },
      { name: 'j3', data: 'str' },
      { name: 'j4', data: 5 },
      { name: 'j5', data: false },
    ])
    return db
      .select({
        n: scratch.name,
        d: scratch.data,
        p: sql`${scratch.data} #>> '{a,b,2,c}'`,
        t: sql`jsonb_typeof(${scratch.data})`,
      })
      .from(scratch)
      .where(like(scratch.name, 'j%'))
      .orderBy(scratch.name)
  }),
  write('json null literal vs sql null', async (db) => {
    await db.insert(scratch).values([
      { name: 'jn', data: sql`'null'::jsonb` },
      { name: 'sn', data: null },
    ])
    return db
      .select({
        n: scratch.name,
        isNull: isNull(scratch.data),
        t: sql`jsonb_typeof(${scratch.data})`,
      })
      .from(scratch)
      .where(inArray(scratch.name, ['jn', 'sn']))
      .orderBy(scratch.name)
  }),
]
