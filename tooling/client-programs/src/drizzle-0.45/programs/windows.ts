import { desc, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { orders, products } from '../schema.ts'

/** Window functions, written by hand. */
export const windows: readonly Program<Db>[] = [
  read('ranks within groups', (db) =>
    db
      .select({
        id: products.id,
        rank: sql<string>`rank() over (partition by ${products.categoryId} order by ${products.unitPrice})`,
        dense: sql<string>`dense_rank() over (partition by ${products.categoryId} order by ${products.unitPrice})`,
        quartile: sql<number>`ntile(4) over (order by ${products.unitPrice}, ${products.id})`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('running sums', (db) =>
    db
      .select({
        id: orders.id,
        sum: sql<string>`sum(${orders.freight}) over (partition by ${orders.customerId} order by ${orders.id} rows between unbounded preceding and current row)`,
        moving: sql<string>`avg(${orders.freight}) over (order by ${orders.id} rows between 2 preceding and 2 following)`,
        share: sql<string>`count(*) over (partition by ${orders.customerId})`,
      })
      .from(orders)
      .orderBy(orders.id),
  ),
  read('the row before and the row after', (db) =>
    db
      .select({
        id: orders.id,
        before: sql<
          string | null
        >`lag(${orders.orderDate}) over (partition by ${orders.customerId} order by ${orders.orderDate}, ${orders.id})`,
        after: sql<number>`lead(${orders.id}, 1, 0) over (order by ${orders.id})`,
        first: sql<number>`first_value(${orders.id}) over (partition by ${orders.customerId} order by ${orders.orderDate}, ${orders.id})`,
      })
      .from(orders)
      .orderBy(orders.id),
  ),
  read('a share of the whole', (db) =>
    db
      .select({
        status: orders.status,
        share: sql<string>`round(100.0 * count(*) / sum(count(*)) over (), 2)`,
      })
      .from(orders)
      .groupBy(orders.status)
      .orderBy(desc(sql`count(*)`), orders.status),
  ),
]
