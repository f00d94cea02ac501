import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Functions, operators, case, json, edge values, statements written by hand. */
export const expressions: readonly Program<Db>[] = [
  read('case with conditions', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'id',
        eb
          .case()
          .when('units_in_stock', '=', 0)
          .then('none')
          .when('units_in_stock', '<', 20)
          .then('few')
          .else('many')
          .end()
          .as('level'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('case over a value', (db) =>
    db
      .selectFrom('orders')
      .select((eb) => [
        'id',
        eb
          .case('status')
          .when('new')
          .then(sql.lit(1))
          .when('paid')
          .then(sql.lit(2))
          .else(sql.lit(null))
          .end()
          .as('code'),
      ])
      .orderBy('id')
      .limit(40)
      .execute(),
  ),
  read('arithmetic', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'id',
        eb('units_in_stock', '+', 1).as('more'),
        eb('units_in_stock', '/', 7).as('quotient'),
        eb('units_in_stock', '%', 7).as('rest'),
        eb('units_in_stock', '*', eb.ref('id')).as('product'),
        eb.neg(eb.ref('units_in_stock')).as('negative'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('functions', (db) =>
    db
      .selectFrom('customers')
      .select((eb) => [
        eb.fn<string>('upper', ['company_name']).as('upper'),
        eb.fn<number>('length', ['company_name']).as('length'),
        eb.fn.coalesce('city', eb.val('nowhere')).as('city'),
        eb.fn<string>('concat_ws', [eb.val('/'), 'country', 'city']).as('place'),
        eb('company_name', '||', '!').as('loud'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('comparisons as fields', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'id',
        eb('unit_price', '<', '10').as('cheap'),
        eb('cost', 'is', null).as('unknown'),
        eb.and([eb('discontinued', '=', true), eb('reorder_level', '>', 5)]).as('both'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('dates', (db) =>
    db
      .selectFrom('orders')
      .select([
        'id',
        sql<number>`extract(year from order_date)::int`.as('year'),
        sql<string>`date_trunc('month', order_date)`.as('month'),
        sql<string>`order_date + interval '30 days'`.as('due'),
      ])
      .orderBy('id')
      .limit(60)
      .execute(),
  ),
  read('json by operators', (db) =>
    db
      .selectFrom('products')
      .select([
        'id',
        sql<string | null>`attributes->>'color'`.as('color'),
        sql<string | null>`attributes #>> '{dims,w}'`.as('width'),
        sql`attributes->'tags'`.as('tags'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('json by path', (db) =>
    db
      .selectFrom('products')
      .select((eb) => [
        'id',
        eb
          .ref('attributes', '->')
          .key('dims' as never)
          .as('dims'),
        eb
          .ref('attributes', '->>')
          .key('grams' as never)
          .as('grams'),
      ])
      .orderBy('id')
      .execute(),
  ),
  read('json in a filter', (db) =>
    db
      .selectFrom('products')
      .select('id')
      .where(sql<boolean>`attributes @> ${JSON.stringify({ organic: true })}::jsonb`)
      .orderBy('id')
      .execute(),
  ),
  read('every type, one by one, as parameters', async (db) => {
    const samples = await db.selectFrom('type_samples').selectAll().orderBy('id').execute()
    const found: unknown[] = []
    for (const sample of samples.slice(0, 8)) {
      found.push(
        await db
          .selectFrom('type_samples')
          .select('label')
          .where('c_int8', 'is not distinct from', sample.c_int8)
          .where('c_numeric', 'is not distinct from', sample.c_numeric)
          .where('c_uuid', 'is not distinct from', sample.c_uuid)
          .where('c_date', 'is not distinct from', sample.c_date)
          .where('c_time', 'is not distinct from', sample.c_time)
          .where('c_timestamp', 'is not distinct from', sample.c_timestamp)
          .where('c_timestamptz', 'is not distinct from', sample.c_timestamptz)
          .where('c_bytea', 'is not distinct from', sample.c_bytea)
          .orderBy('id')
          .execute(),
      )
    }
    return found
  }),
  read('values echoed', (db) =>
    db
      .selectFrom('tags')
      .select([
        sql`${'é 😀 \' " \\ $1'}::text`.as('text'),
        sql`${1}::int`.as('int'),
        sql`${9007199254740993n}::bigint`.as('bigint'),
        sql`${'1.50'}::numeric`.as('numeric'),
        sql`${0.1}::double precision`.as('float'),
        sql`${true}::boolean`.as('yes'),
        sql`${null}::text`.as('nothing'),
        sql`${new Date('2024-07-04T12:34:56.789Z')}::timestamptz`.as('at'),
        sql`${'{"a": [1, 2.50]}'}::jsonb`.as('json'),
      ])
      .where('id', '=', 1)
      .execute(),
  ),
  read('a statement by hand with identifiers', async (db) => {
    const { rows } =
      await sql`select ${sql.ref('name')} from ${sql.table('main.tags')} where ${sql.ref('id')} in (${sql.join([1, 2, 3])}) order by ${sql.id('name')}`.execute(
        db,
      )
    return rows
  }),
  read('a statement by hand with columns of the same name', async (db) => {
    const { rows } =
      await sql`select o.id, c.id from main.orders o join main.customers c on c.id = o.customer_id where o.id < 5 order by o.id`.execute(
        db,
      )
    return rows
  }),
  read('a series of numbers', (db) =>
    db
      .selectFrom(sql<{ n: number }>`generate_series(1, 5)`.as<'s'>(sql`s(n)`))
      .select('s.n')
      .orderBy('s.n')
      .execute(),
  ),
  read('queries at the same time', (db) =>
    Promise.all([
      db.selectFrom('tags').selectAll().orderBy('id').execute(),
      db.selectFrom('categories').select('id').orderBy('id').execute(),
      db.selectFrom('orders').select('id').where('id', '=', 1).executeTakeFirst(),
    ]),
  ),
  read(
    'a plan explained',
    async (db) => {
      const plan = await db.selectFrom('tags').selectAll().explain('json')
      return JSON.stringify(plan).includes('"Plan":')
    },
    { portable: false },
  ),
  read(
    'an unknown column',
    (db) =>
      db
        .selectFrom('tags')
        .select('nothing' as 'name')
        .execute(),
    {
      expect: { rejected: 400 },
    },
  ),
  read(
    'an unknown table',
    (db) =>
      db
        .selectFrom('nowhere' as 'tags')
        .selectAll()
        .execute(),
    {
      expect: { rejected: 404 },
    },
  ),
]
