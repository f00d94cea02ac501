import { type RejectedCase, refused, rejections } from '../case.ts'

export const groupingErrors: readonly RejectedCase[] = rejections('grouping', [
  refused(
    '42803',
    'column outside the grouping',
    `select status, id from {orders} group by status`,
  ),
  refused('42803', 'column beside an aggregate', `select id, count(*) from {tags}`),
  refused('42803', 'star beside an aggregate', `select *, count(*) from {tags}`),
  refused('42803', 'star in a grouping', `select * from {orders} group by status`),
  refused(
    '42803',
    'order by outside the grouping',
    `select status from {orders} group by status order by id`,
  ),
  refused(
    '42803',
    'having outside the grouping',
    `select status from {orders} group by status having freight > 1`,
  ),
  refused(
    '42803',
    'expression that only looks grouped',
    `select freight + 1 from {orders} group by freight + 2`,
  ),
  refused(
    '42803',
    'dependent on a key of another table',
    `select c.id, o.status from {customers} c join {orders} o on o.customer_id = c.id group by c.id`,
  ),
  refused('42803', 'dependent on a unique key only', `select name, id from {tags} group by name`),
  refused(
    '42803',
    'dependent through a derived table',
    `select q.id, q.name from (select * from {tags}) q group by q.id`,
  ),
  refused(
    '42803',
    'half of a composite key',
    `select order_id, product_id, quantity from {order_items} group by order_id`,
  ),
  refused(
    '42803',
    'subquery that uses an ungrouped column',
    `select status, (select count(*) from {order_items} i where i.order_id = o.id) from {orders} o group by status`,
  ),
  refused(
    '42803',
    'column in having without group by',
    `select count(*) from {tags} having id > 1`,
  ),
  refused('42803', 'aggregate in where', `select id from {tags} where count(*) > 1`),
  refused('42803', 'aggregate in group by', `select count(*) from {tags} group by count(*)`),
  refused(
    '42803',
    'aggregate in a join condition',
    `select 1 from {tags} a join {tags} b on count(*) = 1`,
  ),
  refused('42803', 'nested aggregates', `select max(count(*)) from {tags}`),
  refused(
    '42803',
    'aggregate in a filter',
    `select count(*) filter (where sum(id) > 1) from {tags}`,
  ),
  refused(
    '42803',
    'aggregate in values of an insert',
    `insert into {tags} (id, name) values (count(*), 'x')`,
  ),
  refused('42803', 'aggregate in update', `update {scratch} set n = max(id)`),
  refused('42803', 'aggregate in returning', `delete from {tags} where id = 12 returning count(*)`),
  refused('42803', 'grouping() without grouping', `select grouping(id) from {tags}`),
  refused(
    '42P20',
    'window function in where',
    `select id from {tags} where row_number() over (order by id) = 1`,
  ),
  refused(
    '42P20',
    'window function in having',
    `select count(*) from {tags} having row_number() over () = 1`,
  ),
  refused(
    '42P20',
    'window function in group by',
    `select count(*) from {tags} group by rank() over (order by id)`,
  ),
  refused(
    '42P20',
    'window in a window',
    `select sum(row_number() over (order by id)) over () from {tags}`,
  ),
  refused(
    '42803',
    'window in an aggregate',
    `select sum(row_number() over (order by id)) from {tags}`,
  ),
  refused('42809', 'window function without over', `select row_number() from {tags}`),
  refused('42809', 'over on a plain function', `select upper(name) over () from {tags}`),
  refused(
    '42809',
    'filter on a plain function',
    `select upper(name) filter (where true) from {tags}`,
  ),
  refused('42809', 'distinct in a plain function', `select upper(distinct name) from {tags}`),
  refused('0A000', 'distinct in a window', `select count(distinct id) over () from {tags}`),
  refused(
    '42P20',
    'window frame that starts at its end',
    `select sum(id) over (order by id rows between unbounded following and current row) from {tags}`,
  ),
  refused(
    '42P20',
    'range offset without order',
    `select sum(id) over (range between 1 preceding and current row) from {tags}`,
  ),
  refused(
    '42P20',
    'window twice',
    `select 1 from {tags} window w as (order by id), w as (order by name)`,
  ),
  refused(
    '42P20',
    'window with a second partition',
    `select sum(id) over (w partition by id) from {tags} window w as (order by id)`,
  ),
  refused(
    '42P10',
    'distinct on differs from order by',
    `select distinct on (status) status, id from {orders} order by id`,
  ),
  refused(
    '42P10',
    'distinct and order by not listed',
    `select distinct name from {tags} order by id`,
  ),
  refused(
    '42P10',
    'aggregate distinct and order by',
    `select string_agg(distinct name, ',' order by id) from {tags}`,
  ),
  refused('42809', 'aggregate as an operator argument list', `select count() from {tags}`),
  refused(
    '42803',
    'an aggregate of the outer query in its WHERE',
    `select id from {orders} o where exists (select 1 from {tags} t having sum(o.id) > t.id)`,
  ),
  refused(
    '42803',
    'an aggregate around one of the outer query',
    `select sum((select sum(o.id) from {tags} t where t.id = 1)) from {orders} o`,
  ),
  refused(
    '42803',
    'an aggregate of another item of FROM',
    `select 1 from {orders} o, lateral (select sum(o.id)) s`,
  ),
  refused(
    '42803',
    'an ungrouped column beside an aggregate of the outer query',
    `select (select max(o.id) + o.customer_id) from {orders} o`,
  ),
])
