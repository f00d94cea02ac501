import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Distinct rows, groups and unions nested as json. */
export const nestedSets: readonly Program<Db>[] = [
  read('distinct rows in a row', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders as o')
            .select('o.status')
            .distinct()
            .whereRef('o.customer_id', '=', 'c.id')
            .orderBy('o.status'),
        ).as('sts'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('rows of two tables in a row', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders as o')
            .select('o.id as k')
            .whereRef('o.customer_id', '=', 'c.id')
            .where('o.id', '<', 40)
            .unionAll(
              eb
                .selectFrom('reviews as r')
                .select('r.id as k')
                .whereRef('r.customer_id', '=', 'c.id')
                .where('r.id', '<', 20),
            )
            .orderBy('k'),
        ).as('ks'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('groups in a row', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders as o')
            .select((e) => ['o.status', e.fn.countAll().as('n'), e.fn.sum('o.freight').as('f')])
            .whereRef('o.customer_id', '=', 'c.id')
            .groupBy('o.status')
            .orderBy('o.status'),
        ).as('byStatus'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('the largest groups in a row', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders as o')
            .innerJoin('order_items as i', 'i.order_id', 'o.id')
            .select((e) => ['i.product_id', e.fn.sum('i.quantity').as('n')])
            .whereRef('o.customer_id', '=', 'c.id')
            .groupBy('i.product_id')
            .having((e) => e.fn.sum('i.quantity'), '>', 3)
            .orderBy('n', 'desc')
            .orderBy('i.product_id')
            .limit(3),
        ).as('x'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('the first few rows of two tables in a row', (db) =>
    db
      .selectFrom('products as p')
      .select((eb) => [
        'p.id',
        jsonArrayFrom(
          eb
            .selectFrom('reviews as r')
            .select(['r.id as k', sql<string>`'r'`.as('kind')])
            .whereRef('r.product_id', '=', 'p.id')
            .union(
              eb
                .selectFrom('order_items as i')
                .select(['i.order_id as k', sql<string>`'i'`.as('kind')])
                .whereRef('i.product_id', '=', 'p.id'),
            )
            .orderBy('kind')
            .orderBy('k')
            .limit(4),
        ).as('x'),
      ])
      .orderBy('p.id')
      .execute(),
  ),
]
