import { oids } from '@engine/core/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { autoParameterize } from './auto-parameterize.ts'

describe('literals that mean their value only become parameters', () => {
  test.each([
    ['select * from t where id = 42;', 'select * from t where id = $1;', ['42']],
    [
      "SELECT a FROM t WHERE name = 'it''s' AND n >= -5",
      'SELECT a FROM t WHERE name = $1 AND n >= $2',
      ["it's", '-5'],
    ],
    [
      'select * from t where id in (1, 2,-3) and x between 4 and 5 and y = 6',
      'select * from t where id in ($1, $2,$3) and x between $4 and $5 and y = $6',
      ['1', '2', '-3', '4', '5', '6'],
    ],
    [
      "insert into t (a, b) values (1, 'x'), (-2, null) returning 3",
      'insert into t (a, b) values ($1, $2), ($3, null) returning 3',
      ['1', 'x', '-2'],
    ],
    [
      "update t set a = a + -17, b = 'x', c = 2 * 3 where id=9",
      'update t set a = a + $1, b = $2, c = $3 * $4 where id=$5',
      ['-17', 'x', '2', '3', '9'],
    ],
    [
      "select * from t where d = '2024-01-01'::date",
      'select * from t where d = $1::date',
      ['2024-01-01'],
    ],
    [
      'select 1 from "o\'ne" where "a" = \'$1 -- ;\'',
      'select 1 from "o\'ne" where "a" = $1',
      ['$1 -- ;'],
    ],
    [
      'select * from t where a - 1 = 2 limit 3 offset 4',
      'select * from t where a - $1 = $2 limit 3 offset 4',
      ['1', '2'],
    ],
    [
      'select a from t where b in (select c from u where d = 1 order by 1, 2 limit 5) group by 1, 2 order by 1, 2',
      'select a from t where b in (select c from u where d = $1 order by 1, 2 limit 5) group by 1, 2 order by 1, 2',
      ['1'],
    ],
  ])('%s', (text, sql, values) => {
    expect(autoParameterize(text)).toMatchObject({ sql, values })
  })

  test('numbers have the types that PostgreSQL gives them, strings none', () => {
    const parameterized = autoParameterize(
      "select * from t where a = 2147483647 and b = 2147483648 and c = 9223372036854775808 and d = 1.50 and e = '1'",
    )
    expect(parameterized?.parameterOids).toEqual([
      oids.int4,
      oids.int8,
      oids.numeric,
      oids.numeric,
      0,
    ])
  })
})

describe('everything else stays as it is', () => {
  test.each([
    'select 1',
    "select 'a', 2, 3.5",
    'select * from t order by 1, 2 limit 10',
    'select * from t limit - 1',
    'select x::numeric(10, 2), y::varchar(20) from t',
    "select date '2024-01-01', interval '1 day' from t",
    'select a[1], b[2:3] from t',
    "select coalesce(a, 0), date_trunc('day', b), round(c, 2) from t",
    "select * from t where a like 'x%'",
    "select data -> 'a' ->> 0 from t",
    'select count(*) from t',
    'select row_number() over (order by a rows unbounded preceding) from t limit 1',
    'vacuum t',
    "set timezone = 'UTC'",
    'begin; select * from t where a = 1',
    'select * from t where a = 1; select 2',
    'select * from t where a = 1 -- b = 2',
    'select /* x */ * from t where a = 1',
    'select * from t where a = $1 and b = 2',
    'select * from t where a = $$x$$',
    "select * from t where a = E'it\\'s' and b = 1",
    "select * from t where a = U&'x' and b in (select 1)",
    "select * from t where a = 'x'\n'y'",
    "select * from t where a = 'x",
    'select * from t where a = 1e5',
    'select * from t where a = 0x1F',
    'select * from t where a = .5',
    `select * from t where a in (${'1,'.repeat(300)}1)`,
    `select * from t where a = '${'x'.repeat(9000)}'`,
  ])('%s', (text) => {
    expect(autoParameterize(text)).toBeUndefined()
  })

  test('a minus that binds less than what follows', () => {
    expect(autoParameterize('select * from t where a = -1::int2 and b = 2')?.sql).toBe(
      'select * from t where a = -1::int2 and b = $1',
    )
  })
})

test('with the literals back in their places it is the same text', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'and',
      'in',
      '(',
      ')',
      ',',
      '=',
      '-',
      ' - ',
      '+',
      '5',
      '1.5',
      "'x'",
      "'it''s'",
      '"q"',
      'between',
    ],
    ...['values', 'select', '::', 'int2', '[', ']', '.', ';', '$1', '--', "'", 'limit', '<', '->'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const sql = `select ${pieces.join(' ')}`
      const parameterized = autoParameterize(sql)
      if (parameterized === undefined) return
      const { values, parameterOids } = parameterized
      // Within quotes `$1` is no parameter.
      const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g
      const restored = parameterized.sql.replaceAll(
        parts,
        (part: string, digits: string | undefined) => {
          if (digits === undefined) return part
          const i = Number(digits) - 1
          const value = values[i] ?? ''
          return parameterOids[i] === 0 ? `'${value.replaceAll("'", "''")}'` : value
        },
      )
      expect(restored).toBe(sql)
    }),
    { numRuns: 3000, examples: [[["'", '$1', "'", '-', '5']]] },
  )
})
