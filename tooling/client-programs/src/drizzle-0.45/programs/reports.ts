import { count, lte, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders, products } from '../schema.ts'

/** Queries of reports: months, shares, running sums, the first few of each group. */
export const reports: readonly Program<Db>[] = [
  read('sql.param arrays any', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(sql`${products.id} = any(${sql.param([1, 5, 9])})`)
      .orderBy(products.id),
  ),
  read('date_trunc group', (db) =>
    db
      .select({ m: sql`date_trunc('month', ${orders.orderDate})`.as('m'), n: count() })
      .from(orders)
      .groupBy(sql`m`)
      .orderBy(sql`m`),
  ),
  read('to_char group', (db) =>
    db
      .select({ m: sql<string>`to_char(${orders.orderDate}, 'YYYY-"Q"Q')`, n: count() })
      .from(orders)
      .groupBy(sql`1`)
      .orderBy(sql`1`),
  ),
  read('extract dow/isodow/epoch', (db) =>
    db
      .select({
        id: orders.id,
        a: sql<number>`extract(dow from ${orders.orderDate})`,
        b: sql`extract(isodow from ${orders.orderDate})`,
        c: sql`extract(epoch from ${orders.orderDate})`,
        d: sql`date_part('week', ${orders.orderDate})`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(5),
  ),
  read('interval multiplied by a column', (db) =>
    db
      .select({
        id: orders.id,
        due: sql`${orders.orderDate} + ${orders.employeeId} * interval '1 day'`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(8),
  ),
  read('make_interval', (db) =>
    db
      .select({ id: orders.id, due: sql`${orders.orderDate} + make_interval(days => 14)` })
      .from(orders)
      .orderBy(orders.id)
      .limit(4),
  ),
  read('windows: ntile, percent_rank, cume_dist, first_value, nth_value', (db) =>
    db
      .select({
        id: products.id,
        a: sql`ntile(4) over (order by ${products.unitPrice}, ${products.id})`,
        b: sql`percent_rank() over (order by ${products.unitPrice})`,
        c: sql`cume_dist() over (order by ${products.unitPrice})`,
        d: sql`first_value(${products.name}) over (partition by ${products.categoryId} order by ${products.id})`,
        e: sql`nth_value(${products.name}, 2) over (partition by ${products.categoryId} order by ${products.id} rows between unbounded preceding and unbounded following)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('window in a subquery, top-n per group', (db) => {
    const r = db
      .select({
        id: products.id,
        c: products.categoryId,
        rn: sql<number>`row_number() over (partition by ${products.categoryId} order by ${products.unitPrice} desc, ${products.id})`.as(
          'rn',
        ),
      })
      .from(products)
      .as('r')
    return db.select().from(r).where(lte(r.rn, 2)).orderBy(r.c, r.rn)
  }),
  read('execute returns typed rows', (db) =>
    db.execute(
      sql`select count(*)::int as n, max(${orders.orderDate}) as last, bool_and(${orders.totalCents} > 0) as pos, avg(${orders.freight})::float8 as f from ${orders}`,
    ),
  ),
  read('percentage of total', (db) =>
    db
      .select({ st: orders.status, pct: sql`round(100.0 * count(*) / sum(count(*)) over (), 2)` })
      .from(orders)
      .groupBy(orders.status)
      .orderBy(orders.status),
  ),
  read('greatest/least/nullif/coalesce mix', (db) =>
    db
      .select({
        id: products.id,
        g: sql`greatest(${products.unitsInStock}, ${products.reorderLevel}, 5)`,
        l: sql`least(${products.unitPrice}, ${products.cost})`,
        n: sql`nullif(${products.reorderLevel}, 0)`,
        c: sql`coalesce(${products.cost}, ${products.unitPrice}, 0)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('concat, concat_ws, format', (db) =>
    db
      .select({
        a: sql`concat(${customers.companyName}, ' - ', ${customers.city})`,
        b: sql`concat_ws(', ', ${customers.city}, ${customers.country})`,
        c: sql`format('%s (%s)', ${customers.companyName}, ${customers.id})`,
      })
      .from(customers)
      .orderBy(customers.id),
  ),
  read('initcap, split_part, lpad, repeat, reverse', (db) =>
    db
      .select({
        a: sql`initcap(${products.name})`,
        b: sql`split_part(${products.sku}, '-', 2)`,
        c: sql`lpad(${products.id}::text, 5, '0')`,
        d: sql`reverse(${products.sku})`,
        e: sql`md5(${products.sku})`,
      })
      .from(products)
      .orderBy(products.id)
      .limit(8),
  ),
  read('regexp_replace, ~*', (db) =>
    db
      .select({ a: sql`regexp_replace(${products.sku}, '[^0-9]', '', 'g')` })
      .from(products)
      .where(sql`${products.name} ~* '^[a-m].*e'`)
      .orderBy(products.id),
  ),
]
