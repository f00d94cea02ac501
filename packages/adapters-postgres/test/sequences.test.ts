import { admin, type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: {},
    insert: {},
    update: {},
    delete: {},
  },
  reads: { table: 'main.orders', roles: ['reader'], select: {} },
  writes: { table: 'main.orders', roles: ['writer'], insert: {} },
  presets: {
    table: 'main.orders',
    roles: ['preset'],
    select: {},
    insert: { columns: ['id', 'note'], preset: { id: 5 } },
  },
  others: { table: 'main.orders', roles: ['other'], select: {}, insert: { columns: ['note'] } },
  kept: {
    table: 'main.kept',
    roles: ['clerk'],
    select: {},
    insert: { check: { number: { $lt: 100 } } },
    update: {},
  },
  secrets: { table: 'main.secrets', roles: ['clerk'], select: { where: { id: { $lt: 0 } } } },
} satisfies Config['permissions']

describePostgres('sequences', () => {
  let engine: Engine
  let readOnly: Engine
  let excluding: Engine
  let client: Client

  beforeAll(async () => {
    const url = await createDatabase('sequences')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table orders (id serial primary key, note text);
      create sequence "Odd ""name""";
      create table kept (
        id int generated always as identity (start 10 increment 5 maxvalue 1000 cycle) primary key,
        number bigint default nextval('"Odd ""name"""'), body text unique);
      create sequence unowned;
      create table secrets (id serial primary key);
      insert into secrets select generate_series(1, 50);
      create schema audit;
      create sequence audit.counter;
      alter table orders add batch bigint default nextval('audit.counter')`)
    const open = (more: object, granted: Config['permissions'] = permissions) =>
      createEngine(
        {
          connections: { main: { url, ...more } },
          permissions: granted,
          limits: { maxRows: 50 },
        },
        { adapters: { '@engine/adapters-postgres': connect } },
      )
    engine = await open({})
    readOnly = await open({ readOnly: true })
    excluding = await open({ tables: { exclude: ['secrets'] } }, {})
  })
  beforeEach(() =>
    client.query(
      `truncate orders, kept restart identity; alter sequence "Odd ""name""" restart; alter sequence unowned restart`,
    ),
  )
  afterAll(async () => {
    await engine?.close()
    await excluding?.close()
    await readOnly?.close()
    await client?.end()
  })

  const rows = async (sql: string, role = 'clerk', on = engine): Promise<unknown> => {
    const caller: Caller = { kind: 'user', id: 'u', roles: [role], fields: {} }
    const params: readonly unknown[] = sql.includes('$1') ? ['orders_id_seq'] : []
    const { body } = await on.query(
      { sql, params, method: 'all', meta: false, signal: undefined },
      caller,
    )
    return JSON.parse(String(body)).rows
  }
  const next = async (sequence: string): Promise<number> => {
    const { rows: found } = await client.query(`select nextval($1)::int as n`, [sequence])
    return found[0].n
  }

  test.each([
    "nextval('orders_id_seq')",
    "nextval('Orders_ID_seq'::regclass)",
    "pg_catalog.nextval(cast('main.orders_id_seq' as regclass))",
    `nextval('"main"."orders_id_seq"'::text::regclass)`,
    "nextval('public.orders_id_seq')",
    "nextval(pg_get_serial_sequence('orders', 'id'))",
    "nextval(pg_get_serial_sequence('main.orders', 'id')::regclass)",
    "nextval(pg_get_serial_sequence('kept', 'id'))",
    `nextval('"Odd ""name"""')`,
  ])('%s is the next number, an int8', async (call) => {
    const first = call.includes("'kept'") ? 10 : 1
    const step = first === 10 ? 5 : 1
    expect(await rows(`select ${call}`)).toEqual([[String(first)]])
    expect(await rows(`select ${call}, ${call} as again`)).toEqual([
      [String(first + step), String(first + 2 * step)],
    ])
  })

  test('writes take their numbers from it, each once', async () => {
    expect(
      await rows(`insert into main.orders (id, note)
        values (nextval('orders_id_seq'), 'a'), (nextval('orders_id_seq') + 10, 'b') returning id`),
    ).toEqual([[1], [12]])
    expect(
      await rows(
        `insert into main.orders (id, note) select nextval('orders_id_seq') + 20, g from generate_series(1, 3) g returning id`,
      ),
    ).toEqual([[23], [24], [25]])
    expect(
      await rows(
        `update main.orders set id = nextval('orders_id_seq') + 100 where note = '2' returning id`,
      ),
    ).toEqual([[106]])
    expect(await next('orders_id_seq')).toBe(7)
  })

  test('many numbers come in one statement', async () => {
    const numbers = await rows(`select nextval('orders_id_seq') from generate_series(1, 5)`)
    expect(numbers).toEqual([['1'], ['2'], ['3'], ['4'], ['5']])
  })

  test('a query uses up no more numbers than it may return rows', async () => {
    expect(
      await rows(`select nextval('orders_id_seq') from generate_series(1, 100000)`),
    ).toHaveLength(50)
    expect(await next('orders_id_seq')).toBeLessThanOrEqual(52)
  })

  test.each([
    ['unowned', 'clerk'],
    ['secrets_id_seq', 'clerk'],
    ['missing', 'clerk'],
    ['orders', 'clerk'],
    ['counter', 'clerk'],
    ['audit.counter', 'nobody'],
    ['orders_id_seq', 'reader'],
    ['orders_id_seq', 'writer'],
    ['orders_id_seq', 'preset'],
    ['orders_id_seq', 'other'],
  ])('%s does not exist for %s', async (name, role) => {
    const failure = await rows(`select nextval('${name}')`, role).catch((error: unknown) => error)
    expect(failure).toMatchObject({ sqlState: '42P01' })
    if (name !== 'audit.counter') {
      expect(failure).toHaveProperty('message', `relation "${name}" does not exist (position 16)`)
    }
  })

  test.each([
    ['secrets', 'id'],
    ['orders', 'note'],
    ['orders', 'batch'],
    ['kept', 'number'],
    ['missing', 'id'],
    ['orders', 'ID'],
  ])('%s.%s owns no sequence', async (table, column) => {
    const call = `nextval(pg_get_serial_sequence('${table}', '${column}'))`
    await expect(rows(`select ${call}`)).rejects.toMatchObject({
      sqlState: '42P01',
      message: `column "${column}" of relation "${table}" has no sequence (position 39)`,
    })
  })

  describe('a caller without any restriction', () => {
    const asAdmin = async (
      sql: string,
      params: readonly unknown[] = [],
      of = engine,
    ): Promise<unknown> => {
      const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
      return JSON.parse(String((await of.query(request, admin)).body)).rows
    }

    test('neither takes nor sets numbers of a table that the configuration excludes', async () => {
      for (const call of ["nextval('secrets_id_seq')", "setval('secrets_id_seq', 5)"]) {
        await expect(asAdmin(`select ${call}`, [], excluding)).rejects.toMatchObject({
          sqlState: '42P01',
        })
      }
      expect(await asAdmin("select setval('unowned', 5)", [], excluding)).toEqual([['5']])
      expect(await asAdmin("select nextval('secrets_id_seq')")).toEqual([['1']])
    })

    test('takes numbers of every sequence of the schema', async () => {
      expect(await asAdmin("select nextval('unowned'), nextval('main.unowned')")).toEqual([
        ['1', '2'],
      ])
      await expect(asAdmin("select currval('unowned')")).rejects.toMatchObject({
        sqlState: '55000',
        message: expect.stringContaining('"unowned"'),
      })
      await expect(asAdmin("select nextval('audit.counter')")).rejects.toMatchObject({
        sqlState: '42P01',
      })
    })

    test('sets numbers, once for each row of the answer', async () => {
      await client.query('insert into orders (id) values (41), (7)')
      expect(await asAdmin("select setval('orders_id_seq', max(id)) from main.orders")).toEqual([
        ['41'],
      ])
      expect(await next('orders_id_seq')).toBe(42)
      const both = `select setval('unowned', (select count(*) from main.orders) + $1::int8, false), setval(pg_get_serial_sequence('orders', 'id'), 5)`
      expect(await asAdmin(both, [10])).toEqual([['12', '5']])
      expect([await next('unowned'), await next('orders_id_seq')]).toEqual([12, 6])
      await expect(asAdmin("select setval('unowned', 0)")).rejects.toMatchObject({
        sqlState: '22003',
      })
    })

    test.each([
      ["select 1 from main.orders where setval('unowned', 5) > 0", '0A000'],
      ["select (select setval('unowned', 5))", '0A000'],
      ["select distinct setval('unowned', 5)", '0A000'],
      ["select setval('unowned')", '42883'],
      ["select setval('unowned', 1, true, 2)", '42883'],
      ["select setval('unowned', 'x')", '22P02'],
      ["select setval('missing', 1)", '42P01'],
    ])('%s is refused', async (sql, sqlState) => {
      await expect(asAdmin(sql)).rejects.toMatchObject({ sqlState })
      expect(await next('unowned')).toBe(1)
    })

    test('sets none where the connection is read-only', async () => {
      const request = {
        sql: "select setval('unowned', 5)",
        params: [],
        method: 'all',
        meta: false,
        signal: undefined,
      } as const
      await expect(readOnly.query(request, admin)).rejects.toMatchObject({ sqlState: '25006' })
      expect(await next('unowned')).toBe(1)
    })
  })

  test('a sequence of another schema is reached by the column that it numbers', async () => {
    await expect(rows("select nextval('audit.counter')")).rejects.toMatchObject({
      sqlState: '42P01',
    })
  })

  test.each([
    'nextval($1)',
    "nextval('orders_' || 'id_seq')",
    'nextval(16384)',
    'nextval((select note from main.orders))',
    'currval($1)',
    'lastval()',
    "setval('orders_id_seq', 5)",
  ])('%s is refused', async (call) => {
    const refusal = { sqlState: '0A000', details: { hint: expect.any(String) } }
    await expect(rows(`select ${call}`)).rejects.toMatchObject(refusal)
    await expect(
      rows(`insert into main.orders (id, note) values (${call}, 'x')`),
    ).rejects.toMatchObject(refusal)
  })

  test.each([
    ['orders_id_seq', 'clerk', '55000'],
    ['secrets_id_seq', 'clerk', '42P01'],
    ['orders_id_seq', 'reader', '42P01'],
    ['orders_id_seq', 'writer', '42P01'],
  ])('currval(%s) without a session is refused for %s', async (name, role, sqlState) => {
    const call = `currval('${name}')`
    await expect(rows(`select ${call}`, role)).rejects.toMatchObject({ sqlState })
    await rows("select nextval('orders_id_seq')")
    await expect(rows(`select ${call}`, role)).rejects.toMatchObject({ sqlState })
    await expect(rows(`delete from main.orders where id = ${call}`, 'clerk')).rejects.toMatchObject(
      { sqlState: name === 'orders_id_seq' ? '55000' : '42P01' },
    )
  })

  test('a batch has no numbers of its own', async () => {
    const caller: Caller = { kind: 'user', id: 'u', roles: ['clerk'], fields: {} }
    const statements = ["select nextval('orders_id_seq')", "select currval('orders_id_seq')"].map(
      (sql) => ({ sql, params: [], method: 'all' as const, meta: false }),
    )
    await expect(engine.batch({ statements, signal: undefined }, caller)).rejects.toMatchObject({
      sqlState: '55000',
    })
  })

  test.each(['', 'a.', '.a', 'a b', 'a.b.c.d', '"a', '""'])(
    'the name %j is malformed',
    async (name) => {
      await expect(rows(`select nextval('${name}')`)).rejects.toMatchObject({ sqlState: '42602' })
    },
  )

  // How far a sequence moves must not depend on rows that are hidden.
  test.each([
    "select 1 from main.secrets where nextval('orders_id_seq') > 0",
    "select (select nextval('orders_id_seq')) from main.secrets",
    "select 1 from main.secrets s, lateral (select nextval('orders_id_seq') + s.id) x",
    "select 1 from main.secrets s join main.orders o on nextval('orders_id_seq') = s.id",
    "select 1 from main.secrets order by nextval('orders_id_seq')",
    "select 1 from main.secrets group by nextval('orders_id_seq')",
    "with n as (select nextval('orders_id_seq') as id from main.secrets) select * from n",
    "select * from nextval('orders_id_seq')",
    "select 1 union all select nextval('orders_id_seq')",
    "select 1 limit nextval('orders_id_seq')",
    "select count(nextval('orders_id_seq')) from generate_series(1, 100)",
    "select distinct nextval('orders_id_seq') from generate_series(1, 100)",
    "select nextval('orders_id_seq') from main.orders group by note",
    "insert into main.orders (id) select max(nextval('orders_id_seq'))",
    "select exists (select nextval('orders_id_seq') from main.secrets)",
    "delete from main.orders where id = nextval('orders_id_seq')",
    "update main.orders set note = 'x' where id = nextval('orders_id_seq')",
    "update main.orders set note = 'x' returning nextval('orders_id_seq')",
    "insert into main.orders (note) values ('x') on conflict (id) do update set id = nextval('orders_id_seq')",
  ])('%s is refused', async (sql) => {
    await expect(rows(sql)).rejects.toMatchObject({ sqlState: '0A000' })
    expect(await next('orders_id_seq')).toBe(1)
  })

  test('it counts the rows that the caller sees', async () => {
    expect(await rows("select nextval('orders_id_seq') from main.secrets")).toEqual([])
    expect(await next('orders_id_seq')).toBe(1)
  })

  describe('a write with a check', () => {
    const insert = (values: string, more = '') =>
      rows(`insert into main.kept (number, body) values (${values}) ${more} returning number`)
    const odd = `nextval('"Odd ""name"""')`

    test('checks the number that it stores', async () => {
      expect(await insert(`${odd} + 90, 'a'`)).toEqual([['91']])
      await expect(insert(`${odd} + 99, 'b'`)).rejects.toMatchObject({ status: 422 })
      expect(await next('"Odd ""name"""')).toBe(3)
    })

    test('and a taken key says nothing where the check cannot be repeated', async () => {
      expect(await insert(`${odd}, 'a'`)).toEqual([['1']])
      await expect(insert(`${odd}, 'a'`)).rejects.toMatchObject({ status: 422 })
    })

    test('is refused where it looks before it writes', async () => {
      const upsert = insert(`${odd}, 'a'`, 'on conflict (body) do update set body = excluded.body')
      await expect(upsert).rejects.toMatchObject({ status: 422 })
      expect(await next('"Odd ""name"""')).toBe(1)
    })
  })

  test('a connection that only reads refuses it', async () => {
    const reads = rows("select nextval('orders_id_seq')", 'clerk', readOnly)
    await expect(reads).rejects.toMatchObject({ sqlState: '25006', status: 403 })
    expect(await next('orders_id_seq')).toBe(1)
  })

  test('a sequence that is renamed is found under its new name', async () => {
    await client.query('alter sequence orders_id_seq rename to renumbered')
    try {
      expect(await rows("select nextval(pg_get_serial_sequence('orders', 'id'))")).toEqual([['1']])
      await engine.refreshCatalog()
      expect(await rows("select nextval('renumbered')")).toEqual([['2']])
    } finally {
      await client.query('alter sequence renumbered rename to orders_id_seq')
      await engine.refreshCatalog()
    }
  })
})
