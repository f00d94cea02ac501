import { asc, gt, lt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { orders, products, tags } from '../schema.ts'
import { counters, oddNames, scratch, settings, stock } from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const stockRows = (db: Db) => db.select().from(stock).orderBy(asc(stock.code))
const counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)

/** Inserts; each returns its RETURNING rows and the table afterwards. */
export const inserts: readonly Program<Db>[] = [
  write('an insert that returns an expression', (db) =>
    db
      .insert(scratch)
      .values({ name: 'eight', n: 8 })
      .returning({ twice: sql<number>`${scratch.n} * 2`, shout: sql<string>`upper(name)` }),
  ),
  write('rows that leave different columns to their defaults', (db) =>
    db
      .insert(settings)
      .values([
        { name: 'one' },
        { level: 9, comment: 'two' },
        { enabled: false, startsOn: null },
        { ratio: '0.5', data: { theme: 'none' } },
      ])
      .returning(),
  ),
  write('a hundred rows', async (db) => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      name: `row ${index}`,
      n: index,
      amount: `${index}.50`,
    }))
    const returned = await db.insert(scratch).values(rows).returning({ id: scratch.id })
    return [returned.length, await scratchRows(db)]
  }),
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
        { name: 'quotes', data: { "it's": '"\\' } },
      ])
      .returning({ name: scratch.name, data: scratch.data }),
  ),
  write('a value computed by the database', (db) =>
    db
      .insert(scratch)
      .values({
        name: sql`upper(${'loud'})`,
        n: sql`(select count(*) from ${tags})::int`,
        day: sql`date '2024-01-31' + 1`,
      })
      .returning({ name: scratch.name, n: scratch.n, day: scratch.day }),
  ),
  write('an insert with names that need quoting', (db) =>
    db
      .insert(oddNames)
      .values({ select: 'a', order: 9, camelCase: 'b', withSpace: 'c', quoted: '"', accented: 'ü' })
      .returning(),
  ),
  write('an insert from a select', async (db) => [
    await db.insert(stock).select(
      db
        .select({
          code: sql<string>`substring(${products.sku} from 1 for 12)`.as('code'),
          quantity: products.unitsInStock,
          price: products.unitPrice,
          countedOn: products.releasedOn,
        })
        .from(products)
        .where(lt(products.id, 5)),
    ),
    await stockRows(db),
  ]),
  write('an insert from a select that returns rows', async (db) => {
    const rows = await db
      .insert(stock)
      .select(
        db
          .select({
            code: sql<string>`'T-' || ${tags.id}`.as('code'),
            quantity: tags.id,
            price: sql<string>`1.5`.as('price'),
            countedOn: sql<string | null>`null::date`.as('counted_on'),
          })
          .from(tags)
          .where(gt(tags.id, 10)),
      )
      .returning()
    return rows.toSorted((a, b) => a.quantity - b.quantity)
  }),
  write('an insert from a select by hand', async (db) => {
    await db.execute(
      sql`insert into main.counters (key, n) select status, count(*)::int from main.orders group by status`,
    )
    return counterRows(db)
  }),
  write('an insert with a common table expression', async (db) => {
    const best = db
      .$with('best')
      .as(db.select({ id: orders.id }).from(orders).orderBy(orders.id).limit(3))
    await db
      .with(best)
      .insert(counters)
      .values({ key: 'best', n: sql`(select max(id) from ${best})` })
    return counterRows(db)
  }),
  write('a prepared insert run twice', async (db) => {
    const add = db
      .insert(counters)
      .values({ key: sql.placeholder('key'), n: sql.placeholder('n') })
      .returning()
      .prepare('add_counter')
    return [await add.execute({ key: 'x', n: 1 }), await add.execute({ key: 'y', n: 2 })]
  }),
  write('a refused row takes the whole statement with it', async (db) => {
    const attempt = db.insert(counters).values([{ key: 'fine' }, { key: 'hits' }])
    await attempt.catch(() => undefined)
    return counterRows(db)
  }),
]
