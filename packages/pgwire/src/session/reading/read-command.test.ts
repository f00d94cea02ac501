import { loadParser } from '@engine/core/session'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ClientStatement } from '../statements/client-statement.ts'
import { readStatements } from './read-statements.ts'

beforeAll(loadParser)

/** `kind` for each statement; for a refused one its SQLSTATE and message. */
const routes = (sql: string) =>
  readStatements(sql).map((statement) =>
    statement.kind === 'refused'
      ? `${statement.error.sqlState} ${statement.error.message}`
      : statement.kind,
  )

const commands = (sql: string) =>
  readStatements(sql).map((statement) =>
    statement.kind === 'command' ? statement.command : statement,
  )

const only = (sql: string): ClientStatement => {
  const [statement] = readStatements(sql)
  if (statement === undefined) throw new Error('no statement')
  return statement
}

describe('transactions', () => {
  const modes = { isReadOnly: undefined, isolation: undefined, isDeferrable: undefined }

  test('beginnings', () => {
    expect(commands('begin; begin work; begin transaction; start transaction')).toEqual([
      { kind: 'begin', tag: 'BEGIN', modes },
      { kind: 'begin', tag: 'BEGIN', modes },
      { kind: 'begin', tag: 'BEGIN', modes },
      { kind: 'begin', tag: 'START TRANSACTION', modes },
    ])
    expect(
      commands(
        'begin isolation level repeatable read, read only; start transaction read write not deferrable',
      ),
    ).toEqual([
      {
        kind: 'begin',
        tag: 'BEGIN',
        modes: { ...modes, isolation: 'repeatable read', isReadOnly: true },
      },
      {
        kind: 'begin',
        tag: 'START TRANSACTION',
        modes: { ...modes, isReadOnly: false, isDeferrable: false },
      },
    ])
  })

  test('ends and savepoints', () => {
    expect(
      commands(
        'commit; end; commit and chain; rollback; abort work; rollback and chain; savepoint a; release a; ' +
          'release savepoint "A"; rollback to a; rollback transaction to savepoint a',
      ),
    ).toEqual([
      { kind: 'commit', chain: false },
      { kind: 'commit', chain: false },
      { kind: 'commit', chain: true },
      { kind: 'rollback', chain: false },
      { kind: 'rollback', chain: false },
      { kind: 'rollback', chain: true },
      { kind: 'savepoint', name: 'a' },
      { kind: 'release', name: 'a' },
      { kind: 'release', name: 'A' },
      { kind: 'rollbackTo', name: 'a' },
      { kind: 'rollbackTo', name: 'a' },
    ])
  })

  test('what SET says of them', () => {
    expect(
      commands(
        'set transaction isolation level serializable; set transaction_read_only = on; ' +
          "set local transaction_isolation to 'Read Committed'; " +
          'set session characteristics as transaction read only, deferrable',
      ),
    ).toEqual([
      { kind: 'setTransaction', tag: 'SET', modes: { ...modes, isolation: 'serializable' } },
      { kind: 'setTransaction', tag: 'SET', modes: { ...modes, isReadOnly: true } },
      { kind: 'setTransaction', tag: 'SET', modes: { ...modes, isolation: 'read committed' } },
      {
        kind: 'setSessionCharacteristics',
        modes: { ...modes, isReadOnly: true, isDeferrable: true },
      },
    ])
    expect(routes("set transaction_isolation to 'x'")[0]).toMatch(/^22023/)
  })
})

describe('settings', () => {
  const set = (name: string, value: string | undefined, more: object = {}) => ({
    kind: 'set',
    name,
    value,
    isLocal: false,
    tag: 'SET',
    ...more,
  })

  test('every spelling of SET', () => {
    expect(
      commands(
        "set a.b to 'c'; set session x = 1; set local x to -1.5; set x to on; set x = default; " +
          "set time zone 'UTC'; set time zone -7; set local time zone local; " +
          "set time zone interval '+02:30' hour to minute; set timezone to default; " +
          "set names 'utf8'; set schema 'Main'; set datestyle to iso, dmy; set xml option document",
      ),
    ).toEqual([
      set('a.b', 'c'),
      set('x', '1'),
      set('x', '-1.5', { isLocal: true }),
      set('x', 'on'),
      set('x', undefined),
      set('timezone', 'UTC'),
      set('timezone', '-7'),
      set('timezone', undefined, { isLocal: true }),
      set('timezone', "interval '+02:30'"),
      set('timezone', undefined),
      set('client_encoding', 'utf8'),
      set('search_path', '"Main"'),
      set('datestyle', 'iso, dmy'),
      set('xmloption', 'DOCUMENT'),
    ])
  })

  test('names of a search path are spelled so that they can be read back', () => {
    expect(commands(`set search_path to "$user", Public, 'a, b', "user", 'x"y', ''`)).toEqual([
      set('search_path', '"$user", public, "a, b", "user", "x""y", ""'),
    ])
  })

  test('only lists take several values', () => {
    expect(routes('set work_mem to 1, 2')).toEqual(['22023 SET work_mem takes only one argument'])
  })

  test('roles', () => {
    expect(commands('set role none; reset role; set session authorization default')).toEqual([
      set('role', 'none'),
      set('role', undefined, { tag: 'RESET' }),
      set('session_authorization', undefined),
    ])
  })

  test('RESET, SHOW and DISCARD', () => {
    expect(
      commands(
        'reset x; reset time zone; reset all; show x; show all; show time zone; ' +
          'show transaction isolation level; show session authorization; ' +
          'discard all; discard plans; discard temp; discard sequences',
      ),
    ).toEqual([
      set('x', undefined, { tag: 'RESET' }),
      set('timezone', undefined, { tag: 'RESET' }),
      { kind: 'resetAll' },
      { kind: 'show', name: 'x' },
      { kind: 'show', name: 'all' },
      { kind: 'show', name: 'timezone' },
      { kind: 'show', name: 'transaction_isolation' },
      { kind: 'show', name: 'session_authorization' },
      { kind: 'discard', what: 'all' },
      { kind: 'discard', what: 'plans' },
      { kind: 'discard', what: 'temp' },
      { kind: 'discard', what: 'sequences' },
    ])
  })

  test('set_config of literals is a SET that answers', () => {
    const setConfig = {
      kind: 'setConfig',
      name: 'a.b',
      value: 'c',
      isLocal: false,
      column: 'set_config',
    }
    expect(commands("select set_config('a.b', 'c', false)")).toEqual([setConfig])
    expect(commands("select pg_catalog.set_config('a.b', null, true) as x")).toEqual([
      { ...setConfig, value: undefined, isLocal: true, column: 'x' },
    ])
    for (const sql of [
      "select set_config('a', 'b', false) from generate_series(1, 2)",
      "select set_config('a', $1, false)",
      "select set_config('a', 'b', false), 1",
      "select set_config('a', 'b', false) where false",
      "select other.set_config('a', 'b', false)",
      "select set_config('a', 'b')",
    ]) {
      expect(routes(sql)).not.toEqual(['command'])
    }
  })

  test('set_config among other results, or with parameters, is done beside the answer', () => {
    const literal = (text: string | null) => ({ kind: 'literal', text })
    const first = { kind: 'parameter', number: 1 }
    expect(
      commands("select current_setting('jit') as cur, set_config('jit', 'off', false) as new"),
    ).toMatchObject([
      {
        kind: 'catalog',
        assignments: [{ name: literal('jit'), value: literal('off'), isLocal: literal('false') }],
      },
    ])
    expect(commands('select set_config($2, $1::text, true)')).toMatchObject([
      {
        assignments: [
          { name: { kind: 'parameter', number: 2 }, value: first, isLocal: literal('true') },
        ],
      },
    ])
    expect(only("select set_config('a', 'b' || $1, true)")).not.toHaveProperty('assignments')
    expect(only("select set_config('a', $1, true) where $2")).not.toHaveProperty('assignments')
  })
})

describe('prepared statements and cursors', () => {
  test('PREPARE has the statement after AS, with its position', () => {
    const sql =
      'prepare p (int, varchar(3)[], "Mood", timestamp with time zone) as select 1 as "as"'
    expect(commands(sql)).toEqual([
      {
        kind: 'prepare',
        text: sql,
        name: 'p',
        parameterTypes: [
          { schema: 'pg_catalog', name: 'int4', isArray: false, position: 12 },
          { schema: 'pg_catalog', name: 'varchar', isArray: true, position: 17 },
          { schema: undefined, name: 'Mood', isArray: false, position: 31 },
          { schema: 'pg_catalog', name: 'timestamptz', isArray: false, position: 39 },
        ],
        statement: {
          sql: 'select 1 as "as"',
          offset: sql.indexOf('select'),
          kind: 'query',
          isTableless: true,
        },
      },
    ])
    expect(commands(' -- x\n prepare p as insert into users values ($1)')).toMatchObject([
      { statement: { sql: 'insert into users values ($1)', offset: 20, kind: 'query' } },
    ])
  })

  test('EXECUTE and DEALLOCATE', () => {
    expect(
      commands(
        "execute p; execute p (1, f(2, 3), ',)', null, array[1,2]); deallocate p; deallocate prepare p; deallocate all",
      ),
    ).toEqual([
      { kind: 'execute', name: 'p', argumentTexts: [] },
      { kind: 'execute', name: 'p', argumentTexts: ['1', 'f(2, 3)', "',)'", 'null', 'array[1,2]'] },
      { kind: 'deallocate', name: 'p' },
      { kind: 'deallocate', name: 'p' },
      { kind: 'deallocate', name: undefined },
    ])
  })

  test('DECLARE', () => {
    expect(
      commands(
        'declare c cursor for table users; declare c binary insensitive scroll cursor with hold for select 1 for update; ' +
          'declare c no scroll cursor without hold for values (1)',
      ),
    ).toMatchObject([
      {
        name: 'c',
        isScrollable: undefined,
        isHeld: false,
        isBinary: false,
        statement: { kind: 'query', sql: 'table users' },
      },
      {
        isScrollable: true,
        isHeld: true,
        isBinary: true,
        statement: { sql: 'select 1 for update' },
      },
      { isScrollable: false, isHeld: false, statement: { kind: 'query', isTableless: true } },
    ])
    expect(routes('declare c cursor for with x as (delete from t returning *) table x')).toEqual([
      '0A000 DECLARE CURSOR must not contain data-modifying statements in WITH',
    ])
  })

  test.each([
    ['fetch c', 'forward', 1],
    ['fetch next from c', 'forward', 1],
    ['fetch 5 in c', 'forward', 5],
    ['fetch forward c', 'forward', 1],
    ['fetch forward 3 c', 'forward', 3],
    ['fetch all c', 'forward', Number.POSITIVE_INFINITY],
    ['fetch forward all c', 'forward', Number.POSITIVE_INFINITY],
    ['fetch prior c', 'backward', 1],
    ['fetch backward 2 c', 'backward', 2],
    ['fetch backward all c', 'backward', Number.POSITIVE_INFINITY],
    ['fetch first c', 'absolute', 1],
    ['fetch last c', 'absolute', -1],
    ['fetch absolute 7 c', 'absolute', 7],
    ['fetch relative -2 c', 'relative', -2],
    ['fetch 0 c', 'forward', 0],
    ['fetch -3 c', 'forward', -3],
  ])('%s', (sql, direction, count) => {
    expect(only(sql)).toMatchObject({
      command: { kind: 'fetch', name: 'c', direction, count, isMove: false },
    })
    expect(only(sql.replace('fetch', 'move'))).toMatchObject({ command: { isMove: true } })
  })

  test('CLOSE, LISTEN, UNLISTEN and NOTIFY', () => {
    expect(commands('close c; close all; unlisten x; unlisten *')).toEqual([
      { kind: 'closeCursor', name: 'c' },
      { kind: 'closeCursor', name: undefined },
      { kind: 'unlisten', channel: 'x' },
      { kind: 'unlisten', channel: undefined },
    ])
    expect(commands(`listen X; listen "main.X"; notify x; notify x, 'it''s'`)).toEqual([
      { kind: 'listen', channel: 'x' },
      { kind: 'listen', channel: 'main.X' },
      { kind: 'notify', channel: 'x', payload: '' },
      { kind: 'notify', channel: 'x', payload: "it's" },
    ])
  })

  const options = { format: 'text', isVerbose: false, hasCosts: true } as const

  test.each([
    ['explain select 1', 'select 1', options],
    [
      'explain verbose insert into t values (1)',
      'insert into t values (1)',
      { ...options, isVerbose: true },
    ],
    [
      'explain (costs off) with a as (select 1) select',
      'with a as (select 1) select',
      { ...options, hasCosts: false },
    ],
    ['explain (select 1)', '(select 1)', options],
    [
      'explain (format json, verbose) (select 1) union (values (2))',
      '(select 1) union (values (2))',
      { ...options, format: 'json', isVerbose: true },
    ],
    [
      'explain (verbose 0, costs true, analyze off) /* ä */ table t',
      'table t',
      { ...options, isAnalyzed: false },
    ],
    [
      'explain (analyze, buffers, timing off) select 1',
      'select 1',
      { ...options, isAnalyzed: true, named: { buffers: true, timing: false } },
    ],
    ['explain ( ( (select 1) ) )', '( ( (select 1) ) )', options],
  ])('%s', (sql, inner, read) => {
    expect(commands(sql)).toEqual([
      { kind: 'explain', statement: expect.objectContaining({ sql: inner }), options: read },
    ])
  })

  test('an option of EXPLAIN that means nothing is refused', () => {
    expect(
      ['(nosuch)', '(format x)', '(costs maybe)', '(wal)', '(memory)'].flatMap((text) =>
        routes(`explain ${text} select 1`),
      ),
    ).toEqual([
      '42601 unrecognized EXPLAIN option "nosuch"',
      '22023 unrecognized value for EXPLAIN option "format": "x"',
      '42601 costs requires a Boolean value',
      '22023 EXPLAIN option WAL requires ANALYZE',
      '0A000 EXPLAIN with the option MEMORY is not supported',
    ])
  })

  test("asyncpg's reset is understood", () => {
    expect(routes('SELECT pg_advisory_unlock_all();\nCLOSE ALL;\nUNLISTEN *;\nRESET ALL;')).toEqual(
      ['query', 'command', 'command', 'command'],
    )
  })
})
