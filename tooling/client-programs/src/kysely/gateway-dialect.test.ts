import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { gatewayDialect } from './gateway-dialect.ts'

/** A gateway that gives one answer, and remembers what it was asked. */
function answering(status: number, answer: unknown) {
  const asked: unknown[] = []
  const fetch = async (request: Request) => {
    asked.push({ ...((await request.json()) as object), to: request.url })
    return Response.json(answer, { status })
  }
  const dialect = gatewayDialect({ url: 'http://gateway', token: 'secret', fetch })
  return { asked, db: new Kysely<Database>({ dialect }).withSchema('main') }
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
  expect(await db.selectFrom('tags').selectAll().where('id', '<', 3).execute()).toEqual([
    { id: 1, name: 'vegan' },
    { id: 2, name: null },
  ])
  expect(asked).toEqual([
    {
      to: 'http://gateway/data',
      sql: 'select * from "main"."tags" where "id" < $1',
      params: [3],
      method: 'all',
      meta: true,
    },
  ])
})

test('a write tells how many rows it touched', async () => {
  const { db } = answering(200, { rows: [], columns: [], rowCount: 3 })
  const { numUpdatedRows } = await db.updateTable('stock').set({ quantity: 1 }).executeTakeFirst()
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
    message: 'You may not read this table.',
    correlation_id: 'abc',
  })
  await expect(db.selectFrom('tags').selectAll().execute()).rejects.toMatchObject({
    message: 'You may not read this table.',
    status: 403,
    code: 'PERMISSION_DENIED',
    correlationId: 'abc',
  })
})

test('a transaction is refused before anything is sent', async () => {
  const { asked, db } = answering(200, { rows: [] })
  const transaction = db.transaction().execute(async (tx) => tx.selectFrom('tags').execute())
  await expect(transaction).rejects.toThrow('/data/batch')
  expect(asked).toEqual([])
})
