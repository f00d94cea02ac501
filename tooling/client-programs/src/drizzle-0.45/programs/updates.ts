import { and, asc, eq, exists, gt, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { customerProfiles, customers, orders, products } from '../schema.ts'
import {
  counters,
  folders,
  memberships,
  oddNames,
  scratch,
  scratchModes,
  settings,
  stock,
} from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const stockRows = (db: Db) => db.select().from(stock).orderBy(asc(stock.code))
const memberRows = (db: Db) => db.select().from(memberships).orderBy(memberships.id)
const counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)
const folderRows = (db: Db) => db.select().from(folders).orderBy(folders.id)

/** Rows that a write returns have no order. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.id - b.id)

/** Updates; each returns its RETURNING rows and the table afterwards. */
export const updates: readonly Program<Db>[] = [
  write('an update answers with nothing', async (db) => [
    await db.update(scratch).set({ note: 'changed' }).where(eq(scratch.id, 1)),
    await scratchRows(db),
  ]),
  write('an update that returns the rows as they are now', async (db) =>
    byId(await db.update(scratch).set({ n: 0 }).where(gt(scratch.id, 2)).returning()),
  ),
  write('an update that returns chosen columns and an expression', (db) =>
    db
      .update(scratch)
      .set({ n: 41 })
      .where(eq(scratch.id, 2))
      .returning({ id: scratch.id, next: sql<number>`${scratch.n} + 1` }),
  ),
  write('an update of every row', async (db) => {
    await db.update(memberships).set({ points: 1 })
    return memberRows(db)
  }),
  write('an update of no row', async (db) => [
    await db.update(scratch).set({ n: 0 }).where(eq(scratch.id, -1)).returning(),
    await scratchRows(db),
  ]),
  write('an update of every kind of value', (db) =>
    db
      .update(scratch)
      .set({
        name: 'changed',
        note: '',
        amount: '0.005',
        flag: false,
        n: 2147483647,
        small: -32768,
        big: -9223372036854775808n,
        ratio: -0.5,
        code: '',
        day: '0001-01-01',
        at: new Date('2024-02-29T12:00:00.5Z'),
        seenAt: new Date('2024-02-29T12:00:00Z'),
        data: ['x'],
        bytes: Buffer.alloc(0),
      })
      .where(eq(scratch.id, 3))
      .returning(),
  ),
  write('an update to null', (db) =>
    db
      .update(scratch)
      .set({ note: null, amount: null, data: null, at: null, big: null })
      .where(eq(scratch.id, 1))
      .returning(),
  ),
  write('an update to the default by hand', async (db) => {
    await db.execute(sql`update main.settings set level = default, name = default where id = 2`)
    return db.select().from(settings).orderBy(settings.id)
  }),
  write('an update that reads the old value', async (db) => {
    await db
      .update(memberships)
      .set({ points: sql`${memberships.points} + 10`, role: sql`upper(${memberships.role})` })
      .where(eq(memberships.team, 'red'))
    return memberRows(db)
  }),
  write('two columns that change places', async (db) => {
    await db.execute(sql`update main.memberships set team = member, member = team where id = 1`)
    return memberRows(db)
  }),
  write('a value touched by the client on every update', (db) =>
    db.update(scratchModes).set({ amount: 3.25 }).where(eq(scratchModes.id, 1)).returning(),
  ),
  write('an update filtered by a subquery', async (db) => {
    await db
      .update(stock)
      .set({ quantity: 0 })
      .where(
        inArray(
          stock.code,
          db.select({ code: stock.code }).from(stock).where(lt(stock.quantity, 8)),
        ),
      )
    return stockRows(db)
  }),
  write('an update filtered by rows of another table', async (db) => {
    await db
      .update(counters)
      .set({ n: -1 })
      .where(
        exists(
          db.select({ one: sql`1` }).from(memberships).where(eq(memberships.points, counters.n)),
        ),
      )
    return counterRows(db)
  }),
  write('an update to a value from a subquery', async (db) => {
    await db
      .update(counters)
      .set({ n: sql`(select count(*) from ${orders} where ${orders.status} = 'new')` })
      .where(eq(counters.key, 'hits'))
    return counterRows(db)
  }),
  write('an update from another table', async (db) => {
    await db
      .update(memberships)
      .set({ role: customers.country, points: customers.id })
      .from(customers)
      .where(eq(customers.id, memberships.id))
    return memberRows(db)
  }),
  write('an update from another table that returns columns of both', async (db) =>
    byId(
      await db
        .update(scratch)
        .set({ amount: sql`${products.unitPrice} * 2` })
        .from(products)
        .where(and(eq(products.id, scratch.id), lt(scratch.id, 4)))
        .returning({ id: scratch.id, amount: scratch.amount, product: products.name }),
    ),
  ),
  write('an update from two joined tables', async (db) => {
    await db
      .update(memberships)
      .set({ points: sql`${customerProfiles.id}`, role: customers.country })
      .from(customers)
      .innerJoin(customerProfiles, eq(customerProfiles.customerId, customers.id))
      .where(eq(customers.id, memberships.id))
    return memberRows(db)
  }),
  write('an update from a subquery', async (db) => {
    const counts = db
      .select({ customer: orders.customerId, n: sql<number>`count(*)::int`.as('n') })
      .from(orders)
      .groupBy(orders.customerId)
      .as('counts')
    await db
      .update(memberships)
      .set({ points: sql`${counts.n}` })
      .from(counts)
      .where(eq(counts.customer, memberships.id))
    return memberRows(db)
  }),
  write('an update from the table itself', async (db) => {
    const parent = alias(folders, 'parent')
    await db
      .update(folders)
      .set({ name: sql`${parent.name} || '/' || ${folders.name}` })
      .from(parent)
      .where(eq(folders.parentId, parent.id))
    return folderRows(db)
  }),
  write('an update with a common table expression', async (db) => {
    const low = db
      .$with('low')
      .as(db.select({ code: stock.code }).from(stock).where(lt(stock.quantity, 6)))
    const returned = await db
      .with(low)
      .update(stock)
      .set({ price: '9.99' })
      .where(inArray(stock.code, sql`(select code from ${low})`))
      .returning({ code: stock.code, price: stock.price })
    return [returned.toSorted((a, b) => (a.code < b.code ? -1 : 1)), await stockRows(db)]
  }),
  write('an update with names that need quoting', async (db) =>
    db
      .update(oddNames)
      .set({ camelCase: 'x', quoted: sql`${oddNames.quoted} || '!'`, dotted: null })
      .where(eq(oddNames.withSpace, 'a b'))
      .returning(),
  ),
  write('an update by case', async (db) => {
    await db.update(stock).set({
      price: sql`case when ${stock.quantity} = 0 then 0 else ${stock.price} * 1.1 end`,
    })
    return stockRows(db)
  }),
  write('an update of json', async (db) => {
    await db
      .update(scratch)
      .set({ data: sql`jsonb_set(${scratch.data}, '{k}', '"new"')` })
      .where(sql`${scratch.data} ? 'k'`)
    return scratchRows(db)
  }),
  write('a refused update changes no row', async (db) => {
    await db
      .update(stock)
      .set({ quantity: sql`${stock.quantity} - 6` })
      .catch(() => undefined)
    return stockRows(db)
  }),
  write('a prepared update run twice', async (db) => {
    const rename = db
      .update(scratch)
      .set({ note: sql`${sql.placeholder('note')}` })
      .where(eq(scratch.id, sql.placeholder('id')))
      .returning({ id: scratch.id, note: scratch.note })
      .prepare('rename_scratch')
    return [
      await rename.execute({ id: 1, note: 'first' }),
      await rename.execute({ id: 2, note: 'second' }),
    ]
  }),
  write('an update that counts on the value read before', async (db) => {
    const swap = (from: number, to: number) =>
      db
        .update(counters)
        .set({ n: to })
        .where(and(eq(counters.key, 'hits'), eq(counters.n, from)))
        .returning({ n: counters.n })
    return [await swap(10, 11), await swap(10, 12)]
  }),
]
