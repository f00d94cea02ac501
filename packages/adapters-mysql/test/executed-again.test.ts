/**
 * MariaDB evaluates whether `NULL in (<query>)` is NULL or false in the first execution of a prepared statement, and reuses the
 * result: later executions have other rows, parameters and callers.
 */
import { admin, createEngine, type Engine } from '@engine/core'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'

describeEachMysql('a statement that is executed again', (server) => {
  let client: TestClient
  let engine: Engine

  beforeAll(async () => {
    const url = await server.createDatabase('again')
    client = await openClient(url)
    await client.run(
      'create table item (id int primary key, n int, t varchar(20), d date)',
      "insert into item values (1, 1, 'a', '2024-01-01'), (2, null, null, null), (3, 3, 'c', '2024-01-03')",
      'create table chosen (id int primary key, n int, t varchar(20), d date)',
    )
    engine = await createEngine(
      { connections: { main: { url, pool: { max: 1 } } } },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })
  beforeEach(() => client.run('delete from chosen'))
  afterEach(() => client.run('delete from chosen'))
  afterAll(async () => {
    await engine?.close()
    await client?.close()
  })

  async function rows(sql: string, params: readonly unknown[] = []): Promise<unknown> {
    const { body } = await engine.query(
      { sql, params, method: 'all', meta: false, signal: undefined },
      admin,
    )
    return (JSON.parse(String(body)) as { readonly rows: readonly unknown[] }).rows
  }

  /** With no row chosen, with some, and then again. */
  const choose = "insert into chosen values (1, 1, 'a', '2024-01-01'), (5, 5, 'e', '2024-01-05')"

  describe('sees the rows of now', () => {
    test.each([
      'select id from main.item where n not in (select n from main.chosen) order by id',
      'select id from main.item where not (t in (select t from main.chosen)) order by id',
      'select id from main.item where d <> all (select d from main.chosen) order by id',
      'select id from main.item where (n in (select n from main.chosen)) is false order by id',
      'select id from main.item where n not in (select n from main.chosen union select n from main.chosen) order by id',
      'select id from main.item where n not in (select n from main.chosen where id > 0 limit 9) order by id',
      'select id from main.item where n not in (select distinct n from main.chosen) order by id',
      'select id from main.item where n not in (select max(n) from main.chosen group by id) order by id',
      'select id from main.item where (n, t) not in (select n, t from main.chosen) order by id',
      'select id from main.item where n not in (with c as (select n from main.chosen) select n from c) order by id',
    ])('%s', async (sql) => {
      for (let round = 0; round < 2; round += 1) {
        expect(await rows(sql)).toEqual([[1], [2], [3]])
        await client.run(choose)
        expect(await rows(sql)).toEqual([[3]])
        await client.run('delete from chosen')
      }
    })

    test('as a value', async () => {
      const sql = 'select n in (select n from main.chosen) from main.item order by id'
      for (let round = 0; round < 2; round += 1) {
        expect(await rows(sql)).toEqual([[false], [false], [false]])
        await client.run(choose)
        expect(await rows(sql)).toEqual([[true], [null], [false]])
        await client.run('delete from chosen')
      }
    })
  })

  describe('sees the parameters of now', () => {
    test.each([
      ['select id from main.item where not (n = any($1::int4[])) order by id', [1, 5]],
      ['select id from main.item where n <> all($1::int4[]) order by id', [1, 5]],
      ['select id from main.item where t <> all($1::text[]) order by id', ['a']],
      ['select id from main.item where d <> all($1::date[]) order by id', ['2024-01-01']],
      ['select id from main.item where (t = any($1::text[])) is false order by id', ['a', 'b']],
    ])('%s', async (sql, list) => {
      for (let round = 0; round < 2; round += 1) {
        expect(await rows(sql, [[]])).toEqual([[1], [2], [3]])
        expect(await rows(sql, [list])).toEqual([[3]])
        expect(await rows(sql, [null])).toEqual([])
      }
    })
  })
})
