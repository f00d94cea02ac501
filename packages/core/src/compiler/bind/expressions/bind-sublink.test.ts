import { expect, test } from 'vitest'
import { bindFailure, bindText, bindTypes } from '../test-support/bind-for-test.ts'

test.for([
  [
    'exists (select 1 from main.r x where x.i = r.i)',
    `(exists (select '1':integer (from table) (where (=(int4,int4) 2.i i))))`,
  ],
  ['(select x.n2 from main.r x)', '(subquery (select 2.n2 (from table)))'],
  ['array(select x.t from main.r x)', '(arraySubquery (select 2.t (from table)))'],
  ['i in (select x.i from main.r x)', '(any= =(int4,int4) i (select 2.i (from table)))'],
  ['i not in (select x.i from main.r x)', '(not (any= =(int4,int4) i (select 2.i (from table))))'],
  [
    'n >= all (select x.i from main.r x)',
    '(all>= >=(numeric,numeric) n (select (implicit numeric/function 2.i) (from table)))',
  ],
  ['$1 in (select x.d from main.r x)', '(any= =(date,date) $1:date (select 2.d (from table)))'],
  [
    '(i, v) in (select x.l, x.v from main.r x)',
    '(any= =(int4,int8) =(text,text) i (implicit text/binary v) (select 2.l (implicit text/binary 2.v) (from table)))',
  ],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test('conversions stay outside of DISTINCT', () => {
  expect(bindText('n in (select distinct x.i from main.r x)')).toBe(
    '(any= =(numeric,numeric) n (select (implicit numeric/function 3.c0) (from subquery)))',
  )
})

test('a subquery brings its type and scale', () => {
  expect(bindTypes('(select x.n2 from main.r x)')).toBe('numeric(10,2)')
  expect(bindTypes('array(select x.ia from main.r x)')).toBe('integer[]')
})

test.for([
  ['(select x.i, x.s from main.r x)', '42601: subquery must return only one column (position 8)'],
  ['i in (select x.i, x.s from main.r x)', '42601: subquery has too many columns'],
  ['(i, s) in (select x.i from main.r x)', '42601: subquery has too few columns'],
  ['i in (select x.t from main.r x)', '42883: operator does not exist: integer = text'],
  ['t like any (select x.t from main.r x)', 'unsupported 0A000: ~~ ANY with a subquery'],
  ['i operator(pg_catalog.=) any (select 1)', 'unsupported'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})
