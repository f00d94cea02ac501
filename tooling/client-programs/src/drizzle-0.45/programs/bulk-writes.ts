import { inArray, isNull, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { folders, scratch } from '../scratch-schema.ts'

/** Many rows at once, rows from queries, and values that the database generates. */
export const bulkWrites: readonly Program<Db>[] = [
  write('insert with $with and select', async (db) => {
    const w = db
      .$with('w')
      .as(
        db
          .select({ name: folders.name, id: folders.id })
          .from(folders)
          .where(isNull(folders.parentId)),
      )
    await db
      .with(w)
      .insert(folders)
      .values([{ name: 'cte', parentId: sql`(select max(id) from w)` }])
    return db.select().from(folders).orderBy(folders.id)
  }),
  write('json null literal vs sql null', async (db) => {
    await db.insert(scratch).values([
      { name: 'jn', data: sql`'null'::jsonb` },
      { name: 'sn', data: null },
    ])
    return db
      .select({
        n: scratch.name,
        isNull: isNull(scratch.data),
        t: sql`jsonb_typeof(${scratch.data})`,
      })
      .from(scratch)
      .where(inArray(scratch.name, ['jn', 'sn']))
      .orderBy(scratch.name)
  }),
]
