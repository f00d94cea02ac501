import { describe, expect, test } from 'vitest'
import { bindFailure, bindText, bindTypes } from '../test-support/bind-for-test.ts'

const from = 'from rows.q'
const asPair = '(cast pair/binary (row'

describe('a value of a composite type', () => {
  test.for([
    ['(pr).n', '(field n pr)'],
    ['(q.pr).s', '(field s pr)'],
    ['(prs[1]).s', `(field s (subscript prs '1':integer))`],
    ['(good).n', '(field n good)'],
    [`row(1, 'a')::pair`, `${asPair} '1':integer 'a':text))`],
    ['row($1, $2)::pair', `${asPair} $1:integer $2:text))`],
    [`array[row(1, 'a')]::pair[]`, `(array:pair[] ${asPair} '1':integer 'a':text)))`],
    [`'(1,a)'::pair`, `'(1,a)':pair`],
    [`pr = '(1,a)'`, `(=(pair,pair) pr '(1,a)':pair)`],
    ['pr < row(id, $1::text)', '(<(record,record) (implicit record/binary pr) (row id $1:text))'],
    ['pr is distinct from null', '(distinct =(pair,pair) pr null:pair)'],
    ['row_to_json(pr)', '(row_to_json(record) (implicit record/binary pr))'],
    ['row(pr, prs[1])', `(row pr (subscript prs '1':integer))`],
  ])('%s', ([expression, text]) => {
    expect(bindText(expression ?? '', from)).toBe(text)
  })

  test.for([
    ['(pr).x', '42703: column "x" not found in data type pair'],
    ['(id).x', '42809: column notation .x applied to type integer, which is not a composite type'],
    ['(id).*', '42809: column notation .* applied to type integer'],
    ['row(1)::pair', '42846: cannot cast type record to pair'],
    ['row(1, 2, 3)::pair', '42846'],
    [`row('a', 'b')::pair`, '22P02: invalid input syntax for type integer: "a"'],
    ['(1, 2)::integer', '42846: cannot cast type record to integer'],
    [`'(1,2)'::record`, '0A000: a literal of type record'],
    ['$1::record', '42P18'],
  ])('%s is refused', ([expression, message]) => {
    expect(bindFailure(expression ?? '', from)).toContain(message)
  })

  test('has one column for each attribute', () => {
    expect(bindTypes('(pr).*', from)).toBe('integer')
    expect(bindText('row((pr).*)', from)).toBe('(row (field n pr) (field s pr))')
    expect(bindText('x.s', 'from rows.q, unnest(prs) x')).toBe('2.c1')
  })
})

describe('a row of a table as a type', () => {
  test('has the names and the types of the columns', () => {
    expect(bindText('null::q', from)).toBe('null:record')
    expect(bindText('q::rows.q', from)).toBe('(row id=id j=j pr=pr prs=prs good=good)')
    expect(bindText(`row(1, '{}', row(2, 'a'), null, null)::q`, from)).toBe(
      `(row '1':integer '{}':json ${asPair} '2':integer 'a':text)) null:pair[] null:good_pair)`,
    )
    expect(bindText(`(row(q.*)::q).j`, from)).toBe('j')
  })

  test.for([
    ['row(1)::q', '42846: cannot cast a row of 1 fields to one of 5'],
    [`row('a', null, null, null, null)::q`, '22P02: invalid input syntax for type integer: "a"'],
    ['id::q', '42846: cannot cast type integer to a row of a table'],
    ['row_to_json(row(q.*)::q)', '0A000: JSON of a computed row'],
    [`'(1,,,,)'::q`, '0A000: a cast of this value to a row of a table'],
    ['$1::q', '0A000: a cast of this value to a row of a table'],
    ['null::q[]', '0A000: an array of rows of a table as a type'],
    ['null::nosuch', '42704: type "nosuch" does not exist'],
    ['null::main.r', '42704: type "main.r" does not exist'],
    ['json_populate_record(null::q, j)', '0A000: a row of a table as the first argument'],
    ['null::r', '0A000: a row of a table as a type', 'from main.p'],
  ])('%s is refused', ([expression, message, item = from]) => {
    expect(bindFailure(expression ?? '', item)).toContain(message)
  })
})

describe('rows as values', () => {
  const whole = '(row id=id j=j pr=pr prs=prs good=good)'
  test.for([
    ['q', whole],
    ['q.*::text', `(cast text/inout ${whole})`],
    ['q is null', `(is-null ${whole})`],
    ['(q).id', 'id'],
    ['(q.*).id', 'id'],
    ['(row(id, 2)).f2', `'2':integer`],
    [
      'row(q.*) is null',
      '(and (is-null id) (is-null j) (is-null pr) (is-null prs) (is-null good))',
    ],
    ['array_agg(q)', `(array_agg(anynonarray) ${whole})`],
    ['row(id)::record', '(row id)'],
    ['null::record', 'null:record'],
    ['q *<> null', `(*<>(record,record) ${whole} null:record)`],
    ['count(distinct (id, 1))', `(count(any) distinct (row id '1':integer))`],
    ['json_agg((id, pr))', '(json_agg(anyelement) (row id pr))'],
    ['coalesce(q, null)', `(coalesce ${whole} null:record)`],
    [
      '(1, 2) = any(array[(id, 3)])',
      `(any =(record,record) (row '1':integer '2':integer) (array:_record (row id '3':integer)))`,
    ],
  ])('%s', ([expression, text]) => {
    expect(bindText(expression ?? '', from)).toBe(text)
  })

  test.for([
    ['q = q', '42883: could not identify an equality operator for type json'],
    ['row(j) < row(j)::record', '42883: could not identify a comparison function for type json'],
    ['row(1, 2) *= row(id)', '42601: unequal number of entries in row expressions'],
    [
      'pr *< row(1)::record',
      '42804: cannot compare record types with different numbers of columns',
    ],
    [
      `pr *= row('a', 'b')::record`,
      '42804: cannot compare dissimilar column types integer and text',
    ],
    ['row() = row()', '0A000: cannot compare rows of zero length'],
    ['jsonb_populate_record(q, null)', '0A000: a row of a table as the first argument'],
    ['array[(id, 1)] = array[(id, 1.5)]', '42804: cannot compare dissimilar column types'],
    ['array[(id, 1)] || array[q]', '0A000: operator || of rows whose fields differ'],
    [
      '(select q from rows.q) = (1, 2)',
      '42804: cannot compare record types with different numbers of columns',
    ],
    [
      `nullif((id, 1), (id, 'a'))`,
      '42804: cannot compare dissimilar column types integer and text at record column 2',
    ],
    ['coalesce(q, (1, 2))', '0A000: COALESCE of rows whose fields differ is not supported'],
    [
      'row_to_json(x.r)',
      '0A000: JSON of a computed row is not supported',
      'from (select q as r from rows.q) x',
    ],
    [
      '(lag(q) over ()).id',
      '0A000: a field of a row that a function of several rows makes is not supported',
    ],
    ['(x.r).nosuch', '42703: could not identify column', 'from (select q as r from rows.q) x'],
    ['text(q)', '42883: function text(record) does not exist'],
    ['pg_typeof(q)', '0A000: pg_typeof() of a row'],
    ['greatest(q, q)', '42883: could not identify a comparison function for type record'],
    ['q from rows.q group by q', '42883: could not identify an equality operator for type json'],
    ['distinct q', '42883: could not identify an equality operator for type json'],
  ])('%s is refused', ([expression, message, item = from]) => {
    expect(
      bindFailure(expression ?? '', (expression ?? '').includes(' from rows.q group') ? '' : item),
    ).toContain(message)
  })

  test('fields of a computed row are read by a definition list', () => {
    const item = 'from (select (id, pr) as r from rows.q) x'
    expect(bindText('(x.r).f1', item)).toMatch(/^\(subquery/)
    expect(bindTypes('(x.r).f2', item)).toBe('pair')
    expect(bindTypes('((x.r).f2).s', item)).toBe('text')
    expect(bindTypes('(case when true then q end).pr', from)).toBe('pair')
  })

  test.for([
    ["unnest(array[row(1, 'a'::text)]) as t(a int, b text)", 'text'],
    ['unnest(array[row(1, row(2))]) as t(a int, b record)', 'record'],
  ])('%s', ([item, types]) => {
    expect(bindTypes('t.b', `from rows.q, ${item}`)).toBe(types)
  })

  test.for([
    ['unnest(array[row(1)]) as t(a int, b text)', '42804: function return row and query-specified'],
    ['unnest(array[row(1)]) as t(a text)', '42804'],
    ['unnest(array[row(1)])', '42601: a column definition list is required'],
    ['unnest(array[1]) as t(a int)', '42601: a column definition list is only allowed'],
    ['unnest(array[row(1)]) with ordinality as t(a int)', '42601: WITH ORDINALITY'],
  ])('%s is refused', ([item, message]) => {
    expect(bindFailure('1', `from rows.q, ${item}`)).toContain(message)
  })

  test('a row that is called f1, f2 has its names in the database', () => {
    expect(bindText('to_json(x.r)', 'from (select (id, 1) as r from rows.q) x')).toBe(
      '(to_json(anyelement) 3.c0)',
    )
  })
})

test('a star in a row stands for all columns, on every database', () => {
  expect(bindText('(1, 2) = row(p.*)', 'from main.p')).toBe(
    `(row= (=(int4,int4) '1':integer i) (=(int4,int2) '2':integer s))`,
  )
  expect(bindText('(p).s', 'from main.p')).toBe('s')
  expect(bindFailure('(1, 2, 3) = row(p.*)', 'from main.p')).toContain(
    'unequal number of entries in row expressions',
  )
  expect(bindFailure('*', 'from main.p, lateral (values (p.*)) v')).toContain('a star in VALUES')
})
