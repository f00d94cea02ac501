import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const jsonConstructors: readonly QueryCase[] = queries('json-constructors', [
  inOrder(
    'build object',
    `select json_build_object('id', id, 'name', name) from {tags} order by id`,
  ),
  inOrder(
    'build array',
    `select json_build_array(id, name, null, true, 1.50) from {tags} order by id`,
  ),
  inOrder(
    'jsonb build',
    `select jsonb_build_object('b', 1, 'a', array_length(array[1], 1)), jsonb_build_array(), json_build_object(), jsonb_build_array(null)`,
  ),
  inOrder(
    'booleans inside',
    `select json_build_object('v', verified, 'r', recommended, 'c', rating > 3, 'n', null::bool) from {reviews} where id < 20 order by id`,
  ),
  inOrder(
    'numerics inside',
    `select json_build_array(unit_price, cost, unit_price * 2, 1.50, 100.00) from {products} order by id`,
  ),
  inOrder('int8 inside', `select json_build_array(total_cents) from {orders} order by id`),
  inOrder(
    'floats inside',
    `select json_build_array(weight_kg, 0.1::float8, 1e20::float8) from {products} order by id`,
  ),
  inOrder(
    'timestamps inside',
    `select json_build_array(order_date, paid_at, shipped_on) from {orders} order by id`,
  ),
  inOrder(
    'samples inside',
    `select json_build_object('ts', c_timestamp, 'tz', c_timestamptz, 'd', c_date, 't', c_time, 'u', c_uuid) from {type_samples} order by id`,
  ),
  inOrder(
    'texts inside',
    `select json_build_array(c_text, c_varchar, c_char) from {type_samples} order by id`,
  ),
  inOrder('bytes inside', `select json_build_array(c_bytea) from {type_samples} order by id`),
  inOrder(
    'json inside',
    `select json_build_object('a', attributes, 'c', attributes -> 'color', 't', attributes ->> 'color') from {products} order by id`,
  ),
  inOrder(
    'json columns inside',
    `select json_build_array(c_json, c_jsonb) from {type_samples} order by id`,
  ),
  inOrder(
    'nested builders',
    `select json_build_object('a', json_build_array(1, json_build_object('b', true)), 'c', json_build_array()) as j`,
  ),
  inOrder(
    'nested through a subquery',
    `select json_build_object('list', (select json_agg(t.name order by t.id) from {tags} t where t.id < 4), 'one', (select json_build_array(1, 2)))`,
  ),
  inOrder(
    'nested through a derived table',
    `select json_build_array(q.j, 1) from (select json_build_object('id', id) as j, id from {tags}) q order by q.id`,
  ),
  inOrder(
    'nested through a CTE',
    `with x as (select id, json_build_array(id, name) as j from {tags}) select json_agg(j order by id) from x`,
  ),
  inOrder(
    'nested through coalesce and case',
    `select json_build_array(coalesce(null::json, json_build_array(1)), case when id = 1 then json_build_object('a', 1) end) from {tags} where id < 3 order by id`,
  ),
  inOrder(
    'json_agg of objects',
    `select c.id, (select json_agg(json_build_object('id', o.id, 'freight', o.freight, 'at', o.order_date) order by o.id) from {orders} o where o.customer_id = c.id) from {customers} c order by c.id`,
  ),
  inOrder(
    'json_agg of a subquery order',
    `select json_agg(q.name) from (select name from {tags} order by name desc) q`,
  ),
  inOrder(
    'json_agg with limit inside',
    `select json_agg(q.id) from (select id from {orders} order by freight desc nulls last, id limit 3) q`,
  ),
  inOrder(
    'coalesce to an empty list',
    `select c.id, coalesce((select json_agg(o.id order by o.id) from {orders} o where o.customer_id = c.id), '[]'::json) from {customers} c order by c.id`,
  ),
  inOrder(
    'coalesce to an untyped empty list',
    `select coalesce(json_agg(id), '[]') from {tags} where false`,
  ),
  inOrder(
    'row_to_json of a row constructor',
    `select row_to_json(row(id, name, null)), to_json((id, 'x')), to_jsonb((name, id > 3)) from {tags} order by id`,
  ),
  inOrder('row_to_json', `select row_to_json(t) from {tags} t order by t.id`),
  inOrder(
    'row_to_json of a star',
    `select row_to_json("t".*) from (select id as "theId", name, id > 3 as big from {tags}) as "t" order by "t"."theId"`,
  ),
  inOrder(
    'row_to_json of a wide row',
    `select row_to_json(o) from {orders} o where o.id < 30 order by o.id`,
  ),
  inOrder(
    'row_to_json of reviews',
    `select row_to_json(r.*) from {reviews} r where r.id < 30 order by r.id`,
  ),
  inOrder(
    'to_json of a row',
    `select to_json(obj) from (select id, company_name, active, credit_limit from {customers}) as obj order by obj.id`,
  ),
  inOrder(
    'to_json of values',
    `select to_json('a"b'::text), to_json(1), to_json(true), to_json(1.50), to_json(null::text), to_jsonb('x'::text), to_jsonb(date '2024-01-31')`,
  ),
  inOrder(
    'to_json of timestamps',
    `select to_json(timestamp '2024-01-31 10:00:00.250'), to_json(timestamptz '2024-01-31 10:00:00.5+00'), to_jsonb(time '10:30')`,
  ),
  inOrder('json_agg of rows', `select json_agg(t order by t.id) from {tags} t where t.id < 4`),
  inOrder(
    'json_agg of row_to_json',
    `select coalesce(json_agg(row_to_json("t".*)), '[]') as r from (select d.id as id, d.name as name from {tags} as d order by d.id desc limit 3) as "t"`,
  ),
  inOrder(
    'json_object_agg of rows',
    `select json_object_agg(status, n order by status) from (select status, count(*) as n from {orders} group by status) q`,
  ),
  inOrder(
    'json_build with parameters',
    `select json_build_object('a', $1::text, 'b', $2::int, 'c', $3::bool, $4::text, 1)`,
    ['x', 5, true, 'key'],
  ),
  inOrder(
    'json as text',
    `select json_build_object('a', 1, 'b', json_build_array(1, 'x'))::text, jsonb_build_object('b', 1, 'a', '{"c":[1,2]}'::jsonb)::text`,
  ),
  inOrder(
    'json_agg as text',
    `select json_agg(id order by id)::text, jsonb_agg(name order by id)::text from {tags} where id < 4`,
  ),
  inOrder(
    'unicode and escapes',
    String.raw`select json_build_array('é😀', E'a\nb\t"\\', '/', chr(8)), to_json(E'\u0001'::text)`,
  ),
  inOrder(
    'json_object from texts',
    `select json_object('{a,1,b,"x y"}'), json_object('{a,b}', '{1,2}')`,
  ),
  inOrder('constructor in where', `select id from {tags} where json_build_array(id)::text = '[3]'`),
  inOrder(
    'json_strip and build',
    `select json_strip_nulls(json_build_object('a', null, 'b', 1, 'c', city)) from {customers} where id < 20 order by id`,
  ),
  inOrder(
    'whole table as one document',
    `select json_build_object('tags', (select json_agg(t order by t.id) from {tags} t), 'categories', (select json_agg(json_build_array(c.id, c.parent_id) order by c.id) from {categories} c))`,
  ),
  anyOrder(
    'json in a union all',
    `select json_build_array(1) as j union all select json_build_array(2)`,
  ),
  onPostgres(
    inOrder('array to json', `select array_to_json(array[1, 2]), to_json(array['a', null])`),
  ),
])
