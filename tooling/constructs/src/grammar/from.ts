import { type Clause, clause } from './clause.ts'

/** Items of FROM. */
export const fromItems: readonly Clause[] = [
  clause('comma', 'select i.id, g.id from main.items i, main.groups g where i.group_id = g.id'),
  clause('alias with columns', 'select t.a from main.groups as t (a, b)'),
  clause(
    'JOIN … ON',
    'select i.id, g.title from main.items i join main.groups g on g.id = i.group_id',
  ),
  clause('JOIN … USING', 'select id, i.name from main.items i join main.groups g using (id)'),
  clause('JOIN … USING … AS', 'select u.id from main.items i join main.groups g using (id) as u'),
  clause(
    'alias of a join',
    'select j.title from (main.items i join main.groups g on g.id = i.group_id) as j',
  ),
  clause(
    'LEFT JOIN',
    'select i.id, g.title from main.items i left join main.groups g on g.id = i.group_id',
  ),
  clause(
    'RIGHT JOIN',
    'select i.id, g.title from main.items i right join main.groups g on g.id = i.group_id',
  ),
  clause(
    'FULL JOIN',
    'select i.id, g.title from main.items i full join main.groups g on g.id = i.group_id',
  ),
  clause('CROSS JOIN', 'select i.id, g.id from main.items i cross join main.groups g'),
  clause('NATURAL JOIN', 'select id from main.items natural join main.groups'),
  clause('NATURAL LEFT JOIN', 'select id, title from main.items natural left join main.groups'),
  clause('subquery', 'select s.n from (select count(*) as n from main.items) s'),
  clause('VALUES as a table', `select v.a, v.b from (values (1, 'x'), (2, 'y')) as v (a, b)`),
  clause(
    'LATERAL',
    `select g.id, i.name from main.groups g cross join lateral (
      select name from main.items where group_id = g.id order by id limit 1) i`,
  ),
  clause(
    'LEFT JOIN LATERAL',
    `select g.id, i.name from main.groups g left join lateral (
      select name from main.items where group_id = g.id order by id limit 1) i on true order by 1`,
  ),
  clause('function', 'select n from generate_series(1, 3) as n'),
  clause('LATERAL function', 'select g.id, n from main.groups g, generate_series(1, g.id) as n'),
  clause(
    'LATERAL function, written',
    'select g.id, n from main.groups g, lateral generate_series(1, g.id) as n',
  ),
  clause('WITH ORDINALITY', `select v, n from unnest(array['a', 'b']) with ordinality as u (v, n)`),
  clause(
    'ROWS FROM',
    'select a, b from rows from (generate_series(1, 2), generate_series(5, 7)) as r (a, b)',
  ),
  clause(
    'column definition list',
    `select a, b from json_to_record('{"a": 1, "b": "x"}') as r (a int, b text)`,
  ),
  clause(
    'column definition list with COLLATE',
    `select a from json_to_record('{"a": "x"}') as r (a text collate "C")`,
  ),
  clause('database.schema.table', 'select id from other.main.items'),
  clause('ONLY', 'select id from only main.items'),
  clause('t *', 'select id from main.items *'),
  clause('TABLESAMPLE', 'select count(*) from main.items tablesample bernoulli (100)'),
  clause(
    'TABLESAMPLE … REPEATABLE',
    'select count(*) from main.items tablesample system (100) repeatable (1)',
  ),
  clause(
    'XMLTABLE',
    `select x.a from xmltable('/r' passing '<r a="1"/>' columns n for ordinality, a int path '@a' default 0 not null) x`,
  ),
  clause(
    'LATERAL XMLTABLE',
    `select x.a from main.groups g, lateral xmltable(xmlnamespaces('n' as m), '/r' passing g.title columns a int) x`,
  ),
  clause(
    'JSON_TABLE (PostgreSQL 17)',
    `select j.a from json_table('[{"a": 1}]', '$[*]' columns (a int path '$.a')) j`,
  ),
  clause(
    'JSON_TABLE with columns of every kind (PostgreSQL 17)',
    `select j.* from main.groups g, lateral json_table(g.title format json encoding utf8, '$[*]' as p passing 1 as v columns (
      n for ordinality, e bool exists path '$.e', f json format json path '$.f' with conditional wrapper,
      b json path '$.b' without wrapper keep quotes, o text path '$.o' omit quotes,
      u json path '$.u' with unconditional wrapper null on empty error on error,
      nested path '$.c[*]' columns (d int)) error on error) j`,
  ),
]
