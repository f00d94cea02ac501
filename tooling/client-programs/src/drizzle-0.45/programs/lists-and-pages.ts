import {
  and,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  max,
  notBetween,
  notExists,
  notIlike,
  notInArray,
  notLike,
  sql,
} from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customerProfiles, customers, orderItems, orders, products, reviews } from '../schema.ts'
import { typeSamples } from '../scratch-schema.ts'

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
  read('array of columns selected through getTableColumns rest', (db) => {
    const { notes, createdAt, ...rest } = getTableColumns(customers)
    return db.select(rest).from(customers).orderBy(customers.id)
  }),
  read('column alias used via as() in orderBy', (db) => {
    const total = sql<number>`${orderItems.quantity} * ${orderItems.unitPrice}`.as('total')
    return db
      .select({ o: orderItems.orderId, p: orderItems.productId, total })
      .from(orderItems)
      .orderBy(desc(total), orderItems.orderId, orderItems.productId)
      .limit(10)
  }),
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
  read('inArray subquery with a join', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(
        inArray(
          products.id,
          db
            .select({ id: orderItems.productId })
            .from(orderItems)
            .innerJoin(orders, eq(orders.id, orderItems.orderId))
            .where(eq(orders.status, 'shipped')),
        ),
      )
      .orderBy(products.id),
  ),
  read('eq to a subquery', (db) =>
    db
      .select()
      .from(orders)
      .where(eq(orders.totalCents, db.select({ m: max(orders.totalCents) }).from(orders)))
      .orderBy(orders.id),
  ),
  read('parent rows with count of children', (db) =>
    db
      .select({ id: customers.id, n: count(orders.id) })
      .from(customers)
      .leftJoin(orders, eq(orders.customerId, customers.id))
      .groupBy(customers.id)
      .orderBy(desc(count(orders.id)), customers.id),
  ),
  read('customers with no child by left join', (db) =>
    db
      .select({ id: customers.id })
      .from(customers)
      .leftJoin(orders, eq(orders.customerId, customers.id))
      .where(isNull(orders.id))
      .orderBy(customers.id),
  ),
  read('$count in select with filter', (db) =>
    db
      .select({ id: customers.id, n: db.$count(orders, eq(orders.customerId, customers.id)) })
      .from(customers)
      .orderBy(customers.id),
  ),
  read('$count awaited with filter', async (db) => [
    await db.$count(orders, eq(orders.status, 'paid')),
    await db.$count(customers),
  ]),
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
  read('array_agg', (db) =>
    db
      .select({
        c: products.categoryId,
        ids: sql`array_agg(${products.id} order by ${products.id})`,
      })
      .from(products)
      .groupBy(products.categoryId)
      .orderBy(products.categoryId),
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
  read('prepared with placeholder in lower()', async (db) => {
    const q = db
      .select({ id: customers.id })
      .from(customers)
      .where(sql`lower(${customers.companyName}) = ${sql.placeholder('name')}`)
      .prepare('pp2')
    return q.execute({ name: 'äpfel & söhne' })
  }),
  read('prepared with placeholder in an inArray element', async (db) => {
    const q = db
      .select({ id: customers.id })
      .from(customers)
      .where(inArray(customers.id, [sql.placeholder('a'), sql.placeholder('b')]))
      .orderBy(customers.id)
      .prepare('pp3')
    return q.execute({ a: 2, b: 5 })
  }),
  read('prepared rqb with placeholders deep', async (db) => {
    const q = db.query.customers
      .findMany({
        where: (c, { gt }) => gt(c.id, sql.placeholder('id')),
        limit: sql.placeholder('n'),
        orderBy: (c) => c.id,
        with: {
          orders: {
            where: (o, { eq }) => eq(o.status, sql.placeholder('st')),
            limit: sql.placeholder('m'),
            orderBy: (o) => o.id,
          },
        },
      })
      .prepare('pp4')
    return q.execute({ id: 3, n: 3, st: 'paid', m: 2 })
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
  read('sql.identifier quoting', (db) =>
    db.execute(
      sql`select ${sql.identifier('id')} from ${sql.identifier('main')}.${sql.identifier('odd names')} order by ${sql.identifier('id')}`,
    ),
  ),
  read('notInArray, notBetween, notLike, notIlike together', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(
        and(
          notInArray(products.id, [1, 2, 3]),
          notBetween(products.unitPrice, '10', '20'),
          notLike(products.name, '%Tea%'),
          notIlike(products.name, '%COFFEE%'),
        ),
      )
      .orderBy(products.id),
  ),
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
  read('inArray Dates on timestamptz', (db) =>
    db
      .select({ id: typeSamples.id })
      .from(typeSamples)
      .where(
        inArray(typeSamples.timestamptz, [
          new Date('2000-01-01T00:00:00Z'),
          new Date('2024-02-29T10:30:00Z'),
        ]),
      )
      .orderBy(typeSamples.id),
  ),
  read('eq column to column of other type', (db) =>
    db
      .select({ id: orderItems.orderId, p: orderItems.productId })
      .from(orderItems)
      .where(eq(orderItems.quantity, orderItems.discount))
      .orderBy(orderItems.orderId, orderItems.productId),
  ),
  read('numbers passed to numeric columns as strings with exponents', (db) =>
    db
      .select({ id: products.id })
      .from(products)
      .where(gt(products.unitPrice, '1e1'))
      .orderBy(products.id)
      .limit(3),
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
