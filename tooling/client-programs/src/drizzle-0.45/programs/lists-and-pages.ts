import { and, desc, eq, exists, gt, gte, lte, notExists, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customerProfiles, customers, orderItems, orders, products, reviews } from '../schema.ts'

/** Lists in one value, prepared pages, keys of several columns. */
export const listsAndPages: readonly Program<Db>[] = [
  read('iif-style sum case', (db) =>
    db
      .select({
        c: orders.customerId,
        paid: sql<number>`sum(case when ${orders.status} = ${'paid'} then 1 else 0 end)`.mapWith(
          Number,
        ),
      })
      .from(orders)
      .groupBy(orders.customerId)
      .orderBy(orders.customerId),
  ),
  read('lower in where (unique case-insensitive email)', (db) =>
    db
      .select()
      .from(customers)
      .where(eq(sql`lower(${customers.email})`, 'info@example.com'))
      .orderBy(customers.id),
  ),
  read('subquery with aliased sql joined', (db) => {
    const sq = db
      .select({
        pid: orderItems.productId,
        qty: sql<number>`sum(${orderItems.quantity})`.as('qty'),
      })
      .from(orderItems)
      .groupBy(orderItems.productId)
      .as('sq')
    return db
      .select({ n: products.name, qty: sq.qty })
      .from(products)
      .leftJoin(sq, eq(sq.pid, products.id))
      .orderBy(sql`coalesce(${sq.qty}, 0) desc`, products.id)
      .limit(9)
  }),
  read('exists and not exists with raw', (db) =>
    db
      .select({ id: customers.id })
      .from(customers)
      .where(
        and(
          exists(
            db.select({ one: sql`1` }).from(orders).where(eq(orders.customerId, customers.id)),
          ),
          notExists(db.select().from(reviews).where(eq(reviews.customerId, customers.id))),
        ),
      )
      .orderBy(customers.id),
  ),
  read('json_build_object nested', (db) =>
    db
      .select({
        j: sql`json_build_object('id', ${products.id}, 'price', ${products.unitPrice}, 'flags', json_build_array(${products.discontinued}, ${products.weightKg}))`,
      })
      .from(products)
      .orderBy(products.id)
      .limit(10),
  ),
  read('jsonb_agg ordered', (db) =>
    db
      .select({
        s: products.supplierId,
        names: sql`jsonb_agg(${products.name} order by ${products.name} desc)`,
      })
      .from(products)
      .groupBy(products.supplierId)
      .orderBy(products.supplierId),
  ),
  read('string_agg with filter', (db) =>
    db
      .select({
        c: products.categoryId,
        n: sql`string_agg(${products.sku}, ', ' order by ${products.sku}) filter (where ${products.discontinued})`,
      })
      .from(products)
      .groupBy(products.categoryId)
      .orderBy(products.categoryId),
  ),
  read('prepared with sql.placeholder in where, limit and offset', async (db) => {
    const q = db
      .select()
      .from(orders)
      .where(
        and(eq(orders.status, sql.placeholder('status')), gt(orders.id, sql.placeholder('after'))),
      )
      .orderBy(orders.id)
      .limit(sql.placeholder('lim'))
      .offset(sql.placeholder('off'))
      .prepare('pp1')
    return [
      await q.execute({ status: 'paid', after: 3, lim: 2, off: 1 }),
      await q.execute({ status: 'new', after: 50, lim: 1, off: 0 }),
    ]
  }),
  read('sql.raw, sql.join, sql.empty, append', (db) => {
    const q = sql`select ${products.id}, ${products.name} from ${products}`
    q.append(
      sql` where ${products.id} in (${sql.join(
        [1, 2, 3].map((i) => sql`${i}`),
        sql`, `,
      )})`,
    )
    q.append(sql.raw(' order by 1 desc'))
    return db.execute(q)
  }),
  read('gte/lte dates as Date on date column mode date', (db) =>
    db
      .select({ id: customerProfiles.id, b: customerProfiles.birthday })
      .from(customerProfiles)
      .where(
        and(
          gte(customerProfiles.birthday, new Date('1980-01-01')),
          lte(customerProfiles.birthday, new Date('1999-12-31')),
        ),
      )
      .orderBy(customerProfiles.id),
  ),
  read('row comparison keyset', (db) =>
    db
      .select({ id: orders.id, d: orders.orderDate })
      .from(orders)
      .where(
        sql`(${orders.orderDate}, ${orders.id}) < (${new Date('2023-05-05T00:00:00Z')}, ${100})`,
      )
      .orderBy(desc(orders.orderDate), desc(orders.id))
      .limit(6),
  ),
  read('any() cast int[]', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(sql`${products.id} = any(${'{1,5,9}'}::int[])`)
      .orderBy(products.id),
  ),
]
