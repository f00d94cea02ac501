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
  read('sql.execute rows and numAffected', (db) =>
    sql`select ${sql.ref('id')}, ${sql.lit(5)}::int as five from ${sql.table('main.tags')} where id < ${4} order by id`
      .execute(db)
      .then((r) => r.rows),
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
]
