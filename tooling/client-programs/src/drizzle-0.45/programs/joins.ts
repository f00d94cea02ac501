import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import {
  categories,
  customers,
  employees,
  orderItems,
  orders,
  products,
  productTags,
  suppliers,
  tags,
} from '../schema.ts'

/** Joins of every kind, and how Drizzle groups their rows into objects. */
export const joins: readonly Program<Db>[] = [
  read('an inner join gives an object per table', (db) =>
    db
      .select()
      .from(orders)
      .innerJoin(customers, eq(orders.customerId, customers.id))
      .orderBy(orders.id)
      .limit(10),
  ),
  read('a left join gives null for a missing row', (db) =>
    db
      .select()
      .from(products)
      .leftJoin(categories, eq(products.categoryId, categories.id))
      .orderBy(products.id),
  ),
  read('a right join', (db) =>
    db
      .select()
      .from(products)
      .rightJoin(categories, eq(products.categoryId, categories.id))
      .orderBy(categories.id, products.id)
      .limit(40)
      .offset(40),
  ),
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
  read('columns of the same name from two tables', (db) =>
    db
      .select({ order: orders.id, customer: customers.id })
      .from(orders)
      .innerJoin(customers, eq(orders.customerId, customers.id))
      .where(lt(orders.id, 10))
      .orderBy(orders.id),
  ),
  read('columns nested by hand, an object of nulls becomes null', (db) =>
    db
      .select({
        id: orders.id,
        employee: { id: employees.id, name: employees.lastName },
      })
      .from(orders)
      .leftJoin(employees, eq(orders.employeeId, employees.id))
      .orderBy(orders.id)
      .limit(20),
  ),
  read('a table joined with itself', (db) => {
    const manager = alias(employees, 'manager')
    return db
      .select({ employee: employees.lastName, manager: manager.lastName })
      .from(employees)
      .leftJoin(manager, eq(employees.managerId, manager.id))
      .orderBy(employees.id)
  }),
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
  read('five tables', (db) =>
    db
      .select({
        customer: customers.companyName,
        order: orders.id,
        quantity: orderItems.quantity,
        product: products.name,
        category: categories.name,
      })
      .from(customers)
      .innerJoin(orders, eq(orders.customerId, customers.id))
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .innerJoin(products, eq(products.id, orderItems.productId))
      .leftJoin(categories, eq(categories.id, products.categoryId))
      .where(eq(customers.country, 'Brazil'))
      .orderBy(orders.id, products.id),
  ),
  read('through a junction', (db) =>
    db
      .select({ product: products.name, tag: tags.name })
      .from(productTags)
      .innerJoin(products, eq(productTags.productId, products.id))
      .innerJoin(tags, eq(productTags.tagId, tags.id))
      .orderBy(products.id, tags.id)
      .limit(50),
  ),
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
  read('a condition in the join is not a filter', (db) =>
    db
      .select({ customer: customers.id, order: orders.id })
      .from(customers)
      .leftJoin(orders, and(eq(orders.customerId, customers.id), eq(orders.status, 'new')))
      .where(lt(customers.id, 12))
      .orderBy(customers.id, orders.id),
  ),
  read('rows without a partner', (db) =>
    db
      .select({ id: customers.id })
      .from(customers)
      .leftJoin(orders, eq(orders.customerId, customers.id))
      .where(isNull(orders.id))
      .orderBy(customers.id),
  ),
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
  read('the newest orders of each customer by a lateral join', (db) => {
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
  read('a subquery joined with a subquery', (db) => {
    const cheap = db.select().from(products).where(lt(products.unitPrice, '10')).as('cheap')
    const active = db.select().from(suppliers).where(eq(suppliers.active, true)).as('active')
    return db
      .select()
      .from(cheap)
      .innerJoin(active, eq(cheap.supplierId, active.id))
      .orderBy(cheap.id)
  }),
]
