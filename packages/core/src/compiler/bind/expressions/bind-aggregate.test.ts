import { expect, test } from 'vitest'
import {
  bindFailure,
  bindForTest,
  bindText,
  conditionFailure,
} from '../test-support/bind-for-test.ts'

test.for([
  ['count(*)', '(count())'],
  ['count(distinct t)', '(count(any) distinct t)'],
  ['sum(n2)', '(sum(numeric) n2)'],
  [
    `string_agg(v, ',' order by i desc)`,
    `(string_agg(text,text) (implicit text/binary v) ',':text (order i desc first))`,
  ],
  [
    `string_agg(distinct v, ',' order by v)`,
    `(string_agg(text,text) distinct (implicit text/binary v) ',':text (order (implicit text/binary v) asc last))`,
  ],
  ['sum(i) filter (where i > $1)', '(sum(int4) i (filter (>(int4,int4) i $1:integer)))'],
  ['sum(i order by t using >)', '(sum(int4) i (order t desc first))'],
  ['sum(i order by t using < nulls first)', '(sum(int4) i (order t asc first))'],
  ['count((i, t))', '(count(any) (row i t))'],
  [`count(distinct row(i, 'x'))`, `(count(any) distinct (row i 'x':text))`],
  ['count((i, t)) over ()', '(count(any) (row i t) (over))'],
  ['row_to_json((i, null))', '(row_to_json(record) (row i null:text))'],
  ['to_jsonb(row())', '(to_jsonb(anyelement) (row))'],
  ['json_agg(i order by t nulls first)', '(json_agg(anyelement) i (order t asc first))'],
  [
    'percentile_cont(0.5) within group (order by i)',
    `(percentile_cont(float8,float8) '0.5':double_precision (within (implicit double_precision/function i) asc last))`,
  ],
  ['mode() within group (order by t desc)', '(mode(anyelement) (within t desc first))'],
  [
    'rank(1.5, true) within group (order by i, b)',
    `(rank(any) '1.5':numeric 'true':boolean (within (implicit numeric/function i) asc last b asc last))`,
  ],
  [`rank('5') within group (order by i)`, `(rank(any) '5':integer (within i asc last))`],
  [
    'dense_rank($1, $2, $3) within group (order by i, $2, $4)',
    '(dense_rank(any) $1:integer $2:text $3:text (within i asc last $2:text asc last $4:text asc last))',
  ],
  [
    `percentile_disc('0.5') within group (order by i)`,
    `(percentile_disc(float8,anyelement) '0.5':double_precision (within i asc last))`,
  ],
  [
    'percentile_cont(0.5) within group (order by $1)',
    `(percentile_cont(float8,float8) '0.5':double_precision (within $1:double_precision asc last))`,
  ],
  [
    '(select sum(x.i + r.i) from main.r x)',
    '(subquery (select (sum(int4) (+(int4,int4) 2.i i)) (from table)))',
  ],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test('aggregates are of their own query level', () => {
  const isAggregated = (output: string) =>
    bindForTest(`select ${output} from main.r`).query.isAggregated
  expect(isAggregated('count(*) + sum(i)')).toBe(true)
  expect(isAggregated('sum(count(*)) over ()')).toBe(true)
  expect(isAggregated('(select count(*) from main.r x)')).toBe(false)
  expect(isAggregated('count(*) over ()')).toBe(false)
})

test.for([
  ['sum(count(*))', '42803: aggregate function calls cannot be nested'],
  ['sum(rank() over ())', '42803: aggregate function calls cannot contain window function calls'],
  ['sum(unnest(ia))', '0A000: aggregate function calls cannot contain set-returning'],
  ['array_agg(i order by count(*))', '42803: aggregate function calls cannot be nested'],
  ['sum(i) filter (where count(*) > 1)', '42803: aggregate functions are not allowed in FILTER'],
  ['sum(i) filter (where rank() over () > 1)', '42P20: window functions are not allowed in FILTER'],
  ['sum(i) filter (where i)', '42804: argument of FILTER must be type boolean'],
  ['count()', '42809: count(*) must be used to call a parameterless aggregate function'],
  ['sum(*)', '42883'],
  ['count(distinct j)', '42883: could not identify an equality operator for type json'],
  ['array_agg(i order by j)', '42883: could not identify an ordering operator for type json'],
  [`string_agg(distinct t, ',' order by i)`, '42P10: in an aggregate with DISTINCT'],
  ['sum(i order by i using =)', 'unsupported 0A000: ORDER BY ... USING ='],
  ['sum(i order by i using operator(pg_catalog.<))', 'unsupported'],
  ['count((i, j, $1))', '42P18: could not determine data type of parameter $1'],
  ['count(distinct (i, j))', '42883: could not identify an equality operator for type json'],
  ['json_agg((i, t))', 'unsupported 0A000: a row constructor as an argument of json_agg()'],
  ['row_to_json((i, t), true)', 'unsupported 0A000: a row constructor as an argument'],
  ['num_nulls((i, t))', 'unsupported 0A000: a row constructor as an argument of num_nulls()'],
  ['max((i, t))', '42883'],
  ['text((i, t))', '42883: function text(record)'],
  ['percentile_cont(0.5, f)', '42809: WITHIN GROUP is required'],
  ['sum(i) within group (order by i)', '42883'],
  ['string_agg(t) within group (order by t)', 'unsupported'],
  ['rank(1, 2) within group (order by i)', '42883: function rank(integer, integer, integer)'],
  [`rank(true) within group (order by i)`, '42804: WITHIN GROUP types boolean and integer'],
  [`rank('x') within group (order by i)`, '22P02'],
  [
    `percentile_disc($1) within group (order by t)`,
    '42725: function percentile_disc(unknown, text)',
  ],
  [`rank($1) within group (order by j)`, '42883: could not identify an ordering operator'],
  [`mode() within group (order by 'x')`, '42804: could not determine polymorphic type'],
  [`mode() within group (order by $1)`, '42804: could not determine polymorphic type'],
  [`percentile_disc(0.5) within group (order by 'x')`, '42804: could not determine polymorphic'],
  [`percentile_disc(0.5) within group (order by j)`, '42883: could not identify an ordering'],
  ['sum((select sum(r.i)))', '42803: aggregate function calls cannot be nested'],
  [
    '(select sum((select sum(r.i))) from main.r x)',
    '42803: aggregate function calls cannot be nested',
  ],
  [
    '(with c as (select 1 as n) select sum((select r.i from c)))',
    '0A000: outer-level aggregate cannot use a nested CTE',
  ],
  ['(select sum(r.i) + r.i from main.r x)', '42803: subquery uses ungrouped column "r.i"'],
  ['(select grouping(r.i) from main.r x group by r.i)', '42803: arguments to GROUPING must be'],
  ['grouping(t)', '42803: arguments to GROUPING must be grouping expressions'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})

test('an aggregate of an outer level is a column of a subquery in FROM', () => {
  expect(bindText('(select sum(r.i) from main.r x)')).toBe('(subquery (select 4.c0 (from table)))')
})

test('no clause but some may hold aggregates', () => {
  expect(conditionFailure('exists (select 1 having sum(r.i) > 1)')).toContain(
    '42803: aggregate functions are not allowed in WHERE',
  )
  expect(conditionFailure('sum(i) > 1')).toContain(
    '42803: aggregate functions are not allowed in WHERE (position 28)',
  )
  expect(conditionFailure('rank() over () > 1')).toContain(
    '42P20: window functions are not allowed in WHERE',
  )
  expect(conditionFailure('grouping(i) > 1')).toContain(
    '42803: grouping operations are not allowed in WHERE',
  )
})

test('GROUPING finds its expressions by what they mean', () => {
  expect(bindText('grouping(t, r.i + 1)', 'from main.r group by i + 1, lower(t), t')).toBe(
    '(grouping 2 0)',
  )
})
