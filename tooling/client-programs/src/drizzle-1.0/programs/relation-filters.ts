import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Filters of relational queries: on columns, and on rows of other tables. */
export const relationFilters: readonly Program<Db>[] = [
  read('not equal', (db) => ids(db, { shipCity: { ne: 'London' } })),
  read('null and not null', (db) =>
    ids(db, { employeeId: { isNull: true }, paidAt: { isNotNull: true } }),
  ),
  read('a condition by hand', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      where: { RAW: (t, { sql }) => sql`extract(month from ${t.orderDate}) = ${2}` },
      orderBy: { id: 'asc' },
    }),
  ),
  read('either of two relations matches', (db) =>
    customerIds(db, {
      OR: [{ profile: { newsletter: true } }, { reviews: { verified: true, rating: { lt: 3 } } }],
    }),
  ),
  read('a match three levels down', (db) =>
    customerIds(db, { orders: { items: { product: { name: { like: 'Organic%' } } } } }),
  ),
  read('a match through a junction', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { tags: { name: { in: ['vegan', 'sale'] } } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('a filter on rows that are fetched too', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: { orders: { status: 'paid' } },
      orderBy: { id: 'asc' },
      with: {
        orders: { columns: { id: true }, where: { status: 'paid' }, orderBy: { id: 'asc' } },
      },
    }),
  ),
  read('a filter by relation within a relation', (db) =>
    db.query.categories.findMany({
      columns: { name: true },
      orderBy: { id: 'asc' },
      with: {
        products: {
          columns: { id: true },
          where: { reviews: { rating: { gte: 4 } }, supplier: { active: true } },
          orderBy: { id: 'asc' },
        },
      },
    }),
  ),
  read('a filter by relation, ordered and cut', (db) =>
    db.query.products.findMany({
      columns: { id: true, name: true },
      where: { category: { parent: { name: 'Beverages' } } },
      orderBy: { unitPrice: 'desc', id: 'asc' },
      limit: 5,
      offset: 1,
    }),
  ),
]

type OrderFilter = FilterOf<Db['query']['orders']['findMany']>
type CustomerFilter = FilterOf<Db['query']['customers']['findMany']>
type FilterOf<Find extends (options: never) => unknown> = NonNullable<
  NonNullable<Parameters<Find>[0]>['where']
>

function ids(db: Db, where: OrderFilter): PromiseLike<unknown> {
  return db.query.orders.findMany({ columns: { id: true }, where, orderBy: { id: 'asc' } })
}

function customerIds(db: Db, where: CustomerFilter): PromiseLike<unknown> {
  return db.query.customers.findMany({ columns: { id: true }, where, orderBy: { id: 'asc' } })
}
