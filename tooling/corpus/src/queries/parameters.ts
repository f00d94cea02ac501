import { inOrder, type QueryCase, queries } from '../case.ts'

export const parameters: readonly QueryCase[] = queries('parameters', [
  inOrder('compared with int', `select name from {tags} where id = $1`, [3]),
  inOrder('number as a string', `select name from {tags} where id = $1`, ['3']),
  inOrder('string with blanks as a number', `select name from {tags} where id = $1`, [' 3 ']),
  inOrder('text', `select id from {tags} where name = $1`, ['sale']),
  inOrder(
    'text that looks like a number',
    `select count(*) from {type_samples} where c_text = $1`,
    [7],
  ),
  inOrder('leading zeros stay', `select label from {type_samples} where c_text = $1`, ['007']),
  inOrder('alone it is text', `select $1, $2, $3`, ['a', 1, true]),
  inOrder('null alone', `select $1`, [null]),
  inOrder('null compared', `select count(*) from {tags} where id = $1`, [null]),
  inOrder('reused', `select $1::int + $1, $1::int * $2::int`, [3, 4]),
  inOrder('out of order', `select $2::text, $1::int, $2::text`, [7, 'x']),
  inOrder('cast', `select $1::int, $2::numeric, $3::text, $4::boolean`, ['5', '1.50', 'x', 'yes']),
  inOrder('arithmetic', `select id + $1, id * $2 from {tags} where id = 2`, [10, 3]),
  inOrder('integer division', `select id / $1, id % $1 from {tags} where id = 7`, [2]),
  inOrder('numeric parameter', `select id from {products} where unit_price > $1 order by id`, [
    '99.5',
  ]),
  inOrder(
    'numeric parameter as number',
    `select id from {products} where unit_price > $1 order by id`,
    [99.5],
  ),
  inOrder(
    'numeric equality ignores scale',
    `select id from {products} where unit_price = $1 order by id`,
    ['2.5'],
  ),
  inOrder(
    'sum compared with a string',
    `select order_id, sum(quantity) from {order_items}
    group by order_id having sum(quantity) > $1 order by order_id`,
    ['99'],
  ),
  inOrder('int8 as a string', `select id from {orders} where total_cents = $1`, [
    '9007199254740993',
  ]),
  inOrder('int8 neighbours', `select id from {orders} where total_cents >= $1 order by id`, [
    '9007199254740992',
  ]),
  inOrder('boolean', `select count(*) from {reviews} where verified = $1`, [true]),
  inOrder('boolean as text', `select count(*) from {reviews} where verified = $1`, ['false']),
  inOrder('boolean alone', `select count(*) from {reviews} where $1`, [true]),
  inOrder('date', `select id from {orders} where shipped_on = $1 order by id`, ['2023-01-31']),
  inOrder(
    'date from an ISO instant',
    `select id from {orders} where shipped_on >= $1 order by id`,
    ['2024-12-01T00:00:00.000Z'],
  ),
  inOrder(
    'timestamp from an ISO instant',
    `select id from {orders} where order_date < $1 order by id`,
    ['2023-02-01T00:00:00.000Z'],
  ),
  inOrder(
    'timestamp from a blank form',
    `select id from {orders} where order_date = $1 order by id`,
    ['2023-01-31 00:00:00'],
  ),
  inOrder('timestamp from a date', `select id from {orders} where order_date = $1 order by id`, [
    '2023-01-31',
  ]),
  inOrder(
    'timestamp fraction with zeros',
    `select count(*) from {type_samples} where c_timestamp = $1`,
    ['2024-02-29 10:30:00.500'],
  ),
  inOrder(
    'timestamp ignores an offset',
    `select label from {type_samples} where c_timestamp = $1`,
    ['2024-02-29 10:30:00+05'],
  ),
  inOrder(
    'timestamptz applies an offset',
    `select label from {type_samples} where c_timestamptz = $1`,
    ['2024-02-29 15:30:00+05'],
  ),
  inOrder(
    'timestamptz from an ISO instant',
    `select label from {type_samples} where c_timestamptz = $1`,
    ['2024-01-31T10:30:00.250Z'],
  ),
  inOrder('time', `select label from {type_samples} where c_time = $1`, ['10:30']),
  inOrder('uuid in capitals', `select label from {type_samples} where c_uuid = $1`, [
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  ]),
  inOrder('bytea', `select label from {type_samples} where c_bytea = $1`, ['\\xDEADBEEF']),
  inOrder('bytea from a Buffer', `select label from {type_samples} where c_bytea = $1`, [
    { type: 'Buffer', data: [222, 173, 190, 239] },
  ]),
  inOrder('float', `select label from {type_samples} where c_float8 = $1`, [0.1]),
  inOrder('float as text', `select label from {type_samples} where c_float8 = $1`, ['1e20']),
  inOrder(
    'int2 column with a larger number',
    `select label from {type_samples} where c_int2 < $1 order by id`,
    [3],
  ),
  inOrder('jsonb object', `select id from {products} where attributes @> $1 order by id`, [
    { color: 'red' },
  ]),
  inOrder('jsonb as text', `select id from {products} where attributes @> $1::jsonb order by id`, [
    '{"tags":["new"]}',
  ]),
  inOrder('jsonb array', `select id from {products} where attributes @> $1 order by id`, [[1, 2]]),
  inOrder('json value passes through', `select $1::jsonb, $2::json`, [
    { b: 1, a: [true, null] },
    '[1]',
  ]),
  inOrder('limit and offset', `select id from {orders} order by id limit $1 offset $2`, [5, 10]),
  inOrder('limit and offset as strings', `select id from {orders} order by id limit $1 offset $2`, [
    '2',
    '3',
  ]),
  inOrder('limit null', `select count(*) from (select id from {orders} limit $1) q`, [null]),
  inOrder('offset null', `select id from {tags} order by id offset $1`, [null]),
  inOrder('limit zero', `select id from {orders} order by id limit $1`, [0]),
  inOrder('in list', `select name from {tags} where id in ($1, $2, $3) order by id`, [1, 3, 99]),
  inOrder('in list with null', `select name from {tags} where id in ($1, $2) order by id`, [
    1,
    null,
  ]),
  inOrder('not in list with null', `select name from {tags} where id not in ($1, $2)`, [1, null]),
  inOrder('between', `select id from {orders} where id between $1 and $2 order by id`, [10, 13]),
  inOrder('like', `select company_name from {customers} where company_name like $1 order by id`, [
    '%a',
  ]),
  inOrder('coalesce', `select id, coalesce(notes, $1) from {orders} where id < 6 order by id`, [
    'none',
  ]),
  inOrder(
    'case results',
    `select id, case when id < $1 then $2 else $3 end from {tags} order by id`,
    [5, 'low', 'high'],
  ),
  inOrder('concatenated', `select $1 || name || $2 from {tags} where id = 1`, ['<', '>']),
  inOrder('concatenated number', `select name || $1 from {tags} where id = 1`, [5]),
  inOrder('is null with a cast', `select $1::text is null, $2::int is null`, [null, 1]),
  inOrder('distinct from', `select count(*) from {orders} where notes is distinct from $1`, [null]),
  inOrder(
    'in the select list with a type',
    `select id, $1::int as n from {tags} order by id limit 2`,
    [42],
  ),
  inOrder('in a row', `select id from {tags} where (id, name) = ($1, $2)`, [4, 'sale']),
  inOrder('quotes and backslashes', `select $1 as t, length($1)`, ['it\'s \\ "x" ; -- \'']),
  inOrder('unicode', `select length($1), $1 || 'x', upper($2)`, ['😀é', 'é']),
  inOrder('text never becomes SQL', `select count(*) from {customers} where company_name = $1`, [
    "' or 1=1 --",
  ]),
  inOrder(
    'many',
    `select count(*) from {orders} where id in (${Array.from(
      { length: 300 },
      (_, index) => `$${index + 1}`,
    ).join(', ')})`,
    Array.from({ length: 300 }, (_, index) => index * 2),
  ),
  inOrder(
    'values rows',
    `select v.a, v.b from (values ($1::int, $2), ($3, $4)) as v(a, b) order by v.a`,
    [2, 'two', 1, 'one'],
  ),
  inOrder(
    'float8 context',
    `select weight_kg * $1 from {products} where weight_kg is not null and id < 10
    order by id`,
    [2],
  ),
  inOrder('numeric context', `select unit_price * $1 from {products} where id < 5 order by id`, [
    '1.5',
  ]),
  inOrder(
    'substring and lengths',
    `select substring(name from $1 for $2), left(name, $3) from {tags}
    where id = 5`,
    [2, 3, 4],
  ),
  inOrder('function argument', `select round($1::numeric, $2), repeat($3, $4)`, [
    '1.255',
    2,
    'ab',
    3,
  ]),
])
