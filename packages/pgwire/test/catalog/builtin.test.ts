import { describe, expect, test } from 'vitest'
import { createBuiltinCatalog } from '../../src/catalog/builtin/builtin-catalog.ts'
import { catalogNumbers } from '../../src/catalog/catalog-numbers.ts'
import { openWireCatalog } from '../../src/open-wire-catalog.ts'
import { ask, runOf, scopeOf, sqlStateOf } from '../support/ask-catalog.ts'
import { shopTypeOids, visibleShop } from '../support/visible-shop.ts'

const catalog = createBuiltinCatalog({ clock: () => Date.UTC(2024, 0, 1) })

describe('the built-in catalog', () => {
  test.each([
    ['select 1', ['1']],
    [
      `select 'a', null, true, 1.50, -1::int8, '{1,2}'::int4[]`,
      ['a', null, 't', '1.50', '-1', '{1,2}'],
    ],
    ['select 1 + 1, 2 * -3, 9 - $1', ['2', '-6', null]],
    ['select version()', ['PostgreSQL 15.0 (Engine)']],
    [
      'select current_database(), current_user, session_user, current_schema, pg_backend_pid()',
      ['shop', 'alice@example.com', 'alice@example.com', 'main', '4711'],
    ],
    [`select pg_catalog.current_setting('search_path')`, ['"$user", main']],
    ['select now()', ['2024-01-01 00:00:00+00']],
    ['select 1 where 2 > 1 and not 1 <> 1', ['1']],
    [`select oid from pg_type where typname = 'int4'`, ['23']],
    [`select typarray::int from pg_catalog.pg_type t where t.oid in (25)`, ['1009']],
  ])('%s', async (sql, row) => {
    expect(await ask(catalog, sql)).toEqual([row])
  })

  test('the built-in catalog answers the query by which postgres.js finds arrays', async () => {
    const rows = await ask(
      catalog,
      `select b.oid, b.typarray from pg_catalog.pg_type a
        left join pg_catalog.pg_type b on b.oid = a.typelem
        where a.typcategory = 'A' group by b.oid, b.typarray order by b.oid`,
    )
    expect(rows).toContainEqual(['23', '1007'])
    expect(rows).toEqual(rows.toSorted((left, right) => Number(left[0]) - Number(right[0])))
    const { typeOid } = catalogNumbers(visibleShop)
    expect(rows).toContainEqual([
      String(typeOid('main', shopTypeOids.orderStatus)),
      String(typeOid('main', shopTypeOids.orderStatus + 1)),
    ])
  })

  test('lists tables and columns as information_schema does', async () => {
    expect(
      await ask(
        catalog,
        `select table_name, table_type from information_schema.tables where table_schema = $1 order by 1`,
        scopeOf(),
        { parameters: [Buffer.from('main')] },
      ),
    ).toEqual([
      ['Strange "table"; drop schema main --', 'BASE TABLE'],
      ['customers', 'BASE TABLE'],
      ['open_orders', 'VIEW'],
      ['orders', 'BASE TABLE'],
      ['recent_orders', 'VIEW'],
    ])
    expect(
      await ask(
        catalog,
        `select column_name, data_type, udt_name, is_nullable from information_schema.columns
          where table_schema = 'main' and table_name = 'customers' order by ordinal_position`,
      ),
    ).toEqual([
      ['id', 'integer', 'int4', 'NO'],
      ['email', 'USER-DEFINED', 'citext', 'NO'],
      ['name', 'character varying', 'varchar', 'YES'],
    ])
  })

  test('joins pg_class, pg_namespace and pg_attribute by its own numbers', async () => {
    const { columnNumber } = catalogNumbers(visibleShop)
    expect(
      await ask(
        catalog,
        `select c.oid, a.attnum from pg_class c join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid
          where n.nspname = 'main' and c.relname = 'orders' and a.attname = any('{status}')`,
      ),
    ).toEqual([
      [
        String(columnNumber('main', 'orders', 'status')?.tableOid),
        String(columnNumber('main', 'orders', 'status')?.columnNumber),
      ],
    ])
  })

  test('the built-in catalog takes and gives binary values', async () => {
    const { rows, fields } = await catalog.run(
      runOf('select $1 as n, $2::text', {
        parameterOids: [23],
        parameters: [Buffer.from([0, 0, 0, 7]), Buffer.from('x')],
        parameterFormats: [1, 0],
        resultFormats: [1],
      }),
      scopeOf(),
    )
    expect(rows.map((row) => row.map((cell) => cell && [...cell]))).toEqual([[[0, 0, 0, 7], [120]]])
    expect(fields).toMatchObject([
      { name: 'n', typeOid: 23, format: 1 },
      { name: 'text', typeOid: 25, format: 1 },
    ])
  })

  test('describes without values', async () => {
    const sql = `select oid, $1 as a from pg_type where oid = $2 and typname = $3 limit $4`
    const { parameterOids, fields } = await catalog.describe(runOf(sql), scopeOf())
    expect(parameterOids).toEqual([25, 26, 19, 20])
    expect(fields.map(({ typeOid }) => typeOid)).toEqual([26, 25])
  })

  test('cuts its answers', async () => {
    const answer = await catalog.run(runOf('select oid from pg_type', { maxRows: 2 }), scopeOf())
    expect(answer).toMatchObject({ truncated: true, tag: 'SELECT 2' })
  })

  test.each([
    ['select count(*) from pg_class'],
    ['select pg_sleep(1)'],
    ['select * from pg_index'],
    ['select 1 union select 2'],
    [`select 'main.orders'::regclass`],
    ['with x as (select 1) select * from x'],
    ['create table x (a int)'],
    ['select relname from pg_class group by relnamespace'],
  ])('the built-in catalog says what to install for: %s', async (sql) => {
    await expect(catalog.run(runOf(sql), scopeOf())).rejects.toMatchObject({
      sqlState: '0A000',
      message: expect.stringContaining('install @electric-sql/pglite'),
    })
  })

  test.each([
    ['select nope from pg_class', '42703'],
    ['select oid from pg_class, pg_type', '42702'],
    [`select 'x'::int4`, '22P02'],
    ['select 2147483647 + 1', '22003'],
    ['selec 1', '42601'],
    ['select a.oid from pg_type a, pg_type b, pg_type c, pg_type d', '54000'],
  ])('the built-in catalog refuses %s', async (sql, sqlState) => {
    expect(await sqlStateOf(catalog, sql)).toBe(sqlState)
  })

  test('the built-in catalog is chosen by the configuration', async () => {
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
    const options = { directory: import.meta.dirname, log, clock: Date.now }
    expect((await openWireCatalog({ kind: 'builtin', ...options })).kind).toBe('builtin')
    const embedded = await openWireCatalog({ kind: 'pglite', ...options })
    expect(embedded.kind).toBe('pglite')
    await embedded.close()
  })
})

function ignore(): void {
  // Nothing is logged here.
}
