import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const rowsAndValues: readonly QueryCase[] = queries('rows-and-values', [
  inOrder('row equality', `select id from {tags} where (id, name) = (4, 'sale')`),
  inOrder('row inequality', `select id from {tags} where (id, name) <> (4, 'sale') order by id`),
  inOrder(
    'row greater',
    `select order_id, product_id from {order_items} where (order_id, product_id) > (295, 20) order by 1, 2`,
  ),
  inOrder(
    'row less or equal',
    `select order_id, product_id from {order_items} where (order_id, product_id) <= (3, 30) order by 1, 2`,
  ),
  inOrder(
    'keyset page',
    `select id, order_date from {orders} where (order_date, id) > ($1, $2) order by order_date, id limit $3`,
    ['2024-01-01 00:00:00', 10, 5],
  ),
  inOrder(
    'keyset page descending',
    `select id, unit_price from {products} where (unit_price, id) < ($1, $2) order by unit_price desc, id desc limit 5`,
    ['50', 40],
  ),
  inOrder(
    'row comparison with nulls',
    `select id from {orders} where (employee_id, freight) > (5, 100) order by id`,
  ),
  inOrder(
    'row comparison values',
    `select (1, 2) < (1, 3), (1, null) < (2, 0), (1, null) < (1, 0), (2, null) = (1, null), (1, null) = (1, null)`,
  ),
  inOrder(
    'row in a list',
    `select id from {tags} where (id, name) in ((1, 'vegan'), (2, 'nope'), (4, 'sale')) order by id`,
  ),
  inOrder(
    'row not in a list',
    `select order_id, product_id from {order_items} where order_id < 4 and (order_id, product_id) not in ((1, 1), (2, 2)) order by 1, 2`,
  ),
  inOrder(
    'row in a subquery',
    `select order_id, product_id from {order_items} where (order_id, product_id) in (select id, customer_id from {orders}) order by 1, 2`,
  ),
  inOrder(
    'row parameters',
    `select order_id from {order_items} where (order_id, product_id) in (($1, $2), ($3, $4)) order by 1`,
    [10, 39, 10, 49],
  ),
  inOrder(
    'row is distinct from',
    `select (1, null) is distinct from (1, null), (1, 2) is not distinct from (1, 2)`,
  ),
  inOrder('row keyword', `select id from {tags} where row(id, name) >= row(11, 'a') order by id`),
  inOrder('single row in parentheses', `select id from {tags} where (id) = (3)`),
  inOrder('values alone', `values (1, 'a'), (2, 'b'), (3, null)`),
  inOrder(
    'values names',
    `select column1, column2 from (values (1, 'a'), (2, 'b')) v order by column1 desc`,
  ),
  inOrder(
    'values with aliases',
    `select v.id, v.w, t.name from (values (1, 10), (4, 40)) as v(id, w) join {tags} t on t.id = v.id order by v.id`,
  ),
  inOrder(
    'values types unify',
    `select v.a, v.b from (values (1, 'x'), (2.5, null), (null, 'y')) v(a, b) order by a, b`,
  ),
  inOrder('values ordered and limited', `values (3), (1), (2) order by 1 limit 2`),
  inOrder(
    'values with expressions',
    `values (1 + 1, upper('a'), true and false, date '2024-01-31')`,
  ),
  inOrder(
    'values in exists and in',
    `select id from {tags} where exists (values (1)) and id in (values (3), (5)) order by id`,
  ),
  inOrder('values with a CTE', `with w(x) as (values (2)) values ((select x from w)), (3)`),
  inOrder(
    'values with dates',
    `select d + 1 from (values (date '2024-02-28'), ('2023-12-31')) v(d) order by 1`,
  ),
  inOrder(
    'values join on numerics',
    `select v.x, p.id from (values (2.5), (9.990)) v(x) join {products} p on p.unit_price = v.x order by v.x, p.id`,
  ),
  inOrder(
    'between symmetric',
    `select id from {tags} where id between symmetric 5 and 3 order by id`,
  ),
  inOrder('not between', `select id from {tags} where id not between 3 and 10 order by id`),
  inOrder('generate_series', `select n from generate_series(1, 5) as n order by n`),
  inOrder(
    'generate_series with a step',
    `select n from generate_series(10, 1, -3) as g(n) order by n`,
  ),
  inOrder('generate_series empty', `select count(*) from generate_series(5, 1)`),
  inOrder(
    'generate_series joined',
    `select g, count(t.id) from generate_series(1, 15) as g left join {tags} t on t.id = g group by g order by g`,
  ),
  inOrder(
    'generate_series with parameters',
    `select g from generate_series($1::int, $2::int) g order by g`,
    [2, 4],
  ),
  inOrder('generate_series in the select list', `select generate_series(1, 3) as n order by n`),
  inOrder(
    'generate_series with ordinality',
    `select x, o from generate_series(5, 7) with ordinality as s(x, o) order by o`,
  ),
  onPostgres(
    inOrder('unnest', `select n from unnest(array[3, 1, 2]) with ordinality as u(n, o) order by o`),
  ),
  onPostgres(
    inOrder(
      'unnest parameters',
      `select a, b from unnest($1::int[], $2::text[]) as u(a, b) order by a`,
      [
        [1, 2],
        ['x', 'y'],
      ],
    ),
  ),
  onPostgres(inOrder('whole row', `select t from {tags} t where id = 4`)),
])

export const limits: readonly QueryCase[] = queries('limits', [
  inOrder('limit', `select id from {orders} order by id limit 3`),
  inOrder('offset alone', `select id from {tags} order by id offset 9`),
  inOrder('offset parameter alone', `select id from {tags} order by id offset $1`, [10]),
  inOrder(
    'limit and offset',
    `select id from {orders} order by freight desc nulls last, id limit 5 offset 5`,
  ),
  inOrder('offset before limit', `select id from {orders} order by id offset 2 limit 2`),
  inOrder('offset beyond the end', `select id from {tags} order by id offset 100`),
  inOrder('limit all', `select id from {tags} order by id limit all`),
  inOrder('limit null', `select id from {tags} order by id limit null`),
  inOrder('limit expression', `select id from {tags} order by id limit 1 + 2`),
  inOrder('fetch first', `select id from {tags} order by id fetch first 3 rows only`),
  inOrder(
    'fetch next with offset',
    `select id from {tags} order by id offset 2 rows fetch next 1 row only`,
  ),
  inOrder(
    'fetch with ties',
    `select rating from {reviews} order by rating desc fetch first 3 rows with ties`,
  ),
  inOrder('limit zero', `select id from {tags} order by id limit 0`),
  inOrder('huge limit', `select count(*) from (select id from {tags} limit 9223372036854775807) q`),
  inOrder('limit on an aggregate', `select count(*) from {orders} limit 1`),
  inOrder(
    'limit in both levels',
    `select id from (select id from {orders} order by id desc limit 10) q order by id limit 3`,
  ),
  inOrder('limit rounds a numeric', `select id from {tags} order by id limit 2.5`),
  inOrder(
    'order by two columns',
    `select id, status from {orders} order by status desc, id limit 10`,
  ),
  inOrder(
    'order by a column not selected',
    `select id from {products} order by unit_price desc, name, id limit 10`,
  ),
  inOrder(
    'order by an expression of two columns',
    `select id from {products} order by unit_price * units_in_stock desc, id limit 10`,
  ),
  inOrder('order by using', `select id from {tags} order by id using >`),
  inOrder('order by a constant expression', `select id from {tags} order by 'x'::text, id`),
  inOrder('for update', `select id from {tags} where id = 1 for update`),
  inOrder(
    'for update skip locked',
    `select id from {orders} order by id limit 2 for update skip locked`,
  ),
  inOrder('for share of', `select t.id from {tags} t where t.id = 2 for share of t`),
  anyOrder('no order', `select id, name from {tags}`),
])

export const views: readonly QueryCase[] = queries('views', [
  inOrder('all rows', `select * from {customer_totals} order by customer_id`),
  inOrder(
    'filtered',
    `select "customer_id", "company_name" from {customer_totals} where "customer_totals"."customer_id" < $1 order by "customer_totals"."customer_id"`,
    [10],
  ),
  inOrder(
    'on a computed column',
    `select customer_id from {customer_totals} where order_count > 5 order by order_count desc, customer_id`,
  ),
  inOrder(
    'aggregated',
    `select country, sum(order_count), max(last_order_at) from {customer_totals} group by country order by country`,
  ),
  inOrder('plain columns', `select * from {open_orders} order by id`),
  inOrder(
    'typed columns',
    `select id, freight + 1, order_date::date, paid_at from {open_orders} where freight > 500 order by id`,
  ),
  inOrder(
    'joined with itself',
    `select a.customer_id, b.customer_id from {customer_totals} a join {customer_totals} b on b.order_count = a.order_count and a.customer_id < b.customer_id order by 1, 2`,
  ),
  inOrder(
    'in a subquery',
    `select id from {customers} where id in (select customer_id from {open_orders}) order by id`,
  ),
  inOrder(
    'order by date of a view',
    `select customer_id, last_order_at from {customer_totals} order by last_order_at desc, customer_id`,
  ),
])
