import { sql } from 'kysely'
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Nested rows by the helpers of Kysely, and every kind of join. */
export const nested: readonly Program<Db>[] = [
  read('jsonArrayFrom with limit offset order nested jsonObjectFrom', (db) =>
    db
      .selectFrom('customers as c')
      .select((eb) => [
        'c.id',
        jsonArrayFrom(
          eb
            .selectFrom('orders as o')
            .select((e2) => [
              'o.id',
              'o.order_date',
              'o.paid_at',
              'o.total_cents',
              'o.freight',
              jsonObjectFrom(
                e2
                  .selectFrom('employees as e')
                  .select(['e.last_name', 'e.salary', 'e.hired_on'])
                  .whereRef('e.id', '=', 'o.employee_id'),
              ).as('emp'),
            ])
            .whereRef('o.customer_id', '=', 'c.id')
            .orderBy('o.order_date', 'desc')
            .orderBy('o.id')
            .limit(2)
            .offset(1),
        ).as('orders'),
      ])
      .orderBy('c.id')
      .execute(),
  ),
  read('jsonBuildObject nested', (db) =>
    db
      .selectFrom('products as p')
      .leftJoin('suppliers as s', 's.id', 'p.supplier_id')
      .select((eb) => [
        'p.id',
        jsonBuildObject({
          name: eb.ref('p.name'),
          price: eb.ref('p.unit_price'),
          sup: jsonBuildObject({
            n: eb.ref('s.name'),
            act: eb.ref('s.active'),
            on: eb.ref('s.founded_on'),
          }),
          lit: sql<number>`1 + 1`,
          stock: eb('p.units_in_stock', '>', 20),
        }).as('j'),
      ])
      .orderBy('p.id')
      .limit(20)
      .execute(),
  ),
  read('jsonArrayFrom where exists and $notNull', (db) =>
    db
      .selectFrom('tags as t')
      .select((eb) => [
        't.name',
        jsonArrayFrom(
          eb
            .selectFrom('products as p')
            .innerJoin('product_tags as pt', 'pt.product_id', 'p.id')
            .select(['p.sku', 'p.external_id', 'p.attributes', 'p.weight_kg'])
            .whereRef('pt.tag_id', '=', 't.id')
            .orderBy('p.id')
            .limit(3),
        )
          .$notNull()
          .as('ps'),
      ])
      .orderBy('t.id')
      .execute(),
  ),
  read('left lateral join builder', (db) =>
    db
      .selectFrom('customers as c')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('orders as o')
            .select(['o.id as oid', 'o.total_cents'])
            .whereRef('o.customer_id', '=', 'c.id')
            .orderBy('o.total_cents', 'desc')
            .orderBy('o.id')
            .limit(1)
            .as('top'),
        (j) => j.onTrue(),
      )
      .select(['c.id', 'top.oid', 'top.total_cents'])
      .orderBy('c.id')
      .execute(),
  ),
  read('cross join', (db) =>
    db
      .selectFrom('tags as t')
      .crossJoin('folders as f')
      .select(['t.id', 'f.id as fid'])
      .orderBy('t.id')
      .orderBy('f.id')
      .limit(10)
      .execute(),
  ),
  read('join subquery builder', (db) =>
    db
      .selectFrom('customers as c')
      .innerJoin(
        (eb) =>
          eb
            .selectFrom('orders')
            .select(['customer_id as cid'])
            .select((e) => e.fn.countAll().as('n'))
            .groupBy('customer_id')
            .as('x'),
        (j) => j.onRef('x.cid', '=', 'c.id'),
      )
      .select(['c.id', 'x.n'])
      .orderBy('c.id')
      .execute(),
  ),
  read('orderBy variants', (db) =>
    db
      .selectFrom('products')
      .select(['id', 'cost'])
      .orderBy('cost', (ob) => ob.desc().nullsLast())
      .orderBy((eb) => eb.fn('length', ['name']))
      .orderBy(sql`id desc`)
      .limit(30)
      .execute(),
  ),
  read('groupBy expressions and having', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        sql`extract(year from order_date)::int`.as('y'),
        'status',
        eb.fn.countAll().as('n'),
      ])
      .groupBy([sql`extract(year from order_date)::int`, 'status'])
      .having((eb) => eb(eb.fn.countAll(), '>', 3))
      .having((eb) => eb.fn.sum('total_cents'), '>', 100000)
      .orderBy('y')
      .orderBy('status')
      .execute(),
  ),
]
