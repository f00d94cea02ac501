import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const literals: readonly QueryCase[] = queries('literals', [
  inOrder('doubled quote', `select 'it''s', '''', ''`),
  inOrder('backslash is plain', String.raw`select 'a\b', '\', 'a\\b', 'c:\new'`),
  inOrder('escape string', String.raw`select E'a\tb\n\'\\', E'\u00e9\x41\101'`),
  inOrder('unicode string', String.raw`select U&'\00e9\+01F600', U&'d!0061t' uescape '!'`),
  inOrder('dollar quotes', `select $$it's$$, $tag$a $$ b$tag$`),
  inOrder('adjacent strings join', `select 'a'\n'b'\n  'c', length('x'\n'y')`),
  inOrder('booleans and null', `select true, false, null, not true, null is null`),
  inOrder('integer sizes', `select 0, 2147483647, 2147483648, -2147483648, 9223372036854775807`),
  inOrder('integer beyond int8 is numeric', `select 9223372036854775808, -9223372036854775808`),
  inOrder('decimals keep their scale', `select 1.50, 0.0, 100.00, 1.0, .5, 5., 00012.300`),
  inOrder('exponents are numeric', `select 1e2, 1.5e3, 1e-3, 12.34e1, 1E0`),
  inOrder('negative numbers', `select -1, - 1.50, +3, - -2, -(-3)`),
  inOrder('date literal', `select date '2024-02-29', '2024-01-31'::date`),
  inOrder(
    'timestamp literal trims zeros',
    `select timestamp '2024-02-29 10:30:00.250',
    timestamp '2024-02-29 10:30', timestamp '2024-02-29', timestamp '2024-02-29T10:30:00.123456Z'`,
  ),
  inOrder('time literal', `select time '10:30', time '23:59:59.999999', time '00:00:00.10'`),
  inOrder(
    'timestamptz literal moves to UTC',
    `select timestamptz '2024-02-29 10:30:00+02',
    timestamptz '2024-02-29 10:30:00-05:30', timestamptz '2024-02-29 10:30:00Z'`,
  ),
  inOrder('bytea literal', String.raw`select '\x00ff10'::bytea, '\x'::bytea, '\xDEADBEEF'::bytea`),
  inOrder('uuid literal is lower case', `select 'ABCDEFAB-CDEF-4ABC-8DEF-ABCDEFABCDEF'::uuid`),
  inOrder('json literal', `select '{"a": [1, 2.50, null, true, "x"]}'::json, '"text"'::json`),
  inOrder(
    'jsonb literal',
    `select '{"b": 1, "a": {"c": []}}'::jsonb, 'null'::jsonb, '12.30'::jsonb`,
  ),
  inOrder('unknown literal is text', `select 'abc' as a, '5' as b, '' as c`),
  inOrder('literal takes the other side type', `select 5 = '5', 5 + '5', '10' > 9, 1.5 = '1.50'`),
  inOrder('text literals compare as text', `select '10' > '9', '10' < '9', 'a' < 'B'`),
  inOrder('unicode text', `select '😀', 'é', 'ß', '日本', length('😀é')`),
  anyOrder('rows without columns', `select from {tags}`),
  inOrder('no columns but rows', `select count(*) from (select from {categories}) q`),
  inOrder('select without from', `select 1 as one where true`),
  inOrder('select without from and false', `select 1 as one where false`),
  inOrder(
    'comments are blanks',
    `select /* a /* nested */ comment */ 1, -- to the end
    2`,
  ),
  inOrder('one trailing semicolon', `select 1;`),
  inOrder('unnamed columns', `select 1, 'a', 1 + 1, upper('a'), 1::text, true and false`),
  inOrder('duplicate column names', `select 1 as a, 2 as a, 3 as "A", 4 as a`),
  inOrder('large text', `select repeat('ab', 5000), length(repeat('x', 20000))`),
  onPostgres(inOrder('interval literal', `select interval '1 day 2 hours', interval '90' minute`)),
  onPostgres(inOrder('bit strings', `select x'ff', b'101'`)),
  onPostgres(inOrder('array literal', `select array[1, 2], array['a', null], array[[1], [2]]`)),
  onPostgres(inOrder('row value', `select row(1, 'a', null)`)),
])

export const identifiers: readonly QueryCase[] = queries('identifiers', [
  inOrder('unquoted names fold', `SELECT ID, Name FROM MAIN.TAGS ORDER BY Id`),
  inOrder(
    'three parts',
    `select "main"."tags"."id", "main"."tags"."name" from {tags}
    where "main"."tags"."id" > 3 order by "main"."tags"."name"`,
  ),
  inOrder(
    'reserved words as names',
    `select "select", "order", "CamelCase" from {odd names} order by id`,
  ),
  inOrder(
    'blanks, dots and quotes',
    `select "with space", "dotted.name", "quote""d", "ünïcode"
    from {odd names} order by "order" nulls last, id`,
  ),
  inOrder(
    'odd names qualified',
    `select "odd names"."quote""d", "main"."odd names"."select"
    from {odd names} where "odd names"."order" = 2`,
  ),
  inOrder(
    'alias hides the table',
    `select t.id from {tags} as t where t.name = 'sale' order by t.id`,
  ),
  inOrder(
    'alias equal to another table',
    `select orders.name from {tags} orders order by orders.id`,
  ),
  inOrder(
    'alias that needs quotes',
    `select "my tags"."name" as "the name" from {tags} as "my tags"
    order by "the name"`,
  ),
  inOrder(
    'output names differing in case',
    `select "A", "a" from
    (select id as "a", name as "A" from {tags}) q order by "a"`,
  ),
  inOrder(
    'aliases differing in case',
    `select "T".id, t.id from {tags} "T"
    join {tags} t on t.id = "T".id + 1 order by 1`,
  ),
  inOrder('output name equal to a column', `select id as name, name as id from {tags} order by id`),
  inOrder('order by prefers the output name', `select -id as id from {tags} order by id`),
  inOrder('order by expression uses the column', `select -id as id from {tags} order by id + 0, 1`),
  anyOrder(
    'group by prefers the column',
    `select lower(name) as name, count(*)
    from {tags} group by name`,
  ),
  inOrder(
    'group by output name',
    `select lower(country) as land, count(*) from {customers}
    group by land order by land`,
  ),
  inOrder('order by position', `select name, id from {tags} order by 2 desc`),
  inOrder('star', `select * from {tags} order by id`),
  inOrder('star of an alias', `select t.*, t.id from {tags} t order by t.id`),
  inOrder(
    'star of two tables',
    `select * from {product_tags} pt join {tags} t on t.id = pt.tag_id
    order by pt.product_id, t.id limit 15`,
  ),
  inOrder('star twice', `select t.*, t.* from {tags} t order by id limit 3`),
  inOrder('star of a subquery', `select * from (select 1 as a, 2 as b, 3 as a2) q`),
  inOrder(
    'CTE named as a table',
    `with orders as (select id from {tags} where id < 4)
    select orders.id, o.id from orders join {orders} o on o.id = orders.id order by 1`,
  ),
  inOrder(
    'CTE hides the unqualified name',
    `with "tags" as (select 1 as id, 'mine' as name)
    select "tags"."name", t."name" from "tags", {tags} t where t.id = 1`,
  ),
  inOrder(
    'subquery alias inside and outside',
    `select o.id from (select o.id from {orders} o
    where o.id <= 3) o order by o.id desc`,
  ),
  inOrder(
    'inner scope hides the outer',
    `select t.id, (select t.name from {categories} t where t.id = 1)
    from {tags} t where t.id in (2, 3) order by 1`,
  ),
  inOrder(
    'outer column from inside',
    `select c.id, (select count(*) from {orders} where customer_id = c.id)
    from {customers} c where c.id <= 6 order by c.id`,
  ),
  inOrder(
    'column aliases on a table',
    `select x.a, x.b from {tags} as x(a, b) where x.a < 3 order by x.a`,
  ),
  inOrder('some column aliases', `select x.a, x.name from {tags} x(a) where x.a < 3 order by x.a`),
  inOrder(
    'column aliases on a subquery',
    `select q.one, q.two from (select id, name from {tags}) q(one, two)
    order by q.one limit 2`,
  ),
  inOrder('alias without AS', `select id number, name label from {tags} t order by number limit 2`),
  inOrder('very long alias', `select id as "${'a'.repeat(63)}" from {tags} order by 1 limit 1`),
  inOrder(
    'name of the whole statement',
    `select "id" "id", "name" "id2" from "main"."tags" "tags"
    where "tags"."id" = 5`,
  ),
])
