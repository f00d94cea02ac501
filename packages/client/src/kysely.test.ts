import { Kysely, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import { batch, engineDialect } from './kysely.ts'

interface Database {
  'main.tags': { id: number; name: string | null }
}

/** An engine that always returns the same answer, and records its requests. */
function answering(status: number, answer: unknown) {
  const asked: unknown[] = []
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push({ ...((await request.json()) as object), to: new URL(request.url).pathname })
    return Response.json(answer, { status })
  }
  const client = createClient({ url: 'http://engine.test', fetch: ask })
  return { asked, client, db: new Kysely<Database>({ dialect: engineDialect(client) }) }
}

test('a query asks for names, and gives rows as objects', async () => {
  const { asked, db } = answering(200, {
    rows: [
      [1, 'vegan'],
      [2, null],
    ],
    columns: [{ name: 'id' }, { name: 'name' }],
    rowCount: 2,
  })
  expect(await db.selectFrom('main.tags').selectAll().where('id', '<', 3).execute()).toEqual([
    { id: 1, name: 'vegan' },
    { id: 2, name: null },
  ])
  const sent = 'select * from "main"."tags" where "id" < $1'
  expect(asked).toEqual([{ to: '/data', sql: sent, params: [3], method: 'all', meta: true }])
})

test('a write returns the number of affected rows', async () => {
  const { db } = answering(200, { rows: [], columns: [], rowCount: 3 })
  const { numUpdatedRows } = await db.updateTable('main.tags').set({ name: 'x' }).executeTakeFirst()
  expect(numUpdatedRows).toBe(3n)
})

test('bigints travel as digits, bytes as hex, dates as ISO text', async () => {
  const { asked, db } = answering(200, { rows: [], columns: [] })
  await sql`select ${2n ** 60n}, ${new Uint8Array([0, 255])}, ${new Date(0)}`.execute(db)
  expect(asked).toMatchObject([
    { params: ['1152921504606846976', '\\x00ff', '1970-01-01T00:00:00.000Z'] },
  ])
})

test('a refusal is an error with its status, code and correlation id', async () => {
  const { db } = answering(403, {
    error: 'PERMISSION_DENIED',
    message: 'No.',
    correlation_id: 'abc',
  })
  await expect(db.selectFrom('main.tags').selectAll().execute()).rejects.toMatchObject({
    name: 'EngineError',
    message: 'No.',
    status: 403,
    code: 'PERMISSION_DENIED',
    correlationId: 'abc',
  })
})

test('a transaction is refused before anything is sent, with advice', async () => {
  const { asked, db } = answering(200, { rows: [] })
  const transaction = db.transaction().execute(async (tx) => tx.selectFrom('main.tags').execute())
  await expect(transaction).rejects.toThrow('batch(client, [...])')
  expect(asked).toEqual([])
})

test('a batch is one request', async () => {
  const columns = [{ name: 'id' }]
  const { asked, client, db } = answering(200, {
    results: [
      { rows: [], columns: [], rowCount: 1 },
      { rows: [[1]], columns, rowCount: 1 },
    ],
  })
  const results = await batch(client, [
    db.deleteFrom('main.tags').where('id', '=', 1),
    db.selectFrom('main.tags').select('id'),
  ])
  expect(results).toEqual([[{ numDeletedRows: 1n }], [{ id: 1 }]])
  expect(asked).toHaveLength(1)
  expect(asked).toMatchObject([{ to: '/data/batch' }])
})

test('a column or a table that is none does not compile', async () => {
  const { db } = answering(200, { rows: [], columns: [] })
  // @ts-expect-error no such column
  expect(await db.selectFrom('main.tags').select('size').execute()).toEqual([])
  // @ts-expect-error no such table
  expect(await db.selectFrom('main.ghosts').select('id').execute()).toEqual([])
})

test('a query that is stopped rejects with the reason, and prints nothing', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const stop = new AbortController()
  const asked = Promise.withResolvers<void>()
  const ask: typeof fetch = (_, init) => {
    asked.resolve()
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )
  }
  const client = createClient({ url: 'http://engine.test', fetch: ask })
  const db = new Kysely<Database>({ dialect: engineDialect(client) })
  const rows = db.selectFrom('main.tags').selectAll().execute({ signal: stop.signal })
  await asked.promise
  stop.abort(new Error('enough'))
  await expect(rows).rejects.toThrow('enough')
  await new Promise((resolve) => setTimeout(resolve))
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})
