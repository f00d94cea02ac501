import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const casts: readonly QueryCase[] = queries('casts', [
  inOrder(
    'text to int',
    `select '12'::int, ' 12 '::int, '-5'::int, '+7'::int, cast('0012' as integer), int '3'`,
  ),
  inOrder(
    'text column to int',
    `select label, c_text::int from {type_samples} where label in ('zero', 'one', 'minus one', 'tiny float') order by id`,
  ),
  inOrder('text to int8', `select '9223372036854775807'::bigint, '-9223372036854775808'::int8`),
  inOrder(
    'text to numeric',
    `select '1.50'::numeric, ' -2.5e2 '::numeric, '1.239'::numeric(10,2), '.5'::numeric, '5.'::numeric`,
  ),
  inOrder(
    'text column to numeric',
    `select label, c_text::numeric from {type_samples} where label in ('zero', 'half up', 'exponents', 'binary trap') order by id`,
  ),
  inOrder(
    'text to float',
    `select '1.5'::float8, '1e3'::float8, ' 2 '::float8, '.5'::double precision`,
  ),
  inOrder(
    'text to bool',
    `select 't'::bool, 'yes'::bool, 'on'::bool, '1'::bool, 'f'::bool, 'no'::bool, 'off'::bool, '0'::bool, ' TRUE '::bool, 'fal'::bool`,
  ),
  inOrder(
    'text column to bool',
    `select label, c_text::bool from {type_samples} where label in ('zero', 'one') order by id`,
  ),
  inOrder('int to bool', `select 1::bool, 0::bool, (-5)::bool`),
  inOrder(
    'bool to int',
    `select true::int, false::int, (1 = 1)::int, verified::int from {reviews} where id = 1`,
  ),
  inOrder(
    'sum of a bool as int',
    `select sum(verified::int), sum((rating > 3)::int) from {reviews}`,
  ),
  inOrder('bool to text', `select true::text, false::text, null::bool::text, (1 = 2)::text`),
  inOrder(
    'bool column to text',
    `select id, recommended::text, verified || '' from {reviews} where id < 10 order by id`,
  ),
  inOrder(
    'int to text',
    `select 5::text, (-5)::text, 9223372036854775807::text, id::text from {tags} where id = 3`,
  ),
  inOrder('numeric to int rounds', `select 2.5::int, 3.5::int, (-2.5)::int, 1.4999::int, 0.5::int`),
  inOrder(
    'float to int rounds to even',
    `select 2.5::float8::int, 3.5::float8::int, (-2.5)::float8::int, 0.5::float8::int, 1.5::float8::int`,
  ),
  inOrder(
    'numeric column to int',
    `select id, unit_price::int, unit_price::bigint from {products} order by id`,
  ),
  inOrder('float column to int', `select id, weight_kg::int from {products} order by id`),
  inOrder(
    'numeric to float',
    `select 1.50::float8, 0.1::float8, unit_price::float8 from {products} where id < 5 order by id`,
  ),
  inOrder(
    'float to numeric',
    `select 0.1::float8::numeric, 1.5::float8::numeric(6,3), 123.456::float8::numeric(5,1)`,
  ),
  inOrder(
    'int to numeric',
    `select 5::numeric, 5::numeric(5,2), id::numeric(6,1) from {tags} where id = 4`,
  ),
  inOrder(
    'text to date',
    `select '2024-02-29'::date, '20240131'::date, ' 2024-1-5 '::date, '2024-02-29 10:00:00'::date`,
  ),
  inOrder(
    'text to timestamp',
    `select '2024-02-29 10:30'::timestamp, '2024-02-29T10:30:00.5'::timestamp, '2024-02-29'::timestamp`,
  ),
  inOrder(
    'text to timestamptz',
    `select '2024-02-29 10:30:00+02'::timestamptz, '2024-02-29 10:30'::timestamptz`,
  ),
  inOrder(
    'timestamp to date',
    `select id, order_date::date, cast(order_date as date) from {orders} where id < 20 order by id`,
  ),
  inOrder(
    'date to timestamp',
    `select date '2024-02-29'::timestamp, shipped_on::timestamp from {orders} where shipped_on is not null order by id limit 5`,
  ),
  inOrder(
    'timestamp to text',
    `select id, order_date::text, shipped_on::text from {orders} where id < 20 order by id`,
  ),
  inOrder(
    'timestamptz to text',
    `select id, paid_at::text from {orders} where id < 20 order by id`,
  ),
  inOrder(
    'timestamp to time',
    `select timestamp '2024-02-29 10:30:00.5'::time, order_date::time from {orders} where id < 5 order by id`,
  ),
  inOrder(
    'timestamp to timestamptz',
    `select timestamp '2024-02-29 10:30:00'::timestamptz, timestamptz '2024-02-29 10:30:00+02'::timestamp`,
  ),
  inOrder(
    'text to uuid',
    `select 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid, '{a0eebc999c0b4ef8bb6d6bb9bd380a11}'::uuid`,
  ),
  inOrder('uuid to text', `select c_uuid::text from {type_samples} where id < 8 order by id`),
  inOrder('text to json', `select '{"a":1}'::json -> 'a', '[1,2]'::jsonb -> 1`),
  inOrder(
    'jsonb to text',
    `select '{"b":1,"a":[1,2]}'::jsonb::text, '[1, 2,3]'::jsonb::text, '{}'::jsonb::text, '"x"'::jsonb::text, '1.50'::jsonb::text`,
  ),
  inOrder('json to text keeps the spelling', `select '{"b":1, "a" :2}'::json::text`),
  inOrder('jsonb column to text', `select id, attributes::text from {products} order by id`),
  inOrder(
    'jsonb to scalars',
    `select '5'::jsonb::int, '1.50'::jsonb::numeric, 'true'::jsonb::bool, '2.5'::jsonb::float8`,
  ),
  inOrder(
    'cast syntax',
    `select cast(1 as text), 1::text::int::numeric(5,1), cast('1' as int) + 1`,
  ),
  inOrder(
    'null of every type',
    `select null::int, null::text, null::bool, null::numeric, null::date, null::timestamp, null::jsonb, null::uuid, null::bytea`,
  ),
  inOrder(
    'type names',
    `select 1::int2, 1::smallint, 1::int4, 1::integer, 1::int8, 1::bigint, 1::decimal(5,1), 1::float, 1::real, 'a'::character varying, 'a'::varchar(5), 'a'::character(2), true::boolean`,
  ),
  inOrder(
    'cast in conditions',
    `select id from {orders} where total_cents::text like '%99' order by id`,
  ),
  inOrder('cast in order by', `select id from {tags} order by id::text, id`),
  onPostgres(inOrder('cast to interval', `select '1 day'::interval, '02:00'::interval`)),
  onPostgres(inOrder('cast to regclass', `select 'a'::name, '{1,2}'::int[]`)),
])
