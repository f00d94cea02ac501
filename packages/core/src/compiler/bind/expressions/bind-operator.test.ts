import { expect, test } from 'vitest'
import {
  bindCondition,
  bindFailure,
  bindText,
  conditionFailure,
} from '../test-support/bind-for-test.ts'

test.for([
  [`t like 'a%'`, `(~~(text,text) t 'a%':text)`],
  [`t not ilike $1`, `(!~~*(text,text) t $1:text)`],
  [`t like $1 escape '!'`, `(~~(text,text) t (like_escape(text,text) $1:text '!':text))`],
  [`t similar to 'a'`, `(~(text,text) t (similar_to_escape(text) 'a':text))`],
  ['not b', '(not b)'],
  ['b and (i = 1 and b)', `(and b (=(int4,int4) i '1':integer) b)`],
  ['b or b and not b', '(or b (and b (not b)))'],
  ['i is not null', '(is-not-null i)'],
  ['(i, t) is null', '(and (is-null i) (is-null t))'],
  ['b is not unknown', '(is-not-unknown b)'],
  ['i is distinct from 1', `(distinct =(int4,int4) i '1':integer)`],
  ['i is not distinct from null', '(is-null i)'],
  [
    '(i, t) is distinct from (1, $1)',
    `(or (distinct =(int4,int4) i '1':integer) (distinct =(text,text) t $1:text))`,
  ],
  ['(i, t) > ($1, $2)', '(row> (>(int4,int4) i $1:integer) (>(text,text) t $2:text))'],
  [
    '(i, t) > (select p.i, $1 from main.p)',
    `(one> >(int4,int4) >(text,text) i t (select 2.i $1:text (from table)))`,
  ],
  [
    '(l, t) = (select p.i, t from main.p order by 1)',
    '(one= =(int8,int4) =(text,text) l t (select 2.i t (from table)))',
  ],
  [
    '($1, i) <> (select 1.5, 2)',
    `(one<> <>(numeric,numeric) <>(int4,int4) $1:numeric i (select '1.5':numeric '2':integer))`,
  ],
  ['row(i) = (select p.i from main.p)', '(=(int4,int4) i (subquery (select 2.i (from table))))'],
  ['row(i) = row(1)', `(=(int4,int4) i '1':integer)`],
  ['i = any($1)', '(any =(int4,int4) i $1:integer[])'],
  [`t <> all('{a,b}')`, `(all <>(text,text) t {'a','b'}:text[])`],
])('%s', ([condition, text]) => {
  expect(bindCondition(condition ?? '')).toBe(text)
})

test.for([
  ['i between 1 and $1', `(and (>=(int4,int4) i '1':integer) (<=(int4,int4) i $1:integer))`],
  ['i not between 1 and 2', `(or (<(int4,int4) i '1':integer) (>(int4,int4) i '2':integer))`],
  [
    `(i, t) between (1, 'a') and (2, $1)`,
    `(and (row>= (>=(int4,int4) i '1':integer) (>=(text,text) t 'a':text)) (row<= (<=(int4,int4) i '2':integer) (<=(text,text) t $1:text)))`,
  ],
  [
    'i between symmetric 1 and 2',
    `(or (and (>=(int4,int4) i '1':integer) (<=(int4,int4) i '2':integer)) (and (>=(int4,int4) i '2':integer) (<=(int4,int4) i '1':integer)))`,
  ],
  [
    'i not between symmetric 1 and 2',
    `(and (or (<(int4,int4) i '1':integer) (>(int4,int4) i '2':integer)) (or (<(int4,int4) i '2':integer) (>(int4,int4) i '1':integer)))`,
  ],
])('%s is two or four comparisons', ([condition, text]) => {
  expect(bindCondition(condition ?? '')).toBe(text)
})

test('every copy of a subquery before BETWEEN has relations of its own', () => {
  expect(bindCondition('(select x.i from main.r x) between 1 and 2')).toBe(
    `(and (>=(int4,int4) (subquery (select 2.i (from table))) '1':integer) (<=(int4,int4) (subquery (select 3.i (from table))) '2':integer))`,
  )
})

test('BETWEEN inside BETWEEN cannot grow without bound', () => {
  const nested = Array.from({ length: 20 }).reduce<string>(
    (inner) => `(${inner} between b and b)`,
    'b',
  )
  expect(conditionFailure(nested)).toContain('limitExceeded')
})

test.for([
  ['i in (1, 2)', `(in =(int4,int4) i '1':integer '2':integer)`],
  ['i in ($1)', '(=(int4,int4) i $1:integer)'],
  ['i not in (1)', `(<>(int4,int4) i '1':integer)`],
  ['i not in (1, $1)', `(not-in =(int4,int4) i '1':integer $1:integer)`],
  ['$1 in (1, 2)', `(in =(int4,int4) $1:integer '1':integer '2':integer)`],
  [
    'i in (1, 2.5)',
    `(in =(numeric,numeric) (implicit numeric/function i) '1':numeric '2.5':numeric)`,
  ],
  ['i in (i, 1)', `(in =(int4,int4) i i '1':integer)`],
  ['i in (i, 1, r.i, 2)', `(in =(int4,int4) i '1':integer '2':integer i i)`],
  ['i in (s, 1, s)', `(or (=(int4,int2) i s) (=(int4,int4) i '1':integer) (=(int4,int2) i s))`],
  ['i in (1, 2, s)', `(or (in =(int4,int4) i '1':integer '2':integer) (=(int4,int2) i s))`],
  [
    'i not in (1, 2, s)',
    `(and (not-in =(int4,int4) i '1':integer '2':integer) (<>(int4,int2) i s))`,
  ],
  [
    `(i, t) in ((1, 'a'), ($1, $2))`,
    `(or (row= (=(int4,int4) i '1':integer) (=(text,text) t 'a':text)) (row= (=(int4,int4) i $1:integer) (=(text,text) t $2:text)))`,
  ],
  ['(i, t) not in ((1, t))', `(row<> (<>(int4,int4) i '1':integer) (<>(text,text) t t))`],
])('%s', ([condition, text]) => {
  expect(bindCondition(condition ?? '')).toBe(text)
})

test.for([
  ['i = t', 'badRequest 42883: operator does not exist: integer = text (position 30)'],
  ['j = j', '42883: operator does not exist: json = json'],
  ['i', '42804: argument of WHERE must be type boolean, not type integer (position 28)'],
  ['not i', '42804: argument of NOT must be type boolean, not type integer'],
  ['b and t', '42804: argument of AND must be type boolean, not type text'],
  ['i is true', '42804: argument of IS TRUE must be type boolean'],
  ['i in (1, t)', '42883: operator does not exist: integer = text'],
  ['i not in (1, t)', '42883: operator does not exist: integer <> text'],
  ['(i, t) = (1, t, 2)', '42601: unequal number of entries in row expressions'],
  ['(i, j) < (1, j)', '42883'],
  ['(i, t) ~ (1, t)', '42883'],
  ['(i, t) = (select 1)', '42601: subquery has too few columns'],
  ['(i, t) = (select 1, t, 2)', '42601: subquery has too many columns'],
  ['(i, t) = (select t, t)', '42883: operator does not exist: integer = text'],
  ['(select 1, t) = (i, t)', '42601: subquery must return only one column'],
  ['(i, t) between (1, t) and 2', 'unsupported 0A000: a row compared with something else'],
  ['i between (1, t) and (2, t)', 'unsupported 0A000: a row compared with something else'],
  ['((i, 1), t) = ((1, 1), t)', 'unsupported 0A000: a row constructor'],
  ['((select 1), t) in ((1, t), (2, t))', '0A000: a subquery in a row before IN'],
  ['i = any(i)', '42809'],
  ['i operator(pg_catalog.=) 1', 'unsupported 0A000: a schema-qualified operator (pg_catalog.=)'],
  ['i === 1', '42883'],
])('%s is refused', ([condition, failure]) => {
  expect(conditionFailure(condition ?? '')).toContain(failure)
})

test('positions are characters, not bytes', () => {
  expect(bindFailure(`'é€😀' = nosuch()`)).toContain('position 16')
})

test('NULLIF has the type that its first argument is compared as', () => {
  expect(bindText('nullif(i, 1.5)')).toBe(
    `(nullif =(numeric,numeric) (implicit numeric/function i) '1.5':numeric)`,
  )
})
