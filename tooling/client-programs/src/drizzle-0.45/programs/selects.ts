import { asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import {
  categories,
  customers,
  customerTotals,
  employees,
  openOrders,
  orderItems,
  orders,
  products,
  suppliers,
  tags,
} from '../schema.ts'
import { oddNames } from '../scratch-schema.ts'

/** Columns, order, limits, distinct, aliases, views, locks. */
export const selects: readonly Program<Db>[] = [
  read('all columns of a table', (db) => db.select().from(customers).orderBy(customers.id)),
  read('all columns of a wide table', (db) => db.select().from(products).orderBy(products.id)),
  read('all columns of a table with a key of two columns', (db) =>
    db.select().from(orderItems).orderBy(orderItems.orderId, orderItems.productId),
  ),
  read('chosen columns under names of their own', (db) =>
    db
      .select({ key: customers.id, who: customers.companyName, where: customers.city })
      .from(customers)
      .orderBy(customers.id),
  ),
  read('columns nested into objects', (db) =>
    db
      .select({
        id: employees.id,
        name: { first: employees.firstName, last: employees.lastName },
        work: { title: employees.title, salary: employees.salary },
      })
      .from(employees)
      .orderBy(employees.id),
  ),
  read('all columns but some, and one more', (db) => {
    const { attributes, ...rest } = getTableColumns(products)
    return db
      .select({ ...rest, hasAttributes: sql<boolean>`${attributes} is not null` })
      .from(products)
      .orderBy(products.id)
  }),
  read('the same column twice', (db) =>
    db.select({ a: tags.name, b: tags.name, c: tags.id }).from(tags).orderBy(tags.id),
  ),
  read('a table without a matching row', (db) =>
    db.select().from(customers).where(eq(customers.id, -1)),
  ),
  read('names that need quoting', (db) => db.select().from(oddNames).orderBy(oddNames.id)),
  read('order and filter by names that need quoting', (db) =>
    db
      .select({ value: oddNames.quoted, dotted: oddNames.dotted, select: oddNames.select })
      .from(oddNames)
      .where(gt(oddNames.order, 0))
      .orderBy(desc(oddNames.order), oddNames.accented),
  ),
  read('a limit', (db) => db.select().from(products).orderBy(products.id).limit(3)),
  read('a limit of nothing', (db) => db.select().from(products).orderBy(products.id).limit(0)),
  read('a limit with an offset', (db) =>
    db.select({ id: orders.id }).from(orders).orderBy(orders.id).limit(5).offset(10),
  ),
  read('an offset without a limit', (db) =>
    db.select({ id: orders.id }).from(orders).orderBy(orders.id).offset(290),
  ),
  read('an offset past the end', (db) =>
    db.select({ id: tags.id }).from(tags).orderBy(tags.id).limit(5).offset(1000),
  ),
  read('descending order', (db) =>
    db.select({ id: orders.id }).from(orders).orderBy(desc(orders.id)).limit(4),
  ),
  read('order by several columns in several directions', (db) =>
    db
      .select({ country: customers.country, city: customers.city, id: customers.id })
      .from(customers)
      .orderBy(asc(customers.country), desc(customers.city), customers.id),
  ),
  read('nulls come last when ascending', (db) =>
    db
      .select({ id: products.id, cost: products.cost })
      .from(products)
      .orderBy(products.cost, products.id),
  ),
  read('nulls come first when descending', (db) =>
    db
      .select({ id: products.id, weight: products.weightKg })
      .from(products)
      .orderBy(desc(products.weightKg), products.id),
  ),
  read('nulls put first and last by hand', (db) =>
    db
      .select({ id: customers.id, city: customers.city, limit: customers.creditLimit })
      .from(customers)
      .orderBy(
        sql`${customers.city} asc nulls first`,
        sql`${customers.creditLimit} desc nulls last`,
        customers.id,
      ),
  ),
  read('text sorts by code point', (db) =>
    db.select({ name: customers.companyName }).from(customers).orderBy(customers.companyName),
  ),
  read('order by an expression', (db) =>
    db
      .select({ id: employees.id, last: employees.lastName })
      .from(employees)
      .orderBy(sql`lower(${employees.lastName})`, desc(employees.id)),
  ),
  read('order by the position of a column', (db) =>
    db.select({ name: tags.name, id: tags.id }).from(tags).orderBy(sql`2 desc`),
  ),
  read('order by an aliased expression', (db) => {
    const value = sql<string>`${products.unitPrice} * ${products.unitsInStock}`.as('value')
    return db
      .select({ id: products.id, value })
      .from(products)
      .orderBy(desc(value), products.id)
      .limit(10)
  }),
  read('order by booleans', (db) =>
    db
      .select({ id: suppliers.id, active: suppliers.active })
      .from(suppliers)
      .orderBy(suppliers.active, suppliers.id),
  ),
  read('distinct values', (db) =>
    db.selectDistinct({ country: customers.country }).from(customers).orderBy(customers.country),
  ),
  read('distinct pairs with nulls', (db) =>
    db
      .selectDistinct({ city: customers.city, active: customers.active })
      .from(customers)
      .orderBy(customers.city, customers.active),
  ),
  read('distinct on one column takes the first row of each', (db) =>
    db
      .selectDistinctOn([orders.customerId], { customer: orders.customerId, id: orders.id })
      .from(orders)
      .orderBy(orders.customerId, desc(orders.orderDate), orders.id),
  ),
  read('distinct on two columns', (db) =>
    db
      .selectDistinctOn([orders.customerId, orders.status], {
        customer: orders.customerId,
        status: orders.status,
        date: orders.orderDate,
      })
      .from(orders)
      .orderBy(orders.customerId, orders.status, orders.orderDate, orders.id),
  ),
  read('distinct on an expression', (db) =>
    db
      .selectDistinctOn([sql`lower(${orders.status})`], { status: orders.status, id: orders.id })
      .from(orders)
      .orderBy(sql`lower(${orders.status})`, desc(orders.id)),
  ),
  read('distinct on with a limit after it', (db) =>
    db
      .selectDistinctOn([products.categoryId])
      .from(products)
      .orderBy(products.categoryId, desc(products.unitPrice), products.id)
      .limit(3)
      .offset(1),
  ),
  read('a table under another name', (db) => {
    const place = alias(categories, 'place')
    return db.select().from(place).where(gt(place.id, 4)).orderBy(place.id)
  }),
  read('a view', (db) => db.select().from(customerTotals).orderBy(customerTotals.customerId)),
  read('chosen columns of a view with a filter', (db) =>
    db
      .select({ id: openOrders.id, date: openOrders.orderDate, total: openOrders.totalCents })
      .from(openOrders)
      .where(eq(openOrders.status, 'paid'))
      .orderBy(desc(openOrders.orderDate), openOrders.id)
      .limit(15),
  ),
  read('a query built step by step', (db) => {
    const query = db.select({ id: orders.id, status: orders.status }).from(orders).$dynamic()
    query.where(eq(orders.status, 'new'))
    query.orderBy(orders.id)
    query.limit(4)
    return query
  }),
  read('a filter that is left out', (db) =>
    db.select({ id: tags.id }).from(tags).where(undefined).orderBy(tags.id),
  ),
  read(
    'rows locked for update',
    (db) =>
      db.select({ id: tags.id }).from(tags).where(gt(tags.id, 8)).orderBy(tags.id).for('update'),
    { portable: false },
  ),
  read(
    'rows locked for update, passing over those of others',
    (db) =>
      db
        .select({ id: tags.id })
        .from(tags)
        .orderBy(tags.id)
        .limit(2)
        .for('update', { skipLocked: true }),
    { portable: false },
  ),
]
