import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Examples from the recipes of Kysely: functions, windows, tuples, cases, casts. */
export const recipes: readonly Program<Db>[] = [
  read('select as aliases, star with alias', (db) =>
    db
      .selectFrom('orders as o')
      .innerJoin('customers as c', 'c.id', 'o.customer_id')
      .selectAll('o')
      .select(['c.company_name as customer', 'c.country'])
      .orderBy('o.id')
      .limit(5)
      .execute(),
  ),
  read('eb.fn functions', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        eb.fn.countAll().as('n'),
        eb.fn.count('cost').as('c'),
        eb.fn.count('supplier_id').distinct().as('d'),
        eb.fn.sum('units_in_stock').as('s'),
        eb.fn.avg('unit_price').as('a'),
        eb.fn.max('name').as('m'),
        eb.fn.min('created_at').as('mi'),
        eb.fn.coalesce(eb.fn.sum('cost'), sql`0`).as('co'),
        eb.fn('round', [eb.fn.avg('weight_kg')]).as('r'),
      ])
      .execute(),
  ),
  read('fn with generic and literal', (db) =>
    db
      .selectFrom('customers')
      .select((eb) => [
        eb.fn('upper', ['company_name']).as('u'),
        eb.fn('lpad', [sql`id::text`, eb.lit(5), sql.lit('0')]).as('l'),
        eb.fn('concat_ws', [eb.val('-'), 'city', 'country']).as('cw'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('agg orderBy, distinct, filter', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'category_id',
        eb.fn
          .agg('string_agg', ['name', sql.lit(',')])
          .orderBy('name', 'desc')
          .as('names'),
        eb.fn
          .agg('array_agg', ['id'])
          .orderBy('id')
          .filterWhere('discontinued', '=', false)
          .as('ids'),
        eb.fn.count('supplier_id').distinct().filterWhere('unit_price', '>', '10').as('n'),
      ])
      .groupBy('category_id')
      .orderBy('category_id')
      .execute(),
  ),
  read('window in cte then filter', (db) =>
    db
      .with('r', (q) =>
        q
          .selectFrom('products')
          .select(['id', 'category_id'])
          .select((eb) =>
            eb.fn
              .agg('rank')
              .over((ob) => ob.partitionBy('category_id').orderBy('unit_price', 'desc'))
              .as('rk'),
          ),
      )
      .selectFrom('r')
      .selectAll()
      .where('rk', '<=', 2)
      .orderBy('category_id')
      .orderBy('rk')
      .orderBy('id')
      .execute(),
  ),
  read('recursive cte upward path text', (db) =>
    db
      .withRecursive('t', (q) =>
        q
          .selectFrom('employees')
          .select(['id', 'manager_id', sql<string>`last_name`.as('path')])
          .where('manager_id', 'is', null)
          .unionAll(
            q
              .selectFrom('employees as e')
              .innerJoin('t', 't.id', 'e.manager_id')
              .select([
                'e.id',
                'e.manager_id',
                sql<string>`t.path || ' > ' || e.last_name`.as('path'),
              ]),
          ),
      )
      .selectFrom('t')
      .selectAll()
      .orderBy('path')
      .execute(),
  ),
  read('$if and $call', (db) => {
    const withCity = true
    return db
      .selectFrom('customers')
      .select('id')
      .$if(withCity, (q) => q.select('city'))
      .$if(false, (q) => q.select('notes'))
      .$call((q) => q.where('id', '<', 5))
      .orderBy('id')
      .execute()
  }),
  read('eb.and/or object', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .where((eb) =>
        eb.or([
          eb.and({ discontinued: true, category_id: 1 }),
          eb('unit_price', '>', '90'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('order_items')
                .select('order_id')
                .whereRef('order_items.product_id', '=', 'products.id'),
            ),
          ),
        ]),
      )
      .orderBy('id')
      .execute(),
  ),
  read('eb between, betweenSymmetric, in tuple', (db) =>
    db
      .selectFrom('order_items')
      .select(['order_id', 'product_id'])
      .where((eb) =>
        eb.and([
          eb.between('quantity', 2, 5),
          eb.betweenSymmetric('product_id', 40, 10),
          eb(eb.refTuple('order_id', 'product_id'), 'in', [
            eb.tuple(1, 1),
            eb.tuple(2, 14),
            eb.tuple(3, 20),
            eb.tuple(10, 30),
          ]).or('order_id', '<', 30),
        ]),
      )
      .orderBy('order_id')
      .orderBy('product_id')
      .execute(),
  ),
  read('eb.case nested', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'id',
        eb
          .case()
          .when('total_cents', '>', '200000')
          .then('big')
          .when('status', '=', 'new')
          .then('fresh')
          .else(eb.case('status').when('paid').then('p').else(null).end())
          .end()
          .as('k'),
      ])
      .orderBy('id')
      .limit(30)
      .execute(),
  ),
  read('eb.cast', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        eb.cast('total_cents', 'numeric').as('a'),
        eb.cast('order_date', 'date').as('b'),
        eb.cast('id', 'text').as('c'),
        eb.cast(eb.val('5'), 'integer').as('d'),
        eb.cast('freight', 'integer').as('e'),
      ])
      .orderBy('id')
      .limit(5)
      .execute(),
  ),
]
