import { sql } from 'kysely'
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Related rows nested as json, in the form of Kysely's helpers. */
export const relations: readonly Program<Db>[] = [
  read('the one it belongs to', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'orders.id',
        jsonObjectFrom(
          eb
            .selectFrom('customers')
            .select(['customers.id', 'customers.company_name', 'customers.created_at'])
            .whereRef('customers.id', '=', 'orders.customer_id'),
        ).as('customer'),
      ])
      .orderBy('orders.id')
      .limit(20)
      .execute(),
  ),
  read('the one it may belong to', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'orders.id',
        jsonObjectFrom(
          eb
            .selectFrom('employees')
            .selectAll('employees')
            .whereRef('employees.id', '=', 'orders.employee_id'),
        ).as('employee'),
      ])
      .orderBy('orders.id')
      .limit(40)
      .execute(),
  ),
  read('those that belong to it', (db) =>
    db
      .selectFrom('customers')
      .select((eb) => [
        'customers.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders')
            .selectAll('orders')
            .whereRef('orders.customer_id', '=', 'customers.id')
            .orderBy('orders.id'),
        ).as('orders'),
      ])
      .orderBy('customers.id')
      .execute(),
  ),
  read('those that belong to it, filtered, ordered and cut', (db) =>
    db
      .selectFrom('customers')
      .select((eb) => [
        'customers.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders')
            .select(['orders.id', 'orders.order_date', 'orders.paid_at', 'orders.freight'])
            .whereRef('orders.customer_id', '=', 'customers.id')
            .where('orders.status', '=', 'paid')
            .orderBy('orders.order_date', 'desc')
            .orderBy('orders.id')
            .limit(2),
        ).as('orders'),
      ])
      .orderBy('customers.id')
      .execute(),
  ),
  read('every kind of value inside', (db) =>
    db
      .selectFrom('suppliers')
      .select((eb) => [
        'suppliers.name',
        jsonArrayFrom(
          eb
            .selectFrom('products')
            .selectAll('products')
            .whereRef('products.supplier_id', '=', 'suppliers.id')
            .orderBy('products.id'),
        ).as('products'),
      ])
      .orderBy('suppliers.id')
      .execute(),
  ),
  read('three levels', (db) =>
    db
      .selectFrom('customers')
      .where('customers.id', '<=', 8)
      .select((eb) => [
        'customers.company_name',
        jsonArrayFrom(
          eb
            .selectFrom('orders')
            .select((eb) => [
              'orders.id',
              jsonArrayFrom(
                eb
                  .selectFrom('order_items')
                  .select((eb) => [
                    'order_items.quantity',
                    jsonObjectFrom(
                      eb
                        .selectFrom('products')
                        .select(['products.name', 'products.unit_price'])
                        .whereRef('products.id', '=', 'order_items.product_id'),
                    ).as('product'),
                  ])
                  .whereRef('order_items.order_id', '=', 'orders.id')
                  .orderBy('order_items.product_id'),
              ).as('items'),
            ])
            .whereRef('orders.customer_id', '=', 'customers.id')
            .orderBy('orders.id'),
        ).as('orders'),
      ])
      .orderBy('customers.id')
      .execute(),
  ),
  read('through a junction', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'products.id',
        jsonArrayFrom(
          eb
            .selectFrom('tags')
            .innerJoin('product_tags', 'product_tags.tag_id', 'tags.id')
            .select(['tags.id', 'tags.name'])
            .whereRef('product_tags.product_id', '=', 'products.id')
            .orderBy('tags.id'),
        ).as('tags'),
      ])
      .orderBy('products.id')
      .execute(),
  ),
  read('several relations of one row', (db) =>
    db
      .selectFrom('products as p')
      .select((eb) => [
        'p.id',
        jsonObjectFrom(
          eb.selectFrom('categories as c').select('c.name').whereRef('c.id', '=', 'p.category_id'),
        ).as('category'),
        jsonObjectFrom(
          eb
            .selectFrom('suppliers as s')
            .select(['s.name', 's.active', 's.rating', 's.founded_on'])
            .whereRef('s.id', '=', 'p.supplier_id'),
        ).as('supplier'),
        jsonArrayFrom(
          eb
            .selectFrom('reviews as r')
            .select(['r.id', 'r.rating', 'r.verified', 'r.recommended', 'r.created_at'])
            .whereRef('r.product_id', '=', 'p.id')
            .orderBy('r.id'),
        ).as('reviews'),
      ])
      .orderBy('p.id')
      .execute(),
  ),
  read('an object of chosen columns', (db) =>
    db
      .selectFrom('employees as e')
      .select((eb) => [
        'e.id',
        jsonBuildObject({
          first: eb.ref('e.first_name'),
          last: eb.ref('e.last_name'),
          full: eb.fn<string>('concat', ['e.first_name', sql.lit(' '), 'e.last_name']),
          active: eb.ref('e.active'),
          salary: eb.ref('e.salary'),
          hired: eb.ref('e.hired_on'),
        }).as('person'),
      ])
      .orderBy('e.id')
      .execute(),
  ),
  read('a tree', (db) =>
    db
      .selectFrom('categories as c')
      .select((eb) => [
        'c.name',
        jsonObjectFrom(
          eb.selectFrom('categories as p').select('p.name').whereRef('p.id', '=', 'c.parent_id'),
        ).as('parent'),
        jsonArrayFrom(
          eb
            .selectFrom('categories as k')
            .select(['k.id', 'k.name'])
            .whereRef('k.parent_id', '=', 'c.id')
            .orderBy('k.id'),
        ).as('children'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('aggregates beside related rows', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        eb
          .selectFrom('orders as o')
          .select((eb) => eb.fn.countAll().as('n'))
          .whereRef('o.customer_id', '=', 'c.id')
          .as('order_count'),
        jsonObjectFrom(
          eb
            .selectFrom('orders as o')
            .select((eb) => [
              eb.fn.sum('o.freight').as('freight'),
              eb.fn.max('o.order_date').as('last'),
            ])
            .whereRef('o.customer_id', '=', 'c.id'),
        ).as('totals'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
]
