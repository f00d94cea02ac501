import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  ilike,
  inArray,
  isNull,
  lt,
  max,
  or,
  sql,
  sum,
} from 'drizzle-orm'
import { alias, type PgSelect, union, unionAll } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { categories, customers, orders, products, reviews, suppliers, tags } from '../schema.ts'
import { folders } from '../scratch-schema.ts'

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
  read('conditional and with undefined parts', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(
        and(
          undefined,
          gt(products.unitPrice, '20'),
          undefined,
          or(undefined, eq(products.discontinued, false)),
        ),
      )
      .orderBy(products.id),
  ),
  read('pagination: page size and page', (db) =>
    db.select().from(tags).orderBy(asc(tags.id)).limit(3).offset(3),
  ),
  read('cursor pagination by id', (db) =>
    db.select().from(orders).where(gt(orders.id, 100)).limit(5).orderBy(asc(orders.id)),
  ),
  read('cursor pagination by two columns', (db) => {
    const c = { status: 'paid', id: 40 }
    return db
      .select({ id: orders.id, status: orders.status })
      .from(orders)
      .where(or(gt(orders.status, c.status), and(eq(orders.status, c.status), gt(orders.id, c.id))))
      .limit(7)
      .orderBy(asc(orders.status), asc(orders.id))
  }),
  read('cursor pagination by a timestamp', (db) =>
    db
      .select({ id: orders.id, at: orders.orderDate })
      .from(orders)
      .where(lt(orders.orderDate, new Date('2023-01-01T00:00:00.000Z')))
      .limit(5)
      .orderBy(desc(orders.orderDate), asc(orders.id)),
  ),
  read('deferred join pagination', (db) => {
    const sq = db
      .select({ id: orders.id })
      .from(orders)
      .orderBy(orders.id)
      .limit(4)
      .offset(8)
      .as('sq')
    return db
      .select(getTableColumns(orders))
      .from(orders)
      .innerJoin(sq, eq(orders.id, sq.id))
      .orderBy(orders.id)
  }),
  read('$dynamic with pagination', (db) => {
    const withPage = <Query extends PgSelect>(query: Query, page: number, size = 5) =>
      query.limit(size).offset((page - 1) * size)
    return withPage(db.select().from(customers).orderBy(customers.id).$dynamic(), 2)
  }),
  read('$dynamic joins and where', (db) => {
    const query = db.select({ id: orders.id, c: customers.companyName }).from(orders).$dynamic()
    query.leftJoin(customers, eq(customers.id, orders.customerId))
    query.where(gt(orders.totalCents, 100000))
    return query.orderBy(orders.id).limit(8)
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
  read('$with using sql with explicit columns', (db) => {
    const w = db.$with('w', { n: sql<number>`n`.as('n') }).as(sql`select 5 as n`)
    return db.with(w).select().from(w)
  }),
  read('groupBy having with sum helper', (db) =>
    db
      .select({ c: orders.customerId, total: sum(orders.totalCents), n: count() })
      .from(orders)
      .groupBy(orders.customerId)
      .having(({ n }) => gt(n, 8))
      .orderBy(orders.customerId),
  ),
  read('count in select mapWith', (db) =>
    db
      .select({
        n: sql<number>`count(*)`.mapWith(Number),
        m: sql`count(distinct ${products.categoryId})`.mapWith(Number),
      })
      .from(products),
  ),
  read('mapWith a column decoder', (db) =>
    db
      .select({
        last: sql`max(${orders.orderDate})`.mapWith(orders.orderDate),
        p: sql`max(${orders.paidAt})`.mapWith(orders.paidAt),
      })
      .from(orders),
  ),
  read('selectDistinctOn', (db) =>
    db
      .selectDistinctOn([orders.customerId, orders.status], {
        c: orders.customerId,
        st: orders.status,
        id: orders.id,
      })
      .from(orders)
      .orderBy(orders.customerId, orders.status, desc(orders.id)),
  ),
  read('right join whole tables', (db) =>
    db
      .select()
      .from(reviews)
      .rightJoin(customers, and(eq(reviews.customerId, customers.id), eq(reviews.rating, 1)))
      .orderBy(customers.id, sql`${reviews.id} nulls first`),
  ),
  read('cross join small', (db) =>
    db
      .select({ a: tags.name, b: folders.name })
      .from(tags)
      .crossJoin(folders)
      .orderBy(tags.id, folders.id)
      .limit(20),
  ),
  read('left join lateral', (db) => {
    const sub = db
      .select({ id: orders.id, total: orders.totalCents })
      .from(orders)
      .where(eq(orders.customerId, customers.id))
      .orderBy(desc(orders.totalCents), orders.id)
      .limit(2)
      .as('top')
    return db
      .select({ c: customers.id, o: sub.id, t: sub.total })
      .from(customers)
      .leftJoinLateral(sub, sql`true`)
      .orderBy(customers.id, desc(sub.total), sub.id)
  }),
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
  read('cross join lateral over a limit of one', (db) => {
    const sub = db
      .select({ id: reviews.id, rating: reviews.rating })
      .from(reviews)
      .where(eq(reviews.productId, products.id))
      .orderBy(desc(reviews.createdAt), reviews.id)
      .limit(1)
      .as('r')
    return db
      .select({ p: products.id, r: sub.id, g: sub.rating })
      .from(products)
      .crossJoinLateral(sub)
      .orderBy(products.id)
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
