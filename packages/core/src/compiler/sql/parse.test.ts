import { beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { loadParser, type ParseLimits, parseStatement } from './parse.ts'

beforeAll(loadParser)

describe('one statement', () => {
  test.each([
    ['select 1', 'SelectStmt'],
    ['select 1;', 'SelectStmt'],
    ['  /* x */ select 1 ; -- y', 'SelectStmt'],
    ['(select 1) union (select 2)', 'SelectStmt'],
    ['values (1), (2)', 'SelectStmt'],
    ['table "main"."t"', 'SelectStmt'],
    ['with x as (select 1) insert into "main"."t" select * from x', 'InsertStmt'],
    ['update "main"."t" set a = 1', 'UpdateStmt'],
    ['delete from "main"."t"', 'DeleteStmt'],
  ])('%s', (sql, kind) => {
    expect(Object.keys(parseStatement(sql).statement)).toEqual([kind])
  })

  test('several are refused, at the second', () => {
    expect(errorOf('select 1; select 2')).toMatchObject({ code: 'BAD_REQUEST', position: 11 })
    expect(errorOf('select 1; select 2').message).toContain('POST /data/batch')
  })

  test.each(['', ' ', '-- nothing', ';'])('none is a syntax error: %j', (sql) => {
    expect(errorOf(sql)).toMatchObject({
      problem: 'syntaxError',
      message: 'The statement is empty.',
    })
  })
})

test('a syntax error has PostgreSQL’s words and a position in characters', () => {
  expect(errorOf('select é, ü from ä,, b')).toMatchObject({
    problem: 'syntaxError',
    status: 400,
    sqlState: '42601',
    position: 20,
    message: 'syntax error at or near "," (position 20)',
  })
})

test('a parameter with letters behind it is refused, as PostgreSQL refuses it', () => {
  expect(() => parseStatement('select $1 a')).not.toThrow()
  for (const sql of [`select '$1a', $b$ $1a $b$ -- $1a`, 'select a$1a from t']) {
    expect(() => parseStatement(sql)).not.toThrow()
  }
  expect(() => parseStatement(`select '😀', $1ab`)).toThrow(
    expect.objectContaining({
      sqlState: '42601',
      position: 13,
      message: 'trailing junk after parameter at or near "$1ab" (position 13)',
    }),
  )
})

test('an escape that is wrong in itself has its own SQLSTATE', () => {
  expect(errorOf(String.raw`select E'\u061'`)).toMatchObject({ sqlState: '22025', position: 10 })
  expect(errorOf(String.raw`select E'\xff'`)).toMatchObject({ sqlState: '22021' })
  expect(errorOf(String.raw`select U&'\06'`)).toMatchObject({ sqlState: '42601', position: 11 })
  expect(errorOf(String.raw`select E'\ud800'`)).toMatchObject({ sqlState: '42601' })
})

test('locations become positions in characters', () => {
  const { statement } = parseStatement('select \'ü€😀\', a from "main"."t"')
  expect(JSON.stringify(statement)).toContain('"fields":[{"String":{"sval":"a"}}],"location":15}')
})

test('the highest parameter and the tables are noted', () => {
  const { parameterCount, relations } = parseStatement(
    'select $2 from "main"."a" x where exists (select 1 from b) and a = $7 for update of x',
  )
  expect(parameterCount).toBe(7)
  expect(relations.map(({ schemaname, relname }) => [schemaname, relname])).toEqual([
    ['main', 'a'],
    [undefined, 'b'],
    [undefined, 'x'],
  ])
})

describe('other statements are refused with advice', () => {
  test.each([
    ['begin', 'POST /data/batch'],
    ['start transaction', 'POST /data/batch'],
    ['commit', 'POST /data/batch'],
    ['rollback to savepoint x', 'POST /data/batch'],
    ['savepoint x', 'POST /data/batch'],
    ['explain select 1', 'EXPLAIN'],
    ['set search_path = x', 'SET'],
    ['reset all', 'SET'],
    ['show all', 'SHOW'],
    ['copy t from stdin', 'COPY'],
    ['copy (select 1) to program $$x$$', 'COPY'],
    ['create table t (a int)', 'CREATE TABLE'],
    ['create table t as select 1', 'CREATE TABLE AS'],
    ['alter table t add a int', 'ALTER TABLE'],
    ['drop table t', 'DROP'],
    ['create function f() returns int language sql return 1', 'CREATE FUNCTION'],
    ['do $$ begin end $$', 'DO'],
    ['listen x', 'LISTEN'],
    ['notify x', 'NOTIFY'],
    ['merge into t using s on true when matched then delete returning 1', 'RETURNING of MERGE'],
    [
      'merge into t using s on true when not matched by source then delete',
      'WHEN NOT MATCHED BY SOURCE',
    ],
    ['call f()', 'CALL'],
    ['prepare x as select 1', 'PREPARE'],
    ['execute x', 'EXECUTE'],
    ['deallocate all', 'DEALLOCATE'],
    ['declare c cursor for select 1', 'DECLARE CURSOR'],
    ['lock table t', 'LOCK'],
    ['vacuum', 'VACUUM'],
    ['analyze', 'ANALYZE'],
    ['truncate t', 'TRUNCATE'],
    ['refresh materialized view v', 'REFRESH MATERIALIZED VIEW'],
    ['grant select on t to u', 'GRANT'],
    ['load $$x$$', 'LOAD'],
    ['alter system set x = 1', 'ALTER SYSTEM'],
    ['select 1 into x', 'SELECT INTO'],
    ['select * from xmltable($$x$$ passing y columns a int)', 'XMLTABLE'],
    ['select * from json_table(j, $$x$$ columns (a int path $$y$$))', 'JSON_TABLE'],
    ['select current_user', 'CURRENT_USER'],
    ['select current_catalog', 'CURRENT_USER'],
    ['select xmlelement(name a)', 'XML'],
    ['select json_object($$a$$: 1)', 'JSON_OBJECT'],
    [
      'insert into t (a) values (1) on conflict (a text_ops (length = 32)) do nothing',
      'An operator class with options',
    ],
    ['update t set a = 1 returning with (old as o) o.a', 'RETURNING WITH'],
    ['select $0', 'no such parameter'],
    ['select $65536', 'no such parameter'],
  ])('%s', (sql, words) => {
    expect(errorOf(sql)).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
    expect(errorOf(sql).message).toContain(words)
  })
})

describe('before the parser sees the text', () => {
  test('a length', () => {
    expect(errorOf(`select '${'x'.repeat(1024 * 1024)}'`)).toMatchObject({
      problem: 'limitExceeded',
    })
    expect(parseStatement(`select '${'x'.repeat(1000 * 1024)}'`)).toBeDefined()
    expect(errorOf('select 1', { maxLength: 7 }).problem).toBe('limitExceeded')
  })

  test('a number of words, operators and literals', () => {
    const many = `select 1 from t where a in (${Array(75_000).fill('1').join()})`
    expect(errorOf(many)).toMatchObject({ problem: 'limitExceeded' })
  })

  test('NUL and halves of surrogate pairs', () => {
    expect(errorOf('select 1\0; drop table t').problem).toBe('syntaxError')
    expect(errorOf("select '\ud800'").problem).toBe('syntaxError')
    expect(errorOf("select '\udc00x'").problem).toBe('syntaxError')
  })

  test('a right side that would be repeated', () => {
    const columns = Array(1000).fill('a').join()
    const values = Array(1000).fill('1').join()
    expect(errorOf(`update t set (${columns}) = (${values})`).problem).toBe('limitExceeded')
  })

  test.each(Object.entries(shapes()))('no depth of %s harms the parser', (_, shape) => {
    const isRefused = (depth: number) => {
      try {
        parseStatement(shape(depth))
        return false
      } catch (error) {
        // Any result but the early refusal means that the parser was called, and answered.
        return error instanceof GatewayError && error.problem === 'limitExceeded' && !error.cause
      }
    }
    let passing = 0
    let refused = 8192
    while (refused - passing > 1) {
      const depth = (passing + refused) >> 1
      if (isRefused(depth)) refused = depth
      else passing = depth
    }
    expect(parseStatement('select 1')).toBeDefined()
    expect(passing).toBeLessThan(1000)
    expect(passing).toBeGreaterThan(20)
  })
})

test('lists of any length are fine', () => {
  const list = (item: string) => Array(10_000).fill(item).join(', ')
  expect(parseStatement(`select 1 in (${list('$1')})`)).toBeDefined()
  expect(parseStatement(`insert into t (a, b) values ${list('($1, default)')}`)).toBeDefined()
  expect(parseStatement(`select ${Array(5000).fill('a = 1').join(' or ')}`)).toBeDefined()
})

test('a tree of too many nodes or levels is refused', () => {
  expect(errorOf('select 1, 2, 3, 4', { maxNodes: 9 })).toMatchObject({ problem: 'limitExceeded' })
  expect(errorOf('select - - - - a', { maxDepth: 6 })).toMatchObject({ problem: 'limitExceeded' })
})

test('a parser whose stack ran out is replaced', async () => {
  const endless = { maxNesting: Infinity, maxHeight: Infinity, maxDepth: Infinity }
  for (let round = 0; round < 3; round += 1) {
    const deep = `select ${'(select '.repeat(8000)}1${')'.repeat(8000)}`
    const chain = `select a${'+a'.repeat(60_000)}`
    expect(errorOf(chain, endless)).toMatchObject({ problem: 'limitExceeded' })
    await loadParser()
    expect(errorOf(deep, endless)).toMatchObject({ problem: 'limitExceeded' })
    await loadParser()
    expect(parseStatement('select 1')).toBeDefined()
  }
})

function errorOf(sql: string, limits?: Partial<ParseLimits>): GatewayError {
  try {
    parseStatement(sql, limits)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`accepted: ${sql.slice(0, 100)}`)
}

/** Every way to nest one construct in another; the number is the depth. */
function shapes(): Readonly<Record<string, (depth: number) => string>> {
  const around = (before: string, core: string, after: string) => (depth: number) =>
    `select ${before.repeat(depth)}${core}${after.repeat(depth)}`
  return {
    parentheses: around('(', '1', ')'),
    subqueries: around('(select ', '1', ')'),
    'subqueries in FROM': around('* from (select ', '1', ') x'),
    'lateral joins': around('1 from a left join lateral (select ', '1', ') x on true'),
    not: around('not ', 'true', ''),
    minus: around('- ', 'a', ''),
    'prefix operators': around('@ ', 'a', ''),
    sums: around('', 'a', '+a'),
    concatenations: around('', 'a', '||a'),
    'named operators': around('', 'a', ' operator(pg_catalog.+) a'),
    comparisons: around('', 'a', ' @> a'),
    'CASE in ELSE': around('case when a then b else ', '1', ' end'),
    'CASE in WHEN': around('case when ', 'a', ' then b end'),
    'array brackets': around('array[', '1', ']'),
    'bare array brackets': (depth) => `select array${'['.repeat(depth)}1${']'.repeat(depth)}`,
    'subscripts in subscripts': around('a[', '1', ']'),
    'joins in parentheses': (depth) =>
      `select 1 from ${'(a cross join '.repeat(depth)}b${')'.repeat(depth)}`,
    'parentheses around joins': (depth) =>
      `select 1 from ${'('.repeat(depth)}b${' cross join a)'.repeat(depth)}`,
    joins: around('', '1 from a', ' cross join a'),
    'joins with late ON': (depth) =>
      `select 1 from a${' join a'.repeat(depth)}${' on true'.repeat(depth)}`,
    unions: around('', '1', ' union select 1'),
    'unions in parentheses': (depth) =>
      `${'('.repeat(depth)}select 1${' union select 1)'.repeat(depth)}`,
    'unions to the right': (depth) =>
      `${'select 1 union ('.repeat(depth)}select 1${')'.repeat(depth)}`,
    casts: around('', 'a', '::int'),
    'casts as calls': around('cast(', 'a', ' as int)'),
    collations: around('', 'a', ' collate "C"'),
    'time zones': around('', 'a', " at time zone 'x'"),
    'time zones of numbers': around('', 'a', ' at time zone 1.'),
    'IS NULL': around('', 'a', ' is null'),
    ISNULL: around('', 'a', ' isnull'),
    'IS TRUE': around('', 'a', ' is true'),
    calls: around('f(', '1', ')'),
    coalesce: around('coalesce(', '1', ')'),
    IN: around('a in (', '1', ')'),
    EXISTS: around('exists (select ', '1', ')'),
    WITH: (depth) => `${'with a as ('.repeat(depth)}select 1${') select 1'.repeat(depth)}`,
    rows: around('row(', '1', ')'),
    'rows without ROW': around('(1,', '1', ')'),
    'BETWEEN and NOT': around('a between b and not ', 'c', ''),
    'LIKE and NOT': around('a like not ', 'c', ''),
    ANY: around('', 'a', ' = any (a)'),
    arrows: around('', 'a', "->'x'"),
    intervals: around("interval '1' + ", 'a', ''),
    filters: around('count(*) filter (where ', 'a', ')'),
    windows: around('sum(1) over (order by ', 'a', ')'),
    'grouping sets': (depth) =>
      `select 1 group by ${'grouping sets ('.repeat(depth)}a${')'.repeat(depth)}`,
    'alternating AND and OR': around('(a and (a or ', 'a', '))'),
  }
}
