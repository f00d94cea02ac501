import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Aggregates, groups, windows. */
export const aggregates: readonly Program<Db>[] = [
  read('sum and average', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        eb.fn.sum('unit_price').as('sum'),
        eb.fn.avg('unit_price').as('avg'),
        eb.fn.sum('units_in_stock').as('stock'),
        eb.fn.avg('units_in_stock').as('stock_avg'),
      ])
      .execute(),
  ),
  read('minimum and maximum', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        eb.fn.min('order_date').as('first'),
        eb.fn.max('paid_at').as('paid'),
        eb.fn.max('total_cents').as('most'),
        eb.fn.min('shipped_on').as('shipped'),
        eb.fn.max('freight').as('freight'),
        eb.fn.min('status').as('status'),
      ])
      .execute(),
  ),
  read('groups', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => ['status', eb.fn.countAll().as('n'), eb.fn.sum('total_cents').as('cents')])
      .groupBy('status')
      .orderBy('status')
      .execute(),
  ),
  read('groups by an alias', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [eb.fn<string>('lower', ['status']).as('state'), eb.fn.countAll().as('n')])
      .groupBy('state')
      .orderBy('state')
      .execute(),
  ),
  read('a filtered aggregate', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        eb.fn.countAll().filterWhere('status', '=', 'new').as('open'),
        eb.fn.sum('freight').filterWhere('customer_id', '=', 5).as('freight'),
      ])
      .execute(),
  ),
  read('whole rows gathered into json', (db) =>
    db
      .selectFrom((eb) => eb.selectFrom('tags').selectAll().orderBy('id').as('t'))
      .select((eb) => eb.fn.jsonAgg('t').as('tags'))
      .execute(),
  ),
  read('one row as json', (db) =>
    db
      .selectFrom('tags as t')
      .select((eb) => eb.fn.toJson('t').as('tag'))
      .orderBy('t.id')
      .execute(),
  ),
  read('aggregates over a join', (db) =>
    db
      .selectFrom('order_items as i')
      .innerJoin('products as p', 'p.id', 'i.product_id')
      .innerJoin('categories as c', 'c.id', 'p.category_id')
      .select((eb) => [
        'c.name',
        eb.fn.sum(sql<string>`${eb.ref('i.quantity')} * ${eb.ref('i.unit_price')}`).as('revenue'),
      ])
      .groupBy(['c.id', 'c.name'])
      .orderBy('revenue', 'desc')
      .orderBy('c.name')
      .execute(),
  ),
  read('ranks', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'id',
        eb.fn
          .agg<string>('rank')
          .over((ob) => ob.partitionBy('category_id').orderBy('unit_price', 'desc'))
          .as('rank'),
        eb.fn
          .agg<string>('dense_rank')
          .over((ob) => ob.orderBy('unit_price'))
          .as('dense'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('running sums and counts of a group', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'id',
        eb.fn
          .sum('freight')
          .over((ob) => ob.partitionBy('customer_id').orderBy('id'))
          .as('so_far'),
        eb.fn
          .countAll()
          .over((ob) => ob.partitionBy('customer_id'))
          .as('of'),
        eb.fn.countAll().over().as('all'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('the row before', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'id',
        eb.fn
          .agg<number | null>('lag', ['id'])
          .over((ob) => ob.partitionBy('customer_id').orderBy('id'))
          .as('before'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('a filter on a window', (db) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('orders')
          .select((eb) => [
            'id',
            'customer_id',
            eb.fn
              .agg<string>('row_number')
              .over((ob) => ob.partitionBy('customer_id').orderBy('id', 'desc'))
              .as('n'),
          ])
          .as('numbered'),
      )
      .selectAll()
      .where('n', '<=', '2')
      .orderBy('customer_id')
      .orderBy('n')
      .execute(),
  ),
]
