import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

export const nulls: readonly QueryCase[] = queries('nulls', [
  inOrder('ascending puts nulls last', `select id, city from {customers} order by city, id`),
  inOrder('descending puts nulls first', `select id, city from {customers} order by city desc, id`),
  inOrder('nulls first', `select id, freight from {orders} order by freight nulls first, id`),
  inOrder(
    'nulls last descending',
    `select id, freight from {orders} order by freight desc nulls last, id`,
  ),
  inOrder('two nullable keys', `select id from {orders} order by employee_id, freight desc, id`),
  inOrder('null order of expressions', `select id from {customers} order by lower(city), id`),
  inOrder('null order of a position', `select city, id from {customers} order by 1 desc, 2`),
  inOrder('null order with limit', `select id from {orders} order by freight desc, id limit 10`),
  inOrder(
    'null order in a subquery with limit',
    `select count(*), min(id) from (select id from {orders} where freight is null or freight > 600 order by freight desc, id limit 20) q`,
  ),
  inOrder('null order of a union', `select city from {customers} union select null order by 1`),
  inOrder(
    'null order of an aggregate',
    `select country, max(credit_limit) as m from {customers} group by country order by m desc, country`,
  ),
  inOrder(
    'is null and is not null',
    `select count(*) filter (where freight is null), count(*) filter (where freight is not null), count(freight), count(*) from {orders}`,
  ),
  inOrder('isnull spelling', `select count(*) from {orders} where freight isnull or notes notnull`),
  inOrder(
    'comparison with null is unknown',
    `select count(*) from {orders} where freight = null or freight <> null`,
  ),
  inOrder('not equal skips nulls', `select count(*) from {orders} where notes <> 'gift'`),
  inOrder(
    'is distinct from',
    `select count(*) filter (where notes is distinct from 'gift'), count(*) filter (where notes is not distinct from null) from {orders}`,
  ),
  inOrder(
    'is not distinct from columns',
    `select count(*) from {customers} a join {customers} b on a.city is not distinct from b.city`,
  ),
  inOrder(
    'coalesce and nullif',
    `select id, coalesce(city, '?'), nullif(country, 'Germany'), coalesce(null, null, city, 'z') from {customers} order by id`,
  ),
  inOrder(
    'not in with a null in the list',
    `select count(*) from {orders} where employee_id not in (1, null)`,
  ),
  inOrder(
    'in with a null in the list',
    `select count(*) from {orders} where employee_id in (1, null)`,
  ),
  inOrder(
    'value of in with nulls',
    `select 1 in (1, null), 2 in (1, null), null in (1, 2), 2 not in (1, null), null not in (select 1 where false)`,
  ),
  inOrder(
    'not in a subquery with nulls',
    `select count(*) from {customers} where id not in (select employee_id from {orders})`,
  ),
  inOrder(
    'not in a subquery without nulls',
    `select id from {employees} where id not in (select employee_id from {orders} where employee_id is not null) order by id`,
  ),
  inOrder(
    'not exists instead',
    `select id from {employees} e where not exists (select 1 from {orders} o where o.employee_id = e.id) order by id`,
  ),
  inOrder(
    'aggregates skip nulls',
    `select count(freight), sum(freight), min(freight), max(freight), round(avg(freight), 4) from {orders}`,
  ),
  inOrder(
    'aggregates of only nulls',
    `select count(x), sum(x), avg(x), min(x), max(x) from (select null::int as x from {tags}) q`,
  ),
  inOrder(
    'aggregates of no rows',
    `select count(*), count(id), sum(id), avg(id), min(id), max(name) from {tags} where id > 1000`,
  ),
  anyOrder(
    'nulls form one group',
    `select employee_id, count(*) from {orders} group by employee_id`,
  ),
  anyOrder(
    'nulls are one distinct value',
    `select distinct employee_id, shipped_on is null from {orders}`,
  ),
  anyOrder(
    'nulls join nothing',
    `select count(*) from {orders} a join {orders} b on a.employee_id = b.employee_id and a.id = b.id`,
  ),
  anyOrder(
    'nulls in set operations',
    `select city from {customers} intersect select ship_city from {orders}`,
  ),
  inOrder(
    'nulls in a row',
    `select row(1, null) is null, row(null, null) is null, row(1, 2) is not null, (1, null) = (1, 2), (1, null) = (2, null)`,
  ),
  inOrder(
    'null arithmetic',
    `select 1 + null, null || 'a', null::int * 0, greatest(null, 1), concat(null)`,
  ),
  inOrder(
    'case without a match',
    `select case when id > 5 then 'big' end, case id when 1 then 'one' end from {tags} order by id`,
  ),
  inOrder(
    'case never equals null',
    `select case null::int when null then 'eq' else 'no' end, case when null then 1 else 2 end`,
  ),
  inOrder(
    'between with null',
    `select 1 between null and 2, 5 between null and 2, 1 not between 2 and null`,
  ),
  inOrder(
    'like with null',
    `select null like 'a', 'a' like null, count(*) from {customers} where city like null`,
  ),
  inOrder('num_nulls', `select num_nulls(1, null, 'a'), num_nonnulls(1, null, 'a')`),
])
