import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

export const booleans: readonly QueryCase[] = queries('booleans', [
  inOrder('bare column', `select id from {reviews} where verified order by id`),
  inOrder('negated column', `select id from {reviews} where not verified and id < 50 order by id`),
  inOrder('nullable column', `select id from {reviews} where recommended order by id`),
  inOrder('negated nullable column', `select id from {reviews} where not recommended order by id`),
  inOrder(
    'compared with true and false',
    `select count(*) from {reviews} where verified = true and recommended = false`,
  ),
  inOrder('not equal', `select count(*) from {reviews} where recommended <> true`),
  inOrder(
    'is true and friends',
    `select recommended, recommended is true, recommended is not true, recommended is false, recommended is not false, recommended is unknown, recommended is not unknown from {reviews} where id < 20 order by id`,
  ),
  inOrder(
    'comparison results are booleans',
    `select id, id > 5, name = 'sale', id is null, id in (1, 2), name like 's%', id between 2 and 4 from {tags} order by id`,
  ),
  inOrder(
    'logic on columns',
    `select id, verified and recommended, verified or recommended, not recommended, verified = recommended, verified <> recommended from {reviews} order by id`,
  ),
  inOrder(
    'three-valued tables',
    `select true and null, false and null, true or null, false or null, not null::bool, null and null`,
  ),
  inOrder(
    'exists as a value',
    `select id, exists (select 1 from {orders} o where o.customer_id = c.id) from {customers} c order by id`,
  ),
  inOrder('condition without from', `select 1 where 1 = 1 and not false`),
  inOrder(
    'order by a comparison',
    `select id, rating > 3 as good from {reviews} where id < 30 order by rating > 3 desc, id`,
  ),
  inOrder(
    'order by a boolean',
    `select id from {reviews} where id < 30 order by recommended desc, verified, id`,
  ),
  anyOrder(
    'group by a boolean',
    `select verified, recommended, count(*) from {reviews} group by verified, recommended`,
  ),
  inOrder(
    'group by a comparison',
    `select rating >= 4 as good, count(*) from {reviews} group by rating >= 4 order by 1`,
  ),
  inOrder(
    'bool_and and bool_or',
    `select rating, bool_and(verified), bool_or(verified), every(recommended), bool_or(recommended) from {reviews} group by rating order by rating`,
  ),
  inOrder(
    'bool aggregates of nothing',
    `select bool_and(verified), bool_or(verified) from {reviews} where false`,
  ),
  inOrder(
    'min over case of booleans',
    `select count(*) filter (where verified), count(case when recommended then 1 end), sum(case when verified then 1 else 0 end) from {reviews}`,
  ),
  inOrder(
    'boolean in case',
    `select id, case when verified then 'yes' when not verified then 'no' end, case recommended when true then 1 when false then 0 end from {reviews} where id < 30 order by id`,
  ),
  inOrder(
    'boolean result of case',
    `select id, case when rating > 3 then true else recommended end from {reviews} where id < 30 order by id`,
  ),
  inOrder(
    'boolean coalesce',
    `select id, coalesce(recommended, verified), coalesce(recommended, false), nullif(verified, true) from {reviews} where id < 30 order by id`,
  ),
  inOrder(
    'boolean in a subquery',
    `select q.good, q.id from (select id, rating = 5 as good from {reviews}) q where q.good order by q.id limit 10`,
  ),
  inOrder(
    'boolean in a union',
    `select verified from {reviews} union select null::bool order by 1`,
  ),
  inOrder(
    'boolean in a window',
    `select id, bool_or(verified) over (order by id), lag(verified) over (order by id) from {reviews} where id < 20 order by id`,
  ),
  inOrder(
    'boolean min and max through int',
    `select max(verified::int)::bool, min(verified::int) = 1 from {reviews}`,
  ),
  inOrder('distinct booleans', `select distinct recommended from {reviews} order by recommended`),
  inOrder('boolean parameters', `select $1::bool and $2::bool, $1::bool or null, not $2::bool`, [
    true,
    false,
  ]),
  inOrder(
    'boolean join condition',
    `select t.id, r.id from {tags} t join {reviews} r on r.verified and r.id = t.id order by t.id`,
  ),
  inOrder(
    'boolean greater',
    `select true > false, false < true, greatest(true, false), least(verified, recommended) from {reviews} where id < 10 order by id`,
  ),
  inOrder('not binds looser than comparison', `select id from {tags} where not id = 3 order by id`),
  inOrder(
    'and binds tighter than or',
    `select id from {tags} where id = 1 or id = 2 and name = 'zzz' order by id`,
  ),
  inOrder(
    'not in front of between, like, in',
    `select id from {tags} where not id between 3 and 10 and not name like 'v%' and not id in (12) order by id`,
  ),
  inOrder(
    'equality chain needs parentheses',
    `select (1 = 1) = true, (1 < 2) = (3 < 4), (verified = true) = recommended from {reviews} where id < 10 order by id`,
  ),
])

export const cases: readonly QueryCase[] = queries('case', [
  inOrder(
    'searched',
    `select id, case when id < 3 then 'low' when id < 6 then 'mid' else 'high' end from {tags} order by id`,
  ),
  inOrder(
    'simple',
    `select id, case status when 'new' then 0 when 'paid' then 1 else 2 end from {orders} order by id`,
  ),
  inOrder(
    'simple is case-sensitive',
    `select status, case status when 'shipped' then 'lower' when 'Shipped' then 'upper' else 'other' end, count(*) from {orders} group by status order by status`,
  ),
  inOrder(
    'branches of different numbers',
    `select case when id = 1 then 1 when id = 2 then 2.50 else 3.0::float8 end from {tags} where id < 4 order by id`,
  ),
  inOrder(
    'int and numeric branches',
    `select case when id % 2 = 0 then id else unit_price end from {products} where id < 10 order by id`,
  ),
  inOrder(
    'is lazy',
    `select case when id = 0 then 1 / id else 0 end, case when id = 1 then 'ok' else name::int::text end from {tags} where id = 1`,
  ),
  inOrder(
    'lazy over columns',
    `select id, case when freight <> 0 then 100 / freight else null end from {orders} order by id`,
  ),
  inOrder(
    'nested',
    `select id, case when id > 5 then case when id > 10 then 'c' else 'b' end else 'a' end from {tags} order by id`,
  ),
  inOrder(
    'in order by',
    `select id, status from {orders} where id < 40 order by case status when 'paid' then 0 else 1 end, id`,
  ),
  inOrder(
    'in group by',
    `select case when freight > 100 then 'high' when freight > 0 then 'low' else 'none' end as class, count(*) from {orders} group by 1 order by 1`,
  ),
  inOrder(
    'in an aggregate',
    `select sum(case when status = 'paid' then total_cents else 0 end), count(case when status = 'new' then 1 end) from {orders} where id not in (77, 78)`,
  ),
  inOrder(
    'in where',
    `select id from {orders} where case when freight is null then false else freight > 600 end order by id`,
  ),
  inOrder(
    'with subqueries',
    `select id, case when exists (select 1 from {orders} o where o.customer_id = c.id) then (select max(id) from {orders} o where o.customer_id = c.id) end from {customers} c order by id`,
  ),
  inOrder(
    'parameters everywhere',
    `select id, case when units_in_stock = $1 then $2 when units_in_stock < $3 then $4 else $5 end from {products} where id < 20 order by id`,
    [0, 'none', 20, 'few', 'many'],
  ),
  inOrder(
    'coalesce is lazy',
    `select coalesce(1, 1 / 0), coalesce(id, 1 / (id - id)) from {tags} where id = 3`,
  ),
  inOrder(
    'nullif against division by zero',
    `select id, 10 / nullif(units_in_stock, 0) from {products} order by id`,
  ),
  inOrder(
    'null branches',
    `select case when id = 1 then null else name end, case when id = 1 then 5 else null end from {tags} where id < 4 order by id`,
  ),
  inOrder(
    'date branches',
    `select id, case when id = 1 then shipped_on else date '2000-01-01' end from {orders} where id < 4 order by id`,
  ),
])

export const membership: readonly QueryCase[] = queries('any-all', [
  inOrder('any of a parameter array', `select id from {orders} where id = any($1) order by id`, [
    [1, 5, 9],
  ]),
  inOrder(
    'any of a literal text parameter',
    `select id from {orders} where id = any($1) order by id`,
    ['{2,4,6}'],
  ),
  inOrder('any of a text array', `select id from {tags} where name = any($1) order by id`, [
    ['sale', 'a_b', 'x"y', 'a,b'],
  ]),
  inOrder('any of quoted array text', `select id from {tags} where name = any($1) order by id`, [
    '{"sale","gluten-free",NULL}',
  ]),
  inOrder('any of a cast array', `select id from {tags} where id = any($1::int[]) order by id`, [
    '{1,2}',
  ]),
  inOrder('any of an empty array', `select count(*) from {tags} where id = any($1)`, [[]]),
  inOrder('all of an empty array', `select count(*) from {tags} where id <> all($1)`, [[]]),
  inOrder('not any', `select id from {tags} where not (id = any($1)) order by id`, [[1, 2, 3]]),
  inOrder('different from all', `select id from {tags} where id <> all($1) order by id`, [
    [1, 2, 3],
  ]),
  inOrder('different from all with null', `select count(*) from {tags} where id <> all($1)`, [
    [1, null],
  ]),
  inOrder('any with null', `select id from {tags} where id = any($1) order by id`, [[1, null]]),
  inOrder('any of a null array', `select count(*) from {tags} where id = any($1)`, [null]),
  inOrder(
    'any of an array constructor',
    `select id from {tags} where id = any(array[2, 3, 5]) order by id`,
  ),
  inOrder(
    'any of constructor parameters',
    `select id from {tags} where id = any(array[$1::int, $2]) order by id`,
    [4, 5],
  ),
  inOrder(
    'greater than any and all',
    `select id from {tags} where id > any(array[8, 10]) and id > all(array[1, 8]) order by id`,
  ),
  inOrder(
    'any subquery',
    `select id from {customers} where id = any (select customer_id from {orders} where freight > 600) order by id`,
  ),
  inOrder(
    'some subquery',
    `select id from {customers} where id = some (select customer_id from {orders} where freight > 900) order by id`,
  ),
  inOrder(
    'less than all subquery',
    `select id from {products} where unit_price <= all (select unit_price from {products}) order by id`,
  ),
  inOrder(
    'greater than any subquery',
    `select id from {products} where unit_price > any (select unit_price from {products} where id < 5) order by id`,
  ),
  inOrder(
    'all of an empty subquery',
    `select count(*) from {tags} where id > all (select id from {tags} where false)`,
  ),
  inOrder(
    'any of an empty subquery',
    `select count(*) from {tags} where id > any (select id from {tags} where false)`,
  ),
  inOrder(
    'all with nulls',
    `select count(*) from {tags} where id <> all (select employee_id from {orders})`,
  ),
  inOrder('value of any', `select id, id = any($1), id <> all($1) from {tags} order by id`, [
    [1, null],
  ]),
  inOrder('numeric array', `select id from {products} where unit_price = any($1) order by id`, [
    ['2.5', '9.99'],
  ]),
  inOrder('date array', `select id from {orders} where shipped_on = any($1) order by id`, [
    ['2023-01-31', '2024-02-29'],
  ]),
  inOrder('boolean array', `select count(*) from {reviews} where recommended = any($1)`, [[true]]),
  inOrder('uuid array', `select label from {type_samples} where c_uuid = any($1) order by id`, [
    ['22222222-2222-2222-2222-222222222222', 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA'],
  ]),
  inOrder('int8 array', `select label from {type_samples} where c_int8 = any($1) order by id`, [
    ['9007199254740993', '0'],
  ]),
  inOrder(
    'any together with others',
    `select id from {orders} where customer_id = any($1) and status = $2 order by id`,
    [[1, 2, 3], 'paid'],
  ),
])
