import {
  arrayContained,
  arrayContains,
  arrayOverlaps,
  desc,
  eq,
  inArray,
  lt,
  sql,
} from 'drizzle-orm'
import type { Program, ProgramOptions } from '../../program.ts'
import { type Db, read, write } from '../client.ts'
import { countryCounts, pgOnly } from '../postgres-schema.ts'
import { orders } from '../schema.ts'
import { counters, scratch, stock } from '../scratch-schema.ts'

const onPostgres: ProgramOptions = { portable: false }

/** Features that only PostgreSQL has: arrays, enums, intervals, writing common table expressions. */
export const postgresOnly: readonly Program<Db>[] = [
  read(
    'every type of PostgreSQL as it comes from the wire',
    (db) => db.execute(sql`select * from main.pg_only order by id`),
    onPostgres,
  ),
  read(
    'a materialized view',
    (db) => db.select().from(countryCounts).orderBy(countryCounts.country),
    onPostgres,
  ),
  read(
    'an array that contains',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(arrayContains(pgOnly.numbers, [1, 3]))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'an array that is contained',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(arrayContained(pgOnly.numbers, [1, 2, 3, 4]))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'arrays that overlap',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(arrayOverlaps(pgOnly.names, ['a', 'quote "']))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'any item of an array column',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(sql`${3} = any(${pgOnly.numbers})`)
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'items, slices and lengths of arrays',
    (db) =>
      db
        .select({
          first: sql<number | null>`${pgOnly.numbers}[1]`,
          length: sql<number | null>`array_length(${pgOnly.numbers}, 1)`,
          size: sql<number | null>`cardinality(${pgOnly.grid})`,
          longer: sql`array_append(${pgOnly.numbers}, 9)`,
          joined: sql<string | null>`array_to_string(${pgOnly.names}, '-')`,
        })
        .from(pgOnly)
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'values gathered into an array',
    (db) =>
      db
        .select({
          status: orders.status,
          ids: sql<number[]>`array_agg(${orders.id} order by ${orders.id} desc)`,
          days: sql<string[]>`array_agg(${orders.shippedOn} order by ${orders.id})`,
        })
        .from(orders)
        .where(lt(orders.id, 30))
        .groupBy(orders.status)
        .orderBy(orders.status),
    onPostgres,
  ),
  read(
    'an array taken apart',
    (db) =>
      db.execute(sql`select p.id, n from main.pg_only p, unnest(p.numbers) as n order by p.id, n`),
    onPostgres,
  ),
  read(
    'an enum in a filter and in its own order',
    (db) =>
      db
        .select({ id: pgOnly.id, mood: pgOnly.currentMood })
        .from(pgOnly)
        .where(inArray(pgOnly.currentMood, ['happy', 'ok', 'sad']))
        .orderBy(desc(pgOnly.currentMood), pgOnly.id),
    onPostgres,
  ),
  read(
    'intervals',
    (db) =>
      db
        .select({
          id: orders.id,
          wait: sql<string>`${orders.paidAt} - (${orders.orderDate} at time zone 'UTC')`,
          twice: sql<string>`interval '1 day 02:00:00' * 2`,
        })
        .from(orders)
        .orderBy(orders.id)
        .limit(40),
    onPostgres,
  ),
  read(
    'a percentile within a group',
    (db) =>
      db
        .select({
          median: sql<number>`percentile_cont(0.5) within group (order by ${orders.totalCents})`,
        })
        .from(orders)
        .where(lt(orders.id, 70)),
    onPostgres,
  ),
  read(
    'a materialized common table expression',
    (db) =>
      db.execute(
        sql`with few as materialized (select id from main.tags where id < 4) select id from few order by id`,
      ),
    onPostgres,
  ),
  write(
    'an enum, an array and an interval written',
    async (db) => {
      await db.delete(scratch)
      return db.execute(sql`
        select 'happy'::main.mood as mood, ${'{a,"b c"}'}::text[] as names,
        ${'1 day 02:03:04'}::interval as span`)
    },
    onPostgres,
  ),
  write(
    'a common table expression that writes',
    async (db) => {
      const moved = db.$with('moved').as(db.delete(stock).where(eq(stock.quantity, 0)).returning())
      const rows = await db.with(moved).select().from(moved).orderBy(moved.code)
      return [rows, await db.$count(stock)]
    },
    onPostgres,
  ),
  write(
    'two writes in one statement',
    async (db) => {
      await db.execute(sql`
        with gone as (delete from main.counters where n = 0 returning key)
        insert into main.stock (code, quantity) select key, 1 from gone`)
      return [
        await db.select().from(counters).orderBy(counters.key),
        await db.select().from(stock).orderBy(stock.code),
      ]
    },
    onPostgres,
  ),
  write(
    'an insert that overrides the key',
    (db) =>
      db
        .insert(scratch)
        .overridingSystemValue()
        .values({ id: 500, name: 'overridden' })
        .returning({ id: scratch.id }),
    onPostgres,
  ),
]
