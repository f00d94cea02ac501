import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import { except, exceptAll, intersect, intersectAll, union, unionAll } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders, products, suppliers } from '../schema.ts'

const customerCountries = (db: Db) => db.select({ country: customers.country }).from(customers)
const supplierCountries = (db: Db) => db.select({ country: suppliers.country }).from(suppliers)

/** Subqueries, common table expressions, set operations. */
export const subqueries: readonly Program<Db>[] = [
  read('a subquery in from', (db) => {
    const dear = db
      .select({ id: products.id, price: products.unitPrice })
      .from(products)
      .where(gt(products.unitPrice, '100'))
      .as('dear')
    return db.select().from(dear).orderBy(desc(dear.price), dear.id)
  }),
  read('a subquery of a subquery', (db) => {
    const inner = db
      .select({ customer: orders.customerId, n: sql<string>`count(*)`.as('n') })
      .from(orders)
      .groupBy(orders.customerId)
      .as('inner_counts')
    const outer = db
      .select({ n: inner.n, customers: sql<string>`count(*)`.as('customers') })
      .from(inner)
      .groupBy(inner.n)
      .as('outer_counts')
    return db.select().from(outer).orderBy(outer.n)
  }),
  read('a filter on a numbered subquery', (db) => {
    const ranked = db
      .select({
        id: orders.id,
        customer: orders.customerId,
        rank: sql<number>`row_number() over (partition by ${orders.customerId} order by ${orders.orderDate} desc, ${orders.id})`
          .mapWith(Number)
          .as('rank'),
      })
      .from(orders)
      .as('ranked')
    return db.select().from(ranked).where(lte(ranked.rank, 2)).orderBy(ranked.customer, ranked.rank)
  }),
  read('a subquery as a field', (db) => {
    const newest = db
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.customerId, customers.id))
      .orderBy(desc(orders.orderDate), orders.id)
      .limit(1)
    return db
      .select({ id: customers.id, newest: sql<number | null>`(${newest})` })
      .from(customers)
      .orderBy(customers.id)
  }),
  read('two common table expressions joined', (db) => {
    const cheap = db
      .$with('cheap')
      .as(db.select().from(products).where(lt(products.unitPrice, '5')))
    const local = db
      .$with('local')
      .as(db.select().from(suppliers).where(eq(suppliers.active, true)))
    return db
      .with(cheap, local)
      .select({ product: cheap.name, supplier: local.name })
      .from(cheap)
      .innerJoin(local, eq(local.id, cheap.supplierId))
      .orderBy(cheap.id)
  }),
  read('a common table expression from another', (db) => {
    const counts = db.$with('counts').as(
      db
        .select({ employee: orders.employeeId, n: sql<string>`count(*)`.as('n') })
        .from(orders)
        .groupBy(orders.employeeId),
    )
    const top = db.$with('top').as(
      db
        .with(counts)
        .select({ most: sql<string>`max(${counts.n})`.as('most') })
        .from(counts),
    )
    return db
      .with(counts, top)
      .select({ employee: counts.employee, n: counts.n })
      .from(counts)
      .innerJoin(top, eq(counts.n, top.most))
      .orderBy(counts.employee)
  }),
  read('a common table expression named like a table', (db) => {
    const shadow = db
      .$with('orders')
      .as(db.select({ id: orders.id, status: orders.status }).from(orders).where(lt(orders.id, 6)))
    return db.with(shadow).select().from(shadow).orderBy(shadow.id)
  }),
  read('intersect all', (db) =>
    intersectAll(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
  ),
  read('except', (db) => except(customerCountries(db), supplierCountries(db)).orderBy(sql`1`)),
  read('except all', (db) =>
    exceptAll(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
  ),
  read('set operations chained on a query', (db) =>
    customerCountries(db)
      .union(supplierCountries(db))
      .except(db.select({ country: customers.country }).from(customers).where(eq(customers.id, 1)))
      .orderBy(sql`1`),
  ),
  read('a set operation inside another', (db) =>
    unionAll(
      customerCountries(db),
      intersect(supplierCountries(db), customerCountries(db)),
    ).orderBy(sql`1`),
  ),
  read('a set operation of several columns, with nulls', (db) =>
    union(
      db.select({ a: customers.city, b: customers.active }).from(customers),
      db.select({ a: orders.shipCity, b: sql<boolean>`true` }).from(orders),
    ).orderBy(sql`1 nulls first`, sql`2`),
  ),
  read('a filter with a grouped subquery', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(
        and(
          eq(products.discontinued, false),
          sql`${products.id} in (select product_id from main.reviews group by product_id having avg(rating) >= ${4})`,
        ),
      )
      .orderBy(products.id),
  ),
]
