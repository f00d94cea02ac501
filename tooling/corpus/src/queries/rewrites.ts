import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

/** LATERAL in every position, and other constructs that must be rewritten for databases without them. */
export const rewrites: readonly QueryCase[] = queries('rewrites', [
  inOrder(
    'aggregate inside the side that may be missing',
    `select c.id, x.n from {customers} c left join ({orders} o cross join lateral (select count(*) n from {order_items} i where i.order_id = o.id) x) on o.customer_id = c.id and o.id < 50 order by 1,2`,
  ),
  inOrder(
    'aggregate with a condition inside the side that may be missing',
    `select c.id, x.n, x.s from {customers} c left join ({orders} o left join lateral (select count(*) n, sum(quantity) s from {order_items} i where i.order_id = o.id and i.quantity > 3) x on x.n > 1) on o.customer_id = c.id and o.id < 50 order by 1,2,3`,
  ),
  inOrder(
    'aggregate on the left of a right join',
    `select o.id, c.id, x.n from ({orders} o cross join lateral (select count(*) n from {order_items} i where i.order_id = o.id) x) right join {customers} c on c.id = o.customer_id and o.id < 30 order by 1,2,3`,
  ),
  inOrder(
    'aggregate on the left of a full join as a row',
    `select o.id, c.id, x.n, row_to_json(x) from ({orders} o cross join lateral (select count(*) n from {order_items} i where i.order_id = o.id) x) full join {customers} c on c.id = o.customer_id and o.id < 30 order by 1,2,3`,
  ),
  inOrder(
    'calculated columns of a left join as a row',
    `select o.id, row_to_json(x.*), to_json(c) from {orders} o left join lateral (select i.product_id, i.quantity + o.id as q from {order_items} i where i.order_id = o.id and i.quantity > 5) x on true left join {customers} c on c.id = o.customer_id and c.active where o.id < 60 order by o.id, x.product_id`,
  ),
  inOrder(
    'calculated columns',
    `select o.id, x.a, x.b from {orders} o cross join lateral (select o.id * 2 as a, o.status || 'x' as b) x where x.a < 60 order by x.a`,
  ),
  inOrder(
    'calculated columns as a row',
    `select o.id, row_to_json(x) from {orders} o cross join lateral (select o.id * 2 as a, o.status || 'x' as b) x where x.a < 60 order by x.a`,
  ),
  inOrder(
    'values of the outer row',
    `select o.id, v.k, v.n from {orders} o cross join lateral (values ('a', o.id), ('b', o.id * 2), ('c', null)) as v(k, n) where o.id < 20 order by 1,2`,
  ),
  inOrder(
    'values of the outer row with a condition as a row',
    `select o.id, v.k, v.n, to_json(v) from {orders} o left join lateral (values ('a', o.id), ('b', o.id * 2), ('c', null)) as v(k, n) on v.n > 10 where o.id < 20 order by 1,2`,
  ),
  inOrder(
    'top three with a condition',
    `select c.id, t.id, t.total_cents from {customers} c left join lateral (select o.id, o.total_cents from {orders} o where o.customer_id = c.id order by o.total_cents desc nulls last, o.id limit 3) t on t.total_cents > 1000 order by 1,2`,
  ),
  inOrder(
    'top two in a comma list',
    `select c.id, t.* from {customers} c, lateral (select o.id, o.order_date, o.total_cents from {orders} o where o.customer_id = c.id order by o.id desc limit 2) t order by 1,2`,
  ),
  inOrder(
    'top two grouped',
    `select c.id, count(*), count(t), max(t.id), json_agg(t order by t.id) from {customers} c left join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id desc limit 2) t on true group by c.id order by 1`,
  ),
  inOrder(
    'chain of top two and an aggregate',
    `select c.id, t.id, u.n from {customers} c left join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id desc limit 2) t on true left join lateral (select count(*) n from {order_items} i where i.order_id = t.id) u on true order by 1,2`,
  ),
  inOrder(
    'chain of inner and left joins',
    `select c.id, t.id, u.product_id from {customers} c join lateral (select o.id from {orders} o where o.customer_id = c.id) t on true left join lateral (select i.product_id from {order_items} i where i.order_id = t.id and i.quantity > c.id % 5) u on true order by 1,2,3`,
  ),
  inOrder(
    'having inside',
    `select c.id, x.n from {customers} c join lateral (select count(*) n from {orders} o where o.customer_id = c.id having count(*) > 5) x on true order by 1`,
  ),
  inOrder(
    'condition of an inner join over an aggregate',
    `select c.id, x.n from {customers} c join lateral (select count(*) n from {orders} o where o.customer_id = c.id) x on x.n > 5 order by 1`,
  ),
  inOrder(
    'condition of a left join over an aggregate',
    `select c.id, x.n from {customers} c left join lateral (select count(*) n from {orders} o where o.customer_id = c.id) x on x.n > 5 order by 1`,
  ),
  inOrder(
    'grouped by a lateral aggregate',
    `select x.n, count(*) from {customers} c left join lateral (select count(*) n from {orders} o where o.customer_id = c.id) x on true group by x.n order by 1`,
  ),
  inOrder(
    'rollup by a lateral aggregate',
    `select x.n, count(*), sum(x.n) from {customers} c left join lateral (select count(*) n from {orders} o where o.customer_id = c.id) x on true group by rollup (x.n) order by 1 nulls last, 2`,
  ),
  inOrder(
    'chain of look-ups by key',
    `select e.id, m.last_name, mm.last_name from {employees} e left join lateral (select * from {employees} x where x.id = e.manager_id) m on true left join lateral (select * from {employees} x where x.id = m.manager_id) mm on true order by 1`,
  ),
  inOrder(
    'calculated column of a look-up',
    `select e.id, coalesce(m.l, 'none'), m.k from {employees} e left join lateral (select last_name || '!' as l, 7 as k from {employees} x where x.id = e.manager_id) m on true order by 1`,
  ),
  inOrder(
    'constant of a look-up and a row of the next',
    `select e.id, m.k, m2.j from {employees} e left join lateral (select 7 as k, x.id from {employees} x where x.id = e.manager_id) m on true left join lateral (select to_json(y) j from {employees} y where y.id = m.id limit 1) m2 on true order by 1`,
  ),
  inOrder(
    'inside a subquery of the select list',
    `select c.id, (select json_agg(z) from (select o.id, x.n from {orders} o left join lateral (select count(*) n from {order_items} i where i.order_id = o.id and c.id > 3) x on true where o.customer_id = c.id order by o.id) z) from {customers} c order by 1`,
  ),
  inOrder(
    'sorted by the aggregate of a limited subquery',
    `select c.id, s.tot from {customers} c left join lateral (select sum(y.v) tot from (select o.total_cents v from {orders} o where o.customer_id = c.id order by o.id limit 3) y) s on true order by s.tot desc nulls last, c.id`,
  ),
  inOrder(
    'calculation over an aggregate',
    `select c.id, s.tot, r.r from {customers} c left join lateral (select sum(o.total_cents) tot from {orders} o where o.customer_id = c.id) s on true cross join lateral (select s.tot / 2 as r) r where s.tot is not null order by r.r, c.id`,
  ),
  inOrder(
    'join in parentheses without lateral',
    `select a.id, b.id from {tags} a left join ({product_tags} pt join {products} b on b.id = pt.product_id) on pt.tag_id = a.id order by 1,2 nulls last`,
  ),
  inOrder(
    'two tables inside',
    `select a.id, l.pid, l.nm from {tags} a left join lateral (select pt.product_id pid, b.name nm from {product_tags} pt join {products} b on b.id = pt.product_id where pt.tag_id = a.id) l on true order by 1,2 nulls last`,
  ),
  inOrder(
    'left join inside a left join',
    `select a.id, l.pid, l.nm, to_json(l) from {tags} a left join lateral (select pt.product_id pid, upper(b.name) nm from {product_tags} pt left join {products} b on b.id = pt.product_id and b.id > a.id where pt.tag_id = a.id) l on l.pid <> 3 order by 1,2 nulls last`,
  ),
  inOrder(
    'left join inside a cross join',
    `select a.id, l.pid, l.nm from {tags} a cross join lateral (select pt.product_id pid, upper(b.name) nm from {product_tags} pt left join {products} b on b.id = pt.product_id and b.id > a.id where pt.tag_id = a.id) l order by 1,2 nulls last`,
  ),
  inOrder(
    'distinct on with a lateral aggregate',
    `select distinct on (c.country) c.country, c.id, x.n from {customers} c left join lateral (select count(*) n from {orders} o where o.customer_id = c.id) x on true order by c.country, x.n desc, c.id`,
  ),
  inOrder(
    'window over a lateral aggregate',
    `select x.m, count(*) over (partition by x.m) from {customers} c cross join lateral (select count(*) % 3 as m from {orders} o where o.customer_id = c.id) x order by 1`,
  ),
  inOrder(
    'series up to a column',
    `select c.id, g.g from {customers} c cross join lateral generate_series(1, c.id % 4) g(g) order by 1, 2`,
  ),
  inOrder(
    'filtered series up to a column',
    `select c.id, g.g from {customers} c left join lateral (select g from generate_series(1, c.id % 4) g where g > 1) g on true order by 1, 2`,
  ),
  inOrder(
    'series in the select list',
    `select c.id, generate_series(1, c.id % 3) from {customers} c order by 1, 2`,
  ),
  inOrder(
    'series in the select list of a lateral subquery',
    `select c.id, g.x from {customers} c left join lateral (select generate_series(1, c.id % 3) + 1 as x) g on true order by 1, 2`,
  ),
  inOrder(
    'greater than all',
    `select c.id from {customers} c where c.id > all (select o.customer_id from {orders} o where o.id < 5) order by 1`,
  ),
  inOrder(
    'every quantified comparison',
    `select c.id, c.id > all (select o.employee_id from {orders} o where o.id < c.id), c.id < any (select o.employee_id from {orders} o where o.id < c.id), c.id <> all (select o.employee_id from {orders} o where o.id < c.id), c.id <> any (select o.employee_id from {orders} o where o.id < c.id), c.id = all (select o.employee_id from {orders} o where o.id < c.id) from {customers} c order by 1`,
  ),
  inOrder(
    'quantified comparison of rows',
    `select c.id, (c.id, 1) = any (select o.employee_id, 1 from {orders} o where o.id < c.id), (c.id, 2) <> all (select o.employee_id, 2 from {orders} o where o.id < c.id) from {customers} c order by 1`,
  ),
  inOrder(
    'cube with grouping, having and a window',
    `select country, status, grouping(country, status), count(*), sum(o.total_cents), rank() over (partition by grouping(country) order by count(*) desc, country, status) from {customers} c join {orders} o on o.customer_id = c.id group by cube(country, status) having count(*) > 2 order by 1 nulls first, 2 nulls first limit 30`,
  ),
  inOrder(
    'distinct over a rollup',
    `select distinct grouping(country), sum(count(*)) over () from {customers} group by rollup(country) order by 1`,
  ),
  inOrder(
    'grouping sets with a correlated subquery',
    `select c.country, (select count(*) from {suppliers} s where s.country = c.country), count(*) from {customers} c group by grouping sets ((c.country), ()) order by 1 nulls first`,
  ),
  inOrder('having without groups that is true', `select 1, 'x' from {customers} having true`),
  inOrder('having without groups that is false', `select 1 from {customers} having false`),
  inOrder('having without groups beside a count', `select count(*) from {customers} having 1 > 2`),
  inOrder(
    'rollup of an expression',
    `select c.country || '!' as cc, count(*) from {customers} c group by rollup(c.country || '!') order by 1 nulls last`,
  ),
  inOrder(
    'intersect all',
    `(select country from {customers}) intersect all (select country from {suppliers}) order by 1`,
  ),
  inOrder(
    'except all with limit and offset',
    `(select country from {customers}) except all (select country from {suppliers}) order by 1 limit 5 offset 1`,
  ),
  anyOrder(
    'with ties without a complete order',
    `select id, status from {orders} order by status fetch first 3 rows with ties`,
  ),
  anyOrder(
    'with ties and an offset',
    `select status from {orders} order by status offset 2 fetch first 1 rows with ties`,
  ),
  inOrder(
    'with ties of nothing',
    `select id from {orders} order by total_cents desc nulls last offset 2 fetch first 0 rows with ties`,
  ),
  inOrder('values in order with a limit', `values (3,'a'),(1,'b'),(2,null) order by 1 limit 2`),
  inOrder(
    'row of a joined table',
    `select c.id, to_json(p) from {customers} c left join {customer_profiles} p on p.customer_id = c.id order by 1`,
  ),
  inOrder(
    'row of a joined subquery',
    `select c.id, to_json(p), count(p) over () from {customers} c left join (select customer_id, bio from {customer_profiles}) p on p.customer_id = c.id order by 1`,
  ),
  inOrder(
    'row of a joined CTE',
    `with p as (select customer_id, bio from {customer_profiles} where newsletter) select c.id, row_to_json(p) from {customers} c left join p on p.customer_id = c.id order by 1`,
  ),
  inOrder(
    'column of joined values',
    `select c.id, json_build_object('a', v) from {customers} c left join (values (1,'x'),(2,'y')) v(i,t) on v.i = c.id order by 1`,
  ),
  inOrder(
    'distinct values of the outer row',
    `select o.id, t.a from {orders} o left join lateral (select distinct i.quantity % 2 as a from {order_items} i where i.order_id = o.id) t on true order by 1,2`,
  ),
  inOrder(
    'union with the outer row',
    `select o.id, t.a from {orders} o left join lateral (select i.quantity as a from {order_items} i where i.order_id = o.id union select o.id) t on true order by 1,2`,
  ),
  inOrder(
    'recursion through a lateral join',
    `with recursive r(id, lvl) as (select id, 1 from {employees} where manager_id is null union all select e.id, r.lvl + 1 from r cross join lateral (select e.id from {employees} e where e.manager_id = r.id) e) select * from r order by 1`,
  ),
  inOrder(
    'recursion with a lateral aggregate',
    `with recursive r(id, n) as (select 1, 1::bigint union all select r.id + 1, x.c from r left join lateral (select count(*) c from {orders} o where o.customer_id = r.id) x on true where r.id < 6) select * from r order by 1`,
  ),
  inOrder(
    'inside exists',
    `select o.id from {orders} o where exists (select 1 from {customers} c cross join lateral (select count(*) n from {reviews} r where r.customer_id = c.id and r.product_id <> o.id) x where c.id = o.customer_id and x.n > 2) order by 1`,
  ),
  inOrder(
    'condition over another lateral column',
    `select c.id, a.x, b.y from {customers} c left join lateral (select max(o.id) x from {orders} o where o.customer_id = c.id) a on true left join lateral (select count(*) y from {order_items} i where i.order_id = a.x) b on a.x > 100 order by 1`,
  ),
  inOrder(
    'sum of an outer column',
    `select c.id, sum(z.k) from {customers} c cross join lateral (select c.id as k from {orders} o where o.customer_id = c.id) z group by c.id order by 1`,
  ),
  inOrder(
    'sum of the outermost column over a limited row',
    `select (select sum(z.k) from {orders} o left join lateral (select c.id as k, o.id as j limit 1) z on true where o.customer_id = c.id) from {customers} c order by 1`,
  ),
  inOrder(
    'sum of the outermost column over a calculation',
    `select (select sum(z.k) from {orders} o cross join lateral (select c.id as k, o.id as j) z where o.customer_id = c.id) from {customers} c order by 1`,
  ),
  inOrder(
    'top two products with their sums',
    `select c.id, p.name, q.s from {categories} c left join lateral (select name, unit_price, id from {products} p where p.category_id = c.id order by unit_price desc nulls last, id limit 2) p on true left join lateral (select sum(quantity) s from {order_items} i where i.product_id = p.id) q on true order by c.id, p.unit_price desc nulls last, p.id`,
  ),
  inOrder(
    'rows of every type as JSON',
    `select t.id, to_json(x) from {type_samples} t left join lateral (select * from {type_samples} y where y.id <= t.id order by y.id desc limit 2) x on true order by 1, x.id`,
  ),
  inOrder(
    'rows of every type',
    `select t.id, x.* from {type_samples} t left join lateral (select * from {type_samples} y where y.id <= t.id order by y.id desc limit 2) x on true order by 1, x.id`,
  ),
])
