import { eq, like, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { counters, memberships, scratch, scratchModes, stock } from '../scratch-schema.ts'

/** Values in every mode, and their effect in an upsert. */
export const spellings: readonly Program<Db>[] = [
  write('timestamp ISO with T and offset into both', async (db) => {
    await db
      .insert(scratchModes)
      .values({ name: 'm', at: '2024-03-10T02:30:00+02:00', seenAt: '2024-03-10T02:30:00+02:00' })
    return db.select().from(scratchModes).where(eq(scratchModes.name, 'm'))
  }),
  write('float edge values', async (db) => {
    await db.insert(scratch).values([
      { name: 'f1', ratio: 1e-300 },
      { name: 'f2', ratio: 0.1 + 0.2 },
      { name: 'f3', ratio: 123456789012345680000 },
      { name: 'f4', ratio: -0 },
    ])
    return db
      .select({ n: scratch.name, r: scratch.ratio })
      .from(scratch)
      .where(like(scratch.name, 'f_'))
      .orderBy(scratch.name)
  }),
  write('onConflictDoUpdate set excluded and setWhere', async (db) => {
    const r = await db
      .insert(memberships)
      .values([
        { team: 'red', member: 'ada', points: 50 },
        { team: 'red', member: 'bob', points: 1 },
      ])
      .onConflictDoUpdate({
        target: [memberships.team, memberships.member],
        set: { points: sql`excluded.points`, role: sql`${memberships.role} || '+'` },
        setWhere: sql`${memberships.points} < excluded.points`,
      })
      .returning()
    return [r, await db.select().from(memberships).orderBy(memberships.id)]
  }),
  write('onConflictDoUpdate many rows', async (db) => {
    await db
      .insert(stock)
      .values([
        { code: 'A-1', quantity: 3 },
        { code: 'Z-9', quantity: 4, price: '1.5' },
        { code: 'A-2', quantity: 8 },
      ])
      .onConflictDoUpdate({
        target: stock.code,
        set: { quantity: sql`${stock.quantity} + excluded.quantity`, countedOn: '2024-05-05' },
      })
    return db.select().from(stock).orderBy(stock.code)
  }),
  write('upsert set coalesce and case', (db) =>
    db
      .insert(counters)
      .values({ key: 'misses', n: 7, updatedAt: new Date('2024-09-09T00:00:00Z') })
      .onConflictDoUpdate({
        target: counters.key,
        set: {
          n: sql`case when excluded.n > ${counters.n} then excluded.n else ${counters.n} end`,
          updatedAt: sql`coalesce(${counters.updatedAt}, excluded.updated_at)`,
        },
      })
      .returning(),
  ),
]
