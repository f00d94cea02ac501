/** currval() and lastval() over the wire protocol: a transaction reads the numbers that it drew itself, and no others. */
import { createEngine, type Engine } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { codeOf, connectWire, rowsOf, type WireClient } from '../support/wire.ts'

const setUp = `
create table orders (id serial primary key, note text unique);
create table items (id int generated always as identity (start 500) primary key, order_id bigint);
create table secrets (id serial primary key);
insert into secrets select from generate_series(1, 40);
create function count_items() returns trigger language plpgsql security definer as $$
  begin insert into secrets default values; return new; end $$;
create trigger counted after insert on items for each row execute function count_items();`

const current = "select currval('orders_id_seq') as n"
const undefinedIn = { code: '55000', message: /is not yet defined in this session$/ }

describePostgres('numbers of a transaction', () => {
  let database: TestDatabase
  let engine: Engine
  let address: string
  let clients: WireClient[]

  beforeAll(async () => {
    database = await openPostgres(setUp)
    const permissions = {
      orders: { table: 'main.orders', roles: ['*', 'anonymous'], select: {}, insert: {} },
      items: { table: 'main.items', roles: ['*', 'anonymous'], select: {}, insert: {} },
    }
    engine = await createEngine(
      {
        connections: { main: { url: database.url, pool: { max: 2 } } },
        permissions,
        pgWire: { port: 0 },
      },
      { adapters, pgWire: createPgWireServer },
    )
    address = (await engine.startPgWire()).address
  })
  beforeEach(() => {
    clients = []
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()))
  })
  afterAll(async () => {
    await engine?.close()
    await database?.remove()
  })

  const connect = async (): Promise<WireClient> => {
    const client = await connectWire({ address })
    clients.push(client)
    return client
  }
  const fails = (client: WireClient, sql: string, expected: object = undefinedIn) =>
    expect(client.query(sql)).rejects.toMatchObject(matching(expected))

  test('a number that nextval() or a default drew is the current one', async () => {
    const client = await connect()
    await client.query('begin')
    const [drawn] = await rowsOf(client, "select nextval('orders_id_seq')")
    expect(await rowsOf(client, current)).toEqual([drawn])
    const [[id] = []] = await rowsOf(client, "insert into orders (note) values ('a') returning id")
    expect(await rowsOf(client, current)).toEqual([[String(id)]])
    await client.query("insert into items (order_id) values (currval('orders_id_seq'))")
    expect(await rowsOf(client, 'select order_id from items order by id desc limit 1')).toEqual([
      [String(id)],
    ])
    expect(
      await rowsOf(client, "select note from orders where id = currval('orders_id_seq')"),
    ).toEqual([['a']])
    await client.query('commit')
  })

  test('before it draws one, a transaction has none, whoever used its connection', async () => {
    const [client, other] = [await connect(), await connect()]
    for (let i = 0; i < 3; i += 1) {
      await other.query("select nextval('orders_id_seq')")
      await other.query('insert into items default values')
    }
    for (const modes of ['', ' isolation level repeatable read', ' isolation level serializable']) {
      await client.query(`begin${modes}`)
      await fails(client, current)
      await client.query('rollback')
      await client.query(`begin${modes}`)
      await client.query('insert into items default values')
      await fails(client, current)
      await client.query('rollback')
    }
    await client.query('begin read only')
    await fails(client, current)
    await client.query('rollback')
  })

  test('after the transaction they are forgotten', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query("insert into orders (note) values ('b')")
    await client.query('commit')
    await fails(client, current)
    await client.query('begin')
    await fails(client, current)
    await client.query('rollback')
  })

  test('a transaction that begins anew on another connection has none', async () => {
    const [client, other] = [await connect(), await connect()]
    await client.query('begin')
    await client.query('savepoint s')
    await client.query("select nextval('orders_id_seq')")
    await client.query('rollback to s')
    await other.query("select nextval('orders_id_seq')")
    await fails(client, current)
    await client.query('rollback')
  })

  test('numbers stay drawn after a savepoint is rolled back', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query("insert into orders (note) values ('c')")
    await client.query('savepoint s')
    const [drawn] = await rowsOf(client, "select nextval('orders_id_seq')")
    await client.query('rollback to s')
    expect(await rowsOf(client, current)).toEqual([drawn])
    await client.query('rollback')
  })

  test('rows that do nothing draw numbers, too', async () => {
    const client = await connect()
    await client.query("insert into orders (note) values ('d')")
    await client.query('begin')
    await client.query("insert into orders (note) values ('d') on conflict (note) do nothing")
    expect(await rowsOf(client, current)).toHaveLength(1)
    await client.query('rollback')
  })

  test('sequences of others do not exist, and lastval() could tell of them', async () => {
    const client = await connect()
    for (const [sql, expected] of [
      ["select currval('secrets_id_seq')", { code: '42P01' }],
      ['select lastval()', { code: '0A000', hint: /currval/ }],
      ['select currval(1)', { code: '0A000' }],
    ] as const) {
      await client.query('begin')
      await client.query('insert into items default values')
      await fails(client, sql, expected)
      await client.query('rollback')
    }
  })

  describe('for a caller without restrictions', () => {
    let open: Engine
    let client: WireClient

    beforeAll(async () => {
      open = await createEngine(
        { connections: { main: { url: database.url, pool: { max: 1 } } }, pgWire: { port: 0 } },
        { adapters, pgWire: createPgWireServer },
      )
      client = await connectWire({ address: (await open.startPgWire()).address })
    })
    afterAll(async () => {
      await client?.end()
      await open?.close()
    })

    test('lastval() is the number that a transaction drew last', async () => {
      await expect(client.query('select lastval()')).rejects.toMatchObject({ code: '55000' })
      await client.query('begin')
      const [drawn] = await rowsOf(client, "select nextval('orders_id_seq')")
      expect(await rowsOf(client, 'select lastval()')).toEqual([drawn])
      await client.query('commit')
      await client.query('begin')
      const failure = client.query('select lastval()').then(() => 'none', codeOf)
      expect(await failure).toBe('55000')
      await client.query('rollback')
    })

    test('errors are those of PostgreSQL', async () => {
      const direct = new pg.Client({ connectionString: database.url })
      await direct.connect()
      const messages = []
      for (const one of [client, direct]) {
        const error = await one.query(current).catch((reason: pg.DatabaseError) => reason)
        messages.push([error instanceof pg.DatabaseError && [error.code, error.message]])
      }
      await direct.end()
      expect(messages[0]).toEqual(messages[1])
    })
  })
})

function matching(expected: object): object {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  )
}
