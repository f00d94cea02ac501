import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const subqueries: readonly QueryCase[] = queries('subqueries', [
  inOrder(
    'scalar in the select list',
    `select c.id, (select count(*) from {products} p where p.category_id = c.id) from {categories} c order by c.id`,
  ),
  inOrder(
    'scalar without a match is null',
    `select t.id, (select o.id from {orders} o where o.id = -t.id) from {tags} t order by t.id`,
  ),
  inOrder(
    'scalar by key',
    `select o.id, (select c.company_name from {customers} c where c.id = o.customer_id) from {orders} o where o.id < 20 order by o.id`,
  ),
  inOrder(
    'scalar with order and limit',
    `select c.id, (select o.id from {orders} o where o.customer_id = c.id order by o.order_date, o.id limit 1) from {customers} c order by c.id`,
  ),
  inOrder(
    'scalar of one row without a key',
    `select (select name from {tags} where name = 'sale'), (select max(id) from {tags})`,
  ),
  inOrder(
    'scalar in where',
    `select id from {products} where unit_price = (select max(unit_price) from {products}) order by id`,
  ),
  inOrder(
    'scalar compared with an average',
    `select id from {products} where unit_price > (select avg(unit_price) from {products}) order by id`,
  ),
  inOrder(
    'scalar in order by',
    `select id from {categories} c order by (select count(*) from {products} p where p.category_id = c.id) desc, id`,
  ),
  inOrder(
    'scalar in having',
    `select customer_id, count(*) from {orders} group by customer_id having count(*) > (select count(*) from {orders} where customer_id = 1) order by customer_id`,
  ),
  inOrder(
    'scalar in limit',
    `select id from {tags} order by id limit (select count(*) from {categories} where parent_id is null)`,
  ),
  inOrder(
    'scalar in an expression',
    `select (select max(id) from {tags}) - (select min(id) from {tags}) + 1, -(select count(*) from {tags})`,
  ),
  inOrder(
    'scalar inside a function',
    `select upper((select name from {tags} where id = 4)), coalesce((select name from {tags} where id = 400), 'none')`,
  ),
  inOrder(
    'scalar inside case and between',
    `select id from {tags} where id between (select min(id) + 1 from {tags}) and (select max(id) - 1 from {tags}) order by id`,
  ),
  inOrder(
    'scalar boolean',
    `select (select verified from {reviews} where id = 1), (select not verified from {reviews} where id = 1)`,
  ),
  inOrder(
    'scalar json and numeric',
    `select (select attributes from {products} where id = 3), (select unit_price from {products} where id = 2)`,
  ),
  inOrder(
    'group average below outer',
    `select o.id from {orders} o where o.freight > (select avg(i.freight) from {orders} i where i.customer_id = o.customer_id) order by o.id`,
  ),
  inOrder(
    'exists',
    `select c.id from {customers} c where exists (select 1 from {reviews} r where r.customer_id = c.id and r.rating = 5) order by c.id`,
  ),
  inOrder(
    'not exists',
    `select c.id from {customers} c where not exists (select * from {orders} o where o.customer_id = c.id) order by c.id`,
  ),
  inOrder(
    'exists with an aggregate is always true',
    `select count(*) from {customers} c where exists (select count(*) from {orders} o where o.customer_id = c.id)`,
  ),
  inOrder(
    'exists with having',
    `select c.id from {customers} c where exists (select 1 from {orders} o where o.customer_id = c.id group by o.status having count(*) > 5) order by c.id`,
  ),
  inOrder(
    'exists with limit zero',
    `select count(*) from {tags} where exists (select 1 from {orders} limit 0)`,
  ),
  inOrder(
    'nested exists',
    `select c.id from {customers} c where exists (select 1 from {orders} o where o.customer_id = c.id and exists (select 1 from {order_items} i where i.order_id = o.id and i.quantity = 100)) order by c.id`,
  ),
  inOrder(
    'in',
    `select id from {customers} where id in (select customer_id from {orders} where status = 'cancelled') order by id`,
  ),
  inOrder(
    'not in',
    `select id from {customers} where id not in (select customer_id from {orders}) order by id`,
  ),
  inOrder(
    'in with limit',
    `select id from {orders} where id in (select id from {orders} order by freight desc nulls last, id limit 5) order by id`,
  ),
  inOrder(
    'in with group by',
    `select id from {customers} where id in (select customer_id from {orders} group by customer_id having count(*) > 10) order by id`,
  ),
  inOrder(
    'in with union',
    `select id from {tags} where id in (select 1 union select 3 union all select 3) order by id`,
  ),
  inOrder(
    'in correlated',
    `select o.id from {orders} o where 100 in (select i.quantity from {order_items} i where i.order_id = o.id) order by o.id`,
  ),
  inOrder(
    'in with an expression',
    `select id from {tags} where id * 10 in (select quantity from {order_items}) order by id`,
  ),
  inOrder(
    'in that refers to a group around it',
    `select g.customer_id, g.last from (select customer_id, max(id) as last from {orders} group by customer_id) g where g.customer_id in (select c.id from {customers} c where c.id > g.customer_id - 1 and c.id < g.last) order by 1`,
  ),
  inOrder(
    'exists that refers to a limited list around it',
    `select l.id from (select id, customer_id from {orders} order by id limit 40) l where exists (select 1 from {customers} c where c.id = l.customer_id and c.id + $1 > l.id) order by 1`,
    [9],
  ),
  inOrder(
    'not or not exists that refers to a CTE around it',
    `with g as (select distinct customer_id, status from {orders}) select g.customer_id, g.status from g where not (g.status = $1 or not exists (select 1 from {customers} c where c.id = g.customer_id and c.company_name > g.status)) order by 1, 2`,
    ['new'],
  ),
  inOrder(
    'in over texts',
    `select id, company_name from {customers} where lower(company_name) in (select lower(company_name) from {customers} group by lower(company_name) having count(*) > 1) order by id`,
  ),
  inOrder(
    'in of rows',
    `select order_id, product_id from {order_items} where (order_id, product_id) in (select order_id, max(product_id) from {order_items} group by order_id) order by order_id limit 40`,
  ),
  inOrder(
    'in the from list',
    `select q.name from (select id, name from {tags} where id > 5) q order by q.id`,
  ),
  inOrder(
    'in from with limit inside and outside',
    `select id from (select id, unit_price from {products} order by unit_price desc, id limit 20) q order by unit_price, id limit 5`,
  ),
  inOrder(
    'from in from in from',
    `select a.id from (select b.id from (select c.id from {tags} c where c.id < 9) b where b.id > 2) a order by a.id desc`,
  ),
  inOrder(
    'from with renamed columns',
    `select q.k, q.s from (select customer_id as k, sum(freight) as s from {orders} group by 1) q where q.s > 1000 order by q.k`,
  ),
  inOrder('from with duplicate names unused', `select q.x from (select 1 as a, 2 as a, 3 as x) q`),
  inOrder(
    'alias optional column reference',
    `select "n", "top" from (select count(*) as "n", max(id) as "top" from {orders}) "sq"`,
  ),
  inOrder(
    'outer column two levels down',
    `select c.id, (select count(*) from {orders} o where o.customer_id = c.id and o.id in (select i.order_id from {order_items} i where i.quantity > c.id)) from {customers} c where c.id < 15 order by c.id`,
  ),
  inOrder(
    'aggregate of an outer column',
    `select c.id from {categories} c group by c.id having exists (select 1 from {products} p where p.category_id = c.id) order by c.id`,
  ),
  inOrder(
    'outer aggregate inside a subquery',
    `select customer_id, (select max(q.x) from (select count(*) as x) q) from {orders} group by customer_id having customer_id < 6 order by customer_id`,
  ),
  inOrder(
    'values in a subquery',
    `select id from {tags} where id in (values (2), (4)) order by id`,
  ),
  inOrder(
    'row from a subquery',
    `select (1, 'new') = (select id, name from {tags} where id = 3), (3, 'new') = (select id, name from {tags} where id = 3)`,
  ),
  inOrder(
    'subquery with its own CTE',
    `select id, (with x as (select count(*) as n from {products} p where p.category_id = c.id) select n + 1 from x) from {categories} c order by id`,
  ),
  inOrder(
    'derived table seeing the outer row',
    `select c.id, (select sum(q.f) from (select o.freight as f from {orders} o where o.customer_id = c.id order by o.freight desc nulls last, o.id limit 2) q) from {customers} c order by c.id`,
  ),
  inOrder(
    'distinct inside',
    `select count(*) from (select distinct customer_id, status from {orders}) q`,
  ),
  inOrder(
    'order by without limit inside',
    `select count(*), sum(id) from (select id from {orders} order by freight) q`,
  ),
  inOrder(
    'offset inside',
    `select count(*) from (select id from {orders} order by id offset 290) q`,
  ),
  inOrder(
    'pagination by key',
    `select id from {orders} where (order_date, id) > (select order_date, id from {orders} where id = 10) order by order_date, id limit 10`,
  ),
  inOrder(
    'row compared with no row and with NULL',
    `select (1, 'x') = (select id, name from {tags} where false), (1, null) <> (select id, name from {tags} where id = 3), (3, null) <> (select id, name from {tags} where id = 3), (2, 'a') < (select id, name from {tags} where id = 3), (null, 1) >= (select id, id from {tags} where id = 3)`,
  ),
  inOrder(
    'row compared with a correlated row',
    `select o.id from {orders} o where (o.order_date, o.id) >= (select max(p.order_date), min(p.id) from {orders} p where p.customer_id = o.customer_id) order by o.id limit 20`,
  ),
  inOrder(
    'row of aggregates compared with a row',
    `select customer_id, count(*) from {orders} group by customer_id having (count(*), max(id)) > (select 3, 10) order by customer_id limit 10`,
  ),
  inOrder(
    'row of other types compared with a row',
    `select id from {orders} where (order_date, id) = (select order_date::timestamp, id::bigint from {orders} where id = 7)`,
  ),
  inOrder(
    'row between rows',
    `select id from {orders} where (customer_id, id) between (1, 5) and (3, 1) order by customer_id, id limit 20`,
  ),
  anyOrder(
    'whole row of a subquery in star',
    `select q.* from (select o.*, o.id + 1 as next from {orders} o where o.id < 5) q`,
  ),
  onPostgres(
    inOrder('array of a subquery', `select array(select id from {tags} order by id desc limit 3)`),
  ),
])
