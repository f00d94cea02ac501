import { and, asc, desc, eq, exists, gt, inArray, isNull, like, lt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders, products, reviews } from '../schema.ts'

/** Relational queries with one level of relations, and all their options. */
export const relational: readonly Program<Db>[] = [
  read('findMany without relations', (db) =>
    db.query.customers.findMany({ orderBy: (t, { asc }) => asc(t.id) }),
  ),
  read('findMany with chosen columns', (db) =>
    db.query.customers.findMany({
      columns: { id: true, companyName: true, createdAt: true },
      orderBy: (t) => t.id,
    }),
  ),
  read('findMany with columns left out', (db) =>
    db.query.products.findMany({
      columns: { attributes: false, cost: false },
      orderBy: (t) => t.id,
      limit: 10,
    }),
  ),
  read('findMany with a filter, a limit and an offset', (db) =>
    db.query.orders.findMany({
      where: (t, { and, eq, gt }) => and(eq(t.status, 'paid'), gt(t.freight, '5')),
      orderBy: (t, { desc }) => [desc(t.orderDate), t.id],
      limit: 7,
      offset: 3,
    }),
  ),
  read('findMany with a filter made outside', (db) =>
    db.query.orders.findMany({
      where: inArray(orders.customerId, [1, 2, 3]),
      orderBy: [asc(orders.customerId), desc(orders.id)],
    }),
  ),
  read('findMany with extras', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      extras: (t, { sql }) => ({
        shout: sql<string>`upper(${t.name})`.as('shout'),
        worth: sql<string>`${t.unitPrice} * ${t.unitsInStock}`.as('worth'),
      }),
      orderBy: (t) => t.id,
    }),
  ),
  read('findMany that finds nothing', (db) =>
    db.query.customers.findMany({ where: eq(customers.id, -1), with: { orders: true } }),
  ),
  read('findFirst', (db) => db.query.customers.findFirst({ orderBy: (t) => t.id })),
  read('findFirst that finds nothing', (db) =>
    db.query.customers.findFirst({ where: eq(customers.id, -1) }),
  ),
  read('findFirst with a relation', (db) =>
    db.query.orders.findFirst({
      where: eq(orders.id, 12),
      with: { customer: true, items: { orderBy: (t) => t.productId } },
    }),
  ),
  read('a row and the one it belongs to', (db) =>
    db.query.orders.findMany({ orderBy: (t) => t.id, limit: 20, with: { customer: true } }),
  ),
  read('a row and the one it may belong to', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      limit: 40,
      with: { employee: true },
    }),
  ),
  read('a row and those that belong to it', (db) =>
    db.query.customers.findMany({
      orderBy: (t) => t.id,
      with: { orders: { orderBy: (t) => t.id } },
    }),
  ),
  read('those that belong to it, ordered by something else', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      with: {
        orders: {
          columns: { id: true, orderDate: true, freight: true },
          orderBy: (t, { desc }) => [desc(t.freight), desc(t.orderDate), t.id],
        },
      },
    }),
  ),
  read('those that belong to it, filtered', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      with: { orders: { where: (t, { eq }) => eq(t.status, 'new'), orderBy: (t) => t.id } },
    }),
  ),
  read('the first few of those that belong to it', (db) =>
    db.query.customers.findMany({
      columns: { id: true, companyName: true },
      orderBy: (t) => t.id,
      with: {
        orders: {
          columns: { id: true, totalCents: true },
          orderBy: (t, { desc }) => [desc(t.orderDate), t.id],
          limit: 2,
        },
      },
    }),
  ),
  read('the first few of those that match', (db) =>
    db.query.categories.findMany({
      orderBy: (t) => t.id,
      with: {
        products: {
          columns: { name: true, unitPrice: true },
          where: (t, { gt }) => gt(t.unitPrice, '10'),
          orderBy: (t, { desc }) => [desc(t.unitPrice), t.id],
          limit: 3,
        },
      },
    }),
  ),
  read('extras in those that belong to it', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      limit: 15,
      with: {
        items: {
          columns: { productId: true },
          extras: (t, { sql }) => ({
            total: sql<string>`${t.quantity} * ${t.unitPrice}`.as('total'),
            big: sql<boolean>`${t.quantity} > 5`.as('big'),
          }),
          orderBy: (t) => t.productId,
        },
      },
    }),
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
  read('only relations, no column of the row itself', (db) =>
    db.query.tags.findMany({
      columns: {},
      orderBy: (t) => t.id,
      with: { productTags: { columns: { productId: true }, orderBy: (t) => t.productId } },
    }),
  ),
  read('a filter of the row by rows that belong to it', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: (t) =>
        exists(
          db
            .select({ one: sql`1` })
            .from(reviews)
            .where(and(eq(reviews.customerId, t.id), eq(reviews.rating, 5))),
        ),
      orderBy: (t) => t.id,
    }),
  ),
  read('every kind of value inside a relation', (db) =>
    db.query.suppliers.findMany({
      orderBy: (t) => t.id,
      with: { products: { orderBy: (t) => t.id } },
    }),
  ),
  read('timestamps with a zone inside a relation', (db) =>
    db.query.customers.findMany({
      columns: { id: true, updatedAt: true },
      orderBy: (t) => t.id,
      with: { orders: { columns: { paidAt: true, shippedOn: true }, orderBy: (t) => t.id } },
    }),
  ),
  read('bigints beyond 2^53 inside a relation lose the same digits', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: (t) =>
        exists(
          db
            .select({ one: sql`1` })
            .from(orders)
            .where(and(eq(orders.customerId, t.id), inArray(orders.id, [77, 78]))),
        ),
      orderBy: (t) => t.id,
      with: {
        orders: {
          columns: { id: true, totalCents: true },
          where: (t, { inArray }) => inArray(t.id, [77, 78, 79]),
          orderBy: (t) => t.id,
        },
      },
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
  read('a filter with a pattern, beside a relation', (db) =>
    db.query.customers.findMany({
      columns: { companyName: true },
      where: like(customers.companyName, '%e%'),
      orderBy: (t) => t.id,
      with: {
        orders: { columns: { id: true }, where: isNull(orders.employeeId), orderBy: orders.id },
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
  read('a limit on rows whose relation is long', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: gt(customers.id, 3),
      orderBy: (t) => t.id,
      limit: 2,
      offset: 1,
      with: { orders: { columns: { id: true }, orderBy: (t) => t.id } },
    }),
  ),
]
