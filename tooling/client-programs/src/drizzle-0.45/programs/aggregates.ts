import {
  and,
  avg,
  avgDistinct,
  count,
  countDistinct,
  desc,
  eq,
  gte,
  max,
  min,
  sql,
  sum,
  sumDistinct,
} from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import {
  categories,
  customers,
  employees,
  orderItems,
  orders,
  products,
  reviews,
} from '../schema.ts'

/** Aggregates, groups and counts. */
export const aggregates: readonly Program<Db>[] = [
  read('sum and average of integers', (db) =>
    db.select({ sum: sum(orderItems.quantity), avg: avg(orderItems.quantity) }).from(orderItems),
  ),
  read('sum and average of distinct values', (db) =>
    db.select({ sum: sumDistinct(orders.freight), avg: avgDistinct(orders.freight) }).from(orders),
  ),
  read('minimum and maximum come back as the column does', (db) =>
    db
      .select({
        first: min(orders.orderDate),
        last: max(orders.orderDate),
        paid: max(orders.paidAt),
        shipped: min(orders.shippedOn),
        freight: max(orders.freight),
        total: max(orders.totalCents),
        status: min(orders.status),
      })
      .from(orders),
  ),
  read('groups by an expression', (db) => {
    const year = sql<number>`extract(year from ${orders.orderDate})::int`
    return db.select({ year, n: count() }).from(orders).groupBy(year).orderBy(year)
  }),
  read('having several aggregates', (db) =>
    db
      .select({ category: products.categoryId, dearest: max(products.unitPrice) })
      .from(products)
      .groupBy(products.categoryId)
      .having(and(gte(count(), 5), sql`avg(${products.unitPrice}) > 20`))
      .orderBy(products.categoryId),
  ),
  read('aggregates over a join', (db) =>
    db
      .select({
        category: categories.name,
        revenue: sql<string>`sum(${orderItems.quantity} * ${orderItems.unitPrice})`,
        orders: countDistinct(orderItems.orderId),
      })
      .from(orderItems)
      .innerJoin(products, eq(products.id, orderItems.productId))
      .innerJoin(categories, eq(categories.id, products.categoryId))
      .groupBy(categories.id, categories.name)
      .orderBy(desc(sql`sum(${orderItems.quantity} * ${orderItems.unitPrice})`), categories.name),
  ),
  read('a filtered aggregate', (db) =>
    db
      .select({
        all: count(),
        open: sql<number>`count(*) filter (where ${orders.status} = 'new')`.mapWith(Number),
        freight: sql<string>`sum(${orders.freight}) filter (where ${orders.customerId} = ${5})`,
      })
      .from(orders),
  ),
  read('a count by case', (db) =>
    db
      .select({
        late: sql<number>`count(case when ${orders.shippedOn} is null then 1 end)`.mapWith(Number),
        total: sql<number>`sum(case when ${orders.status} = 'paid' then 1 else 0 end)::int`,
      })
      .from(orders),
  ),
  read('distinct texts put together in order', (db) =>
    db
      .select({
        names: sql<string>`string_agg(distinct ${customers.country}, '|' order by ${customers.country})`,
      })
      .from(customers),
  ),
  read('values gathered into json', (db) =>
    db
      .select({
        status: orders.status,
        ids: sql<number[]>`json_agg(${orders.id} order by ${orders.id})`,
      })
      .from(orders)
      .groupBy(orders.status)
      .orderBy(orders.status),
  ),
  read('objects gathered into json', (db) =>
    db
      .select({
        team: sql`json_agg(json_build_object('id', ${employees.id}, 'name', ${employees.lastName}, 'active', ${employees.active}, 'salary', ${employees.salary}) order by ${employees.id})`,
      })
      .from(employees),
  ),
  read('all of and any of', (db) =>
    db
      .select({
        product: reviews.productId,
        all: sql<boolean>`bool_and(${reviews.recommended})`,
        any: sql<boolean>`bool_or(${reviews.verified})`,
      })
      .from(reviews)
      .groupBy(reviews.productId)
      .orderBy(reviews.productId),
  ),
  read('grouping sets', (db) =>
    db
      .select({
        status: orders.status,
        employee: orders.employeeId,
        level: sql<number>`grouping(${orders.status}, ${orders.employeeId})`,
        n: count(),
      })
      .from(orders)
      .groupBy(sql`grouping sets ((${orders.status}), (${orders.employeeId}), ())`)
      .orderBy(sql`3`, orders.status, orders.employeeId),
  ),
  read('$count with a filter', (db) => db.$count(orders, eq(orders.status, 'new'))),
  read('an average rounded by hand', (db) =>
    db
      .select({
        product: reviews.productId,
        average: sql<string>`round(avg(${reviews.rating}), 2)`,
      })
      .from(reviews)
      .groupBy(reviews.productId)
      .orderBy(desc(sql`avg(${reviews.rating})`), reviews.productId)
      .limit(20),
  ),
]
