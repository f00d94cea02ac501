/** @module Statements that PostgreSQL and Engine must run alike; each begins with the rows of `mergeRows`. */

/** In the schema `main` of PostgreSQL, and in the schema of a connection `main`. */
export const mergeTables = `
  create table t (
    id int primary key, v int check (v < 1000), name text not null default 'none', tag text unique,
    twice int generated always as (v * 2) stored
  );
  create table s (id int, v int, name text);
  create table plain (a int, b int);
  create table numbered (id int generated always as identity primary key, label text default 'x');
  create table child (id int primary key, t_id int references t (id));
  create table parts (id int, kind text, v int) partition by list (kind);
  create table parts_a partition of parts for values in ('a');
  create table parts_b partition of parts for values in ('b');
  create view seen as select id from t;
`

export const mergeNames: readonly string[] = ['t', 's', 'plain', 'numbered', 'child', 'parts']

export const mergeRows = `
  truncate t, s, plain, numbered, child, parts restart identity;
  insert into t (id, v, name, tag) values (1, 10, 'one', 'a'), (2, 20, 'two', 'b'), (3, null, 'three', null), (4, 40, 'four', 'd');
  insert into s values (1, 11, 'first'), (3, 33, 'third'), (5, 55, 'fifth'), (6, null, null);
  insert into plain values (1, 1), (1, 2), (2, 2), (null, 3);
  insert into numbered (label) values ('first'), ('second');
  insert into child values (1, 4);
  insert into parts values (1, 'a', 1), (2, 'a', 2), (1, 'b', 3);
`

export type Statement = readonly [sql: string, params?: readonly unknown[]]

const into = 'merge into main.t as t using main.s as s on t.id = s.id'
const one = 'merge into main.t as t using (values (1, 100), (9, 900)) as s(id, v) on t.id = s.id'
const update = 'when matched then update set'
const insert = 'when not matched then insert'

/** Statements that succeed. */
export const accepted: readonly Statement[] = [
  ['merge into only main.t using main.s on t.id = s.id when matched then delete'],
  // Single clauses
  [`${into} ${update} v = s.v`],
  [`${into} ${update} v = s.v, name = s.name || t.name`],
  [`${into} ${update} (v, name) = (s.v + 1, upper(s.name))`],
  [`${into} ${update} (v, name) = (select max(x.v), min(x.name) from main.s x where x.id > t.id)`],
  [`${into} ${update} v = default, name = default`],
  [`${into} ${update} v = (select count(*) from main.t)`],
  [`${into} ${update} id = t.id + 100`],
  [`${into} ${update} v = t.v + 1`],
  [`${into} when matched then delete`],
  [`${into} when matched then do nothing`],
  [`${into} when not matched then do nothing`],
  [`${into} ${insert} (id, v) values (s.id, s.v)`],
  [`${into} ${insert} (id, v, name, tag) values (s.id, s.v, coalesce(s.name, '?'), s.name)`],
  [`${into} ${insert} (id, v, name) values (s.id, default, default)`],
  [`${into} ${insert} values (s.id, s.v)`],
  [`${into} ${insert} values (s.id, s.v, default, default, default)`],
  [`${into} ${insert} (id, v) values (s.id, (select max(v) from main.t))`],
  // Several clauses
  [`${into} ${update} v = s.v ${insert} (id, v) values (s.id, s.v)`],
  [`${into} ${insert} (id, v) values (s.id, s.v) ${update} v = s.v`],
  [`${into} when matched then delete ${insert} (id, v) values (s.id, s.v)`],
  [
    `${into} when matched and t.v is null then delete ${update} v = s.v ${insert} (id) values (s.id)`,
  ],
  [
    `${into} when matched and s.v > 20 then update set v = 1 when matched and s.v > 10 then update set v = 2`,
  ],
  [`${into} when matched and s.v > 10 then do nothing when matched then delete`],
  [
    `${into} when matched and t.v > 5 then update set name = 'a' when matched and t.v > 3 then update set name = 'b' ${update} name = 'c'`,
  ],
  [`${into} when not matched and s.v is null then do nothing ${insert} (id, v) values (s.id, s.v)`],
  [
    `${into} when not matched and s.v > 50 then insert (id, v) values (s.id, 1) ${insert} (id, v) values (s.id, 2)`,
  ],
  [`${into} when not matched and s.id > 5 then insert (id) values (s.id)`],
  [`${into} when matched and false then delete`],
  [`${into} when matched and null then delete ${insert} (id) values (s.id)`],
  [`${into} when matched and exists (select from main.plain p where p.a = s.id) then delete`],
  [
    `${into} when matched and s.id in (select a from main.plain) then update set v = 0 when not matched and s.id not in (select a from main.plain where a is not null) then insert (id) values (s.id)`,
  ],
  // A WHEN condition is evaluated for its own rows only
  [
    `${into} when matched and 10 / t.v >= 0 then update set v = 5`.replace(
      't.id = s.id',
      't.id = s.id and t.v is not null',
    ),
  ],
  [
    `merge into main.t using (values (1, 1), (9, 0)) as s(id, d) on t.id = s.id when matched and 10 / s.d > 1 then update set v = 7 ${insert} (id) values (s.id)`,
  ],
  [
    `merge into main.t using (values (1, 0), (9, 1)) as s(id, d) on t.id = s.id when not matched and 10 / s.d > 1 then insert (id) values (s.id)`,
  ],
  [
    `${into} when matched and s.id = 1 then update set v = 1 when matched and 1 / (s.id - 1) > 0 then delete`,
  ],
  // Names
  ['merge into main.t using main.s on t.id = s.id when matched then update set v = s.v'],
  [
    'merge into main.t using main.s on main.t.id = main.s.id when matched then update set v = main.s.v',
  ],
  ['merge into main.t a using main.t b on a.id = b.id when matched then update set v = b.v + 1'],
  [
    'merge into main.t a using main.t b on a.id = b.id + 2 and b.id = 1 when matched then delete when not matched then insert (id) values (b.id + 1000)',
  ],
  [`${one} ${update} v = s.v ${insert} (id, v) values (s.id, s.v)`],
  [
    'merge into main.t using (select id as key, v * 2 as w from main.s where v is not null) q on id = key when matched then update set v = w when not matched then insert (id, v) values (key, w)',
  ],
  [
    'merge into main.t using (select id, count(*) from main.s group by id) q on t.id = q.id when matched then update set v = q.count',
  ],
  [
    'merge into main.t using generate_series(3, 6) as n on t.id = n when matched then update set v = n when not matched then insert (id, v) values (n, -n)',
  ],
  [
    'merge into main.t using (main.s join main.plain on s.id = plain.a) on t.id = s.id and plain.b = 2 when matched then update set v = plain.b, name = s.name',
  ],
  [
    'merge into main.t using (main.s left join main.plain p on s.id = p.a and p.b = 1) on t.id = s.id when matched then update set v = p.b when not matched then insert (id, v) values (s.id, p.b)',
  ],
  [
    'with q as (select id, v from main.s where id < 6) merge into main.t using q on t.id = q.id when matched then update set v = q.v when not matched then insert (id, v) values (q.id, q.v)',
  ],
  [
    'with q as (select 1 as id), w as (select id + 8 as id from q) merge into main.t using (select id from q union all select id from w) u on t.id = u.id when matched then delete when not matched then insert (id) values (u.id)',
  ],
  // Writes in WITH
  [
    'with q as (delete from main.s where id < 4 returning id, v) merge into main.t using q on t.id = q.id when matched then update set v = q.v when not matched then insert (id, v) values (q.id, q.v)',
  ],
  [
    'with q as (insert into main.s values (8, 88), (1, 12) returning *) merge into main.t using q on t.id = q.id when matched then update set v = q.v when not matched then insert (id, v) values (q.id, q.v)',
  ],
  [
    `with q as (update main.s set v = 7 where id = 1), r as (insert into main.plain values (9, 9)) ${into} when matched then update set v = s.v`,
  ],
  [
    `with q as (insert into main.t (id, v) values (5, 5) returning id) merge into main.t using q on t.id = q.id when matched then delete when not matched then insert (id) values (q.id + 90)`,
  ],
  [
    `with q as (delete from main.t where id = 2), r as (update main.t set v = 1 where id = 3 returning id) merge into main.t using r on true when matched then do nothing`,
  ],
  [`${into} ${update} name = to_json(s)::text`],
  [`${into} ${update} name = to_json(t)::text`],
  // Conditions of ON
  [
    'merge into main.t using main.s on t.id = s.id and s.v > 20 when matched then update set v = 0 when not matched then insert (id) values (s.id + 50)',
  ],
  [
    'merge into main.t using (values (7)) as s(id) on false when not matched then insert (id) values (s.id)',
  ],
  ['merge into main.t using (values (7)) as s(id) on true when matched then update set v = s.id'],
  [
    'merge into main.t using (values (7)) as s(id) on null when matched then delete when not matched then insert (id) values (s.id)',
  ],
  [
    'merge into main.t using main.s on t.v = s.v - 1 when matched then update set v = s.v when not matched then do nothing',
  ],
  ['merge into main.t using main.s on t.id is not distinct from s.id when matched then delete'],
  [
    'merge into main.t using (select * from main.s where false) s on t.id = s.id when matched then delete when not matched then insert (id) values (s.id)',
  ],
  // Several rows of the source, where that is allowed
  [
    'merge into main.t using (values (1), (1)) as s(id) on t.id = s.id when matched then do nothing',
  ],
  [
    'merge into main.t using (values (1, 1), (1, 2)) as s(id, n) on t.id = s.id when matched and s.n = 2 then update set v = s.n',
  ],
  [
    'merge into main.plain p using (values (8), (8)) as s(a) on p.a = s.a when not matched then insert (a, b) values (s.a, 0)',
  ],
  // Tables of several kinds
  [
    'merge into main.plain p using main.s s on p.a = s.id when matched then update set b = s.v when not matched then insert values (s.id, s.v)',
  ],
  [
    "merge into main.numbered n using (values (1, 'new'), (9, 'nine')) as s(id, label) on n.id = s.id when matched then update set label = s.label when not matched then insert (label) values (s.label)",
  ],
  [
    'merge into main.numbered n using (values (9)) as s(id) on n.id = s.id when not matched then insert default values',
  ],
  [
    'merge into main.numbered n using (values (9)) as s(id) on n.id = s.id when not matched then insert (id, label) overriding system value values (s.id, default)',
  ],
  [
    'merge into main.numbered n using (values (9)) as s(id) on n.id = s.id when not matched then insert (id) overriding user value values (s.id)',
  ],
  [
    "merge into main.parts p using (values (1, 'a'), (2, 'a'), (3, 'b')) as s(id, kind) on p.id = s.id and p.kind = s.kind when matched and s.id = 1 then update set kind = 'b', v = 100 when matched then delete when not matched then insert (id, kind) values (s.id, s.kind)",
  ],
  // Values
  [
    'merge into main.t using (select $1::int as id, $2::int as v) s on t.id = s.id when matched then update set v = s.v when not matched then insert (id, v) values (s.id, s.v)',
    [2, 7],
  ],
  [
    'merge into main.t using (select $1::int as id, $2::int as v) s on t.id = s.id when matched then update set v = s.v when not matched then insert (id, v) values (s.id, s.v)',
    [12, 7],
  ],
  [
    `${into} when matched and t.v > $1 then update set name = $2 when not matched then insert (id, name, v) values (s.id, $3, $4)`,
    [5, 'x', 'y', 8],
  ],
  ['merge into main.t using main.s on t.id = $1 and s.id = $1 when matched then delete', [1]],
]

/** Statements that fail. */
export const failing: readonly Statement[] = [
  // A row twice
  [
    'merge into main.t using (values (1), (1)) as s(id) on t.id = s.id when matched then update set v = 1',
  ],
  ['merge into main.t using (values (1), (1)) as s(id) on t.id = s.id when matched then delete'],
  [
    'merge into main.t using (values (1, 1), (1, 2)) as s(id, n) on t.id = s.id when matched and s.n = 1 then delete when matched then update set v = 1',
  ],
  ['merge into main.t using main.s on true when matched then update set v = 1'],
  ['merge into main.plain p using (values (1), (1)) as s(a) on p.a = s.a when matched then delete'],
  // Constraints
  [`${into} ${update} v = 5000`],
  [`${into} ${update} name = null`],
  [`${into} ${insert} (id, v) values (1, s.v)`],
  [`${into} ${insert} (id, tag) values (s.id, 'a')`],
  [`${into} ${insert} (id, name) values (s.id, null)`],
  ['merge into main.t using (values (4)) as s(id) on t.id = s.id when matched then delete'],
  [
    'merge into main.t using (values (9), (9)) as s(id) on t.id = s.id when not matched then insert (id) values (s.id)',
  ],
  [`${into} ${update} v = 1 / (t.id - 1)`],
  [`${into} when matched and 1 / (t.id - 1) > 0 then delete`],
  [`${into} ${insert} (id, v) values (s.id, 1 / (s.id - 5))`],
  [
    'with q as (insert into main.t (id) values (8) returning id) merge into main.t using q on t.id = q.id when not matched then insert (id) values (q.id)',
  ],
  [
    'with q as (insert into main.s values (1, 1)) merge into main.t using q on true when matched then delete',
  ],
  // Statements without a meaning
  [`${into} when matched then delete ${update} v = 1`],
  [`${into} ${insert} (id) values (s.id) ${insert} (id) values (s.id)`],
  [`${into} ${insert} (id) values (t.id)`],
  [`${into} when not matched and t.id = 1 then do nothing`],
  [`${into} ${insert} (id, v) values (s.id)`],
  [`${into} ${insert} (id) values (s.id, s.v)`],
  [`${into} ${insert} (id, id) values (s.id, s.v)`],
  [`${into} ${update} v = 1, v = 2`],
  [`${into} ${update} missing = 1`],
  [`${into} ${update} v = missing`],
  [`${into} ${update} twice = 1`],
  [`${into} ${update} v = 'x'`],
  [`${into} ${update} name = 1 and true`],
  [`${into} when matched and count(*) > 1 then delete`],
  [`${into} when matched and t.id then delete`],
  ['merge into main.t using main.s on id = 1 when matched then delete'],
  ['merge into main.t using main.t on t.id = t.id when matched then delete'],
  ['merge into main.t using main.s t on true when matched then delete'],
  [
    'merge into main.numbered n using (values (9)) as s(id) on n.id = s.id when not matched then insert (id) values (s.id)',
  ],
  [
    'with recursive q as (select 1 as id) merge into main.t using q on t.id = q.id when matched then delete',
  ],
  ['merge into main.t using (select t.id) s on t.id = s.id when matched then delete'],
]
