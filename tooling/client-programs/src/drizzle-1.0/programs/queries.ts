import {
  and,
  avg,
  between,
  count,
  countDistinct,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  like,
  lte,
  max,
  min,
  not,
  notInArray,
  or,
  sql,
  sum,
} from 'drizzle-orm-v1'
import { alias } from 'drizzle-orm-v1/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import {
  categories,
  customers,
  customerTotals,
  employees,
  orderItems,
  orders,
  products,
  reviews,
  suppliers,
} from '../schema.ts'
import { typeSamples } from '../scratch-schema.ts'

/** Selects: filters, joins, aggregates, and the values that they return. */
export const queries: readonly Program<Db>[] = [
  read('a view selected', (db) =>
    db
      .select()
      .from(customerTotals)
      .orderBy(desc(customerTotals.orderCount), customerTotals.customerId),
  ),
  read('columns nested into objects', (db) =>
    db
      .select({ id: employees.id, name: { first: employees.firstName, last: employees.lastName } })
      .from(employees)
      .orderBy(employees.id),
  ),
  read('filters combined', (db) =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(
        or(
          and(eq(orders.status, 'paid'), gt(orders.freight, '9.5'), between(orders.id, 10, 200)),
          and(isNull(orders.employeeId), not(like(orders.status, 'S%'))),
        ),
      )
      .orderBy(orders.id),
  ),
  read('lists, empty and long', (db) =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(
        and(
          inArray(
            orders.id,
            Array.from({ length: 350 }, (_, index) => index * 2),
          ),
          notInArray(orders.customerId, []),
          notInArray(orders.status, ['new']),
        ),
      )
      .orderBy(orders.id),
  ),
  read('parameters of every type', (db) =>
    db
      .select({ label: typeSamples.label })
      .from(typeSamples)
      .where(
        or(
          eq(typeSamples.int8, 9007199254740993n),
          eq(typeSamples.numeric, '1.005'),
          eq(typeSamples.date, new Date('2024-02-29')),
          eq(typeSamples.timestamp, new Date('2024-03-31T10:30:00.123Z')),
          eq(typeSamples.timestamptz, new Date('2000-01-01T00:00:00Z')),
          eq(typeSamples.bytea, Buffer.from([1])),
          eq(typeSamples.jsonb, { a: { b: { c: [1, 2, { d: 'e' }] } } }),
          eq(typeSamples.text, '😀'),
          eq(typeSamples.bool, false),
        ),
      )
      .orderBy(typeSamples.id),
  ),
  read('distinct and distinct on', async (db) => [
    await db
      .selectDistinct({ country: customers.country })
      .from(customers)
      .orderBy(customers.country),
    await db
      .selectDistinctOn([orders.customerId], { customer: orders.customerId, id: orders.id })
      .from(orders)
      .orderBy(orders.customerId, desc(orders.orderDate), orders.id),
  ]),
  read('left, right and full joins', async (db) => {
    const manager = alias(employees, 'manager')
    return [
      await db
        .select()
        .from(employees)
        .leftJoin(manager, eq(employees.managerId, manager.id))
        .orderBy(employees.id),
      await db
        .select({ product: products.id, category: categories.name })
        .from(products)
        .rightJoin(categories, eq(products.categoryId, categories.id))
        .orderBy(categories.id, products.id),
      await db
        .select({ product: products.id, supplier: suppliers.id })
        .from(products)
        .fullJoin(suppliers, eq(products.supplierId, suppliers.id))
        .orderBy(products.id, suppliers.id),
    ]
  }),
  read('a lateral join', (db) => {
    const newest = db
      .select({ id: orders.id, date: orders.orderDate })
      .from(orders)
      .where(eq(orders.customerId, customers.id))
      .orderBy(desc(orders.orderDate), desc(orders.id))
      .limit(2)
      .as('newest')
    return db
      .select({ customer: customers.id, order: newest.id, date: newest.date })
      .from(customers)
      .leftJoinLateral(newest, sql`true`)
      .orderBy(customers.id, desc(newest.date), desc(newest.id))
  }),
  read('aggregates', (db) =>
    db
      .select({
        n: count(),
        customers: countDistinct(orders.customerId),
        freight: sum(orders.freight),
        average: avg(orders.freight),
        first: min(orders.orderDate),
        last: max(orders.paidAt),
        most: max(orders.totalCents),
      })
      .from(orders),
  ),
  read('groups', (db) =>
    db
      .select({ status: orders.status, n: count(), cents: sum(orders.totalCents) })
      .from(orders)
      .groupBy(orders.status)
      .having(({ n }) => gt(n, 50))
      .orderBy(({ status }) => status),
  ),
  read('groups by an expression', (db) => {
    const month = sql<string>`to_char(${orders.orderDate}, 'YYYY-MM')`
    return db.select({ month, n: count() }).from(orders).groupBy(month).orderBy(month)
  }),
  read('exists', (db) =>
    db
      .select({ id: customers.id })
      .from(customers)
      .where(
        exists(
          db
            .select({ one: sql`1` })
            .from(reviews)
            .where(and(eq(reviews.customerId, customers.id), gte(reviews.rating, 4))),
        ),
      )
      .orderBy(customers.id),
  ),
  read('five tables', (db) =>
    db
      .select({ customer: customers.companyName, order: orders.id, product: products.name })
      .from(customers)
      .innerJoin(orders, eq(orders.customerId, customers.id))
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .innerJoin(products, eq(products.id, orderItems.productId))
      .leftJoin(categories, eq(categories.id, products.categoryId))
      .where(lte(customers.id, 6))
      .orderBy(orders.id, products.id),
  ),
]
