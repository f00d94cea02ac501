import { beforeAll, expect, test } from 'vitest'
import { loadParser, parseStatement } from '../sql/parse.ts'
import { measureSyntax } from './syntax-shape.ts'

beforeAll(loadParser)

test('the conditions and clauses of MERGE are counted as the client wrote them', () => {
  const { statement } = parseStatement(
    `merge into t using s on t.a = s.a and t.b = s.b
      when matched and (s.c > 1 or not s.d) then delete when not matched then insert (a) values (s.a)`,
  )
  expect(measureSyntax(statement)).toMatchObject({
    filterConditions: 4,
    filterNesting: 2,
    fromItems: 1,
    whenClauses: 2,
  })
})

test.each([
  [
    'select sum(a) over (order by b), sum(c) over (order by b), sum(a) over (order by b desc) from t',
    2,
  ],
  [
    'select sum(a) over w, sum(b) over w, sum(c) over (w rows 1 preceding) from t window w as (order by b)',
    2,
  ],
  ['select sum(a) over w, sum(b) over v from t window w as (order by b), v as (order by c)', 2],
  ['select (select sum(a) over (order by b) from t), sum(a) over (order by b + 1) from t', 2],
  ['select sum(a) from t', 0],
])('different windows are counted: %s', (sql, windows) => {
  expect(measureSyntax(parseStatement(sql).statement)).toMatchObject({ windows })
})

test.each([
  'select a from t order by a, b, c, d',
  'select count(*) from t group by a, b, c, d',
  'select distinct on (a, b, c, d) a from t order by a, b',
  'select sum(a) over (partition by a, b, c, d order by a) from t',
  'select sum(a) over (order by a, b, c, d) from t',
  'select string_agg(a, b order by a, b, c, d) from t',
])('the longest list of keys is counted: %s', (sql) => {
  expect(measureSyntax(parseStatement(sql).statement)).toMatchObject({ sortKeys: 4 })
})
