/** Interface specification 4.11: statements by the wire protocol have the same answers as at /data. */

import { createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

const setUp = `
create table orders (id integer primary key, customer_id integer, total integer, notes varchar(40));
insert into orders values (1, 7, 10, 'a'), (2, 7, 20, 'b'), (3, 8, 30, 'c');
create table salaries (id integer primary key);
`

const permissions = [
  {
    name: 'orders of customer 7',
    table: 'main.orders',
    roles: ['anonymous'],
    select: { columns: ['id', 'customer_id'], where: { customer_id: 7 } },
    insert: { columns: ['id', 'customer_id', 'total'], check: { customer_id: 7 } },
    update: { columns: ['total'], where: { customer_id: 7 } },
  },
  {
    name: 'totals of small orders',
    table: 'main.orders',
    roles: ['anonymous'],
    select: { columns: ['id', 'total'], where: { id: 1 } },
  },
]

describeDatabases('the wire protocol', (open) => {
  let database: TestDatabase
  let engine: Engine
  let client: WireClient

  beforeAll(async () => {
    database = await open(setUp)
    engine = await createEngine(
      {
        connections: { main: database.url },
        permissions,
        limits: { maxRows: 10 },
        pgWire: { port: 0 },
      },
      { adapters, pgWire: createPgWireServer },
    )
    const { address } = await engine.startPgWire()
    client = await connectWire({ address })
  })
  afterAll(async () => {
    await client?.end()
    await engine?.close()
    await database?.remove()
  })

  test('rows and cells are those that permissions show', async () => {
    const all = 'select id, customer_id, total from main.orders order by id'
    expect(await rowsOf(client, all)).toEqual([
      [1, 7, 10],
      [2, 7, null],
    ])
    expect(await rowsOf(client, 'select count(*) from orders')).toEqual([['2']])
    expect(await rowsOf(client, 'select id from orders where total > $1', [15])).toEqual([])
    expect(await rowsOf(client, 'select * from orders where id = $1', [1])).toEqual([[1, 7, 10]])
  })

  test.each([
    ['a table that nothing is granted on', 'select * from main.salaries', '42501'],
    ['a table that is not there', 'select * from main.nothing', '42P01'],
    ['a column that is hidden', 'select notes from main.orders', '42501'],
    ['a row that the check refuses', 'insert into orders (id, customer_id) values (9, 8)', '44000'],
    ['an operation that is not granted', 'delete from orders where id = 1', '42501'],
    ['a statement that changes the schema', 'drop table orders', '0A000'],
    ['a text that is no SQL', 'selec 1', '42601'],
  ])('%s is refused, and the session goes on', async (_, sql, code) => {
    const failure = await client.query(sql).catch((error: Error) => error)
    expect(codeOf(failure)).toBe(code)
    expect(failure).toMatchObject({
      detail: expect.stringMatching(/^code=[A-Z_]+ correlation_id=[\w.-]+$/),
    })
    expect(await rowsOf(client, 'select 1')).toEqual([[1]])
  })

  test('what is hidden is not in the catalogs either', async () => {
    const columns = await rowsOf(
      client,
      `select table_name, column_name from information_schema.columns
       where table_schema = 'main' order by ordinal_position`,
    )
    expect(columns).toEqual([
      ['orders', 'id'],
      ['orders', 'customer_id'],
      ['orders', 'total'],
    ])
  })

  test('a transaction is all or nothing', async () => {
    const insert = 'insert into orders (id, customer_id, total) values ($1, 7, 1)'
    await client.query('begin')
    await client.query(insert, [11])
    await client.query('rollback')
    await client.query('begin')
    await client.query(insert, [12])
    await client.query('savepoint s')
    expect(await client.query(insert, [12]).catch(codeOf)).toBe('23505')
    expect(await client.query('select 1').catch(codeOf)).toBe('25P02')
    await client.query('rollback to s')
    await client.query(insert, [13])
    await client.query('commit')
    expect(await rowsOf(client, 'select id from orders where id > 10 order by id')).toEqual([
      [12],
      [13],
    ])
  })
})
