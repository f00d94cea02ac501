import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Filters of relational queries: on columns, and on rows of other tables. */
export const relationFilters: readonly Program<Db>[] = [
  read('a bare value', (db) => ids(db, { status: 'paid' })),
  read('several columns', (db) => ids(db, { status: 'paid', customerId: 5 })),
  read('greater and less', (db) => ids(db, { id: { gt: 10, lte: 20 } })),
  read('not equal', (db) => ids(db, { shipCity: { ne: 'London' } })),
  read('in a list, not in a list', (db) =>
    ids(db, { status: { in: ['new', 'paid'] }, customerId: { notIn: [1, 2, 3] } }),
  ),
  read('in an empty list', (db) => ids(db, { status: { in: [] } })),
  read('patterns', (db) =>
    db.query.customers.findMany({
      columns: { companyName: true },
      where: { companyName: { like: '%e%', notIlike: 'a%' } },
      orderBy: { id: 'asc' },
    }),
  ),
  read('null and not null', (db) =>
    ids(db, { employeeId: { isNull: true }, paidAt: { isNotNull: true } }),
  ),
  read('or within a column', (db) => ids(db, { freight: { OR: [{ lt: '1' }, { gt: '900' }] } })),
  read('not within a column', (db) => ids(db, { id: { NOT: { lt: 290 } } })),
  read('or between columns', (db) =>
    ids(db, { OR: [{ status: 'new', customerId: 5 }, { id: { lt: 3 } }] }),
  ),
  read('and, or and not in each other', (db) =>
    ids(db, {
      AND: [
        { OR: [{ status: 'paid' }, { status: 'new' }] },
        { NOT: { customerId: { in: [1, 2, 3, 4, 5] } } },
      ],
    }),
  ),
  read('a condition by hand', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      where: { RAW: (t, { sql }) => sql`extract(month from ${t.orderDate}) = ${2}` },
      orderBy: { id: 'asc' },
    }),
  ),
  read('a condition by hand beside others', (db) =>
    db.query.orders.findMany({
      columns: { id: true },
      where: { status: 'new', RAW: (t, { sql }) => sql`${t.id} % 2 = 0` },
      orderBy: { id: 'asc' },
    }),
  ),
  read('dates and times', (db) =>
    ids(db, {
      orderDate: { gte: new Date('2024-03-10T02:30:00Z'), lt: new Date('2024-11-03T06:30:00Z') },
      shippedOn: { gt: '2024-01-31' },
    }),
  ),
  read('there is a row that belongs to it', (db) => customerIds(db, { orders: true })),
  read('there is none that belongs to it', (db) => customerIds(db, { orders: false })),
  read('there is one that matches', (db) =>
    customerIds(db, { orders: { status: 'cancelled', freight: { gt: '5' } } }),
  ),
  read('there is none that matches', (db) =>
    customerIds(db, { NOT: { orders: { status: 'cancelled' } } }),
  ),
  read('the one it belongs to matches', (db) =>
    ids(db, { customer: { country: 'Brazil', active: true } }),
  ),
  read('the one it belongs to is missing', (db) => ids(db, { employee: false })),
  read('the one above the one it belongs to matches', (db) =>
    ids(db, { employee: { manager: { lastName: 'Fuller' } } }),
  ),
  read('two relations must match', (db) =>
    customerIds(db, { orders: { status: 'new' }, reviews: { rating: 5 } }),
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
  read('no match through a junction', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: { tags: false },
      orderBy: { id: 'asc' },
    }),
  ),
  read('there is one by a relation that carries a filter of its own', (db) =>
    customerIds(db, { newOrders: true }),
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
