import {
  arrayContained,
  arrayContains,
  arrayOverlaps,
  desc,
  eq,
  inArray,
  sql,
} from 'drizzle-orm-v1'
import type { Program, ProgramOptions } from '../../program.ts'
import { type Db, read, write } from '../client.ts'
import { countryCounts, pgOnly } from '../postgres-schema.ts'
import { scratch, stock } from '../scratch-schema.ts'

const onPostgres: ProgramOptions = { portable: false }

/** Features that only PostgreSQL has. 1.0 sends arrays as arrays, and casts some types to text. */
export const postgresOnly: readonly Program<Db>[] = [
  read('every type of PostgreSQL', (db) => db.select().from(pgOnly).orderBy(pgOnly.id), onPostgres),
  read(
    'an array that contains',
    (db) =>
      db
        .select({ id: pgOnly.id, numbers: pgOnly.numbers })
        .from(pgOnly)
        .where(arrayContains(pgOnly.numbers, [1, 3]))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'an array that is contained',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(arrayContained(pgOnly.numbers, [1, 2, 3, 4]))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'arrays that overlap',
    (db) =>
      db
        .select({ id: pgOnly.id })
        .from(pgOnly)
        .where(arrayOverlaps(pgOnly.names, ['a', 'quote "']))
        .orderBy(pgOnly.id),
    onPostgres,
  ),
  read(
    'an enum in a filter and in its own order',
    (db) =>
      db
        .select({ id: pgOnly.id, mood: pgOnly.currentMood })
        .from(pgOnly)
        .where(inArray(pgOnly.currentMood, ['happy', 'ok']))
        .orderBy(desc(pgOnly.currentMood), pgOnly.id),
    onPostgres,
  ),
  read(
    'a materialized view brought up to date',
    (db) => db.refreshMaterializedView(countryCounts),
    { portable: false, expect: 'refused' },
  ),
  write(
    'a common table expression that writes',
    async (db) => {
      const moved = db.$with('moved').as(db.delete(stock).where(eq(stock.quantity, 0)).returning())
      const rows = await db.with(moved).select().from(moved).orderBy(moved.code)
      return [rows, await db.$count(stock)]
    },
    onPostgres,
  ),
  write(
    'an insert that overrides the key',
    (db) =>
      db
        .insert(scratch)
        .overridingSystemValue()
        .values({ id: 500, name: 'overridden' })
        .returning({ id: scratch.id }),
    onPostgres,
  ),
  write(
    'a row locked, then changed',
    async (db) => {
      const [row] = await db.select().from(stock).where(eq(stock.code, 'A-1')).for('update')
      return db
        .update(stock)
        .set({ quantity: (row?.quantity ?? 0) + 1 })
        .where(eq(stock.code, 'A-1'))
        .returning({ quantity: sql<number>`quantity` })
    },
    onPostgres,
  ),
]
