import { eq, lt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders, products } from '../schema.ts'

/** Relational queries with one level of relations, and all their options. */
export const relational: readonly Program<Db>[] = [
  read('findMany with a filter, a limit and an offset', (db) =>
    db.query.orders.findMany({
      where: (t, { and, eq, gt }) => and(eq(t.status, 'paid'), gt(t.freight, '5')),
      orderBy: (t, { desc }) => [desc(t.orderDate), t.id],
      limit: 7,
      offset: 3,
    }),
  ),
  read('findMany that finds nothing', (db) =>
    db.query.customers.findMany({ where: eq(customers.id, -1), with: { orders: true } }),
  ),
  read('two relations of the same row', (db) =>
    db.query.products.findMany({
      columns: { id: true, name: true },
      orderBy: (t) => t.id,
      with: {
        category: { columns: { name: true } },
        supplier: { columns: { name: true, active: true, rating: true } },
      },
    }),
  ),
  read('a relation to one and a relation to many', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      with: { profile: true, reviews: { orderBy: (t) => t.id } },
    }),
  ),
  read('a relation to at most one, seen from the other side', (db) =>
    db.query.customerProfiles.findMany({
      orderBy: (t) => t.id,
      with: { customer: { columns: { companyName: true, updatedAt: true } } },
    }),
  ),
  read('json inside a relation', (db) =>
    db.query.categories.findMany({
      columns: { name: true },
      orderBy: (t) => t.id,
      with: { products: { columns: { id: true, attributes: true }, orderBy: (t) => t.id } },
    }),
  ),
  read('booleans and nulls inside a relation', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      with: {
        reviews: { columns: { verified: true, recommended: true }, orderBy: (t) => t.id },
      },
    }),
  ),
  read('a relational query prepared and run twice', async (db) => {
    const byStatus = db.query.orders
      .findMany({
        columns: { id: true },
        where: (t, { eq }) => eq(t.status, sql.placeholder('status')),
        orderBy: (t) => t.id,
        limit: sql.placeholder('limit'),
        with: { customer: { columns: { companyName: true } } },
      })
      .prepare('orders_by_status')
    return [
      await byStatus.execute({ status: 'new', limit: 3 }),
      await byStatus.execute({ status: 'cancelled', limit: 2 }),
    ]
  }),
  read('a relation whose filter compares with the row above', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: lt(products.id, 20),
      orderBy: (t) => t.id,
      with: {
        items: {
          columns: { orderId: true, unitPrice: true },
          where: (t, { sql }) => sql`${t.unitPrice} <= ${'10'}`,
          orderBy: (t) => [t.orderId],
        },
      },
    }),
  ),
  read('a count of related rows as an extra', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      extras: (t) => ({
        orderCount: db.$count(orders, sql`main.orders.customer_id = ${t.id}`).as('order_count'),
      }),
    }),
  ),
]
