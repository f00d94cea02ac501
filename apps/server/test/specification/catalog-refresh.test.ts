/** The engine finds changes of a database's schema itself. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const setUp = `
create table users (id integer primary key, name text, age integer);
insert into users values (1, 'Ada', 36);
`

describeDatabases('a database that changes under the engine', (open, kind) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeEach(async () => {
    database = await open(setUp)
    gateway = await openGateway({ connections: { main: database.url } })
  })
  afterEach(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const ask = (sql: string, params: readonly unknown[] = []) =>
    gateway.data({ sql, params, method: 'all' })

  test('a new table is found by the first query', async () => {
    await database.run(
      "create table notes (id integer primary key, body text); insert into notes values (1, 'x')",
    )
    expect(await ask('select id, body from main.notes')).toMatchObject({
      status: 200,
      body: { rows: [[1, 'x']] },
    })
  })

  test('a new table is in the schema at once', async () => {
    const tables = async () =>
      Object.keys((await gateway.engine.describe()).document.connections['main']?.tables ?? {})
    expect(await tables()).toEqual(['users'])
    await database.run('create table notes (id integer primary key)')
    expect(await tables()).toEqual(['notes', 'users'])
  })

  test('a new column is found by the first query', async () => {
    await database.run("alter table users add column city text default 'Oslo'")
    expect((await ask('select id, city from main.users')).body).toEqual({ rows: [[1, 'Oslo']] })
    expect((await ask('select * from main.users')).body).toEqual({ rows: [[1, 'Ada', 36, 'Oslo']] })
  })

  test('a column that goes is 400, not 500, for statements that were known', async () => {
    const sql = 'select id, age from main.users'
    expect((await ask(sql)).status).toBe(200)
    await database.run('alter table users drop column age')
    expect(await ask(sql)).toMatchObject({ status: 400, body: { error: 'BAD_REQUEST' } })
    expect(await ask('update main.users set age = 1')).toMatchObject({ status: 400 })
    expect((await ask('select id, name from main.users')).body).toEqual({ rows: [[1, 'Ada']] })
  })

  test('a table that goes is 404', async () => {
    const sql = 'select id from main.users'
    expect((await ask(sql)).status).toBe(200)
    await database.run('drop table users')
    expect(await ask(sql)).toMatchObject({ status: 404, body: { error: 'TABLE_NOT_FOUND' } })
    expect(await ask('delete from main.users')).toMatchObject({ status: 404 })
  })

  test('a table that is replaced is read as it is now', async () => {
    const sql = 'select * from main.users'
    expect((await ask(sql)).body).toEqual({ rows: [[1, 'Ada', 36]] })
    await database.run(
      "drop table users; create table users (id integer primary key, mail text); insert into users values (2, 'a@x')",
    )
    await gateway.engine.refreshCatalog()
    expect((await ask(sql)).body).toEqual({ rows: [[2, 'a@x']] })
  })

  test('a write that meets the change happens once', async () => {
    const insert = 'insert into main.users (id, name, age) values ($1, $2, $3)'
    expect((await ask(insert, [2, 'Bob', 20])).status).toBe(200)
    await database.run('alter table users add column city text')
    expect((await ask(insert, [3, 'Cyd', 30])).status).toBe(200)
    expect(await database.rows('select id from users')).toHaveLength(3)
  })

  test('several in quick succession are found as well', async () => {
    for (let i = 0; i < 6; i++) {
      await database.run(`create table t${i} (id integer primary key)`)
      expect(await ask(`select id from main.t${i}`)).toMatchObject({ status: 200 })
      await database.run(`alter table t${i} add column extra integer`)
      expect(await ask(`select extra from main.t${i}`)).toMatchObject({ status: 200 })
    }
  })

  test('requests that meet the same change share what it costs', async () => {
    await database.run('create table fresh (id integer primary key)')
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask('select id from main.fresh')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('unknown names do not make the engine forget what it knows', async () => {
    const before = gateway.engine.catalog()
    for (let i = 0; i < 5; i++) {
      expect((await ask(`select x${i} from main.users`)).status).toBe(400)
      expect((await ask(`select 1 from main.nothing${i}`)).status).toBe(404)
    }
    expect(gateway.engine.catalog()).toBe(before)
  })

  test('a change of type is noticed', async () => {
    const sql = 'select age from main.users where id = $1'
    expect((await ask(sql, [1])).body).toEqual({ rows: [[36]] })
    if (kind === 'sqlite') return
    await database.run(
      kind === 'mysql'
        ? 'alter table users modify age text'
        : 'alter table users alter column age type text using age::text',
    )
    expect((await ask(sql, [1])).body).toEqual({ rows: [['36']] })
  })
})
