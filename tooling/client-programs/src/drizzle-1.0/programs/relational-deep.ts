import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Relational queries of several levels, and orders that follow relations. */
export const deepRelational: readonly Program<Db>[] = [
  read('four levels with a filter, an order and a limit on each', (db) =>
    db.query.customers.findMany({
      columns: { companyName: true },
      where: { id: { in: [1, 2, 3, 4, 5, 6, 7, 8] } },
      orderBy: { id: 'desc' },
      limit: 6,
      with: {
        orders: {
          columns: { id: true, orderDate: true },
          where: { status: { notIn: ['cancelled', 'new'] } },
          orderBy: { orderDate: 'desc', id: 'asc' },
          limit: 3,
          with: {
            items: {
              columns: { quantity: true, discount: true },
              where: { quantity: { gt: 1 } },
              orderBy: { quantity: 'desc', productId: 'asc' },
              limit: 2,
              with: {
                product: {
                  columns: { name: true },
                  with: { category: { columns: { name: true } } },
                },
              },
            },
          },
        },
      },
    }),
  ),
  read('a manager above, reports below', (db) =>
    db.query.employees.findMany({
      columns: { id: true, lastName: true },
      orderBy: { id: 'asc' },
      with: {
        manager: { columns: { lastName: true }, with: { manager: { columns: { id: true } } } },
        reports: {
          columns: { id: true },
          orderBy: { id: 'asc' },
          with: { reports: { columns: { id: true, salary: true }, orderBy: { id: 'asc' } } },
        },
      },
    }),
  ),
  read('through a junction and back', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { id: { lte: 10 } },
      orderBy: { id: 'asc' },
      with: {
        tags: {
          columns: { name: true },
          orderBy: { id: 'asc' },
          with: { products: { columns: { id: true }, orderBy: { id: 'asc' }, limit: 3 } },
        },
      },
    }),
  ),
  read('rows ordered by a column of the one they belong to', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      orderBy: { customer: { companyName: 'asc' }, id: 'asc' },
      limit: 30,
    }),
  ),
  read('the plain way to build the same query', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { id: { gt: 3 } },
      orderBy: { id: 'asc' },
      limit: 3,
      strategy: 'basic',
      with: { orders: { columns: { id: true }, orderBy: { id: 'asc' } } },
    }),
  ),
]
