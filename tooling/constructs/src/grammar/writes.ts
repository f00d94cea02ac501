import { type Clause, clause } from './clause.ts'

export const inserts: readonly Clause[] = [
  clause('VALUES', `insert into main.groups values (10, 'new')`),
  clause('several rows', `insert into main.groups (id, title) values (10, 'x'), (11, 'y')`),
  clause('DEFAULT', `insert into main.notes (code, body) values ('b', default)`),
  clause('DEFAULT VALUES', 'insert into main.notes default values'),
  clause('SELECT', 'insert into main.groups (id, title) select id + 100, name from main.items'),
  clause('WITH', `with n as (select 10 as id) insert into main.groups (id) select id from n`),
  clause('alias', `insert into main.groups as g (id) values (10) returning g.id`),
  clause(
    'RETURNING',
    `insert into main.groups (id, title) values (10, 'x') returning id, upper(title) as u`,
  ),
  clause('RETURNING *', `insert into main.groups (id, title) values (10, 'x') returning *`),
  clause(
    'RETURNING WITH (OLD, NEW) (PostgreSQL 18)',
    `insert into main.groups (id) values (10) returning with (old as o, new as n) n.id`,
  ),
  clause(
    'OVERRIDING SYSTEM VALUE',
    'insert into main.groups (id) overriding system value values (10)',
  ),
  clause('OVERRIDING USER VALUE', 'insert into main.groups (id) overriding user value values (10)'),
  clause(
    'ON CONFLICT DO NOTHING',
    `insert into main.groups (id) values (1) on conflict do nothing`,
  ),
  clause(
    'ON CONFLICT (key) DO NOTHING',
    `insert into main.groups (id) values (1), (10) on conflict (id) do nothing returning id`,
  ),
  clause(
    'ON CONFLICT DO UPDATE',
    `insert into main.groups (id, title) values (1, 'x') on conflict (id) do update set title = excluded.title`,
  ),
  clause(
    'ON CONFLICT DO UPDATE … WHERE',
    `insert into main.groups as g (id, title) values (1, 'x') on conflict (id) do update set title = excluded.title where g.id > 1`,
  ),
  clause(
    'ON CONFLICT (key) WHERE',
    `insert into main.groups (id) values (1) on conflict (id) where id > 0 do nothing`,
  ),
  clause(
    'ON CONFLICT ON CONSTRAINT',
    `insert into main.groups (id) values (1) on conflict on constraint groups_pkey do nothing`,
  ),
  clause(
    'ON CONFLICT (expression)',
    `insert into main.groups (id, title) values (9, 'x') on conflict (lower(title)) do nothing`,
  ),
  clause(
    'ON CONFLICT (key COLLATE)',
    `insert into main.items (id, name) values (9, 'nail') on conflict (name collate "C") do nothing`,
  ),
  clause(
    'ON CONFLICT (key operator class)',
    `insert into main.items (id, name) values (9, 'nail') on conflict (name varchar_pattern_ops) do nothing`,
  ),
  clause(
    'ON CONFLICT of a partial index',
    `insert into main.items (id, day) values (9, '2024-01-01') on conflict (day) where sold is null do nothing`,
  ),
]

export const updates: readonly Clause[] = [
  clause('SET', `update main.items set price = price * 2 where id = 1`),
  clause('all rows', `update main.items set sold = true`),
  clause('DEFAULT', `update main.items set price = default where id = 1`),
  clause('several columns', `update main.items set price = 1, sold = null where id = 1`),
  clause('(a, b) = (x, y)', `update main.items set (price, sold) = (1, true) where id = 1`),
  clause('(a, b) = ROW(x, y)', `update main.items set (price, sold) = row(1, true) where id = 1`),
  clause(
    '(a, b) = (subquery)',
    `update main.items set (group_id, name) = (select 3, 'moved') where id = 1`,
  ),
  clause(
    'subquery',
    `update main.items set group_id = (select max(id) from main.groups) where id = 1`,
  ),
  clause(
    'FROM',
    `update main.items i set name = g.title from main.groups g where g.id = i.id and g.id = 2`,
  ),
  clause(
    'WITH',
    `with g as (select max(id) as id from main.groups) update main.items set group_id = g.id from g where items.id = 1`,
  ),
  clause('alias', `update main.items as i set price = 1 where i.id = 1`),
  clause('RETURNING', `update main.items set price = 1 where id = 1 returning id, price`),
  clause(
    'element of an array',
    `update main.samples set c__int4[2] = 2 where id = 1 returning c__int4`,
  ),
  clause('field of a row', `update main.items set name.part = 'a' where id = 1`),
  clause('WHERE CURRENT OF', `update main.items set price = 1 where current of c`),
  clause('ONLY', `update only main.items set price = 1 where id = 1`),
]

export const deletes: readonly Clause[] = [
  clause('WHERE', 'delete from main.items where id = 5'),
  clause('all rows', 'delete from main.items'),
  clause(
    'USING',
    'delete from main.items i using main.groups g where g.id = i.group_id and g.id = 2',
  ),
  clause(
    'subquery',
    'delete from main.items where group_id in (select id from main.groups where id = 2)',
  ),
  clause(
    'WITH',
    'with g as (select 2 as id) delete from main.items where group_id in (select id from g)',
  ),
  clause('RETURNING', 'delete from main.items where id = 5 returning id, name'),
]

const merge = 'merge into main.groups g using (values (1), (10)) as s (id) on g.id = s.id'

export const merges: readonly Clause[] = [
  clause('WHEN MATCHED THEN UPDATE', `${merge} when matched then update set title = 'm'`),
  clause('WHEN MATCHED THEN DELETE', `${merge} when matched then delete`),
  clause('WHEN MATCHED THEN DO NOTHING', `${merge} when matched then do nothing`),
  clause(
    'WHEN NOT MATCHED THEN INSERT',
    `${merge} when not matched then insert (id, title) values (s.id, 'i')`,
  ),
  clause(
    'WHEN … AND',
    `${merge} when matched and g.id > 1 then delete when not matched and s.id > 99 then do nothing`,
  ),
  clause(
    'INSERT OVERRIDING',
    `${merge} when not matched then insert (id) overriding user value values (s.id)`,
  ),
  clause(
    'INSERT OVERRIDING SYSTEM VALUE',
    `${merge} when not matched then insert (id) overriding system value values (s.id)`,
  ),
  clause(
    'WITH',
    `with s as (select 1 as id) merge into main.groups g using s on g.id = s.id when matched then delete`,
  ),
  clause(
    'WHEN NOT MATCHED BY SOURCE (PostgreSQL 17)',
    `${merge} when not matched by source then delete`,
  ),
  clause(
    'RETURNING (PostgreSQL 17)',
    `${merge} when matched then delete returning merge_action(), g.id`,
  ),
]

/** Writes inside of a query. */
export const writesInWith: readonly Clause[] = [
  clause(
    'INSERT in WITH',
    `with n as (insert into main.groups (id) values (10) returning id) select id from n`,
  ),
  clause(
    'UPDATE in WITH',
    `with n as (update main.items set price = 1 where id = 1 returning id) select id from n`,
  ),
  clause(
    'DELETE in WITH',
    `with n as (delete from main.items where id = 5 returning id) select id from n`,
  ),
]
