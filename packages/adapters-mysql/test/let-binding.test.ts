/** @module Values that are named inside an expression: evaluated where they are reached, once for each row, and whole. */
import { admin, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

describeEachMysql('named values', (server) => {
  let engine: Engine

  beforeAll(async () => {
    const url = await server.createDatabase('let_binding')
    const client = await openClient(url)
    await client.run(
      'create table item (id int primary key, n decimal(10, 2), name text)',
      `insert into item values (1, 1.5, 'a'), (2, 2.25, 'b'), (3, 7, 'c')`,
    )
    await client.close()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })

  afterAll(async () => {
    await engine?.close()
  })

  async function rowsOf(sql: string, params: readonly unknown[] = []): Promise<unknown> {
    const request = { sql, params: [...params], method: 'all', meta: true, signal: undefined }
    const { body } = await engine.query(request as Parameters<Engine['query']>[0], admin)
    return (JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown }).rows
  }

  test('a volatile value differs from row to row', async () => {
    const drawn = (await rowsOf('select sqrt(random()) from main.item')) as unknown[][]
    expect(new Set(drawn.flat()).size).toBe(3)
  })

  test.each([
    `case when id < 0 then upper(initcap($1))::numeric / 3 else 1 end`,
    `case when id < 0 then ($1::text)::int4 % 3 else 1 end`,
    `case when id < 0 then sqrt(($1::text)::float8) else 1 end`,
    `case when id < 0 then (sqrt(-length($1)))::numeric else 1 end`,
  ])('%s does not fail where it is not reached', async (expression) => {
    const rows = (await rowsOf(`select ${expression} from main.item`, ['x'])) as unknown[][]
    expect(rows.map(([value]) => Number(value))).toEqual([1, 1, 1])
  })

  test('it fails where it is reached', async () => {
    const sql = 'select case when id > 2 then sqrt(-length($1)) else 1 end from main.item'
    const error = await rowsOf(sql, ['x']).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(GatewayError)
    expect((error as GatewayError).sqlState).toBe('2201F')
  })

  test('a long text is whole', async () => {
    const text = `${'é'.repeat(99_999)},`
    const sql = `select length(split_part($1, ',', 1)), length(split_part($1 || '', ',', -2))`
    expect(await rowsOf(sql, [text])).toEqual([[99_999, 99_999]])
  })

  test('aggregates of values without a column are those of the query', async () => {
    expect(await rowsOf('select avg(1), avg(2.50), avg(n) from main.item')).toEqual([
      ['1.00000000000000000000', '2.5000000000000000', '3.5833333333333333'],
    ])
  })
})
