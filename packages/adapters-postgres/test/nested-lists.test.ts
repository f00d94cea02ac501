/** @module Nested lists: PostgreSQL must not get text that doubles with every level before its time limit applies. */
import { admin, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

describePostgres('lists inside each other', () => {
  let engine: Engine
  beforeAll(async () => {
    const url = await createDatabase('nested_lists')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table item (id int primary key); insert into item values (1), (2)')
    await client.end()
    engine = await createEngine(
      { connections: { main: url }, limits: { queryTimeout: 10_000 } },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })
  afterAll(() => engine?.close())

  test('forty levels of IN over columns are answered', async () => {
    let expression = 'id'
    for (let level = 0; level < 40; level += 1) expression = `(${expression} in (1, id))::int`
    const { body } = await engine.query(
      {
        sql: `select id, ${expression} from main.item order by id`,
        params: [],
        method: 'all',
        meta: false,
        signal: undefined,
      },
      admin,
    )
    expect(JSON.parse(String(body))).toEqual({
      rows: [
        [1, 1],
        [2, 1],
      ],
    })
  })
})
