import { type Clause, clause } from './clause.ts'

/** Clauses of SELECT. */
export const selectClauses: readonly Clause[] = [
  clause('SELECT without FROM', `select 1 as one, 'a' as a`),
  clause('column, alias AS', 'select id as number, name from main.items order by id'),
  clause('SELECT *', 'select * from main.items order by id'),
  clause('SELECT t.*', 'select i.* from main.items i order by id'),
  clause('SELECT ALL', 'select all group_id from main.items'),
  clause('empty list of columns', 'select from main.items'),
  clause('WHERE', 'select id from main.items where price > 1 and not sold'),
  clause('DISTINCT', 'select distinct group_id from main.items'),
  clause(
    'DISTINCT ON',
    'select distinct on (group_id) group_id, id from main.items order by group_id, id desc',
  ),
  clause('GROUP BY', 'select group_id, count(*) from main.items group by group_id'),
  clause('GROUP BY position', 'select group_id, count(*) from main.items group by 1'),
  clause(
    'GROUP BY expression',
    'select lower(name), count(*) from main.items group by lower(name)',
  ),
  clause(
    'GROUP BY primary key, other columns',
    'select i.id, i.name, count(*) from main.items i group by i.id',
  ),
  clause('GROUP BY ALL', 'select group_id, count(*) from main.items group by all (group_id)'),
  clause(
    'GROUP BY DISTINCT',
    'select group_id, count(*) from main.items group by distinct rollup (group_id), rollup (group_id)',
  ),
  clause('GROUP BY ()', 'select count(*) from main.items group by ()'),
  clause(
    'ROLLUP',
    'select group_id, sold, count(*) from main.items group by rollup (group_id, sold)',
  ),
  clause('CUBE', 'select group_id, sold, count(*) from main.items group by cube (group_id, sold)'),
  clause(
    'GROUPING SETS',
    'select group_id, sold, count(*) from main.items group by grouping sets ((group_id), (sold), ())',
  ),
  clause(
    'GROUPING()',
    'select group_id, grouping(group_id), count(*) from main.items group by rollup (group_id)',
  ),
  clause(
    'HAVING',
    'select group_id, count(*) from main.items group by group_id having count(*) > 1',
  ),
  clause('HAVING without GROUP BY', 'select count(*) from main.items having count(*) > 1'),
  clause('ORDER BY', 'select id, price from main.items order by price, id'),
  clause('ORDER BY DESC', 'select id from main.items order by id desc'),
  clause('ORDER BY ASC', 'select id from main.items order by id asc'),
  clause('ORDER BY NULLS FIRST', 'select id from main.items order by price nulls first, id'),
  clause('ORDER BY NULLS LAST', 'select id from main.items order by price desc nulls last, id'),
  clause('ORDER BY position', 'select name, id from main.items order by 2'),
  clause('ORDER BY expression', 'select id from main.items order by -id'),
  clause('ORDER BY alias', 'select id as n from main.items order by n'),
  clause('ORDER BY USING', 'select id from main.items order by id using >'),
  clause('LIMIT', 'select id from main.items order by id limit 2'),
  clause('LIMIT ALL', 'select id from main.items order by id limit all'),
  clause('LIMIT of an expression', 'select id from main.items order by id limit 1 + 1'),
  clause('OFFSET', 'select id from main.items order by id limit 2 offset 1'),
  clause('OFFSET without LIMIT', 'select id from main.items order by id offset 3'),
  clause('FETCH FIRST', 'select id from main.items order by id fetch first 2 rows only'),
  clause(
    'FETCH FIRST WITH TIES',
    'select group_id from main.items where group_id > 0 order by group_id fetch first 1 row with ties',
  ),
  clause('FOR UPDATE', 'select id from main.items where id = 1 for update'),
  clause('FOR NO KEY UPDATE', 'select id from main.items where id = 1 for no key update'),
  clause('FOR SHARE', 'select id from main.items where id = 1 for share'),
  clause('FOR KEY SHARE', 'select id from main.items where id = 1 for key share'),
  clause('FOR UPDATE OF', 'select i.id from main.items i where id = 1 for update of i'),
  clause('FOR UPDATE SKIP LOCKED', 'select id from main.items where id = 1 for update skip locked'),
  clause('FOR UPDATE NOWAIT', 'select id from main.items where id = 1 for update nowait'),
  clause('VALUES', `values (1, 'a'), (2, 'b')`),
  clause('VALUES with ORDER BY', `values (2, 'a'), (1, 'b') order by 1`),
  clause('TABLE', 'table main.items'),
  clause('UNION', 'select group_id from main.items union select id from main.groups'),
  clause('UNION ALL', 'select group_id from main.items union all select id from main.groups'),
  clause('INTERSECT', 'select group_id from main.items intersect select id from main.groups'),
  clause(
    'INTERSECT ALL',
    'select group_id from main.items intersect all select group_id from main.items',
  ),
  clause('EXCEPT', 'select id from main.groups except select group_id from main.items'),
  clause('EXCEPT ALL', 'select group_id from main.items except all select id from main.groups'),
  clause(
    'UNION with ORDER BY and LIMIT',
    'select id from main.items union select id from main.groups order by id limit 3',
  ),
  clause('WITH', 'with cheap as (select id from main.items where price < 2) select id from cheap'),
  clause('WITH, names of columns', 'with c (n) as (select id from main.items) select n from c'),
  clause('WITH of VALUES', `with v (a, b) as (values (1, 'x'), (2, 'y')) select a, b from v`),
  clause(
    'WITH MATERIALIZED',
    'with c as materialized (select id from main.items) select id from c',
  ),
  clause(
    'WITH NOT MATERIALIZED',
    'with c as not materialized (select id from main.items) select id from c',
  ),
  clause(
    'WITH RECURSIVE',
    `with recursive up (id, parent_id) as (
      select id, parent_id from main.items where id = 5
      union all select i.id, i.parent_id from main.items i join up on i.id = up.parent_id
    ) select id from up`,
  ),
  clause(
    'WITH RECURSIVE … UNION',
    'with recursive n (i) as (select 1 union select i + 1 from n where i < 4) select i from n',
  ),
  clause(
    'WITH RECURSIVE … SEARCH',
    `with recursive down (id) as (
      select id from main.items where id = 1
      union all select i.id from main.items i join down on i.parent_id = down.id
    ) search breadth first by id set place select id from down order by place`,
  ),
  clause(
    'WITH RECURSIVE … CYCLE',
    `with recursive down (id) as (
      select id from main.items where id = 1
      union all select i.id from main.items i join down on i.parent_id = down.id
    ) cycle id set is_cycle using path select id, is_cycle from down`,
  ),
  clause('SELECT INTO', 'select id into main.copied from main.items'),
]
