import { generateKeyPairSync } from 'node:crypto'
import { createEngine, type Engine } from '@engine/core'
import { type LibsqlServer, startLibsql } from '@engine/test-databases'
import { describeLibsql } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const caller = { kind: 'anonymous', roles: ['anonymous'], fields: {} } as const
const clerk = { kind: 'user', id: 'u', roles: ['clerk'], fields: { tenant: 'acme' } } as const

const schema = [
  'create table parents (id integer primary key, name text not null unique)',
  `create table notes (id integer primary key, parent_id integer references parents (id), tenant text not null,
    body text, price decimal(10,2), at timestamp, done boolean not null default false)`,
]

const rows = [
  "insert into parents values (1, 'one'), (2, 'two')",
  `insert into notes values (1, 1, 'acme', 'first', 12.5, '2024-01-31 10:00:00', 1),
    (2, 2, 'acme', null, 0.1, null, 0), (3, 2, 'umbra', 'CANARY', 7, null, 0)`,
]

const permissions = {
  notes: {
    table: 'main.notes',
    roles: ['clerk'],
    select: { where: { tenant: '$user.tenant' } },
    insert: { check: { tenant: '$user.tenant' } },
    update: { where: { tenant: '$user.tenant' } },
  },
} as const

describeLibsql('a libSQL server', () => {
  let server: LibsqlServer
  beforeAll(async () => {
    server = await startLibsql()
    const client = createClient({ url: server.url })
    await client.migrate(schema)
    client.close()
  })
  afterAll(() => server?.stop())
  beforeEach(async () => {
    const client = createClient({ url: server.url })
    await client.batch(['delete from notes', 'delete from parents', ...rows], 'write')
    client.close()
  })

  const open = (url: string, limits = {}): Promise<Engine> =>
    createEngine(
      { connections: { main: url }, limits },
      { adapters: { '@engine/adapters-libsql': connect } },
    )
  test('integers are as wide as they are declared, or as the connection says', async () => {
    const client = createClient({ url: server.url })
    await client.execute(`update notes set parent_id = null, id = ${2n ** 40n} where id = 3`)
    client.close()
    const typeOfId = async (more: object) => {
      const engine = await createEngine(
        { connections: { main: { url: server.url, ...more } } },
        { adapters: { '@engine/adapters-libsql': connect } },
      )
      const { connections } = engine.catalog()
      const main = connections.get('main')
      const type = main?.tables.get('notes')?.columns[0]?.type.oid ?? 0
      await engine.close()
      return main?.types.formatType(type)
    }
    expect(await typeOfId({})).toBe('bigint')
    expect(await typeOfId({ types: 'declared' })).toBe('integer')
    expect(await typeOfId({ columnTypes: { notes: { id: 'integer' } } })).toBe('integer')
  })

  const run = async (
    engine: Engine,
    sql: string,
    params: readonly unknown[] = [],
    who: typeof caller | typeof clerk = caller,
  ) => {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, who)
    return (JSON.parse(body.toString()) as { rows: unknown }).rows
  }

  test.each([
    ['http:', (url: string) => url],
    ['ws:', (url: string) => url.replace('http:', 'ws:')],
    ['libsql:', (url: string) => `${url.replace('http:', 'libsql:')}?tls=0`],
  ])('answers through %s', async (_name, change) => {
    const engine = await open(change(server.url))

    expect(await run(engine, 'select * from main.notes where id = $1', [1])).toEqual([
      [1, 1, 'acme', 'first', '12.50', '2024-01-31 10:00:00', true],
    ])
    expect(
      await run(
        engine,
        `select p.name, count(n.id)::int, max(n.price) from main.parents p
        left join main.notes n on n.parent_id = p.id group by p.id, p.name order by p.name`,
      ),
    ).toEqual([
      ['one', 1, '12.50'],
      ['two', 2, '7.00'],
    ])
    expect(
      await run(engine, `update main.notes set body = $1 where id = 2 returning id, body`, ['x']),
    ).toEqual([[2, 'x']])
    await engine.close()
  })

  test('long operands are computed once: sums of many columns, calls inside each other', async () => {
    const engine = await open(server.url)
    const sum = Array.from({ length: 12 }, () => 'id').join(' + ')
    expect(await run(engine, `select ${sum} from main.notes order by id`)).toEqual([
      [12],
      [24],
      [36],
    ])
    let nested = 'id'
    for (let level = 0; level < 20; level += 1) nested = `-(${nested})`
    expect(await run(engine, `select ${nested} from main.notes order by id`)).toEqual([
      [1],
      [2],
      [3],
    ])
    let total = 'sum(id) / count(*)'
    for (let level = 0; level < 3; level += 1) total = `(${total} + 1)`
    expect(await run(engine, `select ${total} from main.notes`)).toEqual([['5']])
    const prices = Array.from({ length: 6 }, () => 'price').join(' + ')
    expect(await run(engine, `select ${prices} from main.notes order by id limit 1`)).toEqual([
      ['75.00'],
    ])
    await engine.close()
  })

  test('constraints are distinguished', async () => {
    const engine = await open(server.url)
    await expect(run(engine, `insert into main.parents values (9, 'one')`)).rejects.toMatchObject({
      problem: 'conflict',
      sqlState: '23505',
    })
    await expect(
      run(engine, `insert into main.notes (id, parent_id, tenant) values (9, 99, 'acme')`),
    ).rejects.toMatchObject({ sqlState: '23503' })
    await expect(run(engine, 'insert into main.parents values (9, null)')).rejects.toMatchObject({
      sqlState: '23502',
    })
    await engine.close()
  })

  test('what needs a function of ours is refused before it is sent', async () => {
    const engine = await open(server.url)
    await expect(run(engine, `select upper(body) from main.notes`)).rejects.toMatchObject({
      status: 400,
      message: 'upper and lower case, and ILIKE (pg_upper) is not supported on libSQL',
    })
    expect(await run(engine, `select id from main.notes where body like 'f%t'`)).toEqual([[1]])
    await engine.close()
  })

  test('permissions hold, and a failed check takes everything back', async () => {
    const engine = await createEngine(
      {
        connections: { main: server.url },
        auth: { secret: 'at least thirty-two bytes of secret' },
        permissions,
      },
      { adapters: { '@engine/adapters-libsql': connect } },
    )
    expect(await run(engine, 'select id from main.notes order by id', [], clerk)).toEqual([
      [1],
      [2],
    ])
    const insert = `insert into main.notes (id, tenant) values (10, 'acme'), (11, $1) returning id`
    await expect(run(engine, insert, ['umbra'], clerk)).rejects.toMatchObject({
      problem: 'checkFailed',
    })
    expect(await run(engine, insert, ['acme'], clerk)).toEqual([[10], [11]])
    expect(
      await run(engine, `update main.notes set body = 'mine' returning id`, [], clerk),
    ).toHaveLength(4)
    const client = createClient({ url: server.url })
    const { rows: found } = await client.execute(`select body from notes where tenant = 'umbra'`)
    expect(found.map((row) => row['body'])).toEqual(['CANARY'])
    client.close()
    await engine.close()
  })

  test('a batch is one transaction', async () => {
    const engine = await open(server.url)
    const insert = {
      sql: 'insert into main.parents values ($1, $2)',
      method: 'run',
      meta: false,
    } as const
    const batch = (second: string) =>
      engine.batch(
        {
          statements: [
            { ...insert, params: [7, 'seven'] },
            { ...insert, params: [8, second] },
          ],
          signal: undefined,
        },
        caller,
      )

    await expect(batch('one')).rejects.toMatchObject({ problem: 'conflict' })
    expect(await run(engine, 'select id from main.parents order by id')).toEqual([[1], [2]])
    await batch('eight')
    expect(await run(engine, 'select id from main.parents order by id')).toEqual([
      [1],
      [2],
      [7],
      [8],
    ])
    await engine.close()
  })

  test('a statement that takes too long is given up, and the next one is answered', async () => {
    const engine = await open(server.url, { queryTimeout: 1_500 })
    const endless = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000000)
      select count(*) from n a, n b`
    await expect(run(engine, endless)).rejects.toMatchObject({ problem: 'queryTimeout' })
    expect(await run(engine, 'select 1')).toEqual([[1]])
    await engine.close()
  })

  test('a column that gets another type has it in the next answer', async () => {
    const client = createClient({ url: server.url })
    const types = [
      ['integer', '7', 7],
      ['varchar(30)', "'5],[1'", '5],[1'],
      ['numeric(10,2)', '1.5', '1.50'],
      ['double precision', '2.5', 2.5],
      ['boolean', 'true', true],
      ['bigint', '7000000000', '7000000000'],
      ['date', "'2020-01-31'", '2020-01-31'],
    ] as const
    const statements = [
      'select value from main.facts where id = 1',
      'insert into main.facts (id) values (9) returning value',
      'update main.facts set id = 1 where id = 1 returning value',
      'insert into main.facts (id, value) select 10, value from main.facts where id = 1 returning value',
      'delete from main.facts where id = 2 returning value',
    ]
    const become = ([type, literal]: (typeof types)[number]) =>
      client.migrate([
        'drop table if exists facts',
        `create table facts (id integer primary key, value ${type} default ${literal})`,
        'insert into facts (id) values (1), (2)',
      ])
    await become(types[0])
    const engine = await createEngine(
      { connections: { main: { url: server.url, schemaPolling: false } } },
      { adapters: { '@engine/adapters-libsql': connect } },
    )
    for (const [step, type] of [...types, types[0]].entries()) {
      await become(type)
      const first = step % statements.length
      for (const sql of [...statements.slice(first), ...statements.slice(0, first)]) {
        expect(await run(engine, sql), `${sql}, ${type[0]}`).toEqual([[type[2]]])
      }
    }
    await engine.close()
    await client.migrate(['drop table facts'])
    client.close()
  })

  test('a server that stops and starts again', async () => {
    const own = await startLibsql()
    const client = createClient({ url: own.url })
    await client.migrate(schema)
    await client.batch(rows, 'write')
    client.close()
    const engine = await open(own.url)
    expect(await run(engine, 'select count(*)::int from main.notes')).toEqual([[3]])

    await own.kill()
    await expect(run(engine, 'select count(*)::int from main.notes')).rejects.toMatchObject({
      problem: 'unavailable',
    })
    await own.restart()

    expect(await run(engine, 'select count(*)::int from main.notes')).toEqual([[3]])
    await engine.close()
    await own.stop()
  })

  test('a server that wants a token', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const own = await startLibsql({
      tokenKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    })
    const token = await new SignJWT({ a: 'rw' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime('1h')
      .sign(privateKey)
    const url = own.url.replace('http:', 'libsql:')

    const engine = await open(`${url}?tls=0&authToken=${token}`)
    expect(await run(engine, 'select 1')).toEqual([[1]])
    await engine.close()
    const refused = await open(`${url}?tls=0&authToken=${token.slice(0, -3)}abc`)
    await expect(run(refused, 'select 1')).rejects.toMatchObject({ problem: 'unavailable' })
    await refused.close()
    await own.stop()
  })
})
