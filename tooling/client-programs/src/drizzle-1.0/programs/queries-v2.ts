import { sql } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

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
  read('v2 filter by nested relation', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { orders: { items: { product: { category: { name: { like: 'B%' } } } } } },
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
  read('v2 jsonb column where raw', (db) =>
    db.query.products.findMany({
      columns: { id: true, attributes: true },
      where: { RAW: (t) => sql`${t.attributes} ->> 'color' is not null` },
      orderBy: { id: 'asc' },
    }),
  ),
  read('v2 like family', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { name: { notIlike: '%TEA%' }, sku: { like: 'S%' } },
      orderBy: { id: 'asc' },
    }),
  ),
]
