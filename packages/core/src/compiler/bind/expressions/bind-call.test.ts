import { expect, test } from 'vitest'
import { bindFailure, bindText, conditionFailure } from '../test-support/bind-for-test.ts'

test.for([
  ['lower($1)', '(lower(text) $1:text)'],
  ['round(i, 2)', `(round(numeric,int4) (implicit numeric/function i) '2':integer)`],
  ['pg_catalog.lower(t)', '(lower(text) t)'],
  ['substring(t from 2 for $1)', `(substring(text,int4,int4) t '2':integer $1:integer)`],
  ['trim(both $1 from t)', '(btrim(text,text) t $1:text)'],
  ['position($1 in t)', '(position(text,text) t $1:text)'],
  ['extract(year from d)', `(extract(text,date) 'year':text d)`],
  [`ts at time zone 'UTC'`, `(timezone(text,timestamp) 'UTC':text ts)`],
  ['concat(t, 1, null)', `(concat(any) t '1':integer null:text)`],
  ['int4(n)', '(cast integer/function n)'],
  [`date('2024-01-02')`, `'2024-01-02':date`],
  ['now()', '(requestTime timestamp_with_time_zone)'],
  ['current_date', '(requestTime date)'],
  ['localtimestamp(3)', '(requestTime timestamp(3)_without_time_zone)'],
  ['current_timestamp(9)', '(requestTime timestamp(6)_with_time_zone)'],
  ['clock_timestamp()', '(clock_timestamp())'],
  ['pg_sleep(1)', `(pg_sleep(double precision) '1':double_precision)`],
  [`pg_sleep_for('1 s')`, `(pg_sleep_for(interval) '00:00:01':interval)`],
  ['unnest(ia)', '(unnest(anyarray) ia)'],
  ['pg_typeof(i)', `'integer':text`],
  [`pg_typeof('x')`, `'unknown':text`],
  [
    'pg_typeof(i / 2.5)',
    `(case (when (is-null (/(numeric,numeric) (implicit numeric/function i) '2.5':numeric)) 'numeric':text) (else 'numeric':text))`,
  ],
  ['upper(unnest(ta))', '(upper(text) (unnest(anyarray) ta))'],
  ['array_append(ia, $1)', '(array_append(anycompatiblearray,anycompatible) ia $1:integer)'],
])('%s', ([expression, text]) => {
  expect(bindText(expression ?? '')).toBe(text)
})

test('arguments by name go to their places, with the defaults before them', () => {
  expect(bindText('make_interval(days => $1, years => 2)')).toBe(
    `(make_interval(int4,int4,int4,int4,int4,int4,float8) '2':integer '0':integer '0':integer $1:integer)`,
  )
})

test.for([
  ['to_json(p)', '(to_json(anyelement) (row i=i s=s))'],
  ['row_to_json(p.*)', '(row_to_json(record) (row i=i s=s))'],
  ['row_to_json(main.p.*)', '(row_to_json(record) (row i=i s=s))'],
  ['count(p)', '(count(any) (row i=i s=s))'],
  [`coalesce(json_agg(p), '[]')`, `(coalesce (json_agg(anyelement) (row i=i s=s)) '[]':json)`],
])('%s takes a whole row', ([expression, text]) => {
  expect(bindText(expression ?? '', 'from main.p')).toBe(text)
})

test('a row of a table has the names of its columns, whatever the alias calls them', () => {
  expect(bindText('to_json(q)', 'from main.p q(x, y)')).toBe('(to_json(anyelement) (row i=i s=s))')
  expect(bindText('to_json(q)', 'from (select i, s from main.p) q(x)')).toBe(
    '(to_json(anyelement) (row x=3.c0 s=3.c1))',
  )
})

test.for([
  'r',
  'r is null',
  'r::text',
  'r = r',
  'coalesce(r, r)',
  'array[r]',
  'concat(r)',
  'array_agg(r)',
  'first_value(r) over ()',
  'row(r.*)',
  'count(*) filter (where r is not null)',
])('a whole row is refused in %s', (expression) => {
  expect(bindFailure(expression)).toMatch(/^unsupported 0A000/)
})

test.for([
  ['nosuch(1)', '42883: function nosuch(integer) does not exist (position 8)'],
  ['lower(t, t)', '42883: function lower(text, text) does not exist'],
  ['pg_read_file(t)', '42883'],
  ['set_config(t, t, true)', '42883'],
  ['query_to_xml(t, true, true, t)', '42883'],
  ['currval(t)', 'unsupported 0A000: currval() of anything but a constant'],
  ["currval('s')", '42P01: relation "s" does not exist'],
  ['lastval(1)', 'unsupported 0A000'],
  ["setval('s', 1)", '42P01: relation "s" does not exist'],
  ['nextval(t)', 'unsupported 0A000: nextval() of anything but a constant'],
  ["nextval(distinct 's')", '42809: DISTINCT specified'],
  ["nextval('s')", '42P01: relation "s" does not exist (position 16)'],
  ["nextval('a..b')", '42602: invalid name syntax (position 16)'],
  ["nextval('')", '42602: invalid name syntax'],
  ['version()', '42883'],
  ['pg_typeof(i, i)', '42883'],
  ['pg_typeof($1)', '42P18'],
  ['pg_typeof((i, t))', 'unsupported 0A000: pg_typeof() of a row'],
  ['pg_typeof(distinct i)', '42809: DISTINCT specified'],
  ['json_populate_record(null, j)', '42804: could not determine polymorphic type'],
  [
    'json_populate_record(1, j)',
    '42804: first argument of json_populate_record must be a row type',
  ],
  ['public.lower(t)', 'unsupported 0A000: a schema-qualified function (public.lower)'],
  ['main.pg_catalog.lower(t)', 'unsupported 0A000: a schema-qualified function'],
  ['concat(variadic ta)', 'unsupported 0A000: VARIADIC'],
  ['lower(distinct t)', '42809: DISTINCT specified, but lower is not an aggregate function'],
  ['lower(t order by t)', '42809: ORDER BY specified'],
  ['lower(t) filter (where b)', '42809: FILTER specified'],
  ['lower(t) over ()', '42809: OVER specified, but lower is not a window function'],
  ['now(*)', '42809: now(*) specified, but now is not an aggregate function'],
  ['int4(distinct n)', '42809'],
  ['json_each(j)', 'unsupported 0A000: a row as the result of json_each()'],
  ['current_user', 'unsupported'],
  ['current_schema', 'unsupported'],
  ['make_interval(nosuch => 1)', '42883'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})

test('sets are for SELECT lists, not for conditions', () => {
  expect(conditionFailure('unnest(ia) = 1')).toContain(
    '0A000: set-returning functions are not allowed in WHERE',
  )
})

test.for([
  [`repeat('x', 10000001)`, 'repeat() is limited to 10000000 characters'],
  [`repeat('xx', 5000001)`, 'repeat() is limited'],
  ['lpad(t, 10000001)', 'lpad() is limited'],
  ['rpad(t, 10000001, t)', 'rpad() is limited'],
  [`polygon(100001, circle '<(0,0),1>')`, 'polygon() is limited to 100000 points'],
  ['generate_series(1, 1000001)', 'generate_series() is limited to 1000000 rows'],
  ['generate_series(1000001, 1, -1)', 'generate_series() is limited'],
  ['generate_series(0, 1, 0.0000001)', 'generate_series() is limited'],
  ['generate_series(1, 9223372036854775807)', 'generate_series() is limited'],
])('%s asks for too much', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(`limitExceeded 54000: ${failure}`)
})

test.for([
  `repeat('x', 1000000)`,
  'generate_series(1, 1000000)',
  'generate_series(1, 1000000000, 1000)',
  'generate_series(1, 0)',
  'generate_series(1, $1)',
  'lpad(t, $1)',
])('%s is fine', (expression) => {
  expect(bindFailure(expression)).toBe('no error')
})

test.for([
  ['concat(variadic id)', '42804: VARIADIC argument must be an array'],
  ['lower(variadic array[id])', '42883: function lower('],
  ['max(variadic array[id])', '42883'],
  ["concat(variadic 'a')", '42804: VARIADIC argument must be an array'],
])('%s is refused where arrays may be variadic', ([expression, failure]) => {
  expect(bindFailure(expression ?? '', 'from rows.q')).toContain(failure)
})
