import { inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const ctes: readonly QueryCase[] = queries('ctes', [
  inOrder(
    'one',
    `with big as (select id from {orders} where freight > 600) select id from big order by id`,
  ),
  inOrder(
    'two with a join',
    `with "a" as (select customer_id, count(*) as "n" from {orders} group by customer_id), "b" as (select id, company_name from {customers}) select "a"."customer_id", "n", "b"."company_name" from "a" inner join "b" on "a"."customer_id" = "b"."id" order by 1`,
  ),
  inOrder(
    'one uses the other',
    `with a as (select id from {tags} where id > 3), b as (select max(id) as top, count(*) as n from a) select top, n from b`,
  ),
  inOrder(
    'nested with the same name',
    `with "a" as (select id as n from {tags}), "b" as (with "a" as (select id * 100 as n from {tags}) select max("n") as "top" from "a") select (select max(n) from "a"), "top" from "b"`,
  ),
  inOrder(
    'used twice',
    `with t as (select id, name from {tags} where id < 5) select x.id, y.name from t x join t y on y.id = x.id + 1 order by x.id`,
  ),
  inOrder(
    'column names',
    `with t(a, b) as (select id, name from {tags}) select b, a from t where a in (1, 2) order by a`,
  ),
  inOrder(
    'some column names',
    `with t(a) as (select id, name from {tags}) select a, name from t order by a limit 2`,
  ),
  inOrder(
    'materialized',
    `with t as materialized (select id from {tags}), u as not materialized (select id from {tags}) select count(*) from t join u on u.id = t.id`,
  ),
  inOrder(
    'inside a subquery',
    `select id from {tags} where id in (with x as (select 2 as n union select 4) select n from x) order by id`,
  ),
  inOrder(
    'inside from',
    `select q.n from (with x as (select count(*) as n from {tags}) select n from x) q`,
  ),
  inOrder(
    'in a union arm',
    `(with x as (select 1 as n) select n from x) union all (with x as (select 2 as n) select n from x) order by n`,
  ),
  inOrder(
    'before a union',
    `with x as (select 1 as n) select n from x union all select n + 1 from x order by n`,
  ),
  inOrder(
    'with values',
    `with v(id, label) as (values (1, 'one'), (2, 'two'), (99, null)) select v.id, v.label, t.name from v left join {tags} t on t.id = v.id order by v.id`,
  ),
  inOrder(
    'with parameters',
    `with x as (select id from {orders} where status = $1 and freight > $2) select count(*), min(id) from x where id > $3`,
    ['paid', 10, 5],
  ),
  inOrder('unused', `with unused as (select * from {orders}) select 1 as one`),
  inOrder(
    'correlated from outside',
    `select c.id, (with o as (select freight from {orders} where customer_id = c.id) select max(freight) from o) from {customers} c where c.id < 10 order by c.id`,
  ),
  inOrder(
    'order and limit inside',
    `with top as (select id, unit_price from {products} order by unit_price desc, id limit 5) select id from top order by id`,
  ),
  inOrder(
    'recursive count',
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10) select i from n order by i`,
  ),
  inOrder(
    'recursive over a thousand',
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select count(*), sum(i), max(i) from n`,
  ),
  inOrder(
    'recursive tree',
    `with recursive tree as (select id, name, parent_id, 0 as depth from {categories} where parent_id is null union all select c.id, c.name, c.parent_id, t.depth + 1 from {categories} c join tree t on c.parent_id = t.id) select id, name, depth from tree order by depth, id`,
  ),
  inOrder(
    'recursive path',
    `with recursive tree(id, path) as (select id, name from {categories} where parent_id is null union all select c.id, t.path || ' / ' || c.name from {categories} c join tree t on c.parent_id = t.id) select id, path from tree order by path`,
  ),
  inOrder(
    'recursive growing text',
    `with recursive t(n, s) as (select 1, 'a' union all select n + 1, s || 'bc' from t where n < 20) select n, length(s), s from t order by n`,
  ),
  inOrder(
    'recursive upwards',
    `with recursive up as (select id, manager_id, last_name from {employees} where id = 9 union all select e.id, e.manager_id, e.last_name from {employees} e join up on e.id = up.manager_id) select id, last_name from up order by id`,
  ),
  inOrder(
    'recursive with union stops at duplicates',
    `with recursive t(n) as (select 1 union select (n + 1) % 5 from t) select n from t order by n`,
  ),
  inOrder(
    'recursive with limit outside',
    `with recursive n(i) as (select 1 union all select i + 1 from n) select i from n limit 5`,
  ),
  inOrder(
    'recursive with two seeds',
    `with recursive n(i) as (select 1 union all select 100 union all select i + 1 from n where i % 10 <> 5) select i from n order by i`,
  ),
  inOrder(
    'recursive subtotals',
    `with recursive tree as (select id, id as root from {employees} where manager_id is null union all select e.id, t.root from {employees} e join tree t on e.manager_id = t.id) select root, count(*), sum(e.salary) from tree join {employees} e using (id) group by root order by root`,
  ),
  inOrder(
    'recursive and plain together',
    `with recursive base as (select id, parent_id from {categories}), tree as (select id from base where id = 1 union all select b.id from base b join tree t on b.parent_id = t.id) select id from tree order by id`,
  ),
  inOrder(
    'recursive keyword without recursion',
    `with recursive x as (select 1 as n) select n from x`,
  ),
  inOrder(
    'recursive with numeric',
    `with recursive t(n, v) as (select 1, 1.0::numeric union all select n + 1, v * 1.5 from t where n < 6) select n, v from t order by n`,
  ),
  inOrder(
    'recursive dates',
    `with recursive d(day) as (select date '2024-02-27' union all select day + 1 from d where day < date '2024-03-02') select day from d order by day`,
  ),
  inOrder(
    'recursive with a parameter',
    `with recursive down as (select id from {employees} where id = $1 union all select e.id from {employees} e join down on e.manager_id = down.id) select id from down order by id`,
    [2],
  ),
  inOrder(
    'chain of three',
    `with a as (select customer_id, sum(freight) as f from {orders} group by 1), b as (select *, rank() over (order by f desc nulls last) as r from a), c as (select * from b where r <= 3) select customer_id, f, r from c order by r, customer_id`,
  ),
  onPostgres(
    inOrder(
      'search clause',
      `with recursive t as (select id, parent_id from {categories} where parent_id is null union all select c.id, c.parent_id from {categories} c join t on c.parent_id = t.id) search depth first by id set seq select id from t order by seq`,
    ),
  ),
  onPostgres(
    inOrder(
      'cycle clause',
      `with recursive t(n) as (select 1 union all select n % 3 + 1 from t) cycle n set looped using path select n, looped from t order by path`,
    ),
  ),
  onPostgres(
    inOrder(
      'search breadth first and cycle, with marks of its own',
      `with recursive t(id, manager_id) as (select id, manager_id from {employees} where id = 2 union all select e.id, e.manager_id from {employees} e, t where e.manager_id = t.id or e.id = t.manager_id) search breadth first by id set place cycle id set again to 'yes' default 'no' using path select id, again, path from t where again = 'no' order by place, id`,
    ),
  ),
  onPostgres(
    inOrder(
      'what search and cycle add, in every place',
      `with recursive t(id) as (select id from {employees} where manager_id is null union select e.id from {employees} e join t on e.manager_id = t.id) search depth first by id set place cycle id set again using path select count(*), count(distinct place), bool_or(again), max(array_length(path, 1)) from t`,
    ),
  ),
])
