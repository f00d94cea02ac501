/** `POST /data/batch`: several statements, one connection, one transaction, all or nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const setUp =
  'create table accounts (id integer primary key, owner text not null unique, cents integer check (cents >= 0))'
const rows = "insert into accounts values (1, 'Ada', 100), (2, 'Bob', 50)"

interface Statement {
  readonly sql: string
  readonly params?: readonly unknown[]
  readonly method?: string
  readonly meta?: boolean
}

describeDatabases('POST /data/batch', (open) => {
  let database: TestDatabase
  let other: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    other = await openSqlite('create table things (id integer primary key)')
    gateway = await openGateway({
      connections: { main: database.url, other: other.url },
      limits: { maxRows: 100 },
    })
  })
  beforeEach(() => database.run(`delete from accounts; ${rows}`))
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
    await other?.remove()
  })

  const batch = (statements: readonly Statement[], to = gateway, headers = {}) =>
    to.post(
      '/data/batch',
      JSON.stringify({
        statements: statements.map((statement) => ({ params: [], method: 'all', ...statement })),
      }),
      headers,
    )
  const balances = () => database.rows('select id, cents from accounts order by id')
  const untouched = [
    { id: 1, cents: 100 },
    { id: 2, cents: 50 },
  ]
  const take = (cents: number, id: number): Statement => ({
    sql: 'update main.accounts set cents = cents - $1 where id = $2',
    params: [cents, id],
    method: 'run',
  })

  test('POST /data/batch answers each statement as its method says', async () => {
    const { status, body } = await batch([
      { sql: 'select cents from main.accounts order by id' },
      { sql: 'select cents from main.accounts where id = $1', params: [2], method: 'get' },
      take(10, 1),
      { sql: 'select cents from main.accounts where id = 1', method: 'execute' },
      { sql: 'select id from main.accounts where id = 9', method: 'get' },
      { sql: 'delete from main.accounts where id = 2 returning owner', meta: true },
    ])
    expect(status).toBe(200)
    expect(body).toEqual({
      results: [
        { rows: [[100], [50]] },
        { rows: [50] },
        { rows: [] },
        { rows: [{ cents: 90 }] },
        { rows: null },
        {
          rows: [['Bob']],
          columns: [{ name: 'owner', type: 'text' }],
          rowCount: 1,
          truncated: false,
        },
      ],
    })
  })

  test('what one statement writes the next one sees, and all of it stays', async () => {
    expect((await batch([take(30, 1), take(-30, 2)])).status).toBe(200)
    expect(await balances()).toEqual([
      { id: 1, cents: 70 },
      { id: 2, cents: 80 },
    ])
  })

  describe('when one statement fails, none has happened:', () => {
    test.each<[string, Statement, number, string]>([
      ['a violated check', take(1_000, 2), 422, 'VALIDATION_ERROR'],
      [
        'a violated key',
        { sql: "insert into main.accounts values (3, 'Ada', 0)" },
        409,
        'CONFLICT',
      ],
      [
        'an error of evaluation',
        { sql: 'select 1 / (cents - cents) from main.accounts' },
        400,
        'BAD_REQUEST',
      ],
      ['a syntax error', { sql: 'selec 1' }, 400, 'BAD_REQUEST'],
      ['an unknown table', { sql: 'delete from main.nothing' }, 404, 'TABLE_NOT_FOUND'],
      ['a wrong number of values', { sql: 'select 1', params: [1] }, 400, 'BAD_REQUEST'],
      ['another connection', { sql: 'select id from other.things' }, 400, 'BAD_REQUEST'],
      ['transaction control', { sql: 'commit' }, 400, 'BAD_REQUEST'],
      ['several statements', { sql: 'select 1; commit' }, 400, 'BAD_REQUEST'],
    ])('%s', async (_, second, status, error) => {
      for (const statements of [
        [take(10, 1), second],
        [take(10, 1), second, take(10, 1)],
        [second, take(10, 1)],
      ]) {
        expect(await batch(statements)).toMatchObject({ status, body: { error } })
        expect(await balances()).toEqual(untouched)
      }
    })

    test('and the connection serves the next batch', async () => {
      expect((await batch([take(10, 1), take(1_000, 2)])).status).toBe(422)
      expect((await batch([take(10, 1), take(-10, 2)])).status).toBe(200)
      expect(await balances()).toEqual([
        { id: 1, cents: 90 },
        { id: 2, cents: 60 },
      ])
    })
  })

  test('the message says which statement it is about', async () => {
    expect(await batch([take(10, 1), { sql: 'selec 1' }])).toMatchObject({
      body: { message: expect.stringMatching(/^Statement 2: /), details: { statement: 2 } },
    })
    expect(await batch([take(1, 1), take(1, 1), take(1_000, 1)])).toMatchObject({
      body: { message: expect.stringMatching(/^Statement 3: /) },
    })
  })

  test('a refused check of a permission rolls everything back', async () => {
    const guarded = await openGateway({
      connections: { main: database.url },
      auth: { secret },
      permissions: [
        {
          table: 'main.accounts',
          roles: ['clerk'],
          select: {},
          update: { columns: ['cents'], check: { cents: { $lt: 1_000 } } },
        },
      ],
    })
    const clerk = await bearer({ roles: ['clerk'] })
    expect(await batch([take(10, 1), take(-5_000, 2)], guarded, clerk)).toMatchObject({
      status: 422,
    })
    expect(await balances()).toEqual(untouched)
    const denied = await batch([take(10, 1), { sql: 'delete from main.accounts' }], guarded, clerk)
    expect(denied).toMatchObject({ status: 403, body: { error: 'PERMISSION_DENIED' } })
    expect(await balances()).toEqual(untouched)
    expect((await batch([take(10, 1)], guarded)).status).toBe(401)
    await guarded.close()
  })

  test('a batch that only reads is fine', async () => {
    const sql = 'select count(*)::int from main.accounts'
    expect((await batch([{ sql }, { sql, method: 'get' }])).body).toEqual({
      results: [{ rows: [[2]] }, { rows: [2] }],
    })
  })

  test('a connection whose statements are constants is the only or first one', async () => {
    expect(await batch([{ sql: 'select 1' }, { sql: 'select 2' }])).toMatchObject({ status: 200 })
  })

  test('a truncated answer marks the response', async () => {
    const many = `with recursive t (n) as (select 1 union all select n + 1 from t where n < 101)
      select n from t`
    const answer = await batch([{ sql: 'select 1' }, { sql: many, meta: true }])
    expect(answer.headers.get('x-rows-truncated')).toBe('true')
    expect(answer.body).toMatchObject({ results: [{}, { truncated: true, rowCount: 100 }] })
  })

  test.each<[string, unknown]>([
    ['no list', { statements: {} }],
    ['an empty list', { statements: [] }],
    ['another field', { statements: [], connection: 'main' }],
    ['a statement without method', { statements: [{ sql: 'select 1', params: [] }] }],
  ])('a body with %s is refused', async (_, body) => {
    expect(await gateway.post('/data/batch', JSON.stringify(body))).toMatchObject({
      status: 400,
      body: { error: 'BAD_REQUEST' },
    })
  })

  test('many batches at a time keep the sum', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        batch(i % 2 === 0 ? [take(1, 1), take(-1, 2)] : [take(2, 2), take(-2, 1)]),
      ),
    )
    for (const { status } of outcomes) expect([200, 409]).toContain(status)
    const [sum] = await database.rows('select sum(cents) as cents from accounts')
    expect(Number((sum as { cents: unknown }).cents)).toBe(150)
  })
})
