/** WHERE CURRENT OF under permissions: a cursor is at rows that its caller may see, and writes those that the caller may write. */
import type { Filter } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const mine: Filter = { tenant: 1 }
const roles = ['anonymous']

const permissions = {
  rows: {
    table: 'main.items',
    roles,
    select: { columns: ['id', 'name', 'state'], where: mine },
    update: { columns: ['name', 'state'], where: { state: { $ne: 'closed' } }, check: mine },
    delete: { where: { state: 'open' } },
  },
  secrets: { table: 'main.items', roles, select: { columns: ['secret'], where: { id: 1 } } },
  parts: {
    table: 'main.parts',
    roles,
    select: { columns: ['id', 'day'], where: mine },
    update: { columns: ['day'], check: mine },
  },
  readOnly: { table: 'main.seen', roles, select: { columns: ['id'] } },
}

describePostgres('WHERE CURRENT OF under permissions', () => {
  let owner: pg.Client
  let server: ServedDatabases
  let client: pg.Client

  beforeAll(async () => {
    const url = await createDatabase('current_rows')
    owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(`
      create table items (id int primary key, tenant int, name text, state text, secret text);
      create table parts (id int, tenant int, day date) partition by range (day);
      create table parts_old partition of parts for values from ('2020-01-01') to ('2021-01-01');
      create table parts_new partition of parts for values from ('2021-01-01') to ('2022-01-01');
      create table seen (id int);
      insert into seen values (1);`)
    server = await serveDatabases({
      connections: { main: { url, pool: { max: 2 } } },
      permissions,
    })
  })
  afterAll(async () => {
    await server?.close()
    await owner?.end()
  })
  beforeEach(async () => {
    await owner.query(`truncate items, parts;
      insert into items values
        (1, 1, 'a', 'open', 's1'), (2, 2, 'b', 'open', 's2'), (3, 1, 'c', 'closed', 's3'), (4, 1, 'd', 'open', 's4');
      insert into parts values (1, 1, '2020-05-05'), (2, 2, '2020-05-06'), (3, 1, '2021-05-05')`)
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
    return () => client.end()
  })

  const rowsOf = async (sql: string, values: readonly unknown[] = []) =>
    (await client.query({ text: sql, values: [...values], rowMode: 'array' })).rows
  const stored = async (sql: string) => (await owner.query({ text: sql, rowMode: 'array' })).rows

  test('it writes the row that was fetched, if the caller may write it', async () => {
    await client.query('begin')
    await client.query('declare c cursor for select id from items order by id')
    expect(await rowsOf('fetch 1 from c')).toEqual([[1]])
    const renamed =
      "update items set name = name || secret || '!' where current of c returning id, name"
    expect(await rowsOf(renamed)).toEqual([[1, 'as1!']])
    expect(await rowsOf('fetch 1 from c')).toEqual([[3]])
    expect(await rowsOf("update items set name = 'x' where current of c returning id")).toEqual([])
    expect(await rowsOf('delete from items where current of c returning id')).toEqual([])
    expect(await rowsOf('fetch 1 from c')).toEqual([[4]])
    const write = await client.query('delete from items where current of c')
    expect(write.rowCount).toBe(1)
    await client.query('commit')
    expect(await stored('select id, name from items order by id')).toEqual([
      [1, 'as1!'],
      [2, 'b'],
      [3, 'c'],
    ])
  })

  test('a hidden cell is NULL in what it writes, and its value cannot be written away', async () => {
    await client.query('begin')
    await client.query('declare c cursor for select id from items where id = 4')
    await client.query('move 1 in c')
    expect(
      await rowsOf('update items set name = secret where current of c returning name'),
    ).toEqual([[null]])
    await client.query('rollback')
  })

  test('a row that left what the caller sees is not written', async () => {
    await client.query('begin')
    await client.query('declare c cursor for select id from items where id = 4')
    await client.query('move 1 in c')
    await owner.query('update items set tenant = 2 where id = 4')
    expect((await client.query("update items set name = 'x' where current of c")).rowCount).toBe(0)
    expect((await client.query('delete from items where current of c')).rowCount).toBe(0)
    await client.query('rollback')
    expect(await stored('select name from items where id = 4')).toEqual([['d']])
  })

  test('a row that another client changed or deleted is the later one, or none', async () => {
    await client.query('begin')
    await client.query('declare c cursor for select id from items order by id')
    await client.query('fetch 1 from c')
    await owner.query("update items set name = 'changed' where id = 1")
    await owner.query("update items set name = name || ' twice' where id = 1")
    const update = "update items set name = name || ' here' where current of c returning name"
    expect(await rowsOf(update)).toEqual([['changed twice here']])
    await client.query('move last in c')
    await owner.query('delete from items where id = 4')
    expect((await client.query('delete from items where current of c')).rowCount).toBe(0)
    await client.query('rollback')
  })

  test('a row of a partition, also after it moved to another one', async () => {
    await client.query('begin')
    await client.query('declare c cursor for select id from parts order by id desc')
    expect(await rowsOf('fetch 1 from c')).toEqual([[3]])
    const update = 'update parts set day = day + 1 where current of c returning id, day::text'
    expect(await rowsOf(update)).toEqual([[3, '2021-05-06']])
    expect(await rowsOf(update)).toEqual([[3, '2021-05-07']])
    await client.query('commit')
    expect(await stored('select id, day::text from parts order by id')).toEqual([
      [1, '2020-05-05'],
      [2, '2020-05-06'],
      [3, '2021-05-07'],
    ])
  })

  test('the right to write is needed, and the place of a row cannot be read', async () => {
    const codeOf = (sql: string) => client.query(sql).catch((error: { code: string }) => error.code)
    expect(await codeOf('delete from seen where current of c')).toBe('42501')
    expect(await codeOf('select ctid from items')).toBe('0A000')
    expect(await codeOf('update items set tenant = 1 where current of c')).toBe('42501')
    expect(await codeOf('delete from items where current of c')).toBe('34000')
    const { fields, rows } = await client
      .query('begin; declare c cursor for select * from items; fetch all from c')
      .then((results) => (results as unknown as readonly pg.QueryResult[])[2] as pg.QueryResult)
    expect(fields.map(({ name }) => name)).toEqual(['id', 'name', 'state', 'secret'])
    expect(Object.keys(rows[0])).toEqual(['id', 'name', 'state', 'secret'])
    await client.query('rollback')
  })
})
