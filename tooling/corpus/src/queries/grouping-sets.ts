import { inOrder, type QueryCase, queries } from '../case.ts'

export const grouping: readonly QueryCase[] = queries('grouping-sets', [
  inOrder(
    'rollup',
    `select status, employee_id, count(*) from {orders} group by rollup (status, employee_id) order by status, employee_id, 3`,
  ),
  inOrder(
    'rollup with grouping()',
    `select grouping(status), grouping(employee_id), status, employee_id, count(*) from {orders} group by rollup (status, employee_id) order by 1, 2, 3, 4`,
  ),
  inOrder(
    'rollup of one',
    `select country, count(*) from {customers} group by rollup (country) order by country nulls first`,
  ),
  inOrder(
    'cube',
    `select grouping(status, verified), status, verified, count(*) from {orders} o join {reviews} r on r.id = o.id group by cube (status, verified) order by 1, 2, 3`,
  ),
  inOrder(
    'grouping sets',
    `select status, employee_id, sum(freight) from {orders} group by grouping sets ((status), (employee_id), ()) order by status, employee_id, 3`,
  ),
  inOrder(
    'a pattern and a cast of a key that a set lacks',
    `select country, count(*) from {customers} group by grouping sets ((country), (company_name, country), ()) having lower(country) ~ 'an' or (nullif(company_name, company_name))::uuid is null order by country, 2`,
  ),
  inOrder(
    'grouping sets with pairs',
    `select grouping(status) + grouping(employee_id) as level, status, employee_id, count(*) from {orders} group by grouping sets ((status, employee_id), (status)) order by 1, 2, 3`,
  ),
  inOrder(
    'plain and rollup together',
    `select status, employee_id, count(*), grouping(employee_id) from {orders} group by status, rollup (employee_id) order by 1, 4, 2`,
  ),
  inOrder(
    'having over a rollup',
    `select status, count(*) from {orders} group by rollup (status) having count(*) > 60 order by 2, 1`,
  ),
  inOrder(
    'rollup of expressions',
    `select extract(year from order_date) as y, extract(month from order_date) as m, count(*) from {orders} group by rollup (1, 2) order by 1, 2`,
  ),
  inOrder(
    'rollup over nothing',
    `select status, count(*) from {orders} where false group by rollup (status)`,
  ),
  inOrder('empty grouping set', `select count(*), sum(freight) from {orders} group by ()`),
  inOrder(
    'empty grouping set over nothing',
    `select count(*) from {orders} where false group by ()`,
  ),
  inOrder(
    'duplicate grouping sets',
    `select status, count(*) from {orders} group by grouping sets ((status), (status)) order by 1`,
  ),
  inOrder(
    'rollup with averages and filter',
    `select category_id, avg(unit_price), count(*) filter (where discontinued) from {products} group by rollup (category_id) order by category_id, 3`,
  ),
  inOrder(
    'rollup with distinct',
    `select status, count(distinct customer_id) from {orders} group by rollup (status) order by status`,
  ),
])
