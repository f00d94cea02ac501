import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

/** Functions that return rows: side by side, in a select list, with columns that the statement defines. */
export const functionRows: readonly QueryCase[] = queries('function-rows', [
  inOrder(
    'recordset of literals',
    `select * from jsonb_to_recordset('[{"a": 2, "b": "x", "c": {"d": [1]}}, {"a": "1", "b": null}, {}]') as t(a int, b text, c jsonb) order by a`,
  ),
  anyOrder(
    'recordset of a parameter',
    'select l.sku, sum(l.qty) from jsonb_to_recordset($1) as l(sku text, qty int) group by l.sku',
    [
      [
        { sku: 'a', qty: 1 },
        { sku: 'b', qty: 5 },
        { sku: 'a', qty: 2 },
      ],
    ],
  ),
  inOrder(
    'recordset of every type',
    `select * from json_to_recordset('[{"a": true, "b": 1.5, "c": "2024-01-01T10:00:00", "d": "10:11", "e": "abc", "f": null, "g": 12345678901234, "h": 1.255}]') as t(a bool, b float8, c timestamp, d time, e varchar(5), f jsonb, g bigint, h numeric(5,2))`,
  ),
  inOrder('record of nothing', 'select * from json_to_record(null) as t(a int, b text)'),
  inOrder(
    'record of a column',
    `select p.id, x.color, x.weight from {products} p left join lateral jsonb_to_record(p.attributes) as x(color text, weight numeric) on jsonb_typeof(p.attributes) = 'object' where p.id < 9 and (p.attributes is null or jsonb_typeof(p.attributes) = 'object') order by p.id`,
  ),
  inOrder(
    'recordset joined to a table',
    'select t.name, l.n from {tags} t join jsonb_to_recordset($1::jsonb) as l(id int, n text) on l.id = t.id order by t.id',
    [
      [
        { id: 1, n: 'one' },
        { id: 3, n: 'three' },
        { id: 99, n: 'none' },
      ],
    ],
  ),
  inOrder(
    'recordset as whole rows',
    `select row_to_json(t) from jsonb_to_recordset('[{"a": 1, "b": "x"}]') as t(a int, b text)`,
  ),
  inOrder(
    'rows from',
    `select * from rows from (generate_series(1, 3), unnest(array['a', 'b'])) with ordinality as t(a, b, n) order by n`,
  ),
  inOrder(
    'several arrays joined to a table',
    'select t.name, u.q from {tags} t join unnest($1::int[], $2::text[]) as u(id, q) on u.id = t.id order by t.id',
    [
      [1, 2],
      ['x', 'y'],
    ],
  ),
  inOrder(
    'several arrays as whole rows',
    `select json_agg(u order by u.a) from unnest(array[2, 1], array['x', 'y']) as u(a, b)`,
  ),
  anyOrder(
    'several sets in a select list',
    `select unnest(array[1, 2]), unnest(array['a', 'b', 'c'])`,
  ),
  anyOrder('several series', 'select generate_series(1, 10, 3), generate_series(5, 1, -2) + 1'),
  inOrder(
    'several sets in a subquery',
    'select t.name, u.q from {tags} t join (select unnest($1::int[]) as id, unnest($2::text[]) as q) u on u.id = t.id order by t.id',
    [
      [1, 2],
      ['x', 'y'],
    ],
  ),
  anyOrder('set as a count', `select repeat('ab', generate_series(1, 3)), 1`),
  anyOrder('set as a length', `select lpad('x', generate_series(1, 3), '-')`),
  inOrder(
    'documents in an array',
    `select array_agg(attributes order by id), array_agg(attributes -> 'color' order by id) from {products} where id < 6`,
  ),
  inOrder(
    'array of documents',
    `select array[attributes, '{"a": 1}', '"s"', null] from {products} where id < 6 order by id`,
  ),
  inOrder(
    'documents of a subquery as an array',
    `select array(select jsonb_build_object('n', t.name) from {tags} t where t.id < 4 order by t.id)`,
  ),
  inOrder(
    'branches of documents',
    `select id, case when id = 1 then attributes -> 'color' else to_jsonb(name) end, coalesce(attributes -> 'nope', to_jsonb(id)) from {products} where id < 6 order by id`,
  ),
  inOrder(
    'names of types',
    `select pg_typeof(id), pg_typeof(name), pg_typeof(unit_price * 2), pg_typeof(attributes -> 'a'), pg_typeof('x'), pg_typeof(null), pg_typeof(array[1]), pg_typeof(released_on - released_on) from {products} where id < 3 order by id`,
  ),
  inOrder('type of an aggregate', 'select pg_typeof(count(*)), pg_typeof(avg(id)) from {tags}'),
  onPostgres(
    inOrder(
      'ranks of rows that are not there',
      `select rank(3) within group (order by rating), dense_rank(3) within group (order by rating desc), percent_rank(3) within group (order by rating), cume_dist(3.5) within group (order by rating) from {reviews}`,
    ),
  ),
  onPostgres(
    inOrder(
      'ranges',
      `select '[1,5)'::int4range && int4range(4, 8), int4range(1, 5) * int4range(3, 9), daterange('2024-01-01', '2024-02-01') @> date '2024-01-15', range_merge('[1,2)'::int4range, '[5,6)'), isempty('empty'::int4range)`,
    ),
  ),
  onPostgres(
    anyOrder(
      'full text search of a column',
      `select id from {tags} where to_tsvector('simple', name) @@ plainto_tsquery('simple', $1)`,
      ['gift'],
    ),
  ),
  onPostgres(
    inOrder(
      'networks',
      `select inet '10.0.0.1' << cidr '10.0.0.0/8', host(inet '10.0.0.1/8'), masklen(cidr '10.0.0.0/8'), network(inet '10.1.2.3/8'), inet '10.0.0.1' + 5`,
    ),
  ),
])

/** Texts of numbers and dates in forms that users write. */
export const spelledValues: readonly QueryCase[] = queries('spelled-values', [
  inOrder(
    'months by name',
    `select 'January 8, 1999'::date, '8-Jan-1999'::date, '1999 Jan 8'::date, 'Fri 8 Sept 2023'::date, 'Jan 8 1999 04:05 PM'::timestamp`,
  ),
  inOrder(
    'today and its neighbours',
    `select 'tomorrow'::date - 'yesterday'::date, 'today'::date = current_date, 'now'::timestamptz = now(), 'today'::timestamp = current_date`,
  ),
  inOrder(
    'last day of the month',
    `select id, (date_trunc('month', order_date) + interval '1 month - 1 day')::date from {orders} where id < 9 order by id`,
  ),
  inOrder(
    'to_char of numbers',
    `select id, to_char(unit_price, 'FM999,990.00'), to_char(unit_price, '$9,999.99'), to_char(units_in_stock, '0000'), to_char(weight_kg, '990.99'), to_char(-cost, 'FM9990.0') from {products} where id < 12 order by id`,
  ),
  inOrder(
    'to_char beyond its places',
    `select to_char(1234, '99'), to_char(12.345, '9.9'), to_char(0.5, '9.99'), to_char(-0.1, '99.99'), to_char(0, '999'), to_char(485, '9 9 9')`,
  ),
])
