import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Joins and subqueries. */
export const joins: readonly Program<Db>[] = [
  read('an inner join', (db) =>
    db
      .selectFrom('orders')
      .innerJoin('customers', 'customers.id', 'orders.customer_id')
      .select(['orders.id', 'customers.company_name', 'orders.order_date'])
      .orderBy('orders.id')
      .limit(20)
      .execute(),
  ),
  read('a left join', (db) =>
    db
      .selectFrom('products as p')
      .leftJoin('categories as c', 'c.id', 'p.category_id')
      .select(['p.id', 'p.name', 'c.name as category'])
      .orderBy('p.id')
      .execute(),
  ),
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
  read('a cross join', (db) =>
    db
      .selectFrom('tags')
      .crossJoin('categories')
      .select(['tags.name as tag', 'categories.name as category'])
      .where('tags.id', '<', 4)
      .where('categories.id', '<', 3)
      .orderBy('tags.id')
      .orderBy('categories.id')
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
  read('a table joined with itself', (db) =>
    db
      .selectFrom('employees as e')
      .leftJoin('employees as m', 'm.id', 'e.manager_id')
      .select(['e.last_name as employee', 'm.last_name as manager'])
      .orderBy('e.id')
      .execute(),
  ),
  read('two tables, all columns of both, later names win', (db) =>
    db
      .selectFrom('product_tags')
      .innerJoin('tags', 'tags.id', 'product_tags.tag_id')
      .selectAll('product_tags')
      .selectAll('tags')
      .orderBy('product_tags.product_id')
      .orderBy('tags.id')
      .limit(30)
      .execute(),
  ),
  read('a join with a subquery', (db) =>
    db
      .selectFrom('customers')
      .leftJoin(
        (eb) =>
          eb
            .selectFrom('orders')
            .select((eb) => ['customer_id', eb.fn.countAll<string>().as('n')])
            .groupBy('customer_id')
            .as('counts'),
        (join) => join.onRef('counts.customer_id', '=', 'customers.id'),
      )
      .select(['customers.id', 'counts.n'])
      .orderBy('customers.id')
      .execute(),
  ),
  read('a lateral join', (db) =>
    db
      .selectFrom('customers')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('orders')
            .select(['orders.id as order', 'orders.order_date'])
            .whereRef('orders.customer_id', '=', 'customers.id')
            .orderBy('orders.order_date', 'desc')
            .orderBy('orders.id', 'desc')
            .limit(2)
            .as('newest'),
        (join) => join.onTrue(),
      )
      .select(['customers.id', 'newest.order', 'newest.order_date'])
      .orderBy('customers.id')
      .orderBy('newest.order_date', 'desc')
      .orderBy('newest.order', 'desc')
      .execute(),
  ),
  read('a subquery in from', (db) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('products')
          .select(['id', 'unit_price as price'])
          .where('unit_price', '>', '100')
          .as('dear'),
      )
      .selectAll('dear')
      .orderBy('price', 'desc')
      .orderBy('id')
      .execute(),
  ),
  read('a scalar subquery as a field', (db) =>
    db
      .selectFrom('categories')
      .select((eb) => [
        'categories.id',
        eb
          .selectFrom('products')
          .select((eb) => eb.fn.countAll<string>().as('n'))
          .whereRef('products.category_id', '=', 'categories.id')
          .as('products'),
      ])
      .orderBy('categories.id')
      .execute(),
  ),
  read('there is a related row', (db) =>
    db
      .selectFrom('customers')
      .select('id')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('reviews')
            .select('reviews.id')
            .whereRef('reviews.customer_id', '=', 'customers.id')
            .where('reviews.rating', '=', 1),
        ),
      )
      .orderBy('id')
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
