import { and, asc, count, desc, eq, gt, ilike, inArray, isNull, lt, max, sql } from 'drizzle-orm'
import { alias, type PgSelect, union, unionAll } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { categories, customers, orders, reviews, suppliers } from '../schema.ts'

/** Examples from the guides of Drizzle: pages, dynamic queries, the first few of each group. */
export const guides: readonly Program<Db>[] = [
  read('conditional where', (db) => {
    const term: string | undefined = 'tea'
    return db
      .select()
      .from(categories)
      .where(term ? ilike(categories.name, `%${term}%`) : undefined)
      .orderBy(categories.id)
  }),
  read('$dynamic with pagination', (db) => {
    const withPage = <Query extends PgSelect>(query: Query, page: number, size = 5) =>
      query.limit(size).offset((page - 1) * size)
    return withPage(db.select().from(customers).orderBy(customers.id).$dynamic(), 2)
  }),
  read('with() two CTEs and join', (db) => {
    const a = db.$with('regional').as(
      db
        .select({
          country: customers.country,
          total: sql<number>`sum(${orders.totalCents})`.as('total'),
        })
        .from(orders)
        .innerJoin(customers, eq(customers.id, orders.customerId))
        .groupBy(customers.country),
    )
    const top = db.$with('top').as(
      db
        .select({ country: a.country })
        .from(a)
        .where(gt(a.total, sql`(select sum(${a.total})/10 from ${a})`)),
    )
    return db
      .with(a, top)
      .select({ country: customers.country, n: sql<number>`cast(count(*) as int)` })
      .from(customers)
      .where(inArray(customers.country, db.select({ country: top.country }).from(top)))
      .groupBy(customers.country)
      .orderBy(customers.country)
  }),
  read('right join whole tables', (db) =>
    db
      .select()
      .from(reviews)
      .rightJoin(customers, and(eq(reviews.customerId, customers.id), eq(reviews.rating, 1)))
      .orderBy(customers.id, sql`${reviews.id} nulls first`),
  ),
  read('inner join lateral, aggregate', (db) => {
    const sub = db
      .select({ n: count().as('n'), m: max(orders.orderDate).as('m') })
      .from(orders)
      .where(eq(orders.customerId, customers.id))
      .as('agg')
    return db
      .select({ c: customers.id, n: sub.n, m: sub.m })
      .from(customers)
      .innerJoinLateral(sub, sql`true`)
      .orderBy(customers.id)
  }),
  read('lateral without equality: next order of the same customer', (db) => {
    const o2 = alias(orders, 'o2')
    const sub = db
      .select({ id: o2.id })
      .from(o2)
      .where(and(eq(o2.customerId, orders.customerId), gt(o2.orderDate, orders.orderDate)))
      .orderBy(o2.orderDate, o2.id)
      .limit(1)
      .as('nxt')
    return db
      .select({ id: orders.id, nxt: sub.id })
      .from(orders)
      .leftJoinLateral(sub, sql`true`)
      .orderBy(orders.id)
      .limit(40)
  }),
  read('union query builder with orderBy limit', (db) =>
    union(
      db.select({ name: customers.companyName, k: sql<string>`'c'` }).from(customers),
      db.select({ name: suppliers.name, k: sql<string>`'s'` }).from(suppliers),
    )
      .orderBy(asc(sql`1`), sql`2`)
      .limit(10)
      .offset(2),
  ),
  read('unionAll of three', (db) =>
    unionAll(
      db.select({ c: customers.country }).from(customers),
      db.select({ c: suppliers.country }).from(suppliers),
      db.select({ c: customers.country }).from(customers).where(isNull(customers.city)),
    ).orderBy(sql`1`),
  ),
  read('intersect / except chains', (db) =>
    db
      .select({ c: customers.country })
      .from(customers)
      .intersect(db.select({ c: suppliers.country }).from(suppliers))
      .except(db.select({ c: suppliers.country }).from(suppliers).where(gt(suppliers.rating, 4)))
      .orderBy(sql`1`),
  ),
  read('union inside a CTE', (db) => {
    const u = db.$with('u').as(
      db
        .select({ id: customers.id, n: customers.companyName })
        .from(customers)
        .where(lt(customers.id, 4))
        .unionAll(
          db
            .select({ id: suppliers.id, n: suppliers.name })
            .from(suppliers)
            .where(lt(suppliers.id, 4)),
        ),
    )
    return db.with(u).select().from(u).orderBy(u.n, u.id)
  }),
  read('order by case expression', (db) =>
    db
      .select({ id: orders.id, s: orders.status })
      .from(orders)
      .orderBy(
        sql`case ${orders.status} when 'paid' then 0 when 'new' then 1 else 2 end`,
        desc(orders.id),
      )
      .limit(12),
  ),
]
