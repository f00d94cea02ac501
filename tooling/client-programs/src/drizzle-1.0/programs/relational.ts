import { sql } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Relational queries of one table and one level of relations. */
export const relational: readonly Program<Db>[] = [
  read('findMany with chosen columns', (db) =>
    db.query.customers.findMany({
      columns: { id: true, companyName: true, createdAt: true, updatedAt: true },
      orderBy: { id: 'asc' },
    }),
  ),
  read('findMany with columns left out', (db) =>
    db.query.products.findMany({
      columns: { attributes: false, cost: false },
      orderBy: { id: 'desc' },
      limit: 10,
      offset: 2,
    }),
  ),
  read('findMany with extras', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      extras: {
        shout: (t, { sql }) => sql<string>`upper(${t.name})`,
        worth: (t, { sql }) => sql<string>`${t.unitPrice} * ${t.unitsInStock}`,
        old: (t, { sql }) => sql<boolean>`${t.releasedOn} < '2022-01-01'`,
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('every type', (db) => db.query.typeSamples.findMany({ orderBy: { id: 'asc' } })),
  read('every type in the other modes', (db) =>
    db.query.plainSamples.findMany({ orderBy: { id: 'asc' } }),
  ),
  read('names that need quoting', (db) => db.query.oddNames.findMany({ orderBy: { id: 'asc' } })),
  read('a view', (db) => db.query.customerTotals.findMany({ orderBy: { customerId: 'asc' } })),
  read('a row and the one it may belong to', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: { id: 'asc' },
      limit: 40,
      with: { employee: { columns: { lastName: true, salary: true, hiredOn: true } } },
    }),
  ),
  read('a relation that carries a filter of its own', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      orderBy: { id: 'asc' },
      with: { newOrders: { columns: { id: true, status: true }, orderBy: { id: 'asc' } } },
    }),
  ),
  read('extras in related rows', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: { id: 'asc' },
      limit: 15,
      with: {
        items: {
          columns: { productId: true },
          extras: {
            total: (t, { sql }) => sql<string>`${t.quantity} * ${t.unitPrice}`,
            many: (t, { sql }) => sql<boolean>`${t.quantity} > 5`,
          },
          orderBy: { productId: 'asc' },
        },
      },
    }),
  ),
  read('several relations of one row', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      orderBy: { id: 'asc' },
      with: {
        category: true,
        supplier: { columns: { name: true, active: true, rating: true, foundedOn: true } },
        tags: { columns: { name: true }, orderBy: { id: 'asc' } },
        reviews: { orderBy: { id: 'asc' }, limit: 2 },
      },
    }),
  ),
  read('bigints, numerics and times inside a relation keep every digit', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { orders: { id: { in: [77, 78] } } },
      orderBy: { id: 'asc' },
      with: {
        orders: {
          columns: { id: true, totalCents: true, freight: true, orderDate: true, paidAt: true },
          orderBy: { id: 'asc' },
        },
      },
    }),
  ),
  read('a relational query prepared and run twice', async (db) => {
    const byStatus = db.query.orders
      .findMany({
        columns: { id: true },
        where: { status: { eq: sql.placeholder('status') } },
        orderBy: { id: 'asc' },
        limit: sql.placeholder('limit'),
        with: { customer: { columns: { companyName: true } } },
      })
      .prepare('orders_by_status')
    return [
      await byStatus.execute({ status: 'new', limit: 3 }),
      await byStatus.execute({ status: 'cancelled', limit: 2 }),
    ]
  }),
]
