import type { Adapter, SqlValue } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, type StatementOptions, statementOf } from './support/statements.ts'

describePostgres('execution', () => {
  let url: string
  let adapter: Adapter
  let client: Client

  beforeAll(async () => {
    url = await createDatabase('execute')
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table items (id int primary key, name text not null, price numeric(10, 2) check (price >= 0));
      insert into items values (1, 'Lamp', 10.50), (2, 'Desk', 99), (3, 'Chair', null);
      create table parts (id int primary key, item int references items deferrable initially deferred);
    `)
    adapter = postgresAdapter({ url })
  })
  afterAll(async () => {
    await adapter.close()
    await client.end()
  })

  const run = (sql: string, options: StatementOptions = {}, values: readonly SqlValue[] = []) =>
    adapter.execute(executionOf(statementOf(sql, options), values))
  const write = (sql: string, options: StatementOptions = {}) =>
    run(sql, { isWrite: true, ...options })

  test('rows come as JSON text', async () => {
    const result = await run('select id, name, price from public.items order by id', {
      columns: [oids.int4, oids.text, oids.numeric],
    })

    expect(result).toEqual({
      rows: '[1,"Lamp","10.50"],[2,"Desk","99.00"],[3,"Chair",null]',
      rowCount: 3,
      truncated: false,
    })
  })

  test('triggers, defaults and functions of the database find what they name without a schema', async () => {
    await client.query(`
      create function shown(t text) returns text language sql as 'select upper(t)';
      create table notes (id int primary key, text text default shown('x'));
      create function copy_note() returns trigger language plpgsql as
        $$ begin insert into items (id, name) values (new.id, shown(new.text)); return new; end $$;
      create trigger copy after insert on notes for each row execute function copy_note();
    `)

    await write('insert into public.notes (id) values (70)')
    const { rows } = await run('select name from public.items where id = 70', {
      columns: [oids.text],
    })
    await client.query('delete from items where id = 70')

    expect(rows).toBe('["X"]')
  })

  test('rows may be objects', async () => {
    const statement = statementOf('select 1, 2', { columns: [oids.int4, oids.int4] })

    expect(await adapter.execute(executionOf(statement, [], { rowShape: 'object' }))).toMatchObject(
      {
        rows: '{"a":1,"b":2}',
      },
    )
  })

  test('no rows are an empty text', async () => {
    expect(await run('select 1 where false', { columns: [oids.int4] })).toEqual({
      rows: '',
      rowCount: 0,
      truncated: false,
    })
  })

  test('rows above the limit are left out and reported', async () => {
    const statement = statementOf('select * from pg_catalog.generate_series(1, 5)', {
      columns: [oids.int4],
    })

    expect(await adapter.execute(executionOf(statement, [], { maxRows: 2 }))).toEqual({
      rows: '[1],[2]',
      rowCount: 2,
      truncated: true,
    })
    expect(await adapter.execute(executionOf(statement, [], { maxRows: 5 }))).toMatchObject({
      rowCount: 5,
      truncated: false,
    })
  })

  test('a write without RETURNING answers with the number of rows', async () => {
    expect(await write("update public.items set name = name || '!' where id < 3")).toEqual({
      rows: '',
      rowCount: 2,
      truncated: false,
    })
    expect(await write('delete from public.items where id = 77')).toMatchObject({ rowCount: 0 })
    expect(await write("insert into public.items values (4, 'Shelf', 5)")).toMatchObject({
      rowCount: 1,
    })
  })

  describe('checks of policies', () => {
    const insert = (id: number, price: number, options: StatementOptions) =>
      write(
        `insert into public.items values (${id}, 'Rug', ${price}) returning id, price < 100`,
        options,
      )
    const exists = async (id: number) => {
      const { rows } = await client.query('select from public.items where id = $1', [id])
      return rows.length === 1
    }
    const options: StatementOptions = { columns: [oids.int4], yields: 'result', checkColumn: 1 }

    test('let a permitted row pass', async () => {
      expect(await insert(10, 50, options)).toMatchObject({ rows: '[10]', rowCount: 1 })
      expect(await exists(10)).toBe(true)
    })

    test('roll the statement back otherwise', async () => {
      await expect(insert(11, 500, options)).rejects.toMatchObject({
        problem: 'checkFailed',
        status: 422,
      })
      expect(await exists(11)).toBe(false)
    })

    test('take NULL for a failure', async () => {
      const nullCheck = write(
        'insert into public.items values (12, $$x$$, null) returning id, price < 100',
        options,
      )

      await expect(nullCheck).rejects.toMatchObject({ problem: 'checkFailed' })
      expect(await exists(12)).toBe(false)
    })

    test('look at rows above the limit too', async () => {
      const statement = statementOf(
        `insert into public.items values (13, 'a', 1), (14, 'b', 500) returning id, price < 100`,
        { ...options, isWrite: true },
      )

      await expect(
        adapter.execute(executionOf(statement, [], { maxRows: 1 })),
      ).rejects.toMatchObject({ problem: 'checkFailed' })
      expect(await exists(13)).toBe(false)
    })

    test('come with the count of a write that returns nothing', async () => {
      const counted = (limit: number) =>
        write(
          `with w(c1) as (insert into public.items values (15, 'x', 20) returning price < ${limit})
           select pg_catalog.count(*), not exists (select from w where not c1) from w`,
          { yields: 'count', checkColumn: 1 },
        )

      await expect(counted(10)).rejects.toMatchObject({ problem: 'checkFailed' })
      expect(await exists(15)).toBe(false)
      expect(await counted(30)).toEqual({ rows: '', rowCount: 1, truncated: false })
    })

    test('rows that the caller cannot see are left out of the answer', async () => {
      const returned = await write(
        `insert into public.items values (20, 'a', 1), (21, 'b', 2) returning id, id > 20`,
        { columns: [oids.int4], yields: 'result', visibleColumn: 1 },
      )

      expect(returned).toMatchObject({ rows: '[21]', rowCount: 1 })
      expect(await exists(20)).toBe(true)
    })
  })

  describe('errors of the database', () => {
    test.each([
      ["insert into public.items values (1, 'again', 1)", 'conflict', 409, '23505'],
      ['insert into public.parts values (1, 999)', 'conflict', 409, '23503'],
      ['insert into public.items values (100, null, 1)', 'invalidValue', 422, '23502'],
      ["insert into public.items values (101, 'x', -1)", 'invalidValue', 422, '23514'],
      ["insert into public.items values (102, 'x', 99999999999)", 'invalidValue', 422, '22003'],
      ['select from public.nothing', 'staleCatalog', 500, '42P01'],
      ['select t.nothing from public.items as t', 'staleCatalog', 500, '42703'],
      ['select pg_catalog.nothing()', 'unsupported', 400, '42883'],
      ['select 1 from', 'internal', 500, '42601'],
    ])('%s: %s', async (sql, problem, status, sqlState) => {
      const isWrite = sql.startsWith('insert')

      await expect(
        run(sql, { isWrite, columns: isWrite ? [] : [oids.int4] }),
      ).rejects.toMatchObject({
        problem,
        status,
        sqlState,
      })
    })

    test.each([
      ['select 1 / (id - id) from public.items', '22012'],
      ['select (id + 2147483647) from public.items', '22003'],
      ["select (name || 'x')::int4 from public.items", '22P02'],
      ['select (select id from public.items)', '21000'],
      ['select 1 limit -1', '2201W'],
    ])('%s is an error of the data', async (sql, sqlState) => {
      await expect(run(sql, { columns: [oids.int4] })).rejects.toMatchObject({
        problem: 'dataError',
        status: 400,
        sqlState,
      })
    })

    test('never reveal the content of rows', async () => {
      const failed = run("select (name || 'CANARY')::int4 from public.items", {
        columns: [oids.int4],
      })

      await expect(failed).rejects.toMatchObject({
        message: expect.not.stringContaining('CANARY'),
        publicMessage: expect.not.stringContaining('CANARY'),
        details: undefined,
      })
    })

    test('leave the connection usable', async () => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await expect(run('select 1 / 0', { columns: [oids.int4] })).rejects.toThrow()
      }

      expect(await run('select 7', { columns: [oids.int4] })).toMatchObject({ rows: '[7]' })
    })
  })

  test('a text that could be SQL stays a value', async () => {
    const text = `'; drop table items; -- $1 \\ " \u{1f600}`
    const result = await run(
      'select $1::pg_catalog.text',
      {
        columns: [oids.text],
        parameters: [oids.text],
      },
      [text],
    )

    expect(result.rows).toBe(JSON.stringify([text]))
  })
})
