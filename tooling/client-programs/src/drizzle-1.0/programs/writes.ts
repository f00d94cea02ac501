import { asc, eq, gt, inArray, lt, sql } from 'drizzle-orm-v1'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { customerProfiles, customers, products } from '../schema.ts'
import { counters, memberships, scratch, scratchModes, settings, stock } from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const stockRows = (db: Db) => db.select().from(stock).orderBy(asc(stock.code))
const memberRows = (db: Db) => db.select().from(memberships).orderBy(memberships.id)
const counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)

/** Rows that a write returns have no order. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.id - b.id)

/** Writes; each returns its RETURNING rows and the table afterwards. */
export const writes: readonly Program<Db>[] = [
  write('an insert of every column', async (db) => [
    await db
      .insert(scratch)
      .values({
        name: 'full',
        note: "it's",
        amount: '12345678.90',
        flag: false,
        n: -1,
        small: 32767,
        big: 9007199254740993n,
        ratio: 0.1,
        code: 'abc',
        day: '2024-02-29',
        at: new Date('2024-03-10T02:30:00.123Z'),
        seenAt: new Date('2024-11-03T06:30:00.456Z'),
        data: { a: [1, null, { b: 'é' }], c: 'text', d: 1.5 },
        bytes: Buffer.from([0, 1, 254, 255]),
      })
      .returning(),
    await scratchRows(db),
  ]),
  write('json of every shape', (db) =>
    db
      .insert(scratch)
      .values([
        { name: 'object', data: { k: { deep: [] } } },
        { name: 'array', data: [1, 'two', null] },
        { name: 'empty array', data: [] },
        { name: 'text', data: 'text' },
        { name: 'number', data: 12.5 },
        { name: 'boolean', data: false },
      ])
      .returning({ name: scratch.name, data: scratch.data }),
  ),
  write('rows that leave different columns to their defaults', (db) =>
    db
      .insert(settings)
      .values([{ name: 'one' }, { level: 9, comment: 'two' }, { startsOn: null }, {}])
      .returning(),
  ),
  write('values in the other modes', (db) =>
    db
      .insert(scratchModes)
      .values({
        amount: 12.5,
        big: 42,
        day: new Date('2024-05-06'),
        at: '2024-05-06 07:08:09.000001',
      })
      .returning(),
  ),
  write('an insert into some columns only', (db) =>
    db
      .insert(stock, 'code', 'price')
      .values([
        { code: 'N-1', price: '1.5' },
        { code: 'N-2', price: '2.5' },
      ])
      .returning(),
  ),
  write('an upsert with a condition', async (db) => {
    await db
      .insert(counters)
      .values({ key: 'hits', n: 4 })
      .onConflictDoUpdate({ target: counters.key, set: { n: 4 }, setWhere: lt(counters.n, 4) })
    return counterRows(db)
  }),
  write('an update that returns the rows as they are now', async (db) =>
    byId(
      await db
        .update(scratch)
        .set({ n: 0, data: { changed: true } })
        .where(gt(scratch.id, 2))
        .returning(),
    ),
  ),
  write('an update from two joined tables', async (db) => {
    await db
      .update(memberships)
      .set({ points: customerProfiles.id, role: customers.country })
      .from(customers)
      .innerJoin(customerProfiles, eq(customerProfiles.customerId, customers.id))
      .where(eq(customers.id, memberships.id))
    return memberRows(db)
  }),
  write('a delete with a common table expression', async (db) => {
    const empty = db
      .$with('empty')
      .as(db.select({ code: stock.code }).from(stock).where(eq(stock.quantity, 0)))
    await db
      .with(empty)
      .delete(stock)
      .where(inArray(stock.code, sql`(select code from ${empty})`))
    return stockRows(db)
  }),
  write('a prepared insert run twice', async (db) => {
    const add = db
      .insert(counters)
      .values({ key: sql.placeholder('key'), n: sql.placeholder('n') })
      .returning()
      .prepare('add_counter')
    return [await add.execute({ key: 'x', n: 1 }), await add.execute({ key: 'y', n: 2 })]
  }),
  write('a unique key that is taken', (db) => db.insert(counters).values({ key: 'hits' }), {
    expect: { rejected: 409 },
  }),
  write(
    'a value that breaks a check',
    (db) => db.insert(stock).values({ code: 'Z', quantity: -1 }),
    {
      expect: { rejected: 422 },
    },
  ),
  write(
    'a delete of a row that others need',
    (db) => db.delete(products).where(eq(products.id, 1)),
    {
      expect: { rejected: 409 },
    },
  ),
]
