import { admin, createEngine, type Engine } from '@engine/core'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

/** Columns with types that PostgreSQL lacks, read as the types that clients see. */
describeEachMysql('columns in the server’s own types', (server) => {
  let engine: Engine

  beforeAll(async () => {
    const url = await server.createDatabase('stored')
    const client = await openClient(url)
    await client.run(
      `set names utf8mb4`,
      `create table odd (id int primary key, flag tinyint(1), bits bit(1), small tinyint unsigned, whole int unsigned,
        huge bigint unsigned, money decimal(8,2) unsigned, when_ year, latin varchar(20) character set latin1,
        kind enum('b', 'A', 'c'), tags set('x', 'y', 'z'), short double(8,2), code char(4) collate utf8mb4_general_ci,
        padded varchar(10) collate utf8mb4_general_ci, marks bit(12))`,
      `insert into odd values
        (1, 7, b'1', 255, 4294967295, 18446744073709551615, 0.10, 2024, 'Éa', 'A', 'x,z', 1.50, 'Ab', 'a ', b'100000000001'),
        (2, 0, b'0', 0, 1, 1, 5.00, 1999, 'éa', 'b', '', -2.25, 'AB', 'A', b'1'),
        (3, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`,
      `create table spans (id int primary key, span time(6))`,
      `insert into spans values (1, '838:59:59'), (2, '-01:00:00'), (3, '-00:00:00.5'), (4, '24:00:00'), (5, '23:59:59.9')`,
      `set sql_mode = ''`,
      `create table drafts (id int primary key, day date not null default '0000-00-00', at datetime not null default '0000-00-00 00:00:00',
        made datetime not null default current_timestamp, due datetime)`,
      `insert into drafts values (1, default, default, default, null), (2, '2024-02-29', '2024-02-29 12:00:00', default, null)`,
    )
    await client.close()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })

  afterAll(async () => engine?.close())

  async function valuesOf(expression: string): Promise<readonly unknown[]> {
    const sql = `select ${expression} from main.odd order by id`
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    const { rows } = JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown[][] }
    return rows.map(([value]) => value)
  }

  test.each([
    ['flag', [true, false, null]],
    ['flag = true', [true, false, null]],
    ['not flag', [false, true, null]],
    ['flag::int', [1, 0, null]],
    ['bits', [true, false, null]],
    ['bits and flag', [true, false, null]],
    ['small - 300', [-45, -300, null]],
    ['- small', [-255, 0, null]],
    ['whole * -1', ['-4294967295', '-1', null]],
    ['whole - 4294967296', ['-1', '-4294967295', null]],
    ['huge', ['18446744073709551615', '1', null]],
    ['huge - 18446744073709551616', ['-1', '-18446744073709551615', null]],
    ['- huge', ['-18446744073709551615', '-1', null]],
    ['money - 1', ['-0.90', '4.00', null]],
    ['- money', ['-0.10', '-5.00', null]],
    ['when_ - 2025', [-1, -26, null]],
    [`latin = 'éa'`, [false, true, null]],
    [`latin || '€'`, ['Éa€', 'éa€', null]],
    [`kind = 'a'`, [false, false, null]],
    [`kind = 'A'`, [true, false, null]],
    [`kind < 'b'`, [true, false, null]],
    [`kind || '!'`, ['A!', 'b!', null]],
    [`tags like '%z'`, [true, false, null]],
    ['short * 1e15::float8', [1.5e15, -2.25e15, null]],
    [`code = 'AB'`, [false, true, null]],
    ['code', ['Ab  ', 'AB  ', null]],
    ['length(code)', [2, 2, null]],
    [`padded = 'a'`, [false, false, null]],
    [`padded = 'a '`, [true, false, null]],
    ['upper(padded)', ['A ', 'A', null]],
    ['marks', ['\\x0801', '\\x0001', null]],
    [`marks = '\\x0801'`, [true, false, null]],
    [`marks in ('\\x0001', '\\xff')`, [false, true, null]],
    ["encode(marks, 'hex')", ['0801', '0001', null]],
  ])('%s', async (expression, expected) => {
    expect(await valuesOf(expression)).toEqual(expected)
  })

  test('texts sort and group by code point, whatever their columns do', async () => {
    expect(
      await valuesOf(`(select string_agg(o.latin, ',' order by o.latin) from main.odd o)`),
    ).toContain('Éa,éa')
    const sql = 'select count(*) from (select distinct code, padded, kind from main.odd) q'
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    expect(Buffer.from(body).toString()).toBe('{"rows":[["3"]]}')
  })

  test.each([
    ['span', ['838:59:59', '-01:00:00', '-00:00:00.5', '24:00:00', '23:59:59.9']],
    ['span::text', ['838:59:59', '-01:00:00', '-00:00:00.5', '24:00:00', '23:59:59.9']],
    ['to_jsonb(span)', ['838:59:59', '-01:00:00', '-00:00:00.5', '24:00:00', '23:59:59.9']],
    ['span::time(0)', ['838:59:59', '-01:00:00', '00:00:00', '24:00:00', '24:00:00']],
    ['span::interval', ['838:59:59', '-01:00:00', '-00:00:00.5', '24:00:00', '23:59:59.9']],
    [`span - time '01:00'`, ['837:59:59', '-02:00:00', '-01:00:00.5', '23:00:00', '22:59:59.9']],
    [`span + interval '1 hour'`, ['23:59:59', '00:00:00', '00:59:59.5', '01:00:00', '00:59:59.9']],
    ['extract(hour from span)', ['838', '-1', '0', '24', '23']],
    ['extract(minute from span)', ['59', '0', '0', '0', '59']],
    ['extract(second from span)', ['59.000000', '0.000000', '-0.500000', '0.000000', '59.900000']],
    [
      'extract(epoch from span)',
      ['3020399.000000', '-3600.000000', '-0.500000', '86400.000000', '86399.900000'],
    ],
    [`span < '00:00'`, [false, true, true, false, false]],
    [`span > '24:00'`, [true, false, false, false, false]],
    ['rank() over (order by span)', ['5', '1', '2', '4', '3']],
  ])('times that no day has: %s', async (expression, expected) => {
    const sql = `select ${expression} from main.spans order by id`
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    const { rows } = JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown[][] }
    expect(rows.flat()).toEqual(expected)
  })

  test('times that no day has are copied, and refused as values', async () => {
    const run = async (sql: string, params: readonly string[]) => {
      const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
      return Buffer.from((await engine.query(request, admin)).body).toString()
    }
    const copy =
      'insert into main.spans (id, span) select id + 10, span from main.spans where id = 1 returning span'
    expect(await run(copy, [])).toBe('{"rows":[["838:59:59"]]}')
    const change = 'update main.spans set span = span where id = 11 returning span'
    expect(await run(change, [])).toBe('{"rows":[["838:59:59"]]}')
    expect(await run('delete from main.spans where id = 11 returning span', [])).toBe(
      '{"rows":[["838:59:59"]]}',
    )
    await expect(
      run('select id from main.spans where span = $1', ['838:59:59']),
    ).rejects.toMatchObject({ status: 400, sqlState: '22008' })
    await expect(run(`insert into main.spans values (12, '-01:00:00')`, [])).rejects.toMatchObject({
      status: 422,
    })
  })

  test('a zero date is a value, also behind IS NULL', async () => {
    const ids = async (condition: string) => {
      const sql = `select id from main.drafts where ${condition} order by id`
      const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
      const { body } = await engine.query(request, admin)
      return Buffer.from(body).toString()
    }
    expect(await ids('day is null')).toBe('{"rows":[]}')
    expect(await ids('at is null or day is null')).toBe('{"rows":[]}')
    expect(await ids('not (at is not null)')).toBe('{"rows":[]}')
    expect(await ids('due is null')).toBe('{"rows":[[1],[2]]}')
    expect(await ids(`at < '2000-01-01'`)).toBe('{"rows":[[1]]}')
    const outer = `exists (select 1 from main.odd o left join main.drafts d on d.id = o.id where d.at is null)`
    expect(await ids(outer)).toBe('{"rows":[[1],[2]]}')
  })

  test('a zero date is no default: whoever inserts has to give a date', async () => {
    const columns = engine.catalog().connections.get('main')?.tables.get('drafts')?.columns ?? []
    expect(columns.filter(({ hasDefault }) => hasDefault).map(({ name }) => name)).toEqual(['made'])
    const insert = (sql: string) =>
      engine.query({ sql, params: [], method: 'all', meta: false, signal: undefined }, admin)
    await expect(insert('insert into main.drafts (id) values (3)')).rejects.toMatchObject({
      status: 422,
      sqlState: '23502',
    })
    await insert(`insert into main.drafts (id, day, at) values (3, '2024-01-01', '2024-01-01')`)
  })
})
