import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

export const setOperations: readonly QueryCase[] = queries('set-operations', [
  inOrder(
    'union',
    `select country from {customers} union select country from {suppliers} order by country`,
  ),
  inOrder(
    'union all',
    `select id from {tags} where id < 3 union all select id from {tags} where id < 4 order by id`,
  ),
  inOrder(
    'intersect',
    `select country from {customers} intersect select country from {suppliers} order by country`,
  ),
  inOrder(
    'except',
    `select country from {customers} except select country from {suppliers} order by country`,
  ),
  inOrder(
    'intersect all',
    `select country from {customers} intersect all select country from {suppliers} order by country`,
  ),
  inOrder(
    'except all',
    `select country from {customers} except all select country from {suppliers} order by country`,
  ),
  inOrder(
    'union of parenthesised arms',
    `(select country from {customers}) union (select country from {suppliers}) order by 1`,
  ),
  inOrder(
    'nested on the right',
    `(select id from {tags} where id < 5) union ((select id from {tags} where id > 2) except (select id from {tags} where id > 8)) order by 1`,
  ),
  inOrder(
    'nested on the left',
    `((select id from {tags} where id < 5) union (select id from {tags} where id > 8)) except (select id from {tags} where id in (1, 9)) order by 1`,
  ),
  inOrder('intersect binds tighter', `select 1 as n union select 2 intersect select 3 order by n`),
  inOrder(
    'intersect binds tighter on the left',
    `select 2 as n intersect select 2 union select 1 order by n`,
  ),
  inOrder(
    'intersect after union all',
    `select id from {tags} where id < 3 union all select id from {tags} where id < 5 intersect select id from {tags} where id = 1 order by id`,
  ),
  inOrder(
    'left to right',
    `select 1 as n union all select 1 union select 2 union all select 2 order by n`,
  ),
  inOrder(
    'except is left to right',
    `select n from (values (1), (2), (3)) a(n) except select 2 except select 3 order by n`,
  ),
  inOrder('except then union', `select 1 as n except select 1 union select 1`),
  inOrder(
    'limit in an arm',
    `(select id from {orders} order by freight desc nulls last, id limit 2) union all (select id from {orders} order by freight, id limit 2) order by id`,
  ),
  inOrder(
    'limit on the whole',
    `select id from {tags} union select id from {categories} order by id desc limit 4 offset 1`,
  ),
  inOrder(
    'order by a name of the first arm',
    `select id as n, name as label from {tags} union all select id, name from {categories} order by label, n`,
  ),
  inOrder(
    'order by a position',
    `select name, 1 from {tags} union all select name, 2 from {categories} order by 2 desc, 1`,
  ),
  inOrder('numeric kinds unify', `select 1 union select 1.0 union select 2.50 order by 1`),
  inOrder(
    'int and numeric all',
    `select 1 as v union all select 2.5 union all select 3.00 order by v`,
  ),
  inOrder(
    'int and int8',
    `select 1 as v union all select 9007199254740993 union all select 2 order by v`,
  ),
  inOrder('int and float', `select 1 as v union all select 2.5::float8 order by v`),
  inOrder('null takes the other type', `select null as v union all select 1 order by v`),
  inOrder(
    'unknown literals are text',
    `select 'a' as v union select 'A' union select 'a ' order by v`,
  ),
  inOrder(
    'unknown literal becomes a date',
    `select date '2024-01-31' as v union all select '2024-02-29' order by v`,
  ),
  inOrder(
    'date and timestamp',
    `select date '2024-01-31' as v union all select timestamp '2024-01-31 00:00:00' order by v`,
  ),
  inOrder(
    'date and timestamp duplicates',
    `select date '2024-01-31' as v union select timestamp '2024-01-31 00:00:00'`,
  ),
  inOrder(
    'numeric duplicates differ in scale only',
    `select count(*) from (select 1.0 as v union select 1.00 union select 1) q`,
  ),
  inOrder(
    'text and varchar',
    `select name::text as v from {tags} union select sku from {products} order by v limit 8`,
  ),
  inOrder(
    'texts are exact',
    `select company_name from {customers} union select upper(company_name) from {customers} order by 1`,
  ),
  inOrder(
    'booleans',
    `select verified from {reviews} union select recommended from {reviews} order by 1`,
  ),
  inOrder('nulls are equal', `select city from {customers} except select null order by 1`),
  inOrder(
    'several columns',
    `select customer_id, status from {orders} except select customer_id, 'new' from {orders} order by 1, 2`,
  ),
  inOrder(
    'intersect all counts',
    `(values (1), (1), (2), (null), (null)) intersect all (values (1), (1), (1), (null)) order by 1`,
  ),
  inOrder(
    'except all counts',
    `(values (1), (1), (2), (null), (null)) except all (values (1), (null)) order by 1`,
  ),
  inOrder(
    'in a subquery',
    `select count(*) from (select country from {customers} union all select country from {suppliers}) q`,
  ),
  inOrder(
    'in from with an alias',
    `select "country" from ((select country from {customers}) union (select country from {suppliers}) order by 1) "drizzle_union" order by 1 desc`,
  ),
  inOrder(
    'with aggregates',
    `select 'customers' as what, count(*) from {customers} union all select 'orders', count(*) from {orders} order by what`,
  ),
  inOrder(
    'with group by in the arms',
    `select status, count(*) from {orders} group by status union all select 'all', count(*) from {orders} order by 1`,
  ),
  inOrder(
    'with parameters',
    `select id from {tags} where id = $1 union select id from {categories} where id = $2 order by id`,
    [1, 2],
  ),
  inOrder(
    'with literals as parameters',
    `select id, $1 as kind from {tags} where id < 3 union all select id, $2 from {categories} where id < 3 order by kind, id`,
    ['tag', 'category'],
  ),
  inOrder(
    'three arms',
    `select id from {tags} union select id from {categories} union select id from {employees} order by id`,
  ),
  inOrder(
    'of a CTE',
    `with x as (select id from {tags}) select id from x where id < 3 union all select id from x where id > 11 order by id`,
  ),
  inOrder(
    'jsonb',
    `select attributes -> 'organic' as v from {products} union select 'true'::jsonb order by v`,
  ),
  inOrder('values arm', `values (1, 'a'), (2, 'b') union values (2, 'b'), (3, 'c') order by 1`),
  inOrder(
    'table command',
    `table {tags} union all select id, name from {categories} order by 2, 1`,
  ),
  anyOrder(
    'union without order',
    `select status from {orders} union select status || '!' from {orders}`,
  ),
  anyOrder(
    'intersect of selects with limits',
    `(select id from {tags} order by id limit 5) intersect (select id from {tags} order by id desc limit 9)`,
  ),
])
