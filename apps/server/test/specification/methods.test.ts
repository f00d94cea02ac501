/** Interface specification 2.3, 2.4 and 4.9: the input of `POST /data`, and the form of the rows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const setUp = `
create table users (id integer primary key, name text not null, age integer);
insert into users values (1, 'Ada', 36), (2, 'Grace', 45), (3, 'Alan', null);
`

describeDatabases('methods of POST /data', (open) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    gateway = await openGateway({ connections: { main: database.url } })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const send = async (sql: string, params: readonly unknown[], method: string, more: object = {}) =>
    gateway.data({ sql, params, method, ...more })
  const everyone = 'select "id", "name" from "main"."users" order by "main"."users"."id"'
  const someone = 'select "id", "name" from "main"."users" where "main"."users"."id" = $1'

  test.each(['all', 'values'])('%s gives one list a row, and nothing but rows', async (method) => {
    const { status, headers, body } = await send(everyone, [], method)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({
      rows: [
        [1, 'Ada'],
        [2, 'Grace'],
        [3, 'Alan'],
      ],
    })
    expect((await send(someone, [9], method)).body).toEqual({ rows: [] })
  })

  test('get gives the first row itself', async () => {
    expect((await send(someone, [2], 'get')).body).toEqual({ rows: [2, 'Grace'] })
    expect((await send(everyone, [], 'get')).body).toEqual({ rows: [1, 'Ada'] })
  })

  test('get without a match gives null', async () => {
    expect((await send(someone, [9], 'get')).body).toEqual({ rows: null })
  })

  test('run gives no rows, whatever there is', async () => {
    expect((await send(everyone, [], 'run')).body).toEqual({ rows: [] })
    const update = 'update "main"."users" set "age" = $1 where "id" = $2'
    expect((await send(update, [37, 1], 'run')).body).toEqual({ rows: [] })
    expect((await send(`${update} returning "id"`, [37, 1], 'run')).body).toEqual({ rows: [] })
  })

  test('execute gives objects, and an empty list for writes without RETURNING', async () => {
    expect((await send(someone, [1], 'execute')).body).toEqual({ rows: [{ id: 1, name: 'Ada' }] })
    const update = 'update "main"."users" set "age" = $1 where "id" = $2'
    expect((await send(update, [37, 1], 'execute')).body).toEqual({ rows: [] })
    expect((await send(`${update} returning "age"`, [36, 1], 'execute')).body).toEqual({
      rows: [{ age: 36 }],
    })
  })

  test('columns of the same name are all there, in order', async () => {
    const sql = `select a."id", b."id", a."name" as "id" from "main"."users" a
      join "main"."users" b on b."id" = a."id" + 1 order by 1`
    expect((await send(sql, [], 'all')).body).toEqual({
      rows: [
        [1, 2, 'Ada'],
        [2, 3, 'Grace'],
      ],
    })
  })

  test('as an object, the last column of a name is there', async () => {
    const sql = 'select "id", "name" as "id" from "main"."users" where "id" = 1'
    expect((await send(sql, [], 'execute')).body).toEqual({ rows: [{ id: 'Ada' }] })
  })

  test('a column may be called anything', async () => {
    const sql = 'select 1 as "__proto__", 2 as "a""b", 3 as "select", 4 as "é 🙂"'
    const { body } = await send(sql, [], 'execute', { meta: true })
    const { rows, columns } = body as { rows: object[]; columns: { name: string }[] }
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ['__proto__', 1],
      ['a"b', 2],
      ['select', 3],
      ['é 🙂', 4],
    ])
    expect(columns.map(({ name }) => name)).toEqual(['__proto__', 'a"b', 'select', 'é 🙂'])
  })

  test('with meta there are columns, counts and whether rows were left out', async () => {
    expect((await send(someone, [1], 'all', { meta: true })).body).toEqual({
      rows: [[1, 'Ada']],
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'text' },
      ],
      rowCount: 1,
      truncated: false,
    })
    expect((await send(someone, [9], 'get', { meta: true })).body).toMatchObject({
      rows: null,
      rowCount: 0,
    })
    expect((await send(someone, [9], 'all', { meta: false })).body).toEqual({ rows: [] })
  })

  test('with meta a write returns how many rows it wrote', async () => {
    const update = 'update "main"."users" set "age" = "age" where "id" > $1'
    expect((await send(update, [1], 'run', { meta: true })).body).toEqual({
      rows: [],
      columns: [],
      rowCount: 2,
      truncated: false,
    })
    expect((await send(update, [99], 'all', { meta: true })).body).toMatchObject({ rowCount: 0 })
  })

  test('one trailing semicolon, blanks and comments are fine', async () => {
    for (const sql of [
      'select 1;',
      ' select 1 ;\n',
      'select 1 -- one',
      '/* one */ select 1; /* ; */',
    ]) {
      expect((await send(sql, [], 'all')).body).toEqual({ rows: [[1]] })
    }
  })

  test('more than one statement is refused, and the first does not run', async () => {
    const remove = 'delete from "main"."users"'
    for (const sql of [`${remove}; select 1`, `select 1; ${remove}`, `${remove}; ${remove};`]) {
      const { status, body } = await send(sql, [], 'all')
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: 'BAD_REQUEST' })
    }
    expect(await database.rows('select id from users')).toHaveLength(3)
  })

  test.each(['', ' ', ';', '-- nothing'])('an empty statement is refused: %j', async (sql) => {
    expect(await send(sql, [], 'all')).toMatchObject({ status: 400 })
  })

  test('parameters may come in any order, and more than once', async () => {
    const sql = 'select "id" from "main"."users" where "name" = $2 and "id" >= $1 and "id" <= $1'
    expect((await send(sql, [2, 'Grace'], 'all')).body).toEqual({ rows: [[2]] })
  })

  test('the number of values must fit, at the first request and later', async () => {
    for (const params of [[], [1, 2], [1], []]) {
      const { status, body } = await send(someone, params, 'all')
      expect(status).toBe(params.length === 1 ? 200 : 400)
      if (status === 400) {
        expect(body).toMatchObject({
          error: 'BAD_REQUEST',
          message: `the statement uses parameters up to $1, the number of values sent is ${params.length}`,
        })
      }
    }
  })

  test.each<[string, unknown]>([
    ['no object', []],
    ['no sql', { params: [], method: 'all' }],
    ['no params', { sql: 'select 1', method: 'all' }],
    ['no method', { sql: 'select 1', params: [] }],
    ['an unknown method', { sql: 'select 1', params: [], method: 'first' }],
    ['an unknown field', { sql: 'select 1', params: [], method: 'all', role: 'admin' }],
  ])('a body with %s is refused', async (_, body) => {
    expect(await gateway.data(body)).toMatchObject({
      status: 400,
      body: { error: 'BAD_REQUEST', message: expect.any(String) },
    })
  })

  test('a body that is no JSON, or not said to be, is refused', async () => {
    expect(await gateway.post('/data', '{"sql":')).toMatchObject({ status: 400 })
    const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
    const headers = { 'content-type': 'text/plain' }
    for (const path of ['/data', '/data/batch']) {
      expect(await gateway.post(path, body, headers)).toMatchObject({
        status: 415,
        body: { error: 'BAD_REQUEST' },
      })
    }
  })

  test.each(['BEGIN', 'commit', 'rollback', 'savepoint a'])(
    '%s is refused with a pointer to /data/batch',
    async (sql) => {
      expect(await send(sql, [], 'run')).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('/data/batch') },
      })
    },
  )
})
