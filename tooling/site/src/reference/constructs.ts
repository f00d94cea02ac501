/** @module Statements, one for each construct of SQL that databases differ in. */

export interface Construct {
  readonly name: string
  /** On the tables `main.item` and `main.part`, which have a column of each common type. */
  readonly sql: string
}

/** By heading. */
export const constructs: Readonly<Record<string, readonly Construct[]>> = {
  Reading: [
    {
      name: '`DISTINCT ON`',
      sql: 'select distinct on (c_text) c_text, id from main.item order by c_text, id',
    },
    {
      name: '`FULL JOIN`',
      sql: 'select a.id, b.id from main.item a full join main.part b on a.id = b.id',
    },
    {
      name: '`LATERAL`',
      sql: 'select a.id, b.n from main.item a cross join lateral (select count(*) as n from main.part p where p.id = a.id) b',
    },
    { name: '`NATURAL JOIN`, `USING`', sql: 'select id from main.item join main.part using (id)' },
    { name: '`WITH`', sql: 'with q as (select id from main.item) select id from q' },
    {
      name: '`WITH RECURSIVE`',
      sql: 'with recursive q (n) as (select 1 union all select n + 1 from q where n < 5) select n from q',
    },
    {
      name: '`UNION`, `INTERSECT`, `EXCEPT`',
      sql: 'select id from main.item except select id from main.part',
    },
    {
      name: '`INTERSECT ALL`',
      sql: 'select id from main.item intersect all select id from main.part',
    },
    {
      name: '`GROUPING SETS`, `ROLLUP`, `CUBE`',
      sql: 'select c_text, count(*) from main.item group by rollup (c_text)',
    },
    {
      name: '`FILTER` of an aggregate',
      sql: 'select count(*) filter (where c_bool) from main.item',
    },
    {
      name: 'aggregate with `ORDER BY`',
      sql: "select string_agg(c_text, ',' order by id) from main.item",
    },
    {
      name: '`WITHIN GROUP`',
      sql: 'select percentile_cont(0.5) within group (order by c_float8) from main.item',
    },
    {
      name: 'window with `ROWS`',
      sql: 'select sum(c_int4) over (order by id rows between 1 preceding and current row) from main.item',
    },
    {
      name: 'window with `GROUPS`',
      sql: 'select sum(c_int4) over (order by id groups between 1 preceding and current row) from main.item',
    },
    {
      name: 'window with `EXCLUDE`',
      sql: 'select sum(c_int4) over (order by id rows between 1 preceding and 1 following exclude current row) from main.item',
    },
    {
      name: '`FETCH FIRST … WITH TIES`',
      sql: 'select id from main.item order by c_int4 fetch first 3 rows with ties',
    },
    { name: '`FOR UPDATE`', sql: 'select id from main.item for update' },
    { name: '`FOR UPDATE SKIP LOCKED`', sql: 'select id from main.item for update skip locked' },
    { name: '`TABLESAMPLE`', sql: 'select id from main.item tablesample bernoulli (10)' },
    { name: '`VALUES` in FROM', sql: 'select v.x from (values (1), (2)) as v (x)' },
    { name: '`generate_series` in FROM', sql: 'select n from generate_series(1, 3) as n' },
    { name: '`unnest` in FROM', sql: 'select x from unnest(array[1, 2]) as x' },
    { name: 'row comparison', sql: 'select id from main.item where (c_int4, c_text) < (1, $$a$$)' },
    {
      name: '`= ANY` of an array',
      sql: 'select id from main.item where c_int4 = any(array[1, 2])',
    },
    { name: '`COLLATE "C"`', sql: 'select c_text from main.item order by c_text collate "C"' },
  ],
  Writing: [
    {
      name: '`INSERT` of several rows',
      sql: "insert into main.item (id, c_text) values (1, 'a'), (2, 'b')",
    },
    {
      name: '`INSERT … SELECT`',
      sql: 'insert into main.item (id, c_text) select id, c_text from main.part',
    },
    {
      name: '`RETURNING`',
      sql: "insert into main.item (id, c_text) values (1, 'a') returning id, c_text",
    },
    {
      name: '`ON CONFLICT DO NOTHING`',
      sql: "insert into main.item (id, c_text) values (1, 'a') on conflict do nothing",
    },
    {
      name: '`ON CONFLICT DO UPDATE`',
      sql: "insert into main.item (id, c_text) values (1, 'a') on conflict (id) do update set c_text = excluded.c_text",
    },
    {
      name: '`ON CONFLICT DO UPDATE … WHERE`',
      sql: "insert into main.item (id, c_text) values (1, 'a') on conflict (id) do update set c_text = excluded.c_text where item.c_bool",
    },
    {
      name: '`UPDATE … FROM`',
      sql: 'update main.item as i set c_text = p.c_text from main.part as p where p.id = i.id',
    },
    {
      name: '`UPDATE … RETURNING`',
      sql: "update main.item set c_text = 'a' where id = 1 returning id",
    },
    {
      name: '`UPDATE` of a list of columns from a query',
      sql: 'update main.item set (c_text, c_int4) = (select c_text, c_int4 from main.part where part.id = item.id)',
    },
    {
      name: '`DELETE … USING`',
      sql: 'delete from main.item as i using main.part as p where p.id = i.id',
    },
    { name: '`DELETE … RETURNING`', sql: 'delete from main.item where id = 1 returning id' },
    {
      name: 'writes in `WITH`',
      sql: "with w as (insert into main.item (id, c_text) values (1, 'a') returning id) select id from w",
    },
    {
      name: '`MERGE`',
      sql: 'merge into main.item as t using main.part as s on t.id = s.id when matched then update set c_text = s.c_text when not matched then insert (id, c_text) values (s.id, s.c_text)',
    },
    {
      name: 'part of an array as the target of `SET`',
      sql: 'update main.item set c_int4s[1] = 2 where id = 1',
    },
    {
      name: 'part of a document as the target of `SET`',
      sql: "update main.item set c_jsonb['a'] = '1' where id = 1",
    },
  ],
  Types: [
    { name: '`numeric`', sql: 'select c_numeric * 2 from main.item' },
    { name: '`interval`', sql: 'select c_interval from main.item' },
    { name: 'time and interval', sql: "select c_timestamptz + interval '1 day' from main.item" },
    { name: 'difference of times', sql: 'select c_timestamptz - c_timestamptz from main.item' },
    {
      name: '`AT TIME ZONE`',
      sql: "select c_timestamptz at time zone 'Europe/Berlin' from main.item",
    },
    { name: '`uuid`', sql: 'select c_uuid::text from main.item' },
    { name: '`bytea`', sql: "select c_bytea = '\\x00' from main.item" },
    { name: '`json` operators', sql: "select c_json ->> 'a' from main.item" },
    { name: '`jsonb` operators', sql: "select c_jsonb -> 'a' ->> 'b' from main.item" },
    { name: '`jsonb` containment', sql: 'select c_jsonb @> c_jsonb from main.item' },
    { name: 'arrays', sql: 'select c_int4s[1] from main.item' },
    { name: 'regular expressions', sql: "select c_text ~ 'a+' from main.item" },
    { name: '`ILIKE`', sql: "select c_text ilike 'a%' from main.item" },
    { name: '`SIMILAR TO`', sql: "select c_text similar to 'a%' from main.item" },
  ],
}
