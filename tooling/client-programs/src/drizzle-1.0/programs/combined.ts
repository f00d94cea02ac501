import { count, desc, eq, gt, lt, sql } from 'drizzle-orm-v1'
import { except, intersect, intersectAll, union, unionAll } from 'drizzle-orm-v1/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders, products, suppliers } from '../schema.ts'

const customerCountries = (db: Db) => db.select({ country: customers.country }).from(customers)
const supplierCountries = (db: Db) => db.select({ country: suppliers.country }).from(suppliers)

/** Set operations, which 1.0 wraps in a subquery, and common table expressions. */
export const combined: readonly Program<Db>[] = [
  read('union all with a limit', (db) =>
    unionAll(customerCountries(db), supplierCountries(db))
      .orderBy(sql`country`)
      .limit(10)
      .offset(2),
  ),
  read('intersect and intersect all', async (db) => [
    await intersect(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
    await intersectAll(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
  ]),
  read('except, and a union inside it', (db) =>
    except(customerCountries(db), union(supplierCountries(db), supplierCountries(db))).orderBy(
      sql`1`,
    ),
  ),
  read('set operations chained on a query', (db) =>
    customerCountries(db)
      .union(supplierCountries(db))
      .except(db.select({ country: customers.country }).from(customers).where(eq(customers.id, 1)))
      .orderBy(sql`1`),
  ),
  read('a set operation as a subquery', (db) => {
    const all = unionAll(customerCountries(db), supplierCountries(db)).as('everyone')
    return db
      .select({ country: all.country, n: count() })
      .from(all)
      .groupBy(all.country)
      .orderBy(all.country)
  }),
  read('common table expressions', (db) => {
    const counts = db.$with('counts').as(
      db
        .select({ customer: orders.customerId, n: sql<number>`count(*)`.mapWith(Number).as('n') })
        .from(orders)
        .groupBy(orders.customerId),
    )
    const top = db.$with('top').as(db.with(counts).select().from(counts).where(gt(counts.n, 5)))
    return db
      .with(counts, top)
      .select({ name: customers.companyName, n: top.n })
      .from(top)
      .innerJoin(customers, eq(customers.id, top.customer))
      .orderBy(desc(top.n), customers.id)
  }),
  read('a common table expression named like a table', (db) => {
    const shadow = db
      .$with('products')
      .as(
        db
          .select({ id: products.id, at: products.createdAt })
          .from(products)
          .where(lt(products.id, 6)),
      )
    return db.with(shadow).select().from(shadow).orderBy(shadow.id)
  }),
]
