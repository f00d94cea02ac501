import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const windows: readonly QueryCase[] = queries('windows', [
  inOrder(
    'row_number',
    `select id, row_number() over (order by freight desc, id) from {orders} order by id`,
  ),
  inOrder(
    'row_number by partition',
    `select id, row_number() over (partition by customer_id order by order_date desc, id) from {orders} order by id`,
  ),
  inOrder(
    'rank and dense_rank',
    `select id, rank() over (order by rating desc), dense_rank() over (order by rating desc) from {reviews} order by id`,
  ),
  inOrder(
    'rank with nulls',
    `select id, rank() over (order by freight), rank() over (order by freight desc) from {orders} order by id`,
  ),
  inOrder(
    'percent_rank and cume_dist',
    `select id, percent_rank() over (order by rating), cume_dist() over (order by rating) from {reviews} order by id`,
  ),
  inOrder(
    'ntile',
    `select id, ntile(4) over (order by id), ntile(7) over (order by id desc) from {tags} order by id`,
  ),
  inOrder(
    'lag with a default among equal keys',
    `select lag(q.v, 1, q.v) over (order by q.v::text), lead(q.v, 2, -1) over (order by q.v::text desc) from (select 1.5::float8 as v from {tags} t left join {customers} c on c.id = t.id) as q order by 1, 2`,
  ),
  inOrder(
    'lag with a default of another scale',
    `select id, lag(freight, 1, 7.5) over (order by id), lead(freight, 3, freight * 2) over (order by id), lag(id, 2, 0) over (order by id) from {orders} order by id`,
  ),
  inOrder(
    'lag and lead',
    `select id, lag(name) over (order by id), lead(name) over (order by id), lag(id, 2) over (order by id) from {tags} order by id`,
  ),
  inOrder(
    'lag with a default',
    `select id, lag(id, 1, 0) over (order by id), lead(name, 3, 'none') over (order by id) from {tags} order by id`,
  ),
  inOrder(
    'lag over nulls',
    `select id, lag(freight) over (order by order_date, id), lead(freight, 1, 0) over (partition by customer_id order by id) from {orders} order by id`,
  ),
  inOrder(
    'first, last and nth value',
    `select id, first_value(name) over w, last_value(name) over w, nth_value(name, 2) over w from {tags} window w as (order by id) order by id`,
  ),
  inOrder(
    'last value of the whole partition',
    `select id, last_value(id) over (partition by customer_id order by id rows between unbounded preceding and unbounded following) from {orders} order by id`,
  ),
  inOrder(
    'running sum',
    `select id, sum(quantity_sum) over (order by id) from (select order_id as id, sum(quantity) as quantity_sum from {order_items} group by order_id) q order by id`,
  ),
  inOrder(
    'running sum of numerics',
    `select id, sum(freight) over (order by id) from {orders} order by id`,
  ),
  inOrder(
    'running sum with ties',
    `select id, sum(id) over (order by rating) from {reviews} order by id`,
  ),
  inOrder(
    'running sum with null keys',
    `select id, count(*) over (order by freight), count(*) over (order by freight desc) from {orders} order by id`,
  ),
  inOrder(
    'running sum by rows',
    `select id, sum(id) over (order by rating, id rows unbounded preceding) from {reviews} order by id`,
  ),
  inOrder(
    'moving average',
    `select id, avg(total_cents) over (order by id rows between 2 preceding and current row) from {orders} where id < 60 order by id`,
  ),
  inOrder(
    'moving frame on both sides',
    `select id, sum(id) over (order by id rows between 1 preceding and 1 following), count(*) over (order by id rows between 2 following and 3 following) from {tags} order by id`,
  ),
  inOrder(
    'frame of one side',
    `select id, sum(id) over (order by id rows between current row and unbounded following), min(id) over (order by id rows 2 preceding) from {tags} order by id`,
  ),
  inOrder(
    'range frame',
    `select id, count(*) over (order by rating range between unbounded preceding and current row), count(*) over (order by rating range between current row and unbounded following) from {reviews} order by id`,
  ),
  inOrder(
    'range with an offset',
    `select id, count(*) over (order by units_in_stock range between 10 preceding and 10 following) from {products} order by id`,
  ),
  inOrder(
    'range with an offset over nullable keys',
    `select id, count(*) over (order by reorder_level range between 5 preceding and current row) from {products} order by id`,
  ),
  inOrder(
    'range with an offset descending',
    `select id, sum(id) over (order by units_in_stock desc range between 5 preceding and 5 following) from {products} order by id`,
  ),
  inOrder(
    'groups frame',
    `select id, count(*) over (order by rating groups between 1 preceding and current row) from {reviews} order by id`,
  ),
  inOrder(
    'exclude',
    `select id, sum(id) over (order by id rows between unbounded preceding and unbounded following exclude current row), count(*) over (order by rating range between unbounded preceding and current row exclude ties) from {reviews} order by id`,
  ),
  inOrder(
    'whole partition',
    `select id, count(*) over (partition by status), sum(freight) over (partition by status), max(freight) over () from {orders} order by id`,
  ),
  inOrder(
    'share of a total',
    `select id, round(freight / sum(freight) over (partition by customer_id), 4) from {orders} where freight > 0 order by id`,
  ),
  inOrder(
    'two windows',
    `select id, row_number() over (order by id), row_number() over (order by id desc), sum(id) over () from {tags} order by id`,
  ),
  inOrder(
    'named window',
    `select id, rank() over w, count(*) over w from {reviews} window w as (partition by rating order by created_at, id) order by id`,
  ),
  inOrder(
    'named window extended',
    `select id, sum(id) over (w order by id), count(*) over w from {orders} window w as (partition by status) order by id`,
  ),
  inOrder(
    'named window with a frame',
    `select id, sum(id) over (w rows between 1 preceding and current row) from {tags} window w as (order by id) order by id`,
  ),
  inOrder(
    'two named windows',
    `select id, row_number() over a, row_number() over b from {tags} window a as (order by name), b as (order by name desc) order by id`,
  ),
  inOrder(
    'over an expression',
    `select id, row_number() over (order by lower(name), id), rank() over (partition by id % 3 order by id / 3) from {tags} order by id`,
  ),
  inOrder(
    'over an aggregate',
    `select status, count(*), sum(count(*)) over (order by status), rank() over (order by count(*) desc, status) from {orders} group by status order by status`,
  ),
  inOrder(
    'over a grouped sum',
    `select customer_id, sum(freight), rank() over (order by sum(freight) desc nulls last, customer_id) from {orders} group by customer_id order by customer_id`,
  ),
  inOrder(
    'filter in a window',
    `select id, count(*) filter (where verified) over (partition by rating), sum(id) filter (where id > 100) over (order by id) from {reviews} order by id`,
  ),
  inOrder(
    'top per group',
    `select * from (select customer_id, id, row_number() over (partition by customer_id order by freight desc nulls last, id) as rn from {orders}) q where rn <= $1 order by customer_id, rn`,
    [2],
  ),
  inOrder(
    'window in order by',
    `select id from {tags} order by row_number() over (order by name desc)`,
  ),
  inOrder(
    'window in an expression',
    `select id, id - lag(id, 1, 0) over (order by id) + 1, case when row_number() over (order by id) = 1 then 'first' else 'later' end from {tags} order by id`,
  ),
  inOrder(
    'window over booleans and dates',
    `select id, bool_and(verified) over (partition by rating order by id), max(created_at) over (order by id), lag(created_at) over (order by id) from {reviews} where id < 40 order by id`,
  ),
  inOrder(
    'window over texts',
    `select id, min(name) over (order by id), max(name) over (order by id rows between 1 preceding and current row) from {tags} order by id`,
  ),
  inOrder(
    'avg over a window',
    `select id, avg(rating) over (partition by verified), avg(rating) over (order by id rows 3 preceding) from {reviews} order by id`,
  ),
  inOrder(
    'avg of numerics over a window',
    `select id, avg(unit_price) over (partition by category_id) from {products} order by id`,
  ),
  inOrder(
    'string_agg over a window',
    `select id, string_agg(name, ',') over (order by id) from {tags} order by id`,
  ),
  inOrder(
    'nulls first in a window',
    `select id, row_number() over (order by freight nulls first, id), row_number() over (order by freight desc nulls last, id) from {orders} order by id`,
  ),
  inOrder(
    'window over a join',
    `select o.id, row_number() over (partition by c.country order by o.order_date, o.id) from {orders} o join {customers} c on c.id = o.customer_id order by o.id`,
  ),
  inOrder(
    'window then limit',
    `select id, count(*) over () as total from {orders} where status = 'paid' order by id limit 5`,
  ),
  inOrder(
    'window with distinct',
    `select distinct status, count(*) over (partition by status) from {orders} order by status`,
  ),
  inOrder(
    'empty over',
    `select id, row_number() over () >= 1, count(*) over () from {tags} order by id`,
  ),
  inOrder(
    'window in a CTE',
    `with r as (select id, rank() over (order by unit_price desc) as k from {products}) select id, k from r where k <= 5 order by k, id`,
  ),
  inOrder(
    'nth_value with a full frame',
    `select distinct status, nth_value(id, 3) over (partition by status order by id rows between unbounded preceding and unbounded following) from {orders} order by status`,
  ),
  inOrder(
    'window of a scalar subquery',
    `select id, sum((select count(*) from {product_tags} pt where pt.tag_id = t.id)) over (order by id) from {tags} t order by id`,
  ),
  onPostgres(
    inOrder(
      'array_agg over a window',
      `select id, array_agg(id) over (order by id rows 2 preceding) from {tags} order by id`,
    ),
  ),
  onPostgres(
    inOrder(
      'range over dates',
      `select id, count(*) over (order by order_date range between interval '7 days' preceding and current row) from {orders} order by id`,
    ),
  ),
  anyOrder(
    'windows without an outer order',
    `select status, row_number() over (partition by status order by id) from {orders} where id < 50`,
  ),
])

export const distincts: readonly QueryCase[] = queries('distinct', [
  inOrder('one column', `select distinct country from {customers} order by country`),
  inOrder(
    'two columns',
    `select distinct status, employee_id from {orders} order by status, employee_id`,
  ),
  inOrder(
    'order by a listed expression',
    `select distinct lower(country) from {customers} order by lower(country)`,
  ),
  inOrder(
    'with limit',
    `select distinct unit_price from {products} order by unit_price desc limit 5`,
  ),
  inOrder(
    'over a join',
    `select distinct c.country, o.status from {customers} c join {orders} o on o.customer_id = c.id order by 1, 2`,
  ),
  inOrder(
    'count',
    `select count(distinct status), count(distinct freight), count(distinct (freight > 100)) from {orders}`,
  ),
  inOrder('count of pairs', `select count(distinct (status, employee_id)), count(*) from {orders}`),
  inOrder(
    'count of pairs with NULL',
    `select count(distinct (x, y)), count((x, y)), count(distinct row(null::int, x)) from (values (1, null), (1, null), (null, null), (2, 1.0), (2, 1.00)) v(x, y)`,
  ),
  inOrder(
    'sum and avg',
    `select sum(distinct quantity), avg(distinct quantity) from {order_items}`,
  ),
  inOrder(
    'distinct on',
    `select distinct on (customer_id) customer_id, id, order_date from {orders} order by customer_id, order_date desc, id`,
  ),
  inOrder(
    'distinct on qualified',
    `select distinct on ("main"."orders"."customer_id") "customer_id", "id", "freight" from {orders} order by "main"."orders"."customer_id", "main"."orders"."freight" desc, "main"."orders"."id"`,
  ),
  inOrder(
    'distinct on with nulls in the order',
    `select distinct on (status) status, freight, id from {orders} order by status, freight desc nulls last, id`,
  ),
  inOrder(
    'distinct on a nullable key',
    `select distinct on (employee_id) employee_id, id from {orders} order by employee_id, id desc`,
  ),
  inOrder(
    'distinct on two keys',
    `select distinct on (status, employee_id) status, employee_id, id from {orders} order by status, employee_id desc, id`,
  ),
  inOrder(
    'distinct on an expression',
    `select distinct on (lower(country)) lower(country), id, country from {customers} order by lower(country), id`,
  ),
  inOrder(
    'distinct on with limit',
    `select distinct on (customer_id) customer_id, id from {orders} order by customer_id, id desc limit 5 offset 2`,
  ),
  inOrder(
    'distinct on in a subquery',
    `select q.id from (select distinct on (customer_id) customer_id, id, freight from {orders} order by customer_id, freight desc nulls last, id) q where q.freight > 100 order by q.id`,
  ),
  inOrder(
    'distinct on over a join',
    `select distinct on (c.id) c.id, o.id as order_id from {customers} c left join {orders} o on o.customer_id = c.id order by c.id, o.order_date desc, o.id`,
  ),
  inOrder(
    'distinct on without order',
    `select count(*) from (select distinct on (customer_id) customer_id from {orders}) q`,
  ),
  inOrder(
    'distinct json values',
    `select distinct attributes ->> 'color' from {products} order by 1`,
  ),
  anyOrder('distinct star', `select distinct * from (select status, employee_id from {orders}) q`),
  anyOrder('distinct jsonb', `select distinct attributes -> 'tags' from {products}`),
  anyOrder('select all', `select all status from {orders} where id < 10`),
])
