import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Columns, order, limits, distinct, locks. */
export const selects: readonly Program<Db>[] = [
  read('all columns', (db) => db.selectFrom('tags').selectAll().orderBy('id').execute()),
  read('all columns of a wide table', (db) =>
    db.selectFrom('products').selectAll().orderBy('id').execute(),
  ),
  read('all columns of a named table', (db) =>
    db.selectFrom('orders as o').selectAll('o').orderBy('o.id').limit(10).execute(),
  ),
  read('all columns and one more', (db) =>
    db
      .selectFrom('tags')
      .selectAll()
      .select((eb) => eb.fn<string>('upper', ['name']).as('shout'))
      .orderBy('id')
      .execute(),
  ),
  read('chosen columns', (db) =>
    db
      .selectFrom('customers')
      .select(['id', 'company_name', 'created_at', 'updated_at'])
      .orderBy('id')
      .execute(),
  ),
  read('columns under other names', (db) =>
    db
      .selectFrom('customers')
      .select(['id as key', 'customers.company_name as who', 'city'])
      .orderBy('key')
      .execute(),
  ),
  read('a table under another name', (db) =>
    db.selectFrom('orders as o').select(['o.id', 'o.status']).orderBy('o.id').limit(5).execute(),
  ),
  read('names that need quoting', (db) =>
    db.selectFrom('odd names').selectAll().orderBy('id').execute(),
  ),
  read('filters on names that need quoting', (db) =>
    db
      .selectFrom('odd names')
      .select([
        'CamelCase',
        'quote"d as quoted',
        sql<string>`${sql.id('dotted.name')}`.as('dotted'),
      ])
      .where('order', '>', 0)
      .orderBy('order', 'desc')
      .execute(),
  ),
  read('a view', (db) =>
    db
      .selectFrom('customer_totals')
      .selectAll()
      .orderBy('order_count', 'desc')
      .orderBy('customer_id')
      .execute(),
  ),
  read('no rows', (db) => db.selectFrom('tags').selectAll().where('id', '=', -1).execute()),
  read('the first row', (db) =>
    db.selectFrom('orders').selectAll().orderBy('id').executeTakeFirst(),
  ),
  read('the first row of none', (db) =>
    db.selectFrom('orders').selectAll().where('id', '=', -1).executeTakeFirst(),
  ),
  read('the first row or an error', (db) =>
    db.selectFrom('orders').selectAll().where('id', '=', 7).executeTakeFirstOrThrow(),
  ),
  read('the first row or the error', (db) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', -7)
      .executeTakeFirstOrThrow()
      .catch((error: Error) => error.message),
  ),
  read('order by several columns', (db) =>
    db
      .selectFrom('customers')
      .select(['country', 'city', 'id'])
      .orderBy('country')
      .orderBy('city', 'desc')
      .orderBy('id')
      .execute(),
  ),
  read('nulls first and last', (db) =>
    db
      .selectFrom('customers')
      .select(['id', 'city', 'credit_limit'])
      .orderBy('city', (ob) => ob.asc().nullsFirst())
      .orderBy('credit_limit', (ob) => ob.desc().nullsLast())
      .orderBy('id')
      .execute(),
  ),
  read('the usual place of nulls', (db) =>
    db
      .selectFrom('products')
      .select(['id', 'cost'])
      .orderBy('cost', 'desc')
      .orderBy('id')
      .execute(),
  ),
  read('order by an expression', (db) =>
    db
      .selectFrom('employees')
      .select(['id', 'last_name'])
      .orderBy((eb) => eb.fn('lower', ['last_name']))
      .orderBy('id', 'desc')
      .execute(),
  ),
  read('order by an alias', (db) =>
    db
      .selectFrom('products')
      .select((eb) => ['id', eb('unit_price', '*', '2').as('double')])
      .orderBy('double', 'desc')
      .orderBy('id')
      .execute(),
  ),
  read('limit and offset', (db) =>
    db.selectFrom('orders').select('id').orderBy('id').limit(5).offset(12).execute(),
  ),
  read('an offset alone', (db) =>
    db.selectFrom('orders').select('id').orderBy('id').offset(295).execute(),
  ),
  read('fetch the first rows', (db) =>
    db.selectFrom('orders').select('id').orderBy('id').fetch(4).execute(),
  ),
  read('fetch the first rows with ties', (db) =>
    db
      .selectFrom('products')
      .select(['unit_price'])
      .orderBy('unit_price', 'desc')
      .fetch(3, 'with ties')
      .execute(),
  ),
  read('distinct', (db) =>
    db.selectFrom('customers').select('country').distinct().orderBy('country').execute(),
  ),
  read('distinct on', (db) =>
    db
      .selectFrom('orders')
      .select(['customer_id', 'id', 'order_date'])
      .distinctOn('customer_id')
      .orderBy('customer_id')
      .orderBy('order_date', 'desc')
      .orderBy('id')
      .execute(),
  ),
  read('distinct on two columns', (db) =>
    db
      .selectFrom('orders')
      .selectAll()
      .distinctOn(['customer_id', 'status'])
      .orderBy('customer_id')
      .orderBy('status')
      .orderBy('id', 'desc')
      .execute(),
  ),
  read('a query built in steps', (db) => {
    const withStatus = 'new' as string | undefined
    return db
      .selectFrom('orders')
      .select('id')
      .$if(withStatus !== undefined, (qb) => qb.where('status', '=', 'new'))
      .$call((qb) => qb.orderBy('id').limit(3))
      .execute()
  }),
  read('a column chosen at run time', (db) => {
    const { ref } = db.dynamic
    return db
      .selectFrom('products')
      .select(['id', ref<'name'>('name')])
      .orderBy(ref('unit_price'), 'desc')
      .orderBy('id')
      .limit(5)
      .execute()
  }),
  read(
    'rows locked for update',
    (db) => db.selectFrom('tags').select('id').orderBy('id').limit(3).forUpdate().execute(),
    { portable: false },
  ),
  read(
    'rows locked for update, passing over those of others',
    (db) =>
      db.selectFrom('tags').select('id').orderBy('id').limit(3).forUpdate().skipLocked().execute(),
    { portable: false },
  ),
]
