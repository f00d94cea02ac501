import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const aggregates: readonly QueryCase[] = queries('aggregates', [
  onPostgres(
    inOrder(
      'distinct whole rows',
      `select json_agg(distinct x), jsonb_agg(distinct x), count(distinct x), json_agg(distinct x) filter (where x.status = 'paid') from (select status, freight, order_date::date from {orders} where id < 60) x`,
    ),
  ),
  onPostgres(
    inOrder(
      'distinct whole rows by group',
      `select c.id, json_agg(distinct o), count(distinct o) from {customers} c left join (select customer_id, status, "order_date" as "odd "" name" from {orders}) o on o.customer_id = c.id where c.id < 8 group by c.id order by c.id`,
    ),
  ),
  inOrder('count', `select count(*), count(freight), count(distinct customer_id) from {orders}`),
  inOrder(
    'count with an alias',
    `select count(*) as count from {orders} where "main"."orders"."status" = $1;`,
    ['paid'],
  ),
  inOrder(
    'sum of int4 is int8',
    `select sum(quantity), sum(units) from (select quantity, quantity * 2 as units from {order_items}) q`,
  ),
  inOrder(
    'sum of int8 is numeric',
    `select sum(total_cents), sum(total_cents) filter (where id < 10) from {orders}`,
  ),
  inOrder('sum of int8 beyond 2^53', `select sum(total_cents) from {orders} where id in (77, 78)`),
  inOrder('sum of int8 beyond 2^63', `select sum(c_int8) from {type_samples} where c_int8 > 0`),
  inOrder(
    'sum of numeric is exact',
    `select sum(unit_price), sum(freight), sum(cost) from {products} p full join {orders} o on false`,
  ),
  inOrder('sum of tenths', `select sum(x) from (values (0.1), (0.2), (0.3), (0.4)) v(x)`),
  inOrder(
    'sum of products',
    `select sum(quantity * unit_price * (1 - discount)) from {order_items}`,
  ),
  inOrder(
    'sum of floats',
    `select sum(weight_kg), avg(weight_kg) from {products} where weight_kg in (0.5, 1, 1.5, 0.25)`,
  ),
  inOrder(
    'avg of int has numeric digits',
    `select avg(quantity), avg(units_in_stock) from {order_items} i join {products} p on p.id = i.product_id`,
  ),
  inOrder(
    'avg by group',
    `select rating, avg(id), avg(product_id) from {reviews} group by rating order by rating`,
  ),
  inOrder(
    'avg of numeric',
    `select category_id, avg(unit_price), avg(cost) from {products} group by category_id order by category_id`,
  ),
  inOrder('avg of int8', `select avg(total_cents) from {orders} where id not in (77, 78)`),
  inOrder(
    'avg of small numbers',
    `select avg(x), avg(y), avg(z) from (values (1, 0.1, 1.0::float8), (2, 0.2, 2.5), (2, 0.4, 4)) v(x, y, z)`,
  ),
  inOrder('avg of thirds', `select avg(x) from (values (1), (1), (2)) v(x)`),
  inOrder(
    'avg of large and small',
    `select avg(x), avg(y) from (values (99999999.99, 0.0001), (0.01, 0.0002), (1, 0.0004)) v(x, y)`,
  ),
  inOrder(
    'expression of aggregates',
    `select sum(quantity) * 1.0 / count(*), max(unit_price) - min(unit_price), count(*) + 1, -sum(quantity) from {order_items}`,
  ),
  inOrder(
    'average in an expression',
    `select avg(unit_price) * 2, avg(unit_price) + 1, round(avg(unit_price), 2), avg(unit_price)::numeric(10,2), avg(quantity)::int from {order_items}`,
  ),
  inOrder(
    'comparison of an average',
    `select category_id from {products} group by category_id having avg(unit_price) > 50 order by category_id`,
  ),
  inOrder(
    'min and max of every kind',
    `select min(id), max(c_int8), min(c_numeric), max(c_float8), min(c_text), max(c_varchar), min(c_date), max(c_timestamp), min(c_timestamptz), max(c_time) from {type_samples}`,
  ),
  inOrder('min and max of char', `select min(c_char), max(c_char) from {type_samples}`),
  inOrder(
    'group by',
    `select status, count(*), sum(freight), min(order_date), max(order_date) from {orders} group by status order by status`,
  ),
  inOrder(
    'group by two',
    `select status, employee_id, count(*) from {orders} group by status, employee_id order by status, employee_id`,
  ),
  inOrder(
    'group by an expression',
    `select extract(year from order_date) as y, count(*) from {orders} group by extract(year from order_date) order by y`,
  ),
  inOrder('group by a position', `select id % 3, count(*) from {orders} group by 1 order by 1`),
  inOrder(
    'group by key with dependent columns',
    `select c.id, c.company_name, c.country, count(o.id) from {customers} c left join {orders} o on o.customer_id = c.id group by c.id order by c.id`,
  ),
  inOrder(
    'group by with dependent expression',
    `select c.id, upper(c.company_name) || c.country from {customers} c group by c.id order by c.company_name, c.id`,
  ),
  inOrder(
    'group by without aggregates',
    `select country from {customers} group by country order by country`,
  ),
  inOrder(
    'group by a constant expression',
    `select 'all' as what, count(*) from {tags} group by 'all'::text`,
  ),
  inOrder(
    'group by text is exact',
    `select country, count(*) from {customers} group by country order by country`,
  ),
  inOrder(
    'order by an aggregate not listed',
    `select status from {orders} group by status order by count(*) desc, status`,
  ),
  inOrder(
    'having',
    `select customer_id, count(*) from {orders} group by customer_id having count(*) > $1 order by customer_id`,
    [5],
  ),
  inOrder(
    'having on a group column',
    `select status, count(*) from {orders} group by status having status like 'S%' or count(*) > 70 order by status`,
  ),
  inOrder('having without group by', `select count(*) from {orders} having count(*) > 10`),
  inOrder(
    'having without group by is false',
    `select count(*) from {orders} having count(*) > 10000`,
  ),
  inOrder('having true without aggregates', `select 1 as one from {orders} having true`),
  inOrder('having constant', `select 'x' as x from {tags} having 1 = 1`),
  inOrder('aggregate over nothing', `select count(*), sum(freight) from {orders} where false`),
  inOrder(
    'group over nothing',
    `select status, count(*) from {orders} where false group by status`,
  ),
  inOrder(
    'filter',
    `select count(*) filter (where status = 'paid'), sum(freight) filter (where status = 'new'), avg(total_cents) filter (where id < 11) from {orders}`,
  ),
  inOrder(
    'filter by group',
    `select customer_id, count(*) filter (where freight > 100), max(id) filter (where status = 'paid') from {orders} group by customer_id order by customer_id`,
  ),
  inOrder(
    'filter with null condition',
    `select count(*) filter (where recommended), count(*) filter (where not recommended) from {reviews}`,
  ),
  inOrder(
    'filter with distinct',
    `select count(distinct customer_id) filter (where status = 'paid'), string_agg(distinct status, ',' order by status) filter (where id < 100) from {orders}`,
  ),
  inOrder(
    'filter with a subquery',
    `select count(*) filter (where customer_id in (select id from {customers} where country = 'Germany')) from {orders}`,
  ),
  inOrder(
    'nested in functions',
    `select coalesce(sum(freight), 0), round(sum(freight) / count(*), 2), greatest(max(id), 5) from {orders}`,
  ),
  inOrder(
    'aggregate of an expression',
    `select sum(case when status = 'paid' then 1 else 0 end), max(length(notes)), min(lower(status)) from {orders}`,
  ),
  inOrder(
    'aggregates in a subquery',
    `select max(n), round(avg(n), 3) from (select count(*) as n from {orders} group by customer_id) q`,
  ),
  inOrder('json_agg ordered', `select json_agg(name order by name desc) from {tags}`),
  inOrder(
    'json_agg by group',
    `select status, json_agg(id order by id) from {orders} where id < 40 group by status order by status`,
  ),
  inOrder(
    'json_agg keeps nulls',
    `select json_agg(notes order by id), jsonb_agg(freight order by id) from {orders} where id < 15`,
  ),
  inOrder(
    'json_agg of nothing is null',
    `select json_agg(id), jsonb_agg(id), json_object_agg(name, id) from {tags} where false`,
  ),
  inOrder(
    'json_agg with filter',
    `select json_agg(id order by id) filter (where id > 10), json_agg(id) filter (where id > 1000) from {tags}`,
  ),
  inOrder(
    'json_agg distinct',
    `select jsonb_agg(distinct status), json_agg(distinct rating) from {orders} o join {reviews} r on r.id = o.id`,
  ),
  inOrder(
    'json_agg of booleans and dates',
    `select json_agg(verified order by id), json_agg(created_at order by id) from {reviews} where id < 6`,
  ),
  inOrder(
    'json_object_agg',
    `select json_object_agg(name, id order by id), jsonb_object_agg(name, length(name)) from {tags}`,
  ),
  inOrder('count of rows', `select count(t), count(t.*) from {tags} t`),
  inOrder(
    'array_agg ordered',
    `select array_agg(id order by id desc), array_agg(name order by name) from {tags} where id < 6`,
  ),
  inOrder(
    'array_agg by group',
    `select status, array_agg(id order by id) from {orders} where id < 30 group by status order by status`,
  ),
  inOrder(
    'array_agg with nulls',
    `select array_agg(freight order by id) from {orders} where id < 12`,
  ),
  inOrder(
    'array_agg distinct',
    `select array_agg(distinct status order by status desc) from {orders}`,
  ),
  onPostgres(
    inOrder(
      'statistics',
      `select stddev(rating), variance(rating), stddev_pop(rating), var_samp(rating) from {reviews}`,
    ),
  ),
  inOrder('bit aggregates', `select bit_and(id), bit_or(id) from {tags}`),
  inOrder(
    'aggregate over a cross join',
    `select count(*), sum(a.id * b.id) from {tags} a, {tags} b`,
  ),
  inOrder(
    'group by a boolean and a case',
    `select verified, case when rating > 3 then 'good' else 'bad' end, count(*) from {reviews} group by 1, 2 order by 1, 2`,
  ),
  inOrder(
    'group by a date_trunc',
    `select date_trunc('quarter', order_date)::date, count(*), sum(freight) from {orders} group by 1 order by 1`,
  ),
  inOrder(
    'group by alias of an expression',
    `select length(name) as len, count(*) from {tags} group by len order by len`,
  ),
  inOrder(
    'distinct aggregate pairs',
    `select count(distinct customer_id), sum(distinct freight), count(distinct status || customer_id) from {orders}`,
  ),
  inOrder(
    'aggregate with cast',
    `select count(*)::int, sum(freight)::float8, sum(quantity)::text from {orders} o join {order_items} i on i.order_id = o.id where o.freight = 1000.05`,
  ),
  anyOrder(
    'group by without order',
    `select country, city, count(*) from {customers} group by country, city`,
  ),
  anyOrder(
    'group by of a union',
    `select what, count(*) from (select 'c' as what from {customers} union all select 's' from {suppliers}) q group by what`,
  ),
  onPostgres(
    inOrder(
      'percentiles',
      `select percentile_cont(0.5) within group (order by rating), percentile_disc(0.5) within group (order by rating), mode() within group (order by rating) from {reviews}`,
    ),
  ),
  onPostgres(
    inOrder(
      'correlation',
      `select round(corr(rating, id)::numeric, 6), regr_count(rating, id) from {reviews}`,
    ),
  ),
  onPostgres(
    inOrder(
      'array concatenation',
      `select array_agg(id order by id) || 99, array_length(array_agg(id), 1), cardinality(array_agg(id)) from {tags}`,
    ),
  ),
])
