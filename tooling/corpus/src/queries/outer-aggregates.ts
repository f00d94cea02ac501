import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

/** Aggregates in subqueries that belong to the outer query. */
export const outerAggregates: readonly QueryCase[] = queries('outer-aggregates', [
  inOrder(
    'an aggregate of the outer query in a subquery',
    `select status, (select max(o.id)), (select count(*) from {tags} t where t.id < count(o.freight)) from {orders} o group by status order by status`,
  ),
  inOrder(
    'an aggregate of the outer query without groups',
    `select (select sum(o.id) from {tags} t where t.id = 1), (select min(t.id) + max(o.id) from {tags} t) from {orders} o`,
  ),
  inOrder(
    'an aggregate of the outer query in HAVING',
    `select customer_id, count(*) from {orders} o group by customer_id having exists (select 1 from {customers} c where c.id = max(o.id) - 10 and c.id > o.customer_id) and count(*) > 1 order by customer_id`,
  ),
  inOrder(
    'an aggregate of the outer query in ORDER BY',
    `select status from {orders} o group by status order by (select -count(o.id)), status`,
  ),
  inOrder(
    'aggregates of two levels',
    `select count(distinct o.status), (select count(*) from {tags} t where t.id in (select max(o.id) - 100 - t.id)) from {orders} o where id <= 120`,
  ),
  onPostgres(
    inOrder(
      'GROUPING and filtered aggregates of the outer query',
      `select status, (select grouping(o.status) * 10 + count(*) from {tags} t where t.id <= count(o.id) filter (where o.freight > 20)) from {orders} o group by rollup (status) order by status nulls last`,
    ),
  ),
])
