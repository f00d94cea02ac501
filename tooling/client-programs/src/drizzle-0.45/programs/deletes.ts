import { asc, eq, gt, gte, inArray, notInArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { counters, folders, memberships, scratch, stock } from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const stockRows = (db: Db) => db.select().from(stock).orderBy(asc(stock.code))
const _memberRows = (db: Db) => db.select().from(memberships).orderBy(memberships.id)
const _counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)
const folderRows = (db: Db) => db.select().from(folders).orderBy(folders.id)

/** Rows that a write returns have no order. */
const byId = <Row extends { readonly id: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => a.id - b.id)

/** Deletes; each returns its RETURNING rows and the table afterwards. */
export const deletes: readonly Program<Db>[] = [
  write('a delete answers with nothing', async (db) => [
    await db.delete(scratch).where(eq(scratch.id, 1)),
    await scratchRows(db),
  ]),
  write('a delete that returns the rows as they were', async (db) =>
    byId(await db.delete(scratch).where(gte(scratch.id, 3)).returning()),
  ),
  write('a delete that returns an expression', (db) =>
    db
      .delete(stock)
      .where(eq(stock.code, 'A-1'))
      .returning({ worth: sql<string>`${stock.price} * ${stock.quantity}` }),
  ),
  write('a delete of every row', async (db) => [
    await db.delete(counters),
    await db.$count(counters),
  ]),
  write('a delete of no row', (db) => db.delete(stock).where(eq(stock.code, 'none')).returning()),
  write('a delete filtered by a subquery', async (db) => {
    await db
      .delete(stock)
      .where(
        notInArray(
          stock.code,
          db.select({ code: stock.code }).from(stock).where(gt(stock.quantity, 6)),
        ),
      )
    return stockRows(db)
  }),
  write('a delete of rows that have none beneath', async (db) => {
    const child = alias(folders, 'child')
    await db
      .delete(folders)
      .where(
        sql`not exists (${db.select({ one: sql`1` }).from(child).where(eq(child.parentId, folders.id))})`,
      )
    return folderRows(db)
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
  write('a delete takes the rows beneath with it', async (db) => {
    await db.delete(folders).where(eq(folders.id, 2))
    return folderRows(db)
  }),
  write('insert, update, count and delete in a row', async (db) => {
    const [made] = await db.insert(scratch).values({ name: 'temporary' }).returning()
    if (made === undefined) return 'nothing was made'
    const changed = await db
      .update(scratch)
      .set({ n: made.n + 1 })
      .where(eq(scratch.id, made.id))
      .returning({ n: scratch.n })
    const count = await db.$count(scratch)
    const gone = await db.delete(scratch).where(eq(scratch.id, made.id)).returning()
    return [made, changed, count, gone, await db.$count(scratch)]
  }),
]
