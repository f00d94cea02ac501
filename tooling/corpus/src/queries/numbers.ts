import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const numbers: readonly QueryCase[] = queries('numbers', [
  inOrder('integer division truncates', `select 7 / 2, -7 / 2, 7 / -2, 1 / 2, 0 / 5`),
  inOrder('integer division of columns', `select id, id / 2, id / 3 from {tags} order by id`),
  inOrder(
    'division of an aggregate',
    `select sum(quantity) / count(*), sum(quantity) / 7 from {order_items}`,
  ),
  inOrder('remainder', `select 7 % 3, -7 % 3, 7 % -3, mod(7, 3), mod(-7, 3)`),
  inOrder('numeric remainder', `select 5.5 % 2, 7.25 % 0.5, mod(-7.5, 2), 10 % 2.5`),
  inOrder('numeric remainder of a column', `select id, unit_price % 3 from {products} order by id`),
  inOrder('decimal arithmetic is exact', `select 0.1 + 0.2, 0.1 + 0.2 = 0.3, 1.10 * 3, 1.0 - 0.9`),
  inOrder(
    'scale of sums and products',
    `select 1.50 + 2, 1.5 + 2.25, 1.50 * 2, 1.50 * 2.50, 3 - 1.00, -1.50`,
  ),
  inOrder(
    'numeric column arithmetic',
    `select id, unit_price + 0.10, unit_price * 1.5, unit_price - 1, unit_price * 2
    from {products} order by id`,
  ),
  inOrder(
    'numeric columns together',
    `select order_id, product_id, quantity * unit_price, quantity * unit_price * (1 - discount)
    from {order_items} where order_id < 30 order by order_id, product_id`,
  ),
  inOrder(
    'numeric equality after arithmetic',
    `select label from {type_samples} where c_numeric + 0.10 = 0.30 order by id`,
  ),
  inOrder(
    'numeric product compared',
    `select id from {products} where unit_price * 1.1 = 2.75 order by id`,
  ),
  inOrder(
    'numeric division scale',
    `select 1.0 / 3, 10 / 4.0, 1 / 3.0, 2.00 / 1, 100.0 / 7, 0.001 / 3, 1000000.0 / 7`,
  ),
  inOrder(
    'numeric division of small and large',
    `select 1 / 100000000.0, 99999999.99 / 0.01, 1e10 / 3, 5.0 / 10000`,
  ),
  inOrder(
    'numeric column division',
    `select id, unit_price / 3, unit_price / 7.0 from {products} order by id`,
  ),
  inOrder(
    'numeric column by column',
    `select id, cost / nullif(unit_price, 0) from {products} order by id`,
  ),
  inOrder('mixed int and numeric', `select 1 + 1.5, 3 * 0.1, 5 - 2.50, 7 / 2.0, 2 = 2.00, 1 < 1.5`),
  inOrder(
    'mixed int and float',
    `select 1 + 1.5::float8, 3 / 2::float8, 2::float8 * 3, 1 = 1.0::float8`,
  ),
  inOrder(
    'mixed numeric and float',
    `select 1.5 + 1.5::float8, 0.1 + 0.2::float8, 0.3 = 0.1::float8 + 0.2::float8`,
  ),
  inOrder(
    'float arithmetic',
    `select 0.1::float8 + 0.2::float8, 1::float8 / 3, 1e308::float8 * 1, 2::float8 / 3`,
  ),
  inOrder(
    'float column arithmetic',
    `select id, weight_kg * 2, weight_kg / 3, weight_kg + 0.1 from {products} order by id`,
  ),
  inOrder('floats on the wire', `select id, c_float8 from {type_samples} order by id`),
  inOrder(
    'float text',
    `select 1.0::float8::text, 1e20::float8::text, 0.1::float8::text, 1e-7::float8::text, 123456789.125::float8::text,
    1e15::float8::text, 1e16::float8::text`,
  ),
  inOrder('float column text', `select id, c_float8::text from {type_samples} order by id`),
  inOrder(
    'numeric text',
    `select 1.50::text, 100.00::text, (0.1 + 0.2)::text, (1.0 / 3)::text, unit_price::text from {products} where id = 2`,
  ),
  inOrder(
    'round numeric',
    `select round(2.5), round(3.5), round(-2.5), round(1.255, 2), round(1.005, 2), round(-1.005, 2), round(0.5)`,
  ),
  inOrder(
    'round keeps the scale',
    `select round(1.5, 3), round(1234.5, -2), round(1250, -2), round(5), round(1.999, 2), round(0.001, 2)`,
  ),
  inOrder(
    'round float',
    `select round(0.5::float8), round(1.5::float8), round(2.5::float8), round(-0.5::float8), round(-2.5::float8)`,
  ),
  inOrder(
    'round columns',
    `select id, round(c_numeric, 1), round(c_numeric), round(c_float8) from {type_samples}
    where label not in ('smallest', 'largest') order by id`,
  ),
  inOrder(
    'round an average',
    `select round(avg(unit_price), 2), round(avg(units_in_stock), 3) from {products}`,
  ),
  inOrder(
    'trunc',
    `select trunc(1.99), trunc(-1.99), trunc(1.2345, 2), trunc(1234.5, -2), trunc(1.9::float8), trunc(-1.9::float8)`,
  ),
  inOrder(
    'ceil and floor',
    `select ceil(1.2), ceil(-1.2), floor(1.8), floor(-1.2), ceiling(2.0), ceil(1.2::float8), floor(-1.5::float8)`,
  ),
  inOrder(
    'ceil and floor of columns',
    `select id, ceil(unit_price), floor(unit_price) from {products} order by id`,
  ),
  inOrder(
    'abs and sign',
    `select abs(-5), abs(-1.50), abs(-2.5::float8), sign(-3), sign(0), sign(2.5), sign(-1.5::float8)`,
  ),
  inOrder(
    'power',
    `select power(2, 10), 2 ^ 3, power(2.0, 3), 2.5 ^ 2, power(4::float8, 0.5::float8), -2 ^ 2`,
  ),
  inOrder('power is left to right', `select 2 ^ 3 ^ 2, 2 ^ 3 * 2`),
  inOrder('sqrt', `select sqrt(16), sqrt(2::float8), sqrt(2.0), cbrt(27::float8)`),
  inOrder(
    'logarithms',
    `select ln(1::float8), log(100::float8), exp(0::float8), log(1000.0), ln(2.0), exp(1.0)`,
  ),
  inOrder('bit operators', `select 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 256 >> 2, -8 >> 1`),
  inOrder(
    'bit operators on columns',
    `select id, id & 3, id | 8, id # 5, id << 2 from {tags} order by id`,
  ),
  inOrder(
    'precedence',
    `select 2 + 3 * 4, (2 + 3) * 4, -2 * -3, 10 - 2 - 3, 100 / 10 / 2, 2 * 3 % 4`,
  ),
  inOrder('comparison of negatives', `select -1 < 0, -1.5 < -1, - 5 = -5, 3 > -3`),
  inOrder(
    'unary minus on columns',
    `select id, -id, - unit_price, -(-id) from {products} where id < 5 order by id`,
  ),
  inOrder(
    'int8 values',
    `select id, c_int8, c_int8 = 9007199254740993 from {type_samples} order by id`,
  ),
  inOrder(
    'int8 comparison beyond 2^53',
    `select label from {type_samples} where c_int8 > 9007199254740992 order by id`,
  ),
  inOrder(
    'int8 arithmetic beyond 2^53',
    `select c_int8 + 1, c_int8 - 1, c_int8 / 2 from {type_samples}
    where label in ('beyond 2^53', 'below -2^53') order by id`,
  ),
  inOrder('int8 order', `select c_int8 from {type_samples} order by c_int8, id`),
  inOrder('numeric order', `select c_numeric from {type_samples} order by c_numeric desc, id`),
  inOrder(
    'int4 plus int8',
    `select 2147483647 + 1::int8, 2147483647::int8 * 2, c_int4 + c_int8 from {type_samples} where label = 'one'`,
  ),
  inOrder(
    'greatest of mixed numbers',
    `select greatest(1, 2.5), least(1, 2.5), greatest(1.50, 1), least(2, 2.00)`,
  ),
  inOrder(
    'branches keep their own scale',
    `select coalesce(null, 1.50), coalesce(freight, 0), case when id < 5 then 1 else 2.50 end
    from {orders} where id < 25 order by id`,
  ),
  inOrder('width_bucket', `select width_bucket(5.35, 0.024, 10.06, 5), width_bucket(3, 0, 10, 5)`),
  inOrder('div and gcd', `select div(7, 2), div(-7.5, 2), gcd(12, 18), lcm(4, 6)`),
  inOrder('random is between', `select random() >= 0 and random() < 1`),
  inOrder('trigonometry', `select sin(0::float8), cos(0::float8), degrees(0::float8), pi()`),
  inOrder(
    'where with numeric text',
    `select id from {products} where unit_price::text = '2.50' order by id`,
  ),
  inOrder(
    'numeric between',
    `select id, unit_price from {products} where unit_price between 2.5 and 9.99 order by unit_price, id`,
  ),
  inOrder(
    'numeric in',
    `select id from {products} where unit_price in (2.5, 9.990, 19.99) order by id`,
  ),
  inOrder(
    'distinct numerics',
    `select distinct unit_price from {products} order by unit_price limit 12`,
  ),
  anyOrder(
    'group by numeric',
    `select discount, count(*), sum(quantity * unit_price) from {order_items} group by discount`,
  ),
  inOrder(
    'casted scale',
    `select 1.255::numeric(10,2), 1.5::numeric(10,4), 12345.678::numeric(8,1), (1.0/3)::numeric(6,3), 5::numeric(4,2)`,
  ),
  inOrder(
    'column cast to another scale',
    `select id, unit_price::numeric(10,1), unit_price::numeric(12,4), unit_price::numeric from {products} order by id`,
  ),
  onPostgres(
    inOrder(
      'numeric NaN',
      `select 'NaN'::numeric, 'Infinity'::numeric, 'NaN'::float8 = 'NaN'::float8`,
    ),
  ),
  onPostgres(
    inOrder(
      'factorial and scale',
      `select factorial(20), scale(1.500), trim_scale(1.500), min_scale(1.500)`,
    ),
  ),
])
