import { GatewayError } from '@engine/core'
import { loadParser } from '@engine/core/session'
import { beforeAll, describe, expect, test } from 'vitest'
import { readStatements } from './read-statements.ts'

beforeAll(loadParser)

/** `kind` for each statement; for a refused one its SQLSTATE and message. */
const routes = (sql: string) =>
  readStatements(sql).map((statement) =>
    statement.kind === 'refused'
      ? `${statement.error.sqlState} ${statement.error.message}`
      : statement.kind,
  )

describe('whose work a statement is', () => {
  test.each([
    'select relname from pg_class',
    'select relname from pg_catalog.pg_class join pg_namespace n on n.oid = relnamespace',
    'select * from information_schema.tables',
    'table pg_type',
    'with users as (select * from pg_class) select * from users',
    'select (select count(*) from pg_class)',
  ])('%s is for the catalog', (sql) => {
    expect(routes(sql)).toEqual(['catalog'])
  })

  test.each([
    'select 1',
    'select version(), now()',
    'values (1), (2)',
    'select * from generate_series(1, 3)',
    "select 'users'::regclass",
    'with a as (select 1 as x) select * from a',
    'with recursive a as (select 1 union all select * from a) select * from a',
    'select * from users',
    'table users',
    'select * from main.users for update of users',
    'insert into users (id) values (1) returning id',
    'update users set name = $1 where id = $2',
    'delete from users using orders where user_id = users.id',
    'with gone as (delete from users returning id) select * from gone',
    'select 1 where exists (select from users)',
    'select * from users, generate_series(1, 2)',
    'with users as (select * from users) select * from users',
    'select * from main.pg_class',
    'select * from pg_mine',
    'select * from public.pg_class',
    'select 1 union select id from users',
    'insert into users select * from (select 1) x',
    'with s as (select 1) merge into t using s on true when matched then delete',
  ])('%s is for the engine', (sql) => {
    expect(routes(sql)).toEqual(['query'])
  })

  test('a WITH query hides a table only where it can be seen', () => {
    expect(routes('with a as (select * from b), b as (select 1) select * from a, b')).toEqual([
      'query',
    ])
    expect(
      routes('with recursive a as (select * from b), b as (select 1) select * from a, b'),
    ).toEqual(['query'])
    expect(routes('select * from (with b as (select 1) select * from b) x, b')).toEqual(['query'])
  })

  test('both kinds of tables in one statement are refused', () => {
    expect(routes('select * from users, pg_class')).toEqual([
      '0A000 The system catalogs (pg_class) and tables of a connection cannot be read in one statement',
    ])
    expect(routes('insert into users select oid from pg_class')[0]).toMatch(/^0A000/)
  })

  test('writes into the catalogs are refused', () => {
    expect(
      routes('delete from pg_class; insert into information_schema.tables default values'),
    ).toEqual([
      '42501 permission denied for table pg_class',
      '42501 permission denied for table tables',
    ])
    expect(routes('copy pg_class from stdin')).toEqual([
      '42501 permission denied for table pg_class',
    ])
    expect(routes('with x as (update pg_type set typname = $1) select 1')[0]).toMatch(/^42501/)
  })

  test.each([
    ['/* x */ create or replace temp view v as select 1', 'CREATE VIEW'],
    ['create unique index concurrently on t (a)', 'CREATE INDEX'],
    ['create temporary table t (a int)', 'CREATE TABLE'],
    ['alter table t add column a int', 'ALTER TABLE'],
    ['drop materialized view if exists v', 'DROP MATERIALIZED VIEW'],
    ['truncate t', 'TRUNCATE'],
    ['do $$begin end$$', 'DO'],
    ['call f()', 'CALL'],
    ['lock table t', 'LOCK TABLE'],
    ['vacuum analyze t', 'VACUUM'],
    ['analyze', 'ANALYZE'],
    ['grant select on t to u', 'GRANT'],
    ['revoke r from u', 'REVOKE'],
    ['select 1 into t', 'SELECT INTO'],
    ['comment on table t is null', 'COMMENT'],
    ['refresh materialized view v', 'REFRESH MATERIALIZED VIEW'],
    ['create function f() returns int language sql return 1', 'CREATE FUNCTION'],
    ["prepare transaction 'x'", 'PREPARE TRANSACTION'],
    ["commit prepared 'x'", 'COMMIT PREPARED'],
    ['set constraints all immediate', 'SET CONSTRAINTS'],
    ["set transaction snapshot 'x'", 'SET TRANSACTION SNAPSHOT'],
  ])('%s is refused as %s', (sql, name) => {
    expect(routes(sql)).toEqual([
      expect.stringMatching(new RegExp(`^0A000 ${name} is not supported`)),
    ])
  })

  test.each([
    'select pg_advisory_lock(1)',
    'select 1, (select pg_catalog.pg_try_advisory_lock_shared($1, 2))',
    'with a as (select pg_advisory_xact_lock(1)) select * from a',
    'select relname from pg_class where pg_try_advisory_xact_lock(oid::int8)',
  ])('%s is refused: nobody would wait for it', (sql) => {
    expect(routes(sql)).toEqual([expect.stringMatching(/^0A000 pg_\w+\(\) is not supported/)])
  })

  test('locks that are not held may be released', () => {
    expect(routes('select pg_advisory_unlock_all()')).toEqual(['query'])
  })

  test('a refusal is reported when its turn comes, and only then', () => {
    expect(routes('select 1; drop table t; select 2')).toEqual([
      'query',
      expect.stringMatching(/^0A000/),
      'query',
    ])
  })

  test('a syntax error anywhere refuses the whole text', () => {
    expect(() => readStatements('select 1; selec 2')).toThrow(GatewayError)
  })

  test('positions count from the beginning of the whole text', () => {
    expect(
      readStatements("/* ä */ select '😀' ; begin").map(({ sql, offset }) => [sql, offset]),
    ).toEqual([
      ["select '😀' ", 8],
      ['begin', 21],
    ])
  })

  test('a text that was read before is not read again', () => {
    expect(readStatements('select 1, 2')).toBe(readStatements('select 1, 2'))
  })
})
