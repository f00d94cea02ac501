import { eq, like, lt, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { counters, folders, memberships, scratch, scratchModes, stock } from '../scratch-schema.ts'

/** Values in every mode, and their effect in an upsert. */
export const spellings: readonly Program<Db>[] = [
  write('dates of every mode in and out', async (db) => {
    await db.insert(scratchModes).values({
      name: 'm',
      day: new Date('2024-02-29T23:30:00Z'),
      at: '2024-03-10 02:30:00.123456',
      seenAt: '2024-03-10 02:30:00.123456-05',
    })
    return db.select().from(scratchModes).where(eq(scratchModes.name, 'm'))
  }),
  write('timestamp ISO with T and offset into both', async (db) => {
    await db
      .insert(scratchModes)
      .values({ name: 'm', at: '2024-03-10T02:30:00+02:00', seenAt: '2024-03-10T02:30:00+02:00' })
    return db.select().from(scratchModes).where(eq(scratchModes.name, 'm'))
  }),
  write('bigint and numeric modes', async (db) => {
    await db.insert(scratchModes).values({ name: 'b', big: 9007199254740991, amount: 12.345 })
    await db.insert(scratch).values({ name: 'c', big: -9223372036854775808n, amount: '-0.005' })
    return [
      await db.select().from(scratchModes).where(eq(scratchModes.name, 'b')),
      await db.select().from(scratch).where(eq(scratch.name, 'c')),
    ]
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
  write('upsert using a subquery in set', (db) =>
    db
      .insert(counters)
      .values({ key: 'hits', n: 1 })
      .onConflictDoUpdate({
        target: counters.key,
        set: { n: sql`(select count(*) from ${folders})` },
      })
      .returning(),
  ),
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
  write('upsert by primary key id keeps sequence usable', async (db) => {
    await db
      .insert(folders)
      .values({ id: 2, name: 'docs2' })
      .onConflictDoUpdate({ target: folders.id, set: { name: 'docs2' } })
    const r = await db.insert(folders).values({ name: 'next' }).returning({ id: folders.id })
    return [
      r.length,
      await db
        .select({ id: folders.id, n: folders.name })
        .from(folders)
        .where(lt(folders.id, 6))
        .orderBy(folders.id),
    ]
  }),
]
