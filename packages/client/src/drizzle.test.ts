import { integer, pgSchema, text } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { expect, expectTypeOf, test } from 'vitest'
import { createClient } from './client.ts'
import { createDrizzleDriver } from './drizzle.ts'

const tags = pgSchema('main').table('tags', { id: integer('id').primaryKey(), name: text('name') })

/** An engine without rows, and the bodies that it received. */
function engine() {
  const asked: string[] = []
  const ask: typeof fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url)
    asked.push(pathname)
    const rows: readonly unknown[] = []
    return Response.json(pathname === '/data' ? { rows } : { results: [{ rows }, { rows }] })
  }
  const driver = createDrizzleDriver(createClient({ url: 'http://engine.test', fetch: ask }))
  return { asked, driver, db: drizzle(driver.callback, { schema: { tags } }) }
}

test('a batch is one request', async () => {
  const { asked, driver, db } = engine()
  const results = await driver.batch([db.select().from(tags), db.query.tags.findMany()])
  expect(results).toEqual([[], []])
  expect(asked).toEqual(['/data/batch'])
  expectTypeOf(results).toEqualTypeOf<
    [{ id: number; name: string | null }[], { id: number; name: string | null }[]]
  >()
})

test('a batch counts, too', async () => {
  const asked: unknown[] = []
  const { callback, batch } = createDrizzleDriver({
    query: async () => ({ rows: [] }),
    batch: async (statements) => {
      asked.push(...statements.map(({ method }) => method))
      return [{ rows: [] }, { rows: [{ count: '3' }] }]
    },
  })
  const db = drizzle(callback)
  const results = await batch([db.select().from(tags), db.$count(tags)])
  expect(results).toEqual([[], 3])
  expect(asked).toEqual(['all', 'execute'])
  expectTypeOf(results[1]).toEqualTypeOf<number>()
})

test('a signal of the driver ends its queries and its batches', async () => {
  const client = createClient({ url: 'http://engine.test', fetch: () => Promise.reject() })
  const signal = AbortSignal.abort(new Error('gone'))
  const { callback, batch } = createDrizzleDriver(client, { signal })
  const db = drizzle(callback)
  const cause = expect.objectContaining({ message: 'gone' })
  await expect(db.select().from(tags)).rejects.toMatchObject({ cause })
  await expect(batch([db.select().from(tags)])).rejects.toMatchObject({ cause })
})

test('a batch that mixes drivers sends nothing of its own, and fails once', async () => {
  const { asked, driver, db } = engine()
  const other = engine()
  const mixed = driver.batch([db.insert(tags).values({ id: 1 }), other.db.select().from(tags)])
  await expect(mixed).rejects.toThrow('made with its callback')
  expect(asked).toEqual([])
})

test('queries after a batch go their own way', async () => {
  const { asked, driver, db } = engine()
  await driver.batch([db.select().from(tags), db.select().from(tags)])
  await db.select().from(tags)
  expect(asked).toEqual(['/data/batch', '/data'])
})

test('a column that is none, or of another type, does not compile', async () => {
  const { db } = engine()
  const rows = await db.select().from(tags)
  // @ts-expect-error no such column
  expect(rows.map((row) => row.size)).toEqual([])
  // @ts-expect-error id is a number
  expectTypeOf(db.insert(tags).values).toBeCallableWith({ id: 'one' })
  expectTypeOf(tags).not.toHaveProperty('size')
})
