import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Columns, order, limits, distinct, locks. */
export const selects: readonly Program<Db>[] = [
  read('all columns and one more', (db) =>
    db
      .selectFrom('tags')
      .selectAll()
      .select((eb) => eb.fn<string>('upper', ['name']).as('shout'))
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
  read('the first row or the error', (db) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', -7)
      .executeTakeFirstOrThrow()
      .catch((error: Error) => error.message),
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
  read('order by an alias', (db) =>
    db
      .selectFrom('products')
      .select((eb) => ['id', eb('unit_price', '*', '2').as('double')])
      .orderBy('double', 'desc')
      .orderBy('id')
      .execute(),
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
    'rows locked for update, passing over those of others',
    (db) =>
      db.selectFrom('tags').select('id').orderBy('id').limit(3).forUpdate().skipLocked().execute(),
    { portable: false },
  ),
]
