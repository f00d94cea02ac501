import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'

const scratchRows = (db: Db) => db.selectFrom('scratch').selectAll().orderBy('id').execute()

/** Inserts and upserts: their results, and the table afterwards. */
export const inserts: readonly Program<Db>[] = [
  write('an insert that returns chosen columns', (db) =>
    db
      .insertInto('scratch')
      .values({ name: 'seven', n: 70 })
      .returning(['id', 'n as number', 'flag'])
      .executeTakeFirstOrThrow(),
  ),
  write('an insert that returns an expression', (db) =>
    db
      .insertInto('scratch')
      .values({ name: 'eight', n: 8 })
      .returning((eb) => [
        eb('n', '*', 2).as('twice'),
        eb.fn<string>('upper', ['name']).as('shout'),
      ])
      .execute(),
  ),
  write('an insert of every column', async (db) => [
    await db
      .insertInto('scratch')
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
        seen_at: new Date('2024-11-03T06:30:00.456Z'),
        data: JSON.stringify({ a: [1, null, { b: 'é' }], c: 'text', d: 1.5 }),
        bytes: Buffer.from([0, 1, 254, 255]),
      })
      .returningAll()
      .execute(),
    await scratchRows(db),
  ]),
  write('an object as json', (db) =>
    db
      .insertInto('scratch')
      .values({ name: 'object', data: { k: { deep: [1, 2] } } })
      .returning('data')
      .execute(),
  ),
  write('rows with different columns leave the others to their defaults', (db) =>
    db
      .insertInto('settings')
      .values([{ name: 'one' }, { level: 9, comment: 'two' }, { starts_on: null, enabled: false }])
      .returningAll()
      .execute(),
  ),
  write('nothing but defaults', (db) =>
    db.insertInto('settings').defaultValues().returningAll().execute(),
  ),
  write('a value computed by the database', (db) =>
    db
      .insertInto('scratch')
      .values((eb) => ({
        name: eb.fn<string>('upper', [eb.val('loud')]),
        n: sql<number>`(select count(*)::int from main.tags)`,
      }))
      .returning(['name', 'n'])
      .execute(),
  ),
  write('an insert with names that need quoting', (db) =>
    db
      .insertInto('odd names')
      .values({ select: 'a', order: 9, CamelCase: 'b', 'with space': 'c', 'quote"d': '"' })
      .returningAll()
      .execute(),
  ),
  write(
    'a unique key that is taken',
    (db) => db.insertInto('counters').values({ key: 'hits' }).execute(),
    { expect: { rejected: 409 } },
  ),
  write(
    'a required value left null',
    (db) => db.insertInto('scratch').values({ name: sql<string>`null` }).execute(),
    { expect: { rejected: 422 } },
  ),
  write(
    'a value that breaks a check',
    (db) => db.insertInto('stock').values({ code: 'Z', quantity: -1 }).execute(),
    { expect: { rejected: 422 } },
  ),
]
