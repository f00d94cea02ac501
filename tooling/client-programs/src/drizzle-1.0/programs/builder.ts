import { desc, eq, inArray, isNotNull, lt, sql, sum } from 'drizzle-orm-v1'
import { alias, union, unionAll } from 'drizzle-orm-v1/pg-core'
import type { Program } from '../../program.ts'
import { type Db, read, write } from '../client.ts'
import {
  categories,
  customerProfiles,
  customers,
  employees,
  orders,
  products,
  suppliers,
  tags,
} from '../schema.ts'
import {
  counters,
  folders,
  memberships,
  plainSamples,
  scratch,
  scratchModes,
  settings,
} from '../scratch-schema.ts'

/** The query builder of 1.0, and its writes in every mode. */
export const builder: readonly Program<Db>[] = [
  read('union/except from builder', (db) =>
    union(
      db.select({ c: customers.country }).from(customers),
      db.select({ c: suppliers.country }).from(suppliers),
    ).orderBy(sql`1`),
  ),
  read('unionAll limit offset', (db) =>
    unionAll(
      db.select({ id: tags.id }).from(tags),
      db.select({ id: categories.id }).from(categories),
    )
      .orderBy(sql`1 desc`)
      .limit(5)
      .offset(2),
  ),
  read('cte with aggregated and filter', (db) => {
    const c = db.$with('c').as(
      db
        .select({ cid: orders.customerId, total: sum(orders.totalCents).as('total') })
        .from(orders)
        .groupBy(orders.customerId),
    )
    return db
      .with(c)
      .select({ n: customers.companyName, t: c.total })
      .from(customers)
      .leftJoin(c, eq(c.cid, customers.id))
      .orderBy(customers.id)
  }),
  read('distinctOn', (db) =>
    db
      .selectDistinctOn([orders.customerId], {
        c: orders.customerId,
        d: orders.orderDate,
        id: orders.id,
      })
      .from(orders)
      .orderBy(orders.customerId, desc(orders.orderDate), desc(orders.id)),
  ),
  read('lateral top 2', (db) => {
    const o = db
      .select({ id: orders.id, t: orders.totalCents })
      .from(orders)
      .where(eq(orders.customerId, customers.id))
      .orderBy(desc(orders.totalCents), orders.id)
      .limit(2)
      .as('o')
    return db
      .select({ c: customers.id, o: o.id, t: o.t })
      .from(customers)
      .leftJoinLateral(o, sql`true`)
      .orderBy(customers.id, desc(o.t), o.id)
  }),
  read('$count variants', async (db) => [
    await db.$count(orders),
    await db.$count(orders, eq(orders.status, 'paid')),
    await db
      .select({ id: customers.id, n: db.$count(orders, eq(orders.customerId, customers.id)) })
      .from(customers)
      .orderBy(customers.id)
      .limit(3),
  ]),
  read('bigint string mode etc', (db) =>
    db
      .select()
      .from(plainSamples)
      .where(inArray(plainSamples.id, [1, 3, 4, 5, 7]))
      .orderBy(plainSamples.id),
  ),
  read('nested json via json_build_object in select', (db) =>
    db
      .select({
        id: orders.id,
        j: sql`json_build_object('at', ${orders.orderDate}, 'paid', ${orders.paidAt}, 'cents', ${orders.totalCents})`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(5),
  ),
  read('nested object selection and joins null', (db) =>
    db
      .select({
        o: { id: orders.id, at: orders.orderDate },
        e: { id: employees.id, name: employees.lastName },
      })
      .from(orders)
      .leftJoin(employees, eq(employees.id, orders.employeeId))
      .orderBy(orders.id)
      .limit(20),
  ),
  read('group by rollup', (db) =>
    db
      .select({ st: orders.status, c: sql`count(*)` })
      .from(orders)
      .groupBy(sql`rollup(${orders.status})`)
      .orderBy(sql`1 nulls last`),
  ),
  read('window functions', (db) =>
    db
      .select({
        id: products.id,
        r: sql`rank() over (partition by ${products.categoryId} order by ${products.unitPrice} desc)`,
        t: sql`sum(${products.unitPrice}) over (partition by ${products.categoryId})`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('date mode and comparisons', (db) =>
    db
      .select({ id: customerProfiles.id, b: customerProfiles.birthday })
      .from(customerProfiles)
      .where(lt(customerProfiles.birthday, new Date('1990-01-01')))
      .orderBy(customerProfiles.id),
  ),
  write('v1 insert returning all', (db) =>
    db
      .insert(scratch)
      .values({
        name: 'n',
        amount: '5.5',
        big: 12n,
        day: '2024-01-01',
        at: new Date('2024-01-01T10:00:00.123Z'),
        seenAt: new Date('2024-01-01T10:00:00.123Z'),
        data: { a: [1, { b: null }] },
        bytes: Buffer.from([1, 2, 255]),
        ratio: 0.1,
        flag: false,
        code: 'é',
      })
      .returning(),
  ),
  write('v1 upsert', (db) =>
    db
      .insert(counters)
      .values([
        { key: 'hits', n: 1 },
        { key: 'n', n: 2 },
      ])
      .onConflictDoUpdate({ target: counters.key, set: { n: sql`${counters.n} + excluded.n` } })
      .returning()
      .then((r) => r.sort((a, b) => (a.key < b.key ? -1 : 1))),
  ),
  write('v1 upsert setWhere', async (db) => {
    await db
      .insert(counters)
      .values({ key: 'hits', n: 1 })
      .onConflictDoUpdate({ target: counters.key, set: { n: 99 }, setWhere: lt(counters.n, 5) })
    return db.select().from(counters).orderBy(counters.key)
  }),
  write('v1 doNothing', (db) =>
    db.insert(memberships).values({ team: 'red', member: 'ada' }).onConflictDoNothing().returning(),
  ),
  write('v1 insert select', async (db) => {
    await db.insert(folders).select(
      db
        .select({
          id: sql`${folders.id} + 10`.as('id'),
          name: folders.name,
          parentId: folders.parentId,
        })
        .from(folders),
    )
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('v1 update from', async (db) => {
    const p = alias(folders, 'p')
    await db
      .update(folders)
      .set({ name: sql`${p.name} || '/' || ${folders.name}` })
      .from(p)
      .where(eq(p.id, folders.parentId))
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('v1 update returning', (db) =>
    db
      .update(scratch)
      .set({ data: { new: true }, at: new Date(0), amount: '9.999', bytes: Buffer.from('hi') })
      .where(eq(scratch.id, 1))
      .returning(),
  ),
  write('v1 modes write', async (db) => {
    await db.insert(scratchModes).values({
      name: 'x',
      amount: 1.25,
      big: 7,
      day: new Date('2024-05-05T22:00:00Z'),
      at: '2024-05-05 01:02:03',
      seenAt: '2024-05-05 01:02:03+03',
    })
    return db.select().from(scratchModes).where(eq(scratchModes.name, 'x'))
  }),
  write('v1 delete returning', (db) =>
    db
      .delete(folders)
      .where(eq(folders.id, 5))
      .returning({ id: folders.id, n: sql`upper(${folders.name})` }),
  ),
  write('v1 with delete', async (db) => {
    const w = db
      .$with('w')
      .as(db.select({ id: folders.id }).from(folders).where(isNotNull(folders.parentId)))
    await db
      .with(w)
      .delete(folders)
      .where(inArray(folders.id, db.select({ id: w.id }).from(w)))
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('v1 defaults rows', async (db) => {
    await db.insert(settings).values([{}, { name: 'q' }])
    return db.select().from(settings).orderBy(settings.id)
  }),
  write('v1 overriding id', async (db) => {
    await db.insert(folders).values({ id: 77, name: 'x' })
    return db.select().from(folders).orderBy(folders.id)
  }),
]
