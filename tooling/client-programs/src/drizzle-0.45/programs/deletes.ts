import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { folders, scratch } from '../scratch-schema.ts'

const folderRows = (db: Db) => db.select().from(folders).orderBy(folders.id)

/** Deletes; each returns its RETURNING rows and the table afterwards. */
export const deletes: readonly Program<Db>[] = [
  write('a delete of rows that have none beneath', async (db) => {
    const child = alias(folders, 'child')
    await db
      .delete(folders)
      .where(
        sql`not exists (${db.select({ one: sql`1` }).from(child).where(eq(child.parentId, folders.id))})`,
      )
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
