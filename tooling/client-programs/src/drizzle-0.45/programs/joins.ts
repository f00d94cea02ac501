import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { categories, customers, orderItems, orders, products, suppliers, tags } from '../schema.ts'

/** Joins of every kind, and how Drizzle groups their rows into objects. */
export const joins: readonly Program<Db>[] = [
  read('a full join', (db) =>
    db
      .select({ product: products.id, supplier: suppliers.id, name: suppliers.name })
      .from(products)
      .fullJoin(suppliers, eq(products.supplierId, suppliers.id))
      .orderBy(products.id, suppliers.id),
  ),
  read('a cross join', (db) =>
    db
      .select({ tag: tags.name, category: categories.name })
      .from(tags)
      .crossJoin(categories)
      .where(and(lt(tags.id, 4), lt(categories.id, 3)))
      .orderBy(tags.id, categories.id),
  ),
  read('a table joined with itself twice, all columns', (db) => {
    const parent = alias(categories, 'parent')
    const grandparent = alias(categories, 'grandparent')
    return db
      .select()
      .from(categories)
      .leftJoin(parent, eq(categories.parentId, parent.id))
      .leftJoin(grandparent, eq(parent.parentId, grandparent.id))
      .orderBy(categories.id)
  }),
  read('a join on an inequality', (db) => {
    const cheaper = alias(products, 'cheaper')
    return db
      .select({ id: products.id, cheaper: cheaper.id })
      .from(products)
      .innerJoin(
        cheaper,
        and(eq(products.categoryId, cheaper.categoryId), gt(products.unitPrice, cheaper.unitPrice)),
      )
      .where(eq(products.categoryId, 2))
      .orderBy(products.id, cheaper.id)
  }),
  read('a join with an aggregating subquery', (db) => {
    const totals = db
      .select({
        customerId: orders.customerId,
        count: sql<number>`count(*)`.mapWith(Number).as('count'),
        last: sql<Date>`max(${orders.orderDate})`.mapWith(orders.orderDate).as('last'),
      })
      .from(orders)
      .groupBy(orders.customerId)
      .as('totals')
    return db
      .select({ id: customers.id, count: totals.count, last: totals.last })
      .from(customers)
      .leftJoin(totals, eq(totals.customerId, customers.id))
      .orderBy(customers.id)
  }),
  read('an inner lateral join', (db) => {
    const dearest = db
      .select({ name: products.name, price: products.unitPrice })
      .from(products)
      .where(eq(products.categoryId, categories.id))
      .orderBy(desc(products.unitPrice), products.id)
      .limit(1)
      .as('dearest')
    return db
      .select({ category: categories.name, product: dearest.name, price: dearest.price })
      .from(categories)
      .innerJoinLateral(dearest, sql`true`)
      .orderBy(categories.id)
  }),
  read('a lateral aggregate by a cross join', (db) => {
    const sums = db
      .select({
        quantity: sql<string>`sum(${orderItems.quantity})`.as('quantity'),
        lines: sql<string>`count(*)`.as('lines'),
      })
      .from(orderItems)
      .where(eq(orderItems.orderId, orders.id))
      .as('sums')
    return db
      .select({ id: orders.id, quantity: sums.quantity, lines: sums.lines })
      .from(orders)
      .crossJoinLateral(sums)
      .where(lt(orders.id, 30))
      .orderBy(orders.id)
  }),
]
