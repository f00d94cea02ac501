import { and, asc, count, desc, eq, gt, lt, lte, max, sql } from 'drizzle-orm'
import { except, exceptAll, intersect, intersectAll, union, unionAll } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { categories, customers, employees, orders, products, suppliers } from '../schema.ts'

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
  read('a scalar subquery as a field', (db) =>
    db
      .select({
        id: categories.id,
        products:
          sql<number>`(select count(*) from ${products} where ${products.categoryId} = ${categories.id})`.mapWith(
            Number,
          ),
      })
      .from(categories)
      .orderBy(categories.id),
  ),
  read('a built scalar subquery as a field', (db) =>
    db
      .select({
        id: customers.id,
        last: sql<string | null>`${db
          .select({ last: max(orders.orderDate) })
          .from(orders)
          .where(eq(orders.customerId, customers.id))}`,
      })
      .from(customers)
      .orderBy(customers.id),
  ),
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
  read('a common table expression', (db) => {
    const big = db.$with('big').as(db.select().from(orders).where(gt(orders.totalCents, 1_000_000)))
    return db.with(big).select().from(big).orderBy(big.id)
  }),
  read('a common table expression with an aliased aggregate', (db) => {
    const counts = db.$with('counts').as(
      db
        .select({ customer: orders.customerId, n: sql<number>`count(*)`.mapWith(Number).as('n') })
        .from(orders)
        .groupBy(orders.customerId),
    )
    return db
      .with(counts)
      .select({ name: customers.companyName, n: counts.n })
      .from(counts)
      .innerJoin(customers, eq(customers.id, counts.customer))
      .where(gt(counts.n, 5))
      .orderBy(desc(counts.n), customers.id)
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
  read('a common table expression used twice', (db) => {
    const team = db.$with('team').as(db.select().from(employees).where(eq(employees.active, true)))
    return db
      .with(team)
      .select({
        id: team.id,
        all: sql<number>`(select count(*) from ${team})`.mapWith(Number),
      })
      .from(team)
      .orderBy(team.id)
  }),
  read('union drops duplicates', (db) =>
    union(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
  ),
  read('union all keeps duplicates', (db) =>
    unionAll(customerCountries(db), supplierCountries(db)).orderBy(sql`country`),
  ),
  read('intersect', (db) =>
    intersect(customerCountries(db), supplierCountries(db)).orderBy(sql`1`),
  ),
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
  read('a set operation with a limit and an offset', (db) =>
    union(customerCountries(db), supplierCountries(db)).orderBy(sql`1`).limit(3).offset(1),
  ),
  read('operands with an order and a limit of their own', (db) =>
    unionAll(
      db.select({ id: orders.id }).from(orders).orderBy(asc(orders.id)).limit(2),
      db.select({ id: orders.id }).from(orders).orderBy(desc(orders.id)).limit(2),
    ).orderBy(sql`id`),
  ),
  read('a set operation of several columns, with nulls', (db) =>
    union(
      db.select({ a: customers.city, b: customers.active }).from(customers),
      db.select({ a: orders.shipCity, b: sql<boolean>`true` }).from(orders),
    ).orderBy(sql`1 nulls first`, sql`2`),
  ),
  read('a set operation as a subquery', (db) => {
    const all = unionAll(customerCountries(db), supplierCountries(db)).as('everyone')
    return db
      .select({ country: all.country, n: count() })
      .from(all)
      .groupBy(all.country)
      .orderBy(all.country)
  }),
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
