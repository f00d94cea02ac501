import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import type { Database } from '../database.ts'

/** Conditions of every kind. */
export const filters: readonly Program<Db>[] = [
  read('equal, unequal, greater, less', (db) =>
    orderIds(db, (eb) =>
      eb.and([eb('status', '=', 'paid'), eb('id', '!=', 5), eb('id', '>=', 3), eb('id', '<', 90)]),
    ),
  ),
  read('in a list', (db) => orderIds(db, (eb) => eb('customer_id', 'in', [1, 5, 9]))),
  read('in a long list', (db) =>
    orderIds(db, (eb) =>
      eb(
        'id',
        'in',
        Array.from({ length: 400 }, (_, index) => index * 2),
      ),
    ),
  ),
  read('not in a list', (db) => orderIds(db, (eb) => eb('customer_id', 'not in', [1, 2, 3, 4, 5]))),
  read('in a subquery', (db) =>
    orderIds(db, (eb) =>
      eb(
        'customer_id',
        'in',
        eb.selectFrom('customers').select('customers.id').where('country', '=', 'Brazil'),
      ),
    ),
  ),
  read('pairs in a list', (db) =>
    orderIds(db, (eb) =>
      eb(eb.refTuple('customer_id', 'status'), 'in', [eb.tuple(1, 'new'), eb.tuple(5, 'paid')]),
    ),
  ),
  read('null and not null', (db) =>
    orderIds(db, (eb) => eb.and([eb('employee_id', 'is', null), eb('paid_at', 'is not', null)])),
  ),
  read('is distinct from', (db) =>
    orderIds(db, (eb) => eb('ship_city', 'is distinct from', 'London')),
  ),
  read('between', (db) => orderIds(db, (eb) => eb.between('id', 20, 25))),
  read('between in either direction', (db) =>
    orderIds(db, (eb) => eb.betweenSymmetric('id', 25, 20)),
  ),
  read('patterns', (db) =>
    db
      .selectFrom('customers')
      .select('company_name')
      .where('company_name', 'like', '%e%')
      .where('company_name', 'not ilike', 'a%')
      .orderBy('id')
      .execute(),
  ),
  read('a regular expression', (db) =>
    db
      .selectFrom('products')
      .select('sku')
      .where('sku', '~', '^SKU-0[0-4].*a$')
      .orderBy('id')
      .execute(),
  ),
  read('and, or, not', (db) =>
    orderIds(db, (eb) =>
      eb.or([
        eb.and([eb('status', '=', 'paid'), eb('freight', '>', '20')]),
        eb.not(eb.or([eb('id', '>', 20), eb('customer_id', '=', 5)])),
      ]),
    ),
  ),
  read('chained conditions', (db) =>
    orderIds(db, (eb) =>
      eb.and([
        eb('status', '=', 'new').or('status', '=', 'paid').or('id', '=', 300),
        eb('id', '>', 20).and('id', '<', 50).and('freight', 'is not', null),
      ]),
    ),
  ),
  read('an object of equalities', (db) =>
    orderIds(db, (eb) => eb.and({ status: 'paid', customer_id: 5 })),
  ),
  read('a column against a column', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .whereRef('units_in_stock', '<', 'reorder_level')
      .orderBy('id')
      .execute(),
  ),
  read('a boolean column by itself', (db) =>
    db
      .selectFrom('customers')
      .select('id')
      .where('active', '=', true)
      .where('active', 'is not', false)
      .orderBy('id')
      .execute(),
  ),
  read('literals instead of parameters', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => ['id', eb.lit(1).as('one'), eb.lit(true).as('yes'), eb.lit(null).as('no')])
      .where((eb) => eb('id', '<', eb.lit(4)))
      .orderBy('id')
      .execute(),
  ),
  read('several conditions on where', (db) =>
    db
      .selectFrom('orders')
      .select('id')
      .where('status', '=', 'paid')
      .where(sql<boolean>`extract(month from order_date) = ${3}`)
      .where('freight', 'is not', null)
      .orderBy('id')
      .execute(),
  ),
]

function orderIds(
  db: Db,
  where: (eb: ExpressionBuilder<Database, 'orders'>) => Expression<SqlBool>,
): Promise<unknown> {
  return db.selectFrom('orders').select('id').where(where).orderBy('id').execute()
}
