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
  read('in a long list', (db) =>
    orderIds(db, (eb) =>
      eb(
        'id',
        'in',
        Array.from({ length: 400 }, (_, index) => index * 2),
      ),
    ),
  ),
  read('is distinct from', (db) =>
    orderIds(db, (eb) => eb('ship_city', 'is distinct from', 'London')),
  ),
  read('a regular expression', (db) =>
    db
      .selectFrom('products')
      .select('sku')
      .where('sku', '~', '^SKU-0[0-4].*a$')
      .orderBy('id')
      .execute(),
  ),
  read('an object of equalities', (db) =>
    orderIds(db, (eb) => eb.and({ status: 'paid', customer_id: 5 })),
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
