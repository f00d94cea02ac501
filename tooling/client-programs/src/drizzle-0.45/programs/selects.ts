import { desc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import {
  categories,
  customers,
  customerTotals,
  employees,
  openOrders,
  orders,
  products,
  tags,
} from '../schema.ts'
import { oddNames } from '../scratch-schema.ts'

/** Columns, order, limits, distinct, aliases, views, locks. */
export const selects: readonly Program<Db>[] = [
  read('all columns of a table', (db) => db.select().from(customers).orderBy(customers.id)),
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
  read('order and filter by names that need quoting', (db) =>
    db
      .select({ value: oddNames.quoted, dotted: oddNames.dotted, select: oddNames.select })
      .from(oddNames)
      .where(gt(oddNames.order, 0))
      .orderBy(desc(oddNames.order), oddNames.accented),
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
  read('order by an aliased expression', (db) => {
    const value = sql<string>`${products.unitPrice} * ${products.unitsInStock}`.as('value')
    return db
      .select({ id: products.id, value })
      .from(products)
      .orderBy(desc(value), products.id)
      .limit(10)
  }),
  read('distinct values', (db) =>
    db.selectDistinct({ country: customers.country }).from(customers).orderBy(customers.country),
  ),
  read('distinct on an expression', (db) =>
    db
      .selectDistinctOn([sql`lower(${orders.status})`], { status: orders.status, id: orders.id })
      .from(orders)
      .orderBy(sql`lower(${orders.status})`, desc(orders.id)),
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
