import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MysqlServer } from '../src/index.ts'
import { describeEachMysql } from '../src/vitest.ts'

describeEachMysql('the server of a run', ({ createDatabase, collation }) => {
  test('a database of a test file is empty, in UTC, and its texts ignore case', async () => {
    const url = await createDatabase('A name with `quotes`')
    const rows = await ask(
      url,
      `select @@time_zone as zone, @@collation_database as collation, 'a' = 'A' as same,
        (select count(*) from information_schema.tables where table_schema = database()) as tables`,
    )
    expect(rows).toEqual([{ zone: '+00:00', collation, same: 1, tables: 0 }])
  })

  test('two databases with one name are two', async () => {
    expect(await createDatabase('twin')).not.toBe(await createDatabase('twin'))
  })
})

describeEachMysql('a server of one test', ({ start }) => {
  let server: MysqlServer

  beforeAll(async () => {
    server = await start({ settings: { 'max-connections': '37' } })
  })
  afterAll(() => server.stop())

  test('it has its own settings', async () => {
    expect(await ask(server.url, 'select @@max_connections as most')).toEqual([{ most: 37 }])
  })

  test('after a restart the data is there under the same URL', async () => {
    await ask(server.url, 'create database kept')
    await ask(server.url, 'create table kept.rows_of_it as select 1 as id')
    await server.restart()
    expect(await ask(server.url, 'select id from kept.rows_of_it')).toEqual([{ id: 1 }])
  })

  test('a kill breaks open connections and a restart recovers', async () => {
    const connection = await createConnection(server.url)
    const broken = new Promise((resolve) => connection.once('error', resolve))
    await server.kill()
    await broken
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    await server.restart()
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const connection = await createConnection(url)
  try {
    return (await connection.query<RowDataPacket[]>(sql))[0]
  } finally {
    await connection.end()
  }
}
