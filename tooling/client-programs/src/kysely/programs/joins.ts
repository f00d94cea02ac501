import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Joins and subqueries. */
export const joins: readonly Program<Db>[] = [
  read('a right join', (db) =>
    db
      .selectFrom('products as p')
      .rightJoin('categories as c', 'c.id', 'p.category_id')
      .select(['c.name as category', 'p.id'])
      .orderBy('c.id')
      .orderBy('p.id')
      .execute(),
  ),
  read('a full join', (db) =>
    db
      .selectFrom('products as p')
      .fullJoin('suppliers as s', 's.id', 'p.supplier_id')
      .select(['p.id as product', 's.id as supplier'])
      .orderBy('product')
      .orderBy('supplier')
      .execute(),
  ),
  read('a join on several conditions', (db) =>
    db
      .selectFrom('customers')
      .leftJoin('orders', (join) =>
        join
          .onRef('orders.customer_id', '=', 'customers.id')
          .on('orders.status', '=', 'new')
          .on('orders.freight', 'is not', null),
      )
      .select(['customers.id', 'orders.id as order'])
      .where('customers.id', '<', 12)
      .orderBy('customers.id')
      .orderBy('order')
      .execute(),
  ),
  read('there is no related row', (db) =>
    db
      .selectFrom('customers')
      .select('id')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('orders')
              .select('orders.id')
              .whereRef('orders.customer_id', '=', 'customers.id'),
          ),
        ),
      )
      .orderBy('id')
      .execute(),
  ),
  read('greater than a scalar subquery', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .where('unit_price', '>', (eb) =>
        eb.selectFrom('products').select((eb) => eb.fn.avg<string>('unit_price').as('average')),
      )
      .orderBy('id')
      .execute(),
  ),
  read('any and all of a subquery', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .where((eb) =>
        eb(
          'id',
          '=',
          eb.fn.any(eb.selectFrom('order_items').select('product_id').where('quantity', '=', 100)),
        ),
      )
      .orderBy('id')
      .execute(),
  ),
]
