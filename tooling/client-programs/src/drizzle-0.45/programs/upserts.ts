import { sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { counters, memberships, scratch } from '../scratch-schema.ts'

const scratchRows = (db: Db) => db.select().from(scratch).orderBy(scratch.id)
const memberRows = (db: Db) => db.select().from(memberships).orderBy(memberships.id)
const counterRows = (db: Db) => db.select().from(counters).orderBy(counters.key)

/** Inserts that conflict with an existing row. */
export const upserts: readonly Program<Db>[] = [
  write('on conflict do nothing', async (db) => [
    await db.insert(counters).values({ key: 'hits', n: 99 }).onConflictDoNothing().returning(),
    await db.insert(counters).values({ key: 'new', n: 1 }).onConflictDoNothing().returning(),
    await counterRows(db),
  ]),
  write('an upsert of several rows, some new', async (db) => {
    const returned = await db
      .insert(counters)
      .values([
        { key: 'hits', n: 1 },
        { key: 'misses', n: 2, updatedAt: new Date('2024-12-24T18:00:00Z') },
        { key: 'other', n: 3 },
      ])
      .onConflictDoUpdate({
        target: counters.key,
        set: { n: sql`excluded.n * 10`, updatedAt: sql`excluded.updated_at` },
      })
      .returning()
    return [returned, await counterRows(db)]
  }),
  write('an upsert on a pair of columns', async (db) => {
    await db
      .insert(memberships)
      .values({ team: 'red', member: 'bob', points: 50, role: 'lead' })
      .onConflictDoUpdate({
        target: [memberships.team, memberships.member],
        set: { points: sql`${memberships.points} + excluded.points`, role: sql`excluded.role` },
      })
    return memberRows(db)
  }),
  write('an upsert with a condition that holds, and one that does not', async (db) => {
    const raise = (key: string, n: number) =>
      db
        .insert(counters)
        .values({ key, n })
        .onConflictDoUpdate({
          target: counters.key,
          set: { n },
          setWhere: sql`${counters.n} < excluded.n`,
        })
        .returning()
    return [await raise('misses', 4), await raise('hits', 4), await counterRows(db)]
  }),
  write('an upsert of a row with a key of its own', async (db) => {
    await db
      .insert(scratch)
      .values({ id: 1, name: 'changed', note: 'new note' })
      .onConflictDoUpdate({
        target: scratch.id,
        set: { name: 'changed', note: sql`excluded.note` },
      })
    return scratchRows(db)
  }),
]
