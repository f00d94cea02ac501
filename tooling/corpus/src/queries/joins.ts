import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

export const joins: readonly QueryCase[] = queries('joins', [
  inOrder(
    'inner',
    `select o.id, c.company_name from {orders} o join {customers} c on c.id = o.customer_id order by o.id`,
  ),
  inOrder(
    'inner with three tables',
    `select o.id, p.name, i.quantity from {orders} o inner join {order_items} i on i.order_id = o.id inner join {products} p on p.id = i.product_id order by o.id, p.id`,
  ),
  inOrder(
    'left',
    `select c.id, o.id from {customers} c left join {orders} o on o.customer_id = c.id order by c.id, o.id`,
  ),
  inOrder(
    'left with a condition in ON',
    `select c.id, o.id from {customers} c left join {orders} o on o.customer_id = c.id and o.status = 'paid' order by c.id, o.id`,
  ),
  inOrder(
    'left with a condition in WHERE',
    `select c.id, o.id from {customers} c left join {orders} o on o.customer_id = c.id where o.status = 'paid' order by c.id, o.id`,
  ),
  inOrder(
    'left anti join',
    `select c.id from {customers} c left join {orders} o on o.customer_id = c.id where o.id is null order by c.id`,
  ),
  inOrder(
    'right',
    `select o.id, e.id from {orders} o right join {employees} e on e.id = o.employee_id order by e.id, o.id`,
  ),
  inOrder(
    'full',
    `select o.id, e.id from {orders} o full join {employees} e on e.id = o.employee_id order by e.id, o.id`,
  ),
  inOrder(
    'full outer with both sides missing',
    `select a.id, b.id from (select id from {tags} where id < 6) a full outer join (select id from {tags} where id > 3) b on a.id = b.id order by a.id, b.id`,
  ),
  inOrder(
    'full with nulls in the key',
    `select a.k, b.k from (values (1), (null), (2)) a(k) full join (values (2), (null), (3)) b(k) on a.k = b.k order by a.k, b.k`,
  ),
  inOrder(
    'cross',
    `select a.id, b.id from {tags} a cross join {categories} b where a.id < 4 and b.id < 4 order by a.id, b.id`,
  ),
  inOrder(
    'comma',
    `select o.id, c.company_name from {orders} o, {customers} c where c.id = o.customer_id and o.id < 20 order by o.id`,
  ),
  inOrder(
    'self',
    `select e.id, m.last_name from {employees} e left join {employees} m on m.id = e.manager_id order by e.id`,
  ),
  inOrder(
    'self twice',
    `select e.id, m.id, b.id from {employees} e left join {employees} m on m.id = e.manager_id left join {employees} b on b.id = m.manager_id order by e.id`,
  ),
  inOrder(
    'alias without AS in three-part style',
    `select "main"."orders"."id", "mgr"."last_name" from {orders} left join {employees} "mgr" on "main"."orders"."employee_id" = "mgr"."id" order by "main"."orders"."id"`,
  ),
  inOrder(
    'using',
    `select product_id, pt.tag_id, r.id from {product_tags} pt join {reviews} r using (product_id) order by product_id, pt.tag_id, r.id limit 60`,
  ),
  inOrder(
    'using merges the column',
    `select * from (values (1, 'a'), (2, 'b')) x(k, v) join (values (1, 'c'), (2, 'd')) y(k, w) using (k) order by k`,
  ),
  inOrder(
    'using with left join',
    `select k, v, w from (values (1, 'a'), (2, 'b')) x(k, v) left join (values (2, 'd'), (3, 'e')) y(k, w) using (k) order by k`,
  ),
  inOrder(
    'using with right join',
    `select k, v, w from (values (1, 'a'), (2, 'b')) x(k, v) right join (values (2, 'd'), (3, 'e')) y(k, w) using (k) order by k`,
  ),
  inOrder(
    'using with full join',
    `select k, x.k, y.k, v, w from (values (1, 'a'), (2, 'b')) x(k, v) full join (values (2, 'd'), (3, 'e')) y(k, w) using (k) order by 1`,
  ),
  inOrder(
    'using two columns',
    `select order_id, product_id, a.quantity, b.quantity from {order_items} a join {order_items} b using (order_id, product_id) order by order_id, product_id limit 20`,
  ),
  inOrder(
    'natural',
    `select * from (values (1, 'a'), (2, 'b')) x(k, v) natural join (values (1, 'c'), (3, 'd')) y(k, w)`,
  ),
  inOrder(
    'natural left and full',
    `select k, v, w from (values (1, 'a'), (2, 'b')) x(k, v) natural full join (values (1, 'c'), (3, 'd')) y(k, w) order by k`,
  ),
  inOrder(
    'natural without common columns',
    `select count(*) from (select 1 as a union all select 2) x natural join (select 1 as b union all select 2) y`,
  ),
  inOrder(
    'star over using',
    `select * from (values (1, 2)) x(a, k) join (values (2, 3)) y(k, b) using (k)`,
  ),
  inOrder(
    'parenthesised join',
    `select c.id, o.id, i.product_id from {customers} c left join ({orders} o join {order_items} i on i.order_id = o.id) on o.customer_id = c.id where c.id < 12 order by c.id, o.id, i.product_id`,
  ),
  inOrder(
    'left of a left',
    `select p.id, c.name, par.name from {products} p left join {categories} c on c.id = p.category_id left join {categories} par on par.id = c.parent_id order by p.id`,
  ),
  inOrder(
    'join a subquery',
    `select c.id, t.n from {customers} c join (select customer_id, count(*) as n from {orders} group by customer_id) t on t.customer_id = c.id order by c.id`,
  ),
  inOrder(
    'left join an aggregated subquery',
    `select c.id, coalesce(t.n, 0), t.top from {customers} c left join (select customer_id, count(*) as n, max(freight) as top from {orders} group by customer_id) t on t.customer_id = c.id order by c.id`,
  ),
  inOrder(
    'inequality condition',
    `select a.id, b.id from {tags} a join {tags} b on a.id < b.id and b.id < 5 order by a.id, b.id`,
  ),
  inOrder(
    'condition without equality',
    `select a.id, b.id from {employees} a left join {employees} b on a.salary > b.salary order by a.id, b.id`,
  ),
  inOrder(
    'or in the condition',
    `select e.id, o.id from {employees} e join {orders} o on o.employee_id = e.id or o.id = e.id where o.id < 12 order by e.id, o.id`,
  ),
  inOrder(
    'on true',
    `select t.id, x.n from {tags} t left join (select 1 as n) x on true order by t.id`,
  ),
  inOrder(
    'on false',
    `select t.id, x.n from {tags} t left join (select 1 as n) x on false order by t.id`,
  ),
  inOrder(
    'aggregate over a join',
    `select p.category_id, sum(i.quantity * i.unit_price), count(distinct i.order_id) from {order_items} i join {products} p on p.id = i.product_id group by p.category_id order by p.category_id`,
  ),
  inOrder(
    'many-to-many',
    `select p.id, t.name from {products} p join {product_tags} pt on pt.product_id = p.id join {tags} t on t.id = pt.tag_id where p.id < 20 order by p.id, t.name`,
  ),
  inOrder(
    'one-to-one',
    `select c.id, pr.bio, pr.newsletter from {customers} c left join {customer_profiles} pr on pr.customer_id = c.id order by c.id`,
  ),
  inOrder(
    'full join with using and aggregate',
    `select coalesce(a.country, b.country) as land, a.n, b.n from (select country, count(*) n from {customers} group by country) a full join (select country, count(*) n from {suppliers} group by country) b on a.country = b.country order by land`,
  ),
  inOrder(
    'left join on a nullable column',
    `select r.id, c.company_name from {reviews} r left join {customers} c on c.id = r.customer_id order by r.id`,
  ),
  inOrder(
    'join on an expression',
    `select a.id, b.id from {tags} a join {tags} b on a.id * 2 = b.id order by a.id`,
  ),
  inOrder(
    'join on a cast',
    `select t.id, s.id from {tags} t join {type_samples} s on s.c_text = t.id::text order by t.id`,
  ),
  inOrder(
    'join int with int8 and numeric',
    `select t.id, s.label from {tags} t join {type_samples} s on s.c_int8 = t.id and s.c_numeric > t.id order by t.id`,
  ),
  inOrder(
    'join condition with a parameter',
    `select c.id, o.id from {customers} c left join {orders} o on o.customer_id = c.id and o.freight > $1 where c.id < $2 order by c.id, o.id`,
    ['500', 8],
  ),
  inOrder(
    'view',
    `select t.customer_id, t.order_count, o.id from {customer_totals} t join {open_orders} o on o.customer_id = t.customer_id order by o.id limit 30`,
  ),
  inOrder(
    'comma join followed by a join',
    `select t.id, c.id, p.id from {tags} t, {categories} c join {products} p on p.category_id = c.id where t.id = c.id and p.id < 30 order by p.id`,
  ),
  inOrder(
    'cross join then filter by a subquery',
    `select a.id, b.id from {tags} a cross join {tags} b where (a.id, b.id) in (select product_id, tag_id from {product_tags}) order by a.id, b.id`,
  ),
  anyOrder(
    'semi join',
    `select c.id from {customers} c where exists (select from {orders} o where o.customer_id = c.id and o.freight > 100)`,
  ),
  anyOrder(
    'every column of a join',
    `select * from {orders} o join {customers} c on c.id = o.customer_id where o.id < 10`,
  ),
  anyOrder(
    'full join of nothing',
    `select * from (select id from {tags} where false) a full join (select id from {tags} where id < 3) b on a.id = b.id`,
  ),
  anyOrder(
    'full join on inequality',
    `select a.id, b.id from (select id from {tags} where id < 4) a full join (select id from {tags} where id < 4) b on a.id = b.id and a.id > 1`,
  ),
])

export const laterals: readonly QueryCase[] = queries('lateral', [
  inOrder(
    'one aggregate',
    `select c.id, t.n from {customers} c cross join lateral (select count(*) as n from {orders} o where o.customer_id = c.id) t order by c.id`,
  ),
  inOrder(
    'several aggregates',
    `select c.id, t.n, t.total, t.last from {customers} c left join lateral (select count(*) as n, sum(freight) as total, max(order_date) as last from {orders} o where o.customer_id = c.id) t on true order by c.id`,
  ),
  inOrder(
    'first row',
    `select c.id, f.id, f.order_date from {customers} c left join lateral (select o.id, o.order_date from {orders} o where o.customer_id = c.id order by o.order_date desc, o.id limit 1) f on true order by c.id`,
  ),
  inOrder(
    'top two',
    `select c.id, f.id from {customers} c left join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.freight desc nulls last, o.id limit 2) f on true order by c.id, f.id`,
  ),
  inOrder(
    'top two inner',
    `select c.id, f.id from {customers} c join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id limit 2) f on true order by c.id, f.id`,
  ),
  inOrder(
    'top with a parameter',
    `select c.id, f.id from {customers} c cross join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id desc limit $1) f where c.id < $2 order by c.id, f.id`,
    [3, 6],
  ),
  inOrder(
    'top with an offset',
    `select c.id, f.id from {customers} c cross join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id limit 2 offset 1) f where c.id < 7 order by c.id, f.id`,
  ),
  inOrder(
    'computed columns',
    `select p.id, x.gross, x.net from {products} p cross join lateral (select p.unit_price * 1.2 as gross, p.unit_price as net) x where p.id < 10 order by p.id`,
  ),
  inOrder(
    'chain',
    `select p.id, b.v from {products} p cross join lateral (select p.units_in_stock * 2 as v) a cross join lateral (select a.v + 1 as v) b where p.id < 10 order by p.id`,
  ),
  inOrder(
    'comma',
    `select t.id, x.n from {tags} t, lateral (select count(*) as n from {product_tags} pt where pt.tag_id = t.id) x order by t.id`,
  ),
  inOrder(
    'without rows inside',
    `select c.id, f.id from {categories} c left join lateral (select p.id from {products} p where p.category_id = c.id and p.unit_price > 1000 limit 1) f on true order by c.id`,
  ),
  inOrder(
    'inner drops the parent',
    `select c.id, f.id from {categories} c cross join lateral (select p.id from {products} p where p.category_id = c.id order by p.id limit 1) f order by c.id`,
  ),
  inOrder(
    'nested',
    `select c.id, o.id, i.n from {customers} c left join lateral (select o.id from {orders} o where o.customer_id = c.id order by o.id limit 1) o on true left join lateral (select count(*) as n from {order_items} i where i.order_id = o.id) i on true order by c.id`,
  ),
  inOrder(
    'condition on the join',
    `select c.id, t.n from {customers} c join lateral (select count(*) as n from {orders} o where o.customer_id = c.id) t on t.n > 10 order by c.id`,
  ),
  inOrder(
    'values',
    `select t.id, v.x from {tags} t cross join lateral (values (t.id), (t.id * 10)) v(x) where t.id < 4 order by t.id, v.x`,
  ),
  inOrder(
    'json column',
    `select c.id, o.data from {customers} c left join lateral (select coalesce(json_agg(o.id order by o.id), '[]'::json) as data from {orders} o where o.customer_id = c.id) o on true order by c.id`,
  ),
  inOrder(
    'inequality correlation',
    `select e.id, x.id from {employees} e left join lateral (select b.id from {employees} b where b.salary > e.salary order by b.salary, b.id limit 1) x on true order by e.id`,
  ),
  inOrder(
    'generate_series of the parent',
    `select t.id, g from {tags} t cross join lateral generate_series(1, t.id) as g where t.id <= 3 order by t.id, g`,
  ),
  anyOrder(
    'group inside',
    `select c.id, s.status, s.n from {customers} c join lateral (select o.status, count(*) as n from {orders} o where o.customer_id = c.id group by o.status) s on true where c.id < 8`,
  ),
])
