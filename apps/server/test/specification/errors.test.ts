/** Interface specification 2.5 and 7: the one shape of errors, and the status of each problem. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

const setUp = `
create table users (
  id integer primary key,
  email varchar(20) not null unique,
  age integer check (age >= 0),
  manager_id integer references users (id)
);
create table secrets (id integer primary key);
insert into users values (1, 'ada@x', 36, null), (2, 'bob@x', 20, 1);
`

const permissions = [
  {
    name: 'users-of-clerks',
    table: 'main.users',
    roles: ['clerk'],
    select: { columns: ['id', 'email'] },
    insert: { check: { age: { $lt: 100 } } },
    update: { columns: ['age'], check: { age: { $lt: 100 } } },
  },
]

describeDatabases('errors', (open) => {
  let database: TestDatabase
  let development: TestGateway
  let production: TestGateway
  let unguarded: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    const guarded = { connections: { main: database.url }, auth: { secret }, permissions }
    development = await openGateway(guarded)
    production = await openGateway(guarded, { isDevelopment: false })
    unguarded = await openGateway(
      { connections: { main: database.url }, open: true },
      { isDevelopment: false },
    )
  })
  afterAll(async () => {
    await development?.close()
    await production?.close()
    await unguarded?.close()
    await database?.remove()
  })

  const asClerk = async (gateway: TestGateway, sql: string, params: readonly unknown[] = []) =>
    gateway.data({ sql, params, method: 'all' }, await bearer({ roles: ['clerk'] }))
  const ask = (sql: string, params: readonly unknown[] = []) =>
    unguarded.data({ sql, params, method: 'all' })

  function expectError({ status, headers, body }: TestAnswer, expected: readonly [number, string]) {
    expect([status, (body as { error: unknown }).error]).toEqual(expected)
    expect(headers.get('content-type')).toBe('application/json')
    const { correlation_id: id, message, ...rest } = body as Record<string, unknown>
    expect(message).toEqual(expect.stringMatching(/./))
    expect(id).toBe(headers.get('x-request-id'))
    expect(Object.keys(rest).filter((key) => key !== 'details')).toEqual(['error'])
  }

  describe('correlation ids', () => {
    test('correlation ids are made up, each another', async () => {
      const [first, second] = [await ask('selec'), await ask('selec')]
      expectError(first, [400, 'BAD_REQUEST'])
      expectError(second, [400, 'BAD_REQUEST'])
      expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'))
    })

    test.each(['abc', 'A-b_c.9', 'x'.repeat(128)])('%s of the client is taken', async (id) => {
      const headers = { 'x-request-id': id }
      const body = { sql: 'select 1', params: [], method: 'all' }
      expect((await unguarded.data(body, headers)).headers.get('x-request-id')).toBe(id)
      const failed = await unguarded.data({ ...body, sql: 'selec' }, headers)
      expect(failed.body).toMatchObject({ correlation_id: id })
      expect(failed.headers.get('x-request-id')).toBe(id)
    })

    test.each(['', ' ', 'a b', 'a,b', '<script>', 'x'.repeat(129), 'é'])(
      '%j of the client is not',
      async (id) => {
        const { headers, body } = await unguarded.data({}, { 'x-request-id': id })
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        expect((body as { correlation_id: string }).correlation_id).not.toBe(id)
      },
    )
  })

  describe('400 BAD_REQUEST', () => {
    test.each([
      'selec 1',
      'select (1',
      'select 1 +',
      'drop table users',
      'select unknown_function(1)',
      "select 1 + 'x'",
      'select 1 from main.users where id',
      'select 1 / 0',
      'select sum(sum(id)) from main.users',
      'select 1 where pg_sleep(1) is null',
      'explain (nothing) select 1',
      "set search_path = ''",
      'select * from main.users for update of nobody',
      'not sql at all',
    ])('%s', async (sql) => {
      expectError(await ask(sql), [400, 'BAD_REQUEST'])
    })

    test('a value that does not fit its parameter', async () => {
      const sql = 'select 1 from main.users where id = $1'
      for (const value of ['x', 1.5, {}, [1], true, '99999999999', 2 ** 31]) {
        expectError(await ask(sql, [value]), [400, 'BAD_REQUEST'])
      }
    })

    test('the message says where', async () => {
      const { body } = await ask('select id frm main.users where')
      expect(body).toMatchObject({ message: expect.stringMatching(/position \d+/) })
    })
  })

  test('404 TABLE_NOT_FOUND', async () => {
    expectError(await ask('select 1 from main.nothing'), [404, 'TABLE_NOT_FOUND'])
  })

  test('409 CONFLICT where a key forbids it', async () => {
    const insert = 'insert into main.users (id, email, manager_id) values ($1, $2, $3)'
    expectError(await ask(insert, [1, 'new@x', null]), [409, 'CONFLICT'])
    expectError(await ask(insert, [3, 'ada@x', null]), [409, 'CONFLICT'])
    expectError(await ask(insert, [3, 'new@x', 99]), [409, 'CONFLICT'])
    expectError(await ask('delete from main.users where id = 1'), [409, 'CONFLICT'])
  })

  test('422 VALIDATION_ERROR where a value is not allowed', async () => {
    const insert = 'insert into main.users (id, email, age) values ($1, $2, $3)'
    expectError(await ask(insert, [3, null, null]), [422, 'VALIDATION_ERROR'])
    expectError(await ask(insert, [3, 'new@x', -1]), [422, 'VALIDATION_ERROR'])
    expectError(await ask(insert, [3, 'x'.repeat(21), 1]), [422, 'VALIDATION_ERROR'])
    expectError(await ask(insert, [3, 'new@x', 'old']), [422, 'VALIDATION_ERROR'])
    expectError(await ask(insert, [2 ** 31, 'new@x', 1]), [422, 'VALIDATION_ERROR'])
    expect(await database.rows('select id from users')).toHaveLength(2)
  })

  test('422 VALIDATION_ERROR where a permission does not allow the row', async () => {
    const insert = 'insert into main.users (id, email, age) values (3, $1, $2)'
    for (const gateway of [development, production]) {
      expectError(await asClerk(gateway, insert, ['new@x', 100]), [422, 'VALIDATION_ERROR'])
      expectError(await asClerk(gateway, insert, ['new@x', null]), [422, 'VALIDATION_ERROR'])
    }
    expect(await database.rows('select id from users')).toHaveLength(2)
  })

  test('what the database says of rows is never revealed', async () => {
    const insert = 'insert into main.users (id, email) values ($1, $2)'
    const { body } = await ask(insert, [9, 'ada@x'])
    const { correlation_id: _, ...told } = body as Record<string, unknown>
    expect(JSON.stringify(told)).not.toMatch(/ada|email|users|constraint|unique/i)
  })

  describe('403 PERMISSION_DENIED', () => {
    const generic = 'You do not have permission to perform this operation.'

    test('in development the message and details say why', async () => {
      const answer = await asClerk(development, 'delete from main.users')
      expectError(answer, [403, 'PERMISSION_DENIED'])
      const { message, details } = answer.body as Record<string, unknown>
      expect(message).toMatch(/clerk.*delete.*main\.users/)
      expect(details).toEqual({
        table: 'main.users',
        operation: 'delete',
        role: 'clerk',
        evaluated_permissions: ['users-of-clerks'],
      })
    })

    test.each([
      'delete from main.users',
      'select 1 from main.secrets',
      'select age from main.users',
      'select nothing from main.users',
      'select id from main.users where age > 1',
      'update main.users set email = $1',
      'update main.users set nothing = $1',
    ])('in production %s says nothing', async (sql) => {
      const answer = await asClerk(production, sql, sql.includes('$1') ? ['x'] : [])
      expectError(answer, [403, 'PERMISSION_DENIED'])
      const { correlation_id: _, ...rest } = answer.body as Record<string, unknown>
      expect(rest).toEqual({ error: 'PERMISSION_DENIED', message: generic })
    })
  })

  test('paths and methods that do not exist', async () => {
    const get = (path: string, method = 'GET') =>
      production.fetch(new Request(`http://gateway.test${path}`, { method }))
    expect((await get('/')).status).toBe(404)
    expect(await (await get('/nothing')).json()).toMatchObject({ error: 'NOT_FOUND' })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await get('/data', method)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await response.json()).toMatchObject({ error: 'BAD_REQUEST' })
    }
    expect((await get('/data/batch')).status).toBe(405)
    expect((await get('/data', 'HEAD')).status).toBe(405)
  })

  test('answers are not to be cached or guessed at', async () => {
    for (const sql of ['select 1', 'selec']) {
      const { headers } = await ask(sql)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})
