import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

/** Types and features that only PostgreSQL has, over the table pg_only. */
export const postgresOnly: readonly QueryCase[] = queries(
  'postgres-only',
  [
    inOrder(
      'arrays on the wire',
      `select id, numbers, names, amounts, flags, days, stamps, grid from {pg_only} order by id`,
    ),
    inOrder(
      'enum and domain',
      `select id, current_mood, moods, positive from {pg_only} order by id`,
    ),
    inOrder('enum order', `select id, current_mood from {pg_only} order by current_mood, id`),
    inOrder('enum compared', `select id from {pg_only} where current_mood = $1 order by id`, [
      'happy',
    ]),
    inOrder('enum greater', `select id from {pg_only} where current_mood > 'sad' order by id`),
    inOrder(
      'enum in a list',
      `select id from {pg_only} where current_mood in ($1, $2) order by id`,
      ['ok', 'sad'],
    ),
    inOrder('float4', `select id, f4, f4::float8, f4::text from {pg_only} order by id`),
    inOrder('float specials', `select id, f8, any_numeric from {pg_only} order by id`),
    inOrder('float specials in order', `select id from {pg_only} order by f8, id`),
    inOrder(
      'unconstrained numeric',
      `select any_numeric, any_numeric + 1, round(any_numeric, 1) from {pg_only} where id in (1, 2, 5) order by id`,
    ),
    inOrder(
      'interval, timetz, inet, bits',
      `select id, span, clock, address, network, bits from {pg_only} order by id`,
    ),
    inOrder(
      'infinite and ancient stamps',
      `select id, stamp, stamp_any from {pg_only} order by id`,
    ),
    inOrder(
      'xml, composite, point and range as text',
      `select id, document, home, spot, during from {pg_only} order by id`,
    ),
    inOrder('generated column', `select id, computed from {pg_only} order by id`),
    inOrder('array contains', `select id from {pg_only} where numbers @> $1 order by id`, [[1]]),
    inOrder('array contains text form', `select id from {pg_only} where names @> $1 order by id`, [
      '{"a"}',
    ]),
    inOrder(
      'array contained and overlap',
      `select id from {pg_only} where numbers <@ array[1, 2, 3] and numbers && array[3] order by id`,
    ),
    inOrder('any of a column', `select id from {pg_only} where $1 = any(names) order by id`, ['a']),
    inOrder(
      'array subscript and length',
      `select id, numbers[1], names[2], array_length(numbers, 1), cardinality(names) from {pg_only} order by id`,
    ),
    inOrder('array slices', `select id, numbers[1:2], grid[1][1] from {pg_only} order by id`),
    inOrder(
      'array functions',
      `select id, array_append(numbers, 9), array_remove(numbers, 1), array_position(names, 'a'), array_to_string(names, ',', '*') from {pg_only} order by id`,
    ),
    inOrder(
      'array equality and order',
      `select id from {pg_only} where numbers = array[1, 2, 3] or numbers is null order by numbers, id`,
    ),
    inOrder(
      'unnest of a column',
      `select p.id, u from {pg_only} p cross join lateral unnest(p.names) as u order by p.id, u`,
    ),
    inOrder(
      'array_agg of arrays',
      `select array_agg(numbers order by id) from {pg_only} where id in (1, 5)`,
    ),
    inOrder(
      'array in json',
      `select id, json_build_array(numbers, names), to_json(flags) from {pg_only} order by id`,
    ),
    inOrder(
      'array cast to text array',
      `select id, amounts::text[], days::text[] from {pg_only} order by id`,
    ),
    inOrder(
      'inet operators',
      `select id from {pg_only} where address << inet '10.0.0.0/8' order by id`,
    ),
    inOrder(
      'interval arithmetic',
      `select id, timestamp '2024-01-31' + span from {pg_only} where span is not null order by id`,
    ),
    inOrder('interval order', `select id from {pg_only} order by span, id`),
    inOrder('partitioned table', `select id, part from {parted} order by part, id`),
    inOrder('partitioned table filtered', `select count(*) from {parted} where part = $1`, ['a']),
    inOrder('materialized view', `select country, n from {country_counts} order by country`),
    inOrder('row as a whole', `select row_to_json(p) from {pg_only} p where id = 3`),
    inOrder('tablesample of all', `select count(*) from {tags} tablesample system (100)`),
    inOrder(
      'full text search',
      `select to_tsvector('simple', 'the quick fox') @@ to_tsquery('simple', 'fox')`,
    ),
    inOrder(
      'ordinality and rows from',
      `select * from rows from (generate_series(1, 2), generate_series(5, 6)) as r(a, b) order by a`,
    ),
    inOrder(
      'bits of integers',
      `select 5::bit(4), (-1)::bit(3), 5::int8::bit(10), b'1110'::int, b'101'::bit(2), x'1f' & b'00001111'`,
    ),
    inOrder(
      'variadic array of a column',
      `select id, concat(variadic names), concat_ws('-', variadic names), num_nulls(variadic names), jsonb_build_array(variadic names), json_build_array(variadic numbers) from {pg_only} order by id`,
    ),
    inOrder(
      'variadic array of values',
      `select format('%s, %2$s', variadic array['a', $1]), jsonb_extract_path('{"a": {"b": [1]}}', variadic array['a', 'b', '0']), concat(variadic null::text[]), concat(variadic '{}'::int[]), int4multirange(variadic array[int4range(1, 2), int4range(5, 7)])`,
      ['b'],
    ),
    inOrder(
      'variadic array as a condition',
      `select id from {pg_only} where num_nonnulls(variadic names) > 1 or concat(variadic names) = '' order by id`,
    ),
    inOrder(
      'jsonb subscripts of columns',
      `select p.id, p.attributes[k.key], p.attributes['dims'][p.id % 3], p.attributes[$1]['nothing'], p.attributes[null::text] from {products} p cross join (values ('color'), ('dims'), ('none')) k(key) where p.id < 9 order by p.id, k.key`,
      ['tags'],
    ),
    inOrder(
      'numbers of many zeros in jsonb',
      `select length('[1e1000, -2.5e400, 1e-700]'::jsonb::text), ('{"a": 1e500}'::jsonb -> 'a') = '10e499'::jsonb, length($1::jsonb::text)`,
      ['{"b": 7e600}'],
    ),
    inOrder(
      'merge of ranges',
      `select int4range(1, 5) @> 3, lower(int4range(2, 8)), upper(int4range(2, 8))`,
    ),
  ].map(onPostgres),
)
