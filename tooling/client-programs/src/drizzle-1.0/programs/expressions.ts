import { asc, lt, sql } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { orders, products, tags } from '../schema.ts'

/** Fields and statements written by hand. */
export const expressions: readonly Program<Db>[] = [
  read('dates, numbers and texts computed', (db) =>
    db
      .select({
        year: sql<number>`extract(year from ${orders.orderDate})::int`,
        day: sql<string>`${orders.orderDate}::date`,
        net: sql<string>`round(${orders.freight} / 1.19, 2)`,
        label: sql<string>`${orders.status} || '-' || ${orders.id}`,
        late: sql<boolean>`${orders.shippedOn} is null`,
      })
      .from(orders)
      .orderBy(orders.id),
  ),
  read('json taken apart', (db) =>
    db
      .select({
        id: products.id,
        color: sql<string | null>`${products.attributes}->>'color'`,
        dims: sql`${products.attributes}->'dims'`,
      })
      .from(products)
      .where(sql`${products.attributes} ? 'color'`)
      .orderBy(products.id),
  ),
  read('a comment travels with the query', (db) =>
    db
      .select({ id: tags.id })
      .from(tags)
      .orderBy(asc(tags.id))
      .comment({ route: '/tags', note: "it's" }),
  ),
  read('rows of a statement by hand', (db) =>
    db.execute(sql`select id, order_date, freight from main.orders where id < ${4} order by id`),
  ),
  read('rows of a statement by hand as arrays', (db) =>
    db.execute(sql`select id, id, name from main.tags order by id`, 'arrays'),
  ),
  read('a filter on a numbered subquery', (db) => {
    const ranked = db
      .select({
        id: orders.id,
        rank: sql<number>`row_number() over (partition by ${orders.customerId} order by ${orders.orderDate} desc, ${orders.id})`
          .mapWith(Number)
          .as('rank'),
      })
      .from(orders)
      .as('ranked')
    return db.select().from(ranked).where(lt(ranked.rank, 3)).orderBy(ranked.id)
  }),
]
