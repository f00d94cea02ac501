import { eq, sql } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { orders } from '../schema.ts'

/** Relational queries of the second version: filters, pages, extras on every level. */
export const queriesV2: readonly Program<Db>[] = [
  read('v2 where object operators', (db) =>
    db.query.products.findMany({
      where: {
        unitPrice: { gt: '10', lte: '60' },
        name: { ilike: '%a%' },
        discontinued: false,
        categoryId: { isNotNull: true },
        id: { notIn: [1, 2] },
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 OR AND NOT RAW', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: {
        OR: [
          { unitPrice: { lt: '8' } },
          { AND: [{ discontinued: true }, { unitsInStock: { gt: 10 } }] },
        ],
        NOT: { categoryId: 3 },
        RAW: (t) => sql`${t.id} % 2 = 0`,
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 operators per column OR/NOT', (db) =>
    db.query.products.findMany({
      columns: { id: true, unitPrice: true },
      where: { unitPrice: { OR: [{ lt: '8' }, { gt: '90' }] }, name: { NOT: { like: '%Rye%' } } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 orderBy object several', (db) =>
    db.query.orders.findMany({
      columns: { id: true, status: true, orderDate: true },
      orderBy: { status: 'desc', orderDate: 'asc', id: 'asc' },
      limit: 12,
    }),
  ),
  read('v2 orderBy callback with sql', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: (t, { asc, desc }) => [sql`${t.freight} is null`, desc(t.freight), asc(t.id)],
      limit: 9,
    }),
  ),
  read('v2 offset and limit nested', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      with: {
        orders: {
          columns: { id: true, orderDate: true },
          limit: 2,
          offset: 1,
          orderBy: { id: 'asc' },
        },
      },
      orderBy: { id: 'asc' },
      limit: 5,
      offset: 1,
    }),
  ),
  read('v2 filter by relation exists', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { orders: { status: 'paid', totalCents: { gt: 100000 } } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 filter by relation boolean true/false', async (db) => [
    await db.query.customers.findMany({
      columns: { id: true },
      where: { orders: true },
      orderBy: { id: 'asc' },
    }),
    await db.query.customers.findMany({
      columns: { id: true },
      where: { NOT: { orders: true } },
      orderBy: { id: 'asc' },
    }),
  ]),
  read('v2 filter by nested relation', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { orders: { items: { product: { category: { name: { like: 'B%' } } } } } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 filter through m2m', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { tags: { name: { in: ['vegan', 'organic'] } } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 m2m through with columns and filters', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      with: {
        tags: { columns: { name: true }, where: { id: { lt: 5 } }, orderBy: { name: 'desc' } },
      },
      orderBy: { id: 'asc' },
      limit: 25,
    }),
  ),
  read('v2 OR over relations and columns', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: {
        OR: [{ country: 'Germany' }, { profile: { newsletter: true } }, { reviews: { rating: 1 } }],
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 extras with subquery', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      extras: { total: (t) => db.$count(orders, eq(orders.customerId, t.id)) },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 extras nested', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      with: {
        orders: {
          columns: { id: true },
          extras: { y: (t) => sql`extract(year from ${t.orderDate})` },
          orderBy: { id: 'asc' },
          limit: 2,
        },
      },
      orderBy: { id: 'asc' },
      limit: 4,
    }),
  ),
  read('v2 columns exclude nested', (db) =>
    db.query.orders.findMany({
      columns: { notes: false },
      with: { customer: { columns: { notes: false } }, employee: true },
      orderBy: { id: 'asc' },
      limit: 6,
    }),
  ),
  read('v2 findFirst none', (db) =>
    db.query.orders.findFirst({ where: { id: -1 }, with: { customer: true } }),
  ),
  read('v2 findFirst with nested', (db) =>
    db.query.orders.findFirst({
      where: { id: 12 },
      with: {
        items: {
          with: { product: { with: { category: true, supplier: true, tags: true } } },
          orderBy: { productId: 'asc' },
        },
        customer: { with: { profile: true } },
      },
    }),
  ),
  read('v2 self relation tree 4', (db) =>
    db.query.categories.findMany({
      where: { parentId: { isNull: true } },
      with: {
        children: {
          orderBy: { id: 'asc' },
          with: {
            children: { orderBy: { id: 'asc' }, with: { children: { orderBy: { id: 'asc' } } } },
          },
        },
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 dates in where', (db) =>
    db.query.orders.findMany({
      columns: { id: true, orderDate: true, paidAt: true, shippedOn: true },
      where: {
        orderDate: { gte: new Date('2024-01-01'), lt: new Date('2024-03-01') },
        paidAt: { isNotNull: true },
        shippedOn: { gt: '2024-01-05' },
      },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 prepared with placeholders', async (db) => {
    const q = db.query.customers
      .findMany({
        columns: { id: true },
        where: { id: { gt: sql.placeholder('id') } },
        limit: sql.placeholder('n'),
        offset: sql.placeholder('o'),
        orderBy: { id: 'asc' },
        with: {
          orders: { columns: { id: true }, limit: sql.placeholder('m'), orderBy: { id: 'asc' } },
        },
      })
      .prepare('v2p')
    return [
      await q.execute({ id: 3, n: 2, o: 1, m: 2 }),
      await q.execute({ id: 0, n: 1, o: 0, m: 1 }),
    ]
  }),
  read('v2 all scalars of type samples', (db) =>
    db.query.typeSamples.findMany({ orderBy: { id: 'asc' } }),
  ),
  read('v2 jsonb column where raw', (db) =>
    db.query.products.findMany({
      columns: { id: true, attributes: true },
      where: { RAW: (t) => sql`${t.attributes} ->> 'color' is not null` },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 arrays of in with empty', (db) =>
    db.query.products.findMany({ columns: { id: true }, where: { id: { in: [] } } }),
  ),
  read('v2 like family', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { name: { notIlike: '%TEA%' }, sku: { like: 'S%' } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 eq with placeholders and ne', (db) =>
    db.query.orders.findMany({
      columns: { id: true, status: true },
      where: { status: { ne: 'paid' }, employeeId: { isNull: true } },
      orderBy: { id: 'asc' },
      limit: 9,
    }),
  ),
]
