import { lt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { employees, orders, products } from '../schema.ts'

/** Dates, timestamps and json taken apart and built by hand. */
export const datesAndJson: readonly Program<Db>[] = [
  read('parts of a timestamp', (db) =>
    db
      .select({
        year: sql<string>`extract(year from ${orders.orderDate})`,
        month: sql<number>`extract(month from ${orders.orderDate})::int`,
        hour: sql<string>`extract(hour from ${orders.orderDate})`,
        second: sql<string>`extract(second from ${orders.orderDate})`,
        weekday: sql<number>`extract(dow from ${orders.orderDate})::int`,
        quarter: sql<number>`date_part('quarter', ${orders.orderDate})`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(60),
  ),
  read('timestamps cut to a unit', (db) =>
    db
      .select({
        month: sql<string>`date_trunc('month', ${orders.orderDate})`,
        day: sql<string>`date_trunc('day', ${orders.orderDate})`,
        week: sql<string>`date_trunc('week', ${orders.orderDate})`,
        mapped: sql<Date>`date_trunc('year', ${orders.orderDate})`.mapWith(orders.orderDate),
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(60),
  ),
  read('timestamps formatted', (db) =>
    db
      .select({
        month: sql<string>`to_char(${orders.orderDate}, 'YYYY-MM')`,
        minute: sql<string>`to_char(${orders.orderDate}, 'DD.MM.YYYY HH24:MI:SS')`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(60),
  ),
  read('days added and subtracted', (db) =>
    db
      .select({
        id: employees.id,
        next: sql<string>`${employees.hiredOn} + 1`,
        between: sql<number>`date '2024-01-01' - ${employees.hiredOn}`,
      })
      .from(employees)
      .orderBy(employees.id),
  ),
  read('intervals added to timestamps', (db) =>
    db
      .select({
        due: sql<string>`${orders.orderDate} + interval '30 days'`,
        before: sql<string>`${orders.orderDate} - interval '1 month'`,
        soon: sql<string>`${orders.orderDate} + interval '1 hour 30 minutes'`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(60),
  ),
  read('a window of time in a filter', (db) =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(
        sql`${orders.orderDate} >= timestamp '2024-06-30 00:00:00' - interval '90 days' and ${orders.orderDate} < date '2024-06-30'`,
      )
      .orderBy(orders.id),
  ),
  read('now is after every row', (db) =>
    db
      .select({ id: orders.id, past: sql<boolean>`${orders.orderDate} < now()` })
      .from(orders)
      .where(lt(orders.id, 5))
      .orderBy(orders.id),
  ),
  read('json read by key and by path', (db) =>
    db
      .select({
        id: products.id,
        color: sql<string | null>`${products.attributes}->>'color'`,
        height: sql<string | null>`${products.attributes}->'dims'->>'h'`,
        path: sql<string | null>`${products.attributes} #>> '{dims,w}'`,
        tags: sql`${products.attributes}->'tags'`,
        first: sql<string | null>`${products.attributes}->'tags'->>0`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('json in a filter', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(sql`${products.attributes}->>'color' = ${'red'}`)
      .orderBy(products.id),
  ),
  read('json cast to a number', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(sql`(${products.attributes}->>'grams')::numeric > ${'75.5'}`)
      .orderBy(products.id),
  ),
  read('json containment and keys', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(
        sql`${products.attributes} @> ${'{"organic": true}'}::jsonb and ${products.attributes} ? 'dims'`,
      )
      .orderBy(products.id),
  ),
  read('json built from columns', (db) =>
    db
      .select({
        object: sql`json_build_object('id', ${products.id}, 'price', ${products.unitPrice}, 'gone', ${products.discontinued}, 'at', ${products.createdAt})`,
        array: sql`json_build_array(${products.id}, ${products.name}, null, ${products.weightKg})`,
      })
      .from(products)
      .orderBy(products.id)
      .limit(20),
  ),
  read('the length of a json array', (db) =>
    db
      .select({
        id: products.id,
        n: sql<number>`jsonb_array_length(${products.attributes}->'tags')`,
      })
      .from(products)
      .where(sql`jsonb_typeof(${products.attributes}->'tags') = 'array'`)
      .orderBy(products.id),
  ),
]
