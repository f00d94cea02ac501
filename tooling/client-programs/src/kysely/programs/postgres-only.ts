import { sql } from 'kysely'
import type { Program, ProgramOptions } from '../../program.ts'
import { type Db, read } from '../client.ts'

const onPostgres: ProgramOptions = { portable: false }

/** Features that only PostgreSQL has. Arrays are sent as JSON arrays. */
export const postgresOnly: readonly Program<Db>[] = [
  read(
    'an array that contains',
    (db) =>
      db
        .selectFrom('pg_only')
        .select('id')
        .where(sql<boolean>`names @> ${['a']}`)
        .orderBy('id')
        .execute(),
    onPostgres,
  ),
  read('no item of an array parameter', (db) =>
    db
      .selectFrom('orders')
      .select('id')
      .where(sql<boolean>`status <> all(${['new', 'paid', 'cancelled']})`)
      .orderBy('id')
      .execute(),
  ),
  read(
    'an array taken apart',
    (db) =>
      db
        .selectFrom('pg_only as p')
        .innerJoinLateral(sql<{ n: number }>`unnest(p.numbers)`.as<'u'>(sql`u(n)`), (join) =>
          join.onTrue(),
        )
        .select(['p.id', 'u.n'])
        .orderBy('p.id')
        .orderBy('u.n')
        .execute(),
    onPostgres,
  ),
  read(
    'intervals',
    (db) =>
      db
        .selectFrom('orders')
        .select(['id', sql<string>`age(order_date, timestamp '2023-01-01')`.as('age')])
        .orderBy('id')
        .limit(20)
        .execute(),
    onPostgres,
  ),
  read(
    'a median',
    (db) =>
      db
        .selectFrom('orders')
        .select((eb) =>
          eb.fn
            .agg<number>('percentile_cont', [sql.lit(0.5)])
            .withinGroupOrderBy('freight')
            .as('median'),
        )
        .execute(),
    onPostgres,
  ),
]
