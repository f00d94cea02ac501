/** EXPLAIN reveals how many rows there are and what they contain: only callers that may read everything may use it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Permission } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const setUp =
  "create table items (id int primary key, name text); insert into items values (1, 'a')"

/** Opens a session, of a restricted caller where there are permissions. */
async function connect(
  url: string,
  permissions?: Readonly<Record<string, Permission>>,
): Promise<{ readonly client: pg.Client; close(): Promise<void> }> {
  const server: ServedDatabases = await serveDatabases({
    connections: { main: { url } },
    ...(permissions === undefined ? {} : { permissions }),
  })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  return {
    client,
    close: async () => {
      await client.end()
      await server.close()
    },
  }
}

const planOf = async (client: pg.Client, sql: string, values: readonly unknown[] = []) =>
  (await client.query<{ readonly 'QUERY PLAN': unknown }>(sql, [...values])).rows.map(
    (row) => row['QUERY PLAN'],
  )

describePostgres('EXPLAIN over PostgreSQL', () => {
  let url: string
  let session: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    url = await createDatabase('explained')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(setUp)
    await owner.end()
    session = await connect(url)
  })
  afterAll(() => session?.close())

  test('is what the database says', async () => {
    const { client } = session
    expect((await planOf(client, 'explain (costs off) select name from items')).join()).toMatch(
      /Seq Scan on items/,
    )
    const verbose = await planOf(
      client,
      'explain verbose select name from items where id = $1',
      [1],
    )
    expect(verbose.join()).toMatch(/Output:.*cost=|cost=.*Output:/s)
    expect((await planOf(client, 'explain (format json) select name from items'))[0]).toEqual([
      expect.objectContaining({ Plan: expect.anything() }),
    ])
    expect((await planOf(client, 'explain select 1')).join()).toMatch(/^Result/)
  })

  test('of a write writes nothing', async () => {
    const { client } = session
    const { command, rows } = await client.query('explain delete from items')
    expect([command, rows.length > 0]).toEqual(['EXPLAIN', true])
    expect((await client.query('select count(*)::int as n from items')).rows).toEqual([{ n: 1 }])
  })

  test('of what means nothing says so in its place', async () => {
    await expect(session.client.query('explain select nosuch from items')).rejects.toMatchObject({
      code: '42703',
      position: '16',
    })
  })

  test('is not for a caller with restrictions', async () => {
    const restricted = await connect(url, {
      all: { table: 'main.items', roles: ['anonymous'], select: {} },
    })
    try {
      await expect(restricted.client.query('explain select id from items')).rejects.toMatchObject({
        code: '0A000',
        message: expect.stringContaining('may see and do everything'),
      })
      await expect(restricted.client.query('explain delete from items')).rejects.toMatchObject({
        code: '42501',
      })
    } finally {
      await restricted.close()
    }
  })
})

describe('EXPLAIN over SQLite', () => {
  test('is text in the words of SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-explain-'))
    const path = join(folder, 'items.db')
    const database = new DatabaseSync(path)
    database.exec(setUp)
    database.close()
    const { client, close } = await connect(`file:${path}`)
    try {
      expect((await planOf(client, 'explain select name from items where id = 1')).join()).toMatch(
        /SEARCH/,
      )
      await expect(
        client.query('explain (format json) select id from items'),
      ).rejects.toMatchObject({
        code: '0A000',
      })
    } finally {
      await close()
      rmSync(folder, { recursive: true })
    }
  })
})
