import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

const inAnyDatabase = [
  inOrder(
    'keys of a row of a table with column aliases',
    `select row_to_json(t), json_build_array(t) from {tags} t(a, b) where a = 4`,
  ),
  inOrder(
    'keys of rows with column aliases that are not of a table',
    `with w as (select 1 as a, 2 as b) select to_json(s), to_json(w), to_json(v)
      from (select 1 as a, 2 as b) s(x), w w(y), (values (1, 2)) v(p, q)`,
  ),
  inOrder(
    'keys of aggregated rows of a table with column aliases',
    `select json_agg(t) from {tags} t(a, b) where a = 4`,
  ),
  inOrder(
    'a column of a row',
    `select (t).name, (t).id + 1 from {tags} t where (t).id < 4 order by (t).id`,
  ),
  inOrder(
    'a row constructor with all columns',
    `select id from {memberships} m where row(m.*) = row(m.*) order by id`,
  ),
  inOrder(
    'all columns in a comparison',
    `select t.id from {tags} t where (t.id, t.name) = row(t.*) and row(t.*) is not null order by t.id`,
  ),
  inOrder(
    'all columns in a list',
    `select t.id from {tags} t, {tags} u where u.id = 3 and row(t.*) in (row(u.*), (4, 'x')) order by 1`,
  ),
  inOrder(
    'rows of a table from JSON',
    `select * from json_populate_recordset(null::{tags}, '[{"id": 1, "name": "a"}, {"name": null, "other": 1}, {"id": "2"}]') order by id nulls last`,
  ),
  inOrder(
    'a row of a table from JSON',
    `select r.* from jsonb_populate_record(null::{tags}, $1) r`,
    ['{"id": 7, "name": {"a": 1}}'],
  ),
  inOrder(
    'rows of a table changed by JSON',
    `select t.id, r.* from {tags} t, json_populate_record(t, '{"id": 7}') r where t.id < 4 order by t.id`,
  ),
  inOrder(
    'all columns of a subquery',
    `select s.id from (select id, name from {tags}) s where row(s.*) <> (2, 'x') and (s.id, s.name) < row(s.id + 1, s.name) order by 1`,
  ),
]

const wholeRows = [
  inOrder('whole rows', `select t, t.*::text, t::text from {tags} t where id < 5 order by id`),
  inOrder(
    'a row constructor of all columns',
    `select row(t.*), row(t.*, 1) from {tags} t where id < 5 order by id`,
  ),
  inOrder(
    'aggregated rows',
    `select array_agg(t order by id), count(t), count(distinct t) from {tags} t where id < 5`,
  ),
  inOrder(
    'nulls of rows',
    `select t is null, t is not null, t is distinct from null from {tags} t where id < 5 order by id`,
  ),
  inOrder(
    'compared rows',
    `select t = u, t < u, t >= u, t is distinct from u, nullif(t, u) from {tags} t, {tags} u where t.id < 4 and u.id < 4 order by t.id, u.id`,
  ),
  inOrder(
    'coalesced rows',
    `select coalesce(t, u), greatest(t, u) from {tags} t, {tags} u where t.id < 3 and u.id < 3 order by t.id, u.id`,
  ),
  inOrder(
    'rows of an outer join',
    `select o.id, t, t is null, count(t) over () from {orders} o left join {tags} t on t.id = o.id and t.id < 3 where o.id < 5 order by o.id`,
  ),
  inOrder(
    'rows of a subquery',
    `select s, s.x from (select t as x, id from {tags} t where id < 4) s order by s.id`,
  ),
  inOrder(
    'rows of a WITH query',
    `with w as (select t from {tags} t where id < 4) select w, w.t from w order by 1`,
  ),
  inOrder('rows sorted', `select id from {tags} t order by t desc`),
  inOrder('rows sorted by a row', `select id from {tags} order by (name, id) desc`),
  inOrder(
    'rows grouped',
    `select t, count(*) from {tags} t, {orders} o where t.id < 4 group by t order by t`,
  ),
  inOrder(
    'rows grouped by a row',
    `select (status, customer_id % 2), count(*) from {orders} group by 1 order by 1`,
  ),
  inOrder('distinct rows', `select distinct (status, customer_id % 2) from {orders} order by 1`),
  inOrder(
    'a union of rows',
    `select t from {tags} t where id < 4 union select u from {tags} u where id < 6 order by 1`,
  ),
  inOrder(
    'window functions of rows',
    `select lag(t) over (order by id), first_value(t) over (order by id) from {tags} t where id < 5 order by id`,
  ),
  inOrder(
    'rows in functions',
    `select concat(t), format('%s', t), num_nulls(t) from {tags} t where id < 4 order by id`,
  ),
  inOrder(
    'arrays of rows',
    `select array[t, t], array(select u from {tags} u where u.id < 3 order by u.id) from {tags} t where id < 3 order by id`,
  ),
  inOrder('unnested rows', `select unnest(array[t]) from {tags} t where id < 4 order by 1`),
  inOrder(
    'a row in a list of rows',
    `select id from {tags} t where t in (select u from {tags} u where id < 4) order by id`,
  ),
  inOrder(
    'a row compared with a subquery',
    `select id from {tags} t where t = (select u from {tags} u where id = 3)`,
  ),
  inOrder(
    'any of an array of rows',
    `select id from {tags} where (id, 1) = any(array[(2, 1), (4, 1), (5, 2)]) order by id`,
  ),
  inOrder(
    'rows in CASE',
    `select case when id = 1 then t end, case t when t then 1 end from {tags} t where id < 4 order by id`,
  ),
  inOrder(
    'JSON of rows of rows',
    `select to_json(x.r), json_agg((id, x.r)) from (select id, (id, name) as r from {tags} where id < 3) x group by x.r order by x.r`,
  ),
  inOrder(
    'line breaks in JSON of rows',
    `select row_to_json(t, true)::text, json_agg(u order by u.id)::text, json_agg(distinct u)::text, json_agg(u) filter (where u.id > 9)::text from {tags} t left join {tags} u on u.id < t.id where t.id < 4 group by t.id, t.name order by 1`,
  ),
  inOrder(
    'line breaks in a window',
    `select id, (json_agg(t) over (order by id rows 1 preceding))::text from {tags} t where id < 4 order by id`,
  ),
  inOrder('count of distinct pairs', `select count(distinct (status, customer_id)) from {orders}`),
  inOrder(
    'a record of a function',
    `select (jsonb_each_text('{"a": 1, "b": 2}')).*, id from {tags} where id = 1 order by 1`,
  ),
]

const rowTypes = [
  inOrder(
    'fields of a computed row',
    `select (s.t).id, (s.t).name, (case when true then s.t end).* from (select t from {tags} t where id < 4) s order by (s.t).id`,
  ),
  inOrder(
    'fields of rows of other rows',
    `select (x.l).name, (x.r).f1, (x.a[1]).id from (select lag(t) over (order by id) as l, row(1, row(id)) as r, array[t] as a, id from {tags} t where id < 4) x order by x.id`,
  ),
  inOrder(
    'records with a column definition list',
    `select t.id, q.*, q.c = row(1) from {tags} t, unnest(array[row(t.id, t.name, row(1))]) as q(a int, b text, c record) where t.id < 4 order by t.id`,
  ),
  inOrder(
    'a row with the type of a table',
    `select row(t.id, 'x')::{tags}, (row(t.id, 'x')::{tags}).name, t = row(t.*)::{tags}, t is distinct from null::{tags} from {tags} t where id < 4 order by id`,
  ),
]

const composites = [
  inOrder('fields', `select id, (home).street, (p.home).zip from {pg_only} p order by id`),
  inOrder('all fields', `select id, (home).* from {pg_only} order by id`),
  inOrder(
    'fields in conditions',
    `select id from {pg_only} where (home).zip > '01' and home is not null order by (home).street desc`,
  ),
  inOrder(
    'grouped by a field',
    `select (home).street, count(*) from {pg_only} group by (home).street order by 1 nulls first`,
  ),
  inOrder(
    'nulls',
    `select id, home is null, home is not null, home is distinct from null, (home).zip is null from {pg_only} order by id`,
  ),
  inOrder(
    'casts',
    `select '(a,"b c")'::main.address, row('a', 1)::main.address, (row('a', 'b')::main.address).zip, home::text, home::text::main.address from {pg_only} where id = 1`,
  ),
  inOrder(
    'a cast cuts a field',
    `select row('a', '12345678901234')::main.address from {pg_only} where id = 1`,
  ),
  inOrder(
    'parameters',
    `select $1::main.address, row($2, $3)::main.address from {pg_only} where id = 1`,
    ['(x,y)', 'p', 'q'],
  ),
  inOrder(
    'compared',
    `select id, home = row('Main St', '0123')::main.address, home < row('M', 'x')::main.address from {pg_only} order by id`,
  ),
  inOrder(
    'in a list',
    `select id from {pg_only} where home in (row('B', '9')::main.address, '(Main St,0123)'::main.address) order by id`,
  ),
  inOrder('sorted', `select id from {pg_only} order by home, id`),
  inOrder('grouped', `select home, count(*) from {pg_only} group by home order by home`),
  inOrder(
    'arrays',
    `select array_agg(home order by id), (array_agg(home order by id))[1], array[row('a', 'b')]::main.address[] from {pg_only}`,
  ),
  inOrder(
    'an array is unnested into columns',
    `select u.zip, u.street, x.n from {pg_only} p, unnest(array[p.home]) u(street, zip), unnest(array[p.home]) with ordinality x(a, b, n) where p.id < 3 order by p.id`,
  ),
  inOrder(
    'JSON',
    `select to_json(home), to_jsonb(home), row_to_json(home), json_agg(home) over (order by id) from {pg_only} order by id`,
  ),
  inOrder(
    'compared by bytes',
    `select id, home *= row('Main St', '0123')::main.address, home *< row('M', 'x')::main.address, home *<> home from {pg_only} order by id`,
  ),
  inOrder(
    'read from JSON',
    `select p.id, q.zip, q.street from {pg_only} p, json_populate_record(p.home, '{"zip": 12}') q order by p.id`,
  ),
  inOrder(
    'read from JSON in the select list',
    `select id, jsonb_populate_record(null::main.address, '{"street": {"a": 1}}'), (json_populate_recordset(home, '[{}, {"zip": null}]')).* from {pg_only} where id < 3 order by 1, 4 nulls first`,
  ),
  inOrder(
    'read from JSON with a column definition list',
    `select q.* from json_to_record('{"n": [[1, 2], [3, null]], "h": {"zip": "9"}, "T": [{"street": "b"}]}') as q(n int[], h main.address, "T" main.address[], z text[])`,
  ),
  inOrder(
    'read from JSON with values for absent keys',
    `select p.id, q.* from {pg_only} p, jsonb_populate_recordset(row(p.id, 'none'::text), '[{"f2": "a"}, {"f1": 7, "f2": null}]') as q(a int, b text) order by 1, 2`,
  ),
  inOrder('in rows', `select (id, home), row(home, home) from {pg_only} where id < 3 order by id`),
  inOrder(
    'coalesced',
    `select coalesce(home, row('none', null)::main.address) from {pg_only} order by id`,
  ),
  inOrder(
    'bounds of arrays',
    `select '[0:1]={1,2}'::int[], array_dims('[2:3][0:0]={{a},{b}}'::text[]), ('[-1:0]={x,y}'::text[])[0] from {pg_only} where id = 1`,
  ),
  inOrder(
    'bounds of a parameter',
    `select id, array_lower($1::int[], 1), numbers = $1 from {pg_only} where id < 3 order by id`,
    ['[0:1]={1,2}'],
  ),
]

/** Rows as values: whole rows, row constructors, and composite types. */
export const rowValues: readonly QueryCase[] = queries('row-values', [
  ...inAnyDatabase,
  ...[...wholeRows, ...rowTypes, ...composites].map(onPostgres),
])
