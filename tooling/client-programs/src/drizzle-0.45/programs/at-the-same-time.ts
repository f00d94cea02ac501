import { eq, like, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { folders, oddNames, scratch, scratchModes } from '../scratch-schema.ts'

/** Values in other spellings, and concurrent writes. */
export const atTheSameTime: readonly Program<Db>[] = [
  write('boolean spellings', async (db) => {
    for (const [i, v] of ['yes', 'off', 't', '1', ' TRUE '].entries())
      await db.insert(scratch).values({ name: `b${i}`, flag: sql`${v}` })
    return db
      .select({ n: scratch.name, f: scratch.flag })
      .from(scratch)
      .where(like(scratch.name, 'b_'))
      .orderBy(scratch.name)
  }),
  write('numeric spellings', async (db) => {
    for (const [i, v] of ['1e3', '.5', '5.', ' 7 ', '-0'].entries())
      await db.insert(scratch).values({ name: `b${i}`, amount: v })
    return db
      .select({ n: scratch.name, a: scratch.amount })
      .from(scratch)
      .where(like(scratch.name, 'b_'))
      .orderBy(scratch.name)
  }),
  write('timestamp spellings', async (db) => {
    for (const [i, v] of [
      '2024-01-31',
      '2024-01-31 10:00',
      '2024-01-31 10:00:00.1234567',
      '2024-01-31T10:00:00.5Z',
      '20240131T100000',
    ].entries())
      await db.insert(scratchModes).values({ name: `b${i}`, at: v, seenAt: v })
    return db
      .select({ n: scratchModes.name, a: scratchModes.at, s: scratchModes.seenAt })
      .from(scratchModes)
      .where(like(scratchModes.name, 'b_'))
      .orderBy(scratchModes.name)
  }),
  write('bytes of a Buffer in and equal', async (db) => {
    await db.insert(scratch).values({ name: 'by', bytes: Buffer.from([0, 1, 254, 255]) })
    return db
      .select({ b: scratch.bytes, l: sql`octet_length(${scratch.bytes})` })
      .from(scratch)
      .where(eq(scratch.bytes, Buffer.from([0, 1, 254, 255])))
  }),
  write('quoted names update and upsert', async (db) => {
    await db
      .insert(oddNames)
      .values({ id: 1, select: 's', order: 5 })
      .onConflictDoUpdate({
        target: oddNames.id,
        set: {
          order: sql`${oddNames.order} + excluded."order"`,
          camelCase: sql`upper(${oddNames.camelCase})`,
        },
      })
    return db.select().from(oddNames).orderBy(oddNames.id)
  }),
  write('two inserts at the same time', async (db) => {
    await Promise.all([1, 2, 3, 4, 5].map((i) => db.insert(folders).values({ name: `p${i}` })))
    return await db.select({ n: folders.name }).from(folders).orderBy(folders.name)
  }),
]
