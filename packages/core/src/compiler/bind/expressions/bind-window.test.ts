import { expect, test } from 'vitest'
import { bindFailure, bindText } from '../test-support/bind-for-test.ts'

test.for([
  ['rank() over ()', '(rank() (over))'],
  [
    'row_number() over (partition by t order by i desc)',
    '(row_number() (over (partition t) (order i desc first)))',
  ],
  ['sum(i) filter (where b) over ()', '(sum(int4) i (filter b) (over))'],
  [
    'sum(count(*)) over (order by sum(i))',
    '(sum(int8) (count()) (over (order (sum(int4) i) asc last)))',
  ],
  [
    'sum(i) over (order by i rows unbounded preceding)',
    '(sum(int4) i (over (order i asc last) (rows unboundedPreceding currentRow)))',
  ],
  [
    'sum(i) over (order by i rows between $1 preceding and 1 following exclude ties)',
    `(sum(int4) i (over (order i asc last) (rows $1:bigint preceding '1':bigint following exclude-ties)))`,
  ],
  [
    'sum(i) over (order by d range between $1 preceding and unbounded following)',
    '(sum(int4) i (over (order d asc last) (range $1:interval preceding unboundedFollowing)))',
  ],
  [
    'sum(i) over (order by t groups between current row and 2 following exclude current row)',
    `(sum(int4) i (over (order t asc last) (groups currentRow '2':bigint following exclude-currentRow)))`,
  ],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test.for([
  ['rank() over w', 'window w as (order by i)', '(rank() (over (order i asc last)))'],
  [
    'rank() over (w order by i)',
    'window w as (partition by t)',
    '(rank() (over (partition t) (order i asc last)))',
  ],
  [
    'rank() over w2',
    'window w1 as (partition by t), w2 as (w1 order by i rows 1 preceding)',
    `(rank() (over (partition t) (order i asc last) (rows '1':bigint preceding currentRow)))`,
  ],
])('%s with %s', ([expression, clause, text]) => {
  expect(bindText(expression ?? '', `from main.r ${clause}`)).toBe(text)
})

test.for([
  ['rank() over nosuch', '', '42704: window "nosuch" does not exist'],
  ['rank() over w2', 'window w2 as (w1), w1 as ()', '42704: window "w1" does not exist'],
  ['rank() over w', 'window w as (w)', '42704: window "w" does not exist'],
  [
    'rank() over (w partition by i)',
    'window w as (order by i)',
    '42P20: cannot override PARTITION BY clause of window "w"',
  ],
  [
    'rank() over (w order by i)',
    'window w as (order by i)',
    '42P20: cannot override ORDER BY clause of window "w"',
  ],
  [
    'rank() over (w)',
    'window w as (order by i rows 1 preceding)',
    '42P20: cannot copy window "w" because it has a frame clause',
  ],
])('%s with "%s" is refused', ([expression, clause, failure]) => {
  expect(bindFailure(expression ?? '', `from main.r ${clause}`)).toContain(failure)
})

test.for([
  ['rank()', '42809: window function rank requires an OVER clause'],
  ['rank(*) over ()', '42809'],
  ['count() over ()', '42809'],
  ['sum(distinct i) over ()', '0A000: DISTINCT is not implemented for window functions'],
  ['array_agg(i order by i) over ()', '0A000: aggregate ORDER BY is not implemented'],
  ['rank() filter (where b) over ()', '0A000: FILTER is not implemented'],
  ['sum(rank() over ()) over ()', '42P20: window function calls cannot be nested'],
  [
    'rank() over (order by rank() over ())',
    '42P20: window functions are not allowed in window definitions',
  ],
  ['sum(unnest(ia)) over ()', '0A000: window function calls cannot contain set-returning'],
  ['rank() over (partition by unnest(ia))', '0A000'],
  ['rank() over (partition by j)', '42883: could not identify an ordering operator for type json'],
  ['sum(i) over (rows i preceding)', '42P10: argument of ROWS must not contain variables'],
  ['sum(i) over (rows d preceding)', '42804: argument of ROWS must be type bigint, not type date'],
  ['sum(i) over (range 1 preceding)', '42P20: RANGE with offset PRECEDING/FOLLOWING requires'],
  ['sum(i) over (order by t range 1 preceding)', '0A000: RANGE with offset'],
  [
    'sum(i) over (order by i range 1.5 preceding)',
    '0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type integer and offset type numeric',
  ],
  [
    'sum(i) over (order by d range 1 preceding)',
    '0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type date and offset type integer',
  ],
  ['sum(i) over (groups 1 preceding)', '42P20: GROUPS mode requires an ORDER BY clause'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})
