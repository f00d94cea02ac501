import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../src/index.ts'
import { createDatabase, describePostgres } from '../src/vitest.ts'

describePostgres('the PostgreSQL of a run', () => {
  test('a database of a test file is empty, in UTC and in code point order', async () => {
    const url = await createDatabase('A name with "quotes"')
    const rows = await ask(
      url,
      `select current_setting('timezone') as zone, current_setting('server_encoding') as encoding,
        (select count(*)::int from pg_tables where schemaname = 'public') as tables`,
    )
    expect(rows).toEqual([{ zone: 'UTC', encoding: 'UTF8', tables: 0 }])
  })

  test('two databases with one name are two', async () => {
    expect(await createDatabase('twin')).not.toBe(await createDatabase('twin'))
  })

  test('its URL is provided to every test file', async () => {
    expect(await ask(inject('postgresUrl') ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describePostgres('a PostgreSQL of one test', () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: '7' } })
  })
  afterAll(() => server.stop())

  test('it has its own settings', async () => {
    expect(await ask(server.url, 'show max_connections')).toEqual([{ max_connections: '7' }])
  })

  test('it sorts text by code point', async () => {
    const rows = await ask(
      server.url,
      `select string_agg(c, '' order by c) from unnest('{b,a,B}'::text[]) c`,
    )
    expect(rows).toEqual([{ string_agg: 'Bab' }])
  })

  test('after a restart the data is there under the same URL', async () => {
    await ask(server.url, 'create table kept as select 1 as id')
    await server.restart()
    expect(await ask(server.url, 'select id from kept')).toEqual([{ id: 1 }])
  })

  test('a kill breaks open connections and a restart recovers', async () => {
    const client = new Client({ connectionString: server.url })
    const broken = new Promise((resolve) => client.once('end', resolve))
    client.on('error', () => undefined)
    await client.connect()
    await server.kill()
    await broken
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    await server.restart()
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
