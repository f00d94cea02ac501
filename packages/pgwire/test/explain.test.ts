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
    expect((await planOf(client, 'explain select 1')).join()).toMatch(/^Limit .*Result/s)
    const declared = 'explain (costs off) declare c cursor for select id from items for update'
    expect((await planOf(client, declared)).join()).toMatch(/LockRows.*Seq Scan on items/s)
  })

  test('of a write writes nothing', async () => {
    const { client } = session
    const { command, rows } = await client.query('explain delete from items')
    expect([command, rows.length > 0]).toEqual(['EXPLAIN', true])
    expect((await client.query('select count(*)::int as n from items')).rows).toEqual([{ n: 1 }])
  })

  test('ANALYZE runs the statement and measures it, in every format', async () => {
    const { client } = session
    const plan = async (options: string) =>
      (await planOf(client, `explain (${options}) select name from items where id = $1`, [1])).join(
        '\n',
      )
    expect(await plan('analyze')).toMatch(/actual time=.*Planning Time: .*Execution Time: /s)
    expect(await plan('analyze, timing off, costs off, summary off')).toMatch(
      /\(actual rows=1 loops=1\)(?!.*Execution Time)/s,
    )
    expect(await plan('analyze, buffers, settings, wal, verbose')).toMatch(
      /Output: .*Buffers: shared/s,
    )
    expect(await plan('analyze, format yaml')).toMatch(/Actual Rows: 1/)
    expect(await plan('analyze, format xml')).toMatch(/<Actual-Rows>1<\/Actual-Rows>/)
    const [json] = await planOf(client, 'explain (analyze, format json) select name from items')
    expect(json).toEqual([
      expect.objectContaining({ Plan: expect.objectContaining({ 'Actual Rows': 1 }) }),
    ])
    expect((await planOf(client, 'explain analyze select name from items')).join()).toMatch(
      /actual time/,
    )
    expect(await plan('buffers, summary')).toMatch(/Planning Time/)
  })

  test('ANALYZE of a write writes, as that write does', async () => {
    const { client } = session
    const names = async () =>
      (await client.query('select name from items order by id')).rows.map(({ name }) => name)
    await client.query('begin')
    const [top] = await planOf(
      client,
      "explain analyze insert into items values (2, 'b') returning id",
    )
    expect(top).toMatch(/^Insert on items/)
    expect(await names()).toEqual(['a', 'b'])
    await client.query('rollback')
    expect(await names()).toEqual(['a'])
    await planOf(client, "explain analyze update items set name = 'z'")
    expect(await names()).toEqual(['z'])
    await expect(
      client.query("explain analyze insert into items values (1, 'c')"),
    ).rejects.toMatchObject({ code: '23505' })
    await client.query('begin read only')
    await expect(client.query('explain analyze delete from items')).rejects.toMatchObject({
      code: '25006',
    })
    await client.query('rollback')
    await planOf(client, "explain analyze update items set name = 'a'")
  })

  test.each([
    ['timing', '22023'],
    ['wal', '22023'],
    ['nothing', '42601'],
    ['analyze maybe', '42601'],
    ['generic_plan', '0A000'],
    ['format csv', '22023'],
  ])('(%s) is refused', async (options, code) => {
    await expect(
      session.client.query(`explain (${options}) select id from items`),
    ).rejects.toMatchObject({ code })
  })

  test("ANALYZE without a table is the database's too, and refused where the catalog answers", async () => {
    expect((await planOf(session.client, 'explain analyze select 1')).join()).toMatch(/actual time/)
    await expect(session.client.query('explain analyze select version()')).rejects.toMatchObject({
      code: '0A000',
    })
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
      await expect(
        restricted.client.query('explain (analyze, buffers) select id from items'),
      ).rejects.toMatchObject({ code: '0A000' })
      await expect(
        restricted.client.query('explain analyze delete from items'),
      ).rejects.toMatchObject({ code: '42501' })
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
      for (const options of ['analyze', 'buffers']) {
        await expect(
          client.query(`explain (${options}) select id from items`),
        ).rejects.toMatchObject({ code: '0A000' })
      }
    } finally {
      await close()
      rmSync(folder, { recursive: true })
    }
  })
})
