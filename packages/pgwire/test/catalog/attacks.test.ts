import { afterAll, describe, expect, test } from 'vitest'
import { ask, askOne, scopeOf, sqlStateOf } from '../support/ask-catalog.ts'
import { openCatalog } from '../support/open-catalog.ts'

const { catalog } = openCatalog()
afterAll(() => catalog.close())

/** Facts that must be true after every attack. */
async function expectUnharmed(): Promise<void> {
  const rows = await ask(
    catalog,
    `select current_user, session_user, current_setting('is_superuser'), current_setting('role'),
        has_function_privilege('pg_read_file(text)', 'execute')`,
  )
  expect(rows).toEqual([['alice@example.com', 'alice@example.com', 'off', 'none', 'f']])
}

describe('a client cannot become another', () => {
  test.each([
    ['set role pg_engine', '0A000'],
    ['reset role', '0A000'],
    ['set session authorization pg_engine', '0A000'],
    ['reset session authorization', '0A000'],
    ['discard all', '0A000'],
    [`select engine_set_config('role', 'pg_engine', false)`, '0A000'],
    [
      `select query_to_xml('select engine_set_config(''role'', ''pg_engine'', true)', true, true, '')`,
      '0A000',
    ],
    [`select query_to_xml('set role pg_engine', true, true, '')`, '0A000'],
    [`select query_to_xml('commit', true, true, '')`, '0A000'],
    [`do $$ begin set role pg_engine; end $$`, '0A000'],
    [`select 1; set role pg_engine`, '42601'],
    [`alter role current_user superuser`, '0A000'],
    [`select set_config('role', 'pg_engine', false)`, undefined],
    [`select set_config('session_authorization', 'pg_engine', false)`, undefined],
  ])('%s', async (sql, sqlState) => {
    expect(await sqlStateOf(catalog, sql)).toBe(sqlState)
    await expectUnharmed()
  })

  test('not even within the statement that sets the role', async () => {
    const sql = `select set_config('role', 'pg_engine', true), current_user`
    expect(await ask(catalog, sql)).toEqual([['pg_engine', 'alice@example.com']])
  })
})

describe('nothing of a client stays', () => {
  test.each([
    ['begin', '0A000'],
    ['commit', '0A000'],
    ['rollback', '0A000'],
    ['savepoint a', '0A000'],
    ['prepare x as select 1', '0A000'],
    ['declare c cursor with hold for select 1', '0A000'],
    ['listen x', '0A000'],
    ['create temp table x (a int)', '0A000'],
    ['select 1 into temp x', '0A000'],
    ['create table main.x (a int)', '0A000'],
    [`create function main.f() returns int language sql as 'select 1'`, '0A000'],
    ['insert into main.customers (name) values (null) returning id', '25006'],
    ['update main.customers set name = null returning 1', '25006'],
    ['delete from main.customers returning 1', '25006'],
    ['select * from main.orders for update', '25006'],
    [`explain analyze insert into main.customers (name) values ('x')`, '25006'],
    ['explain analyze create table main.x as select 1', '42501'],
    [`select nextval('main.customers_id_seq')`, '0A000'],
    ['select lo_create(1)', '0A000'],
    [`select pg_logical_emit_message(false, 'a', 'b')`, '0A000'],
    ['select pg_advisory_lock(1)', '0A000'],
    [`select pg_notify('x', 'y')`, '0A000'],
    ['select txid_current()', undefined],
    ['select pg_export_snapshot()', '0A000'],
    [`select set_config('search_path', 'files', false)`, undefined],
  ])('%s', async (sql, sqlState) => {
    expect(await sqlStateOf(catalog, sql)).toBe(sqlState)
    await expectUnharmed()
    expect(await askOne(catalog, 'select current_schema()')).toBe('main')
  })
})

describe('a client reaches no file, process or secret', () => {
  test.each([
    [`select pg_read_file('postgresql.conf')`, '0A000'],
    [`select pg_read_binary_file('global/pg_control')`, '0A000'],
    [`select pg_ls_dir('.')`, '0A000'],
    [`select pg_stat_file('PG_VERSION')`, '0A000'],
    [`select lo_import('/etc/passwd')`, '0A000'],
    [`select lo_export(1, '/tmp/x')`, '0A000'],
    [`copy (select 1) to program 'id'`, '0A000'],
    [`copy pg_class to '/tmp/x'`, '0A000'],
    ['copy pg_class to stdout', '0A000'],
    [`load 'x'`, '0A000'],
    ['create extension dblink', '0A000'],
    [`select dblink('', '')`, '42883'],
    ['select pg_reload_conf()', '0A000'],
    [`alter system set work_mem = '1MB'`, '0A000'],
    ['select pg_terminate_backend(42)', '0A000'],
    ['select pg_cancel_backend(42)', '0A000'],
    ['select * from pg_authid', '42501'],
    ['select * from pg_shadow', '42501'],
    ['select * from pg_hba_file_rules', '42501'],
    [`select current_setting('data_directory')`, '42501'],
    ['select pg_switch_wal()', '0A000'],
    ['checkpoint', '0A000'],
  ])('%s', async (sql, sqlState) => {
    expect(await sqlStateOf(catalog, sql)).toBe(sqlState)
    await expectUnharmed()
  })
})

describe('settings of a session are only what they are for', () => {
  test.each([
    ['role', 'pg_engine'],
    ['session_authorization', 'pg_engine'],
    ['exit_on_error', 'on'],
    ['client_encoding', 'LATIN1'],
    ['standard_conforming_strings', 'off'],
    ['transaction_read_only', 'off'],
    ['transaction_isolation', 'serializable'],
    ['engine.process_id', '1'],
    ['temp_file_limit', '-1'],
    ['debug_print_parse', 'on'],
    [`x', true); reset role; --`, '1'],
    ['a b', `'`],
    ['é', 'é'],
  ])('%s', async (name, value) => {
    const settings = new Map([
      ['search_path', 'main'],
      [name, value],
    ])
    const rows = await ask(
      catalog,
      `select current_user, pg_backend_pid(), 'é\\', octet_length('é')`,
      scopeOf({ settings }),
    )
    expect(rows).toEqual([['alice@example.com', '4711', 'é\\', '2']])
    expect(await sqlStateOf(catalog, 'create table main.x (a int)', scopeOf({ settings }))).toBe(
      '0A000',
    )
    expect(await sqlStateOf(catalog, 'select 1 / 0', scopeOf({ settings }))).toBe('22012')
    await expectUnharmed()
  })

  test('a value that PostgreSQL does not take is refused, and affects no other client', async () => {
    const settings = new Map([['TimeZone', 'Nowhere']])
    expect(await sqlStateOf(catalog, 'select 1', scopeOf({ settings }))).toBe('22023')
    await expectUnharmed()
  })
})

describe('a client cannot eat the machine', () => {
  test.each([
    ['an answer without end', 'select generate_series(1, 100000000000)', undefined],
    ['a huge answer', `select repeat('x', 50000000)`, '54000'],
    ['a huge value', `select length(repeat('x', 400000000))`, '53200'],
    ['a huge array', 'select array_fill(1, array[100000000])', '53200'],
    [
      'a huge temporary file',
      'select count(*) from (select * from generate_series(1, 1000000000)) x',
      '53400',
    ],
    ['deep JSON', `select repeat('[', 10000000)::json`, '54001'],
    ['a deep expression', `select 1${'+1'.repeat(20_000)}`, '54001'],
    ['a deep pattern', `select repeat('a', 100000) like repeat('%a', 50000) || 'b'`, '54001'],
    ['deep brackets', `select ${'('.repeat(50_000)}1${')'.repeat(50_000)}`, '42601'],
  ])('%s', async (_, sql, sqlState) => {
    expect(await sqlStateOf(catalog, sql)).toBe(sqlState)
    await expectUnharmed()
  })
})
