import {
  DeduplicateJoinsPlugin,
  expressionBuilder,
  HandleEmptyInListsPlugin,
  ParseJSONResultsPlugin,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import type { Database } from '../database.ts'

/** Plugins, dynamic names, and queries composed of parts. */
export const plugins: readonly Program<Db>[] = [
  read('except all union all', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .exceptAll(db.selectFrom('suppliers').select('country'))
      .unionAll(db.selectFrom('suppliers').select('country').where('id', '<', 3))
      .orderBy('country')
      .execute(),
  ),
  read('sql.execute rows and numAffected', (db) =>
    sql`select ${sql.ref('id')}, ${sql.lit(5)}::int as five from ${sql.table('main.tags')} where id < ${4} order by id`
      .execute(db)
      .then((r) => r.rows),
  ),
  read('dynamic table', (db) =>
    db.selectFrom(db.dynamic.table('tags').as('t')).selectAll('t').orderBy('t.id').execute(),
  ),
  read('executeTakeFirst, OrThrow', async (db) => [
    await db.selectFrom('tags').selectAll().where('id', '=', 1).executeTakeFirst(),
    await db.selectFrom('tags').selectAll().where('id', '=', -1).executeTakeFirst(),
    await db
      .selectFrom('tags')
      .selectAll()
      .where('id', '=', -1)
      .executeTakeFirstOrThrow()
      .catch((e) => e.constructor.name),
  ]),
  read('deduplicate joins plugin', (db) =>
    db
      .withPlugin(new DeduplicateJoinsPlugin())
      .selectFrom('orders as o')
      .innerJoin('customers as c', 'c.id', 'o.customer_id')
      .innerJoin('customers as c', 'c.id', 'o.customer_id')
      .select(['o.id', 'c.country'])
      .orderBy('o.id')
      .limit(4)
      .execute(),
  ),
  read('handle empty in lists', (db) =>
    db
      .withPlugin(new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }))
      .selectFrom('tags')
      .selectAll()
      .where('id', 'in', [])
      .execute(),
  ),
  read('parse json plugin does not hurt', (db) =>
    db
      .withPlugin(new ParseJSONResultsPlugin())
      .selectFrom('products')
      .select(['id', 'attributes'])
      .orderBy('id')
      .limit(5)
      .execute(),
  ),
  read('clearSelect/Where/Order/Limit', (db) =>
    db
      .selectFrom('tags')
      .select('name')
      .where('id', '=', 1)
      .orderBy('name')
      .limit(1)
      .clearSelect()
      .select('id')
      .clearWhere()
      .clearOrderBy()
      .orderBy('id', 'desc')
      .clearLimit()
      .limit(2)
      .execute(),
  ),
  read('any array', (db) =>
    db
      .selectFrom('tags')
      .selectAll()
      .where((eb) => eb('id', '=', eb.fn.any(eb.val([1, 3, 5]))))
      .orderBy('id')
      .execute(),
  ),
  read('sql any cast', (db) =>
    db
      .selectFrom('tags')
      .selectAll()
      .where('id', '=', sql<number>`any(${[2, 4]}::int[])`)
      .orderBy('id')
      .execute(),
  ),
  read('keyset pagination of two columns', (db) =>
    db
      .selectFrom('orders')
      .select(['id', 'order_date'])
      .where((eb) =>
        eb(
          eb.refTuple('order_date', 'id'),
          '<',
          eb.tuple(sql<string>`${'2023-06-01 00:00:00'}::timestamp`, 50),
        ),
      )
      .orderBy('order_date', 'desc')
      .orderBy('id', 'desc')
      .limit(7)
      .execute(),
  ),
  read('expression builder standalone helper', (db) => {
    const eb = expressionBuilder<Database, 'orders'>()
    return db
      .selectFrom('orders')
      .select('id')
      .where(eb.or([eb('id', '=', 3), eb('status', 'like', 'sh%')]))
      .orderBy('id')
      .limit(8)
      .execute()
  }),
  read('like ilike regex operators', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .where('name', '~*', 'rye|tofu')
      .where('sku', 'not like', '%9')
      .where('name', 'not ilike', 'WILD%')
      .orderBy('id')
      .execute(),
  ),
  read('is distinct from operators', (db) =>
    db
      .selectFrom('reviews')
      .select('id')
      .where('recommended', 'is distinct from', true)
      .where('rating', 'is not distinct from', 5)
      .orderBy('id')
      .execute(),
  ),
]
