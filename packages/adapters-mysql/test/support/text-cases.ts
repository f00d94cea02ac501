/** @module Statements whose answer must not depend on the character set and the collation of a database and its columns. */
import type { Step, TableSetup } from './compare-writes.ts'

/** Texts that a character set cannot represent; in `é` none becomes a question mark. */
export const outside: Readonly<Record<string, string>> = {
  latin1: 'Ω',
  ascii: 'é',
  cp1251: 'é',
  gbk: 'ß',
  utf8mb3: '😀',
  ucs2: '😀',
}

const uuid = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'

export const textTables: TableSetup = {
  postgres: `create table texts (id int primary key, t varchar(40), x text, c char(6), e text, s text, u uuid, d jsonb, l jsonb);
    create table pairs (k varchar(40), n int, primary key (k, n), note varchar(40))`,
  mysql: `create table texts (id int primary key, t varchar(40), x text, c char(6), e enum('a', 'B'), s set('x', 'y'), u char(36),
      d json, l longtext check (json_valid(l)), key (t), key (c), key (u), key (x(20)));
    create table pairs (k varchar(40), n int, primary key (k, n), note varchar(40))`,
  tables: {
    texts: 'select * from main.texts order by id',
    pairs: 'select * from main.pairs order by k, n',
  },
  rows: `insert into texts values
      (1, 'Ab', 'Ab', 'ab', 'a', 'x', '${uuid}', '{"Ab": "ab", "n": [1, null]}', '{"ab": null}'),
      (2, 'ab', 'ab ', 'AB', 'B', 'x,y', '${uuid.toLowerCase()}', '["a", "b"]', '[1]'),
      (3, 'ab ', 'a%b', 'a_b', null, '', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', '"x"', '"x"'),
      (4, 'a-b?', '', '', 'a', 'y', null, null, null),
      (5, null, null, null, null, null, null, 'null', 'null')`,
}

/** Longer than a value that is repeated. */
const long = `concat(t, $1::text, x, $1::text, c, $1::text, x, t, 'x', $1::text, x)`

/** Over `texts`; `$1` is a text that only Unicode's character sets contain. */
const expressions: readonly string[] = [
  't = $1',
  't <> $1',
  't < $1',
  't like $1',
  `t like '%' || $1 || '%'`,
  `t like x`,
  `t like x || '%'`,
  `t like 'a' || substr(x, 2)`,
  `t ilike x`,
  't ilike $1',
  't not like x',
  `x like 'a\\%b'`,
  `t like 'a%' escape '!'`,
  't ~ x',
  't ~ $1',
  `starts_with(t, 'a')`,
  't = x',
  't = c',
  'c = x',
  't = e',
  't = s',
  'e = s',
  't = u::text',
  'u = any(array[u])',
  `u = '${uuid}'`,
  `u::text = lower('${uuid}')`,
  `t in ('ab', $1)`,
  't in (x, c, e)',
  `t in ('ab', 'Ab')`,
  `t = any(array['ab', $1])`,
  't = any($2)',
  't <> all($2)',
  't in (select x from main.texts)',
  't in (select q.t from main.texts q where q.x <> $1)',
  'exists (select 1 from main.texts q where q.t = texts.x)',
  '(t, x) = (x, t)',
  'greatest(t, x, $1)',
  'least(t, c::text, $1)',
  'coalesce(t, $1)',
  'coalesce(t, x, $1)',
  'nullif(t, x)',
  'nullif(t, $1)',
  'case when id = 1 then t when id = 2 then x when id = 3 then $1 else c end',
  't || $1',
  't || x || c || e || s || u',
  'concat(t, 1, $1)',
  `concat_ws($1, t, x)`,
  'upper(t || $1)',
  'lower(c)',
  'length(t || $1)',
  'octet_length(t || $1)',
  'left(t || $1, 4)',
  `replace(t, 'b', $1)`,
  'translate(t, $1, x)',
  'lpad(t, 8, $1)',
  'rpad(t, 8, $1)',
  'repeat($1, 2)',
  'reverse(t || $1)',
  'strpos(t || $1, $1)',
  `split_part(t || $1 || x, $1, 2)`,
  `trim(both $1 from $1 || t)`,
  `overlay(t placing $1 from 2)`,
  'md5(t || $1)',
  'ascii($1)',
  `format('%s-%s', t, $1)`,
  `regexp_replace(t || $1, 'b', 'X')`,
  'md5(t)',
  '(t || $1)::varchar(4)',
  '(t || $1)::char(8)',
  long,
  `left(${long}, 12)`,
  `(${long})::varchar(11)`,
  `substring(${long} from 3 for 5)`,
  `strpos(${long}, $1)`,
  `(length(t)::numeric / 3)`,
  `id::numeric / (id + 1)`,
  '1.5::numeric(8, 2) / id',
  `round(id::numeric / 7, 3)::text`,
  `(id || '.5')::numeric`,
  `(id || '.50')::numeric / 3`,
  'id::float8::text',
  `array_to_string(array[t, $1, x], ',')`,
  `array_to_string(array[t, $1, null], $1, '-')`,
  '(array[t, $1])[2]',
  `array[t, $1]`,
  `array[t, $1]::text`,
  'array_position(array[t, $1, x], $1)',
  '$1 = any(array[t, x, $1])',
  '(select count(*) from unnest(array[t, $1]) as q(v) where q.v = $1)',
  '(select max(q.v) from unnest(array[$1, $1]) as q(v))',
  `(select string_agg(q.v, '|') from unnest($2::text[]) as q(v))`,
  'd',
  'l',
  'd::text',
  'l::text',
  `d -> 'Ab'`,
  `d ->> 'Ab'`,
  `l ->> 'ab'`,
  `d ? 'Ab'`,
  `d ? $1`,
  `d ?| array['Ab', $1]`,
  'd = l',
  `d @> '{"Ab": "ab"}'`,
  `jsonb_build_object($1, t) ->> $1`,
  `jsonb_build_object(t, $1)`,
  'jsonb_build_object($1::text, t, $1 || t, x)::text',
  'jsonb_build_array(t, $1, x)',
  'jsonb_build_array(t, $1, x)::text',
  `jsonb_build_object($1, t) || jsonb_build_object(x, $1)`,
  `jsonb_build_object($1, t) @> jsonb_build_object($1, t)`,
  `jsonb_build_object($1, t) - $1`,
  `jsonb_build_array($1, t) ? $1`,
  'to_jsonb(t || $1)',
  'to_jsonb(t)',
  `(select string_agg(q.key || q.value, ',' order by q.key) from jsonb_each_text(jsonb_build_object($1, t, 'k', $1)) q)`,
  `(select jsonb_object_agg(q.x, $1) from main.texts q where q.x is not null and q.x = texts.x)`,
]

const reads: readonly string[] = [
  ...expressions.map((expression) => `select id, ${expression} from main.texts order by id`),
  ...[
    't = $1',
    't like x',
    't = x',
    `t in ('ab', $1)`,
    't = any($2)',
    `t like $1 || '%'`,
    `t like 'a%'`,
    `c = 'ab'`,
    `u = '${uuid}'`,
  ].map(
    (condition) => `select id, $1::text from main.texts where ${condition} or id = 5 order by id`,
  ),
  'select id from main.texts where t = $1 union all select id from main.texts where t like x order by 1',
  `select string_agg(t || $1, $1 order by t), min(t), max(x), count(distinct t), array_agg(t order by t), json_agg(c order by c), avg(id) from main.texts`,
  'select t, count(*) from main.texts group by t order by t',
  'select distinct x from main.texts order by x desc nulls last',
  'select c, rank() over (order by c), max(t) over (partition by x) from main.texts order by c, t',
  'select a.id, b.id from main.texts a join main.texts b on a.t = b.x order by 1, 2',
  'select a.id, b.id from main.texts a join main.texts b on a.t = b.t order by 1, 2',
  'select a.id, b.id from main.texts a left join main.texts b on a.c = b.x and b.t <> $1 order by 1, 2',
  'select a.id, b.id from main.texts a full join main.texts b on a.t = b.c::text order by 1, 2',
  'select t from main.texts union select x from main.texts union select $1::text order by 1',
  'select t from main.texts intersect select x from main.texts order by 1',
  'select t from main.texts except select $1::text order by 1',
  'select t, x from main.texts union all select $1::text, c from main.texts order by 1, 2',
  "select q.v from (values ($1::text), ('ab'), (null)) as q(v) left join main.texts m on m.t = q.v order by 1",
  'with recursive r(n, v) as (select 1, t || $1 from main.texts where id < 3 union all select n + 1, v || $1 from r where n < 3) select * from r order by v',
  'with q as materialized (select t || $1 as v from main.texts) select a.v from q a join q b on a.v = b.v order by 1',
  'select m.id, q.v from main.texts m cross join lateral (select m.t || $1 as v) q order by 1',
  'select q.v, q.n from main.texts m cross join lateral unnest(array[m.t, $1]) with ordinality as q(v, n) order by 1, 2',
  `select q.a, q.b from jsonb_to_recordset(jsonb_build_array(jsonb_build_object('a', $1::text, 'b', 1))) as q(a text, b int)`,
  'select row_to_json(m) from main.texts m order by id',
  'select to_jsonb(m) from (select t, x || $1 as y from main.texts) m order by m.y',
  'select k from main.pairs where k = $1',
]

/** Each with a text and a list in place of `$1` and `$2`. */
export const textReads: readonly Step[] = reads.map((read) => {
  const sql = read.replaceAll(/\$1(?!::text)/g, '$1::text')
  const text = 'Ω😀é'
  if (sql.includes('$2')) return [sql, text, ['ab', text, 'a?']]
  return sql.includes('$1') ? [sql, text] : sql
})

/** Texts that the column can represent, changed in the ways that need several steps. */
export const textWrites: Readonly<Record<string, readonly Step[]>> = {
  'an insert': [
    [
      `insert into main.texts (id, t, x, c, e, s, u, l) values (9, $1::text, $1::text, 'x', 'a', 'x', $2, '{"a": 1}') returning *`,
      'a?B ',
      uuid,
    ],
  ],
  'an insert of a query': [
    `insert into main.texts (id, t, x) select id + 10, x, t || 'z' from main.texts returning id, t, x`,
  ],
  'an update': [
    `update main.texts set t = x, x = t || 'z' where id = 4 returning t`,
    `update main.texts set x = t, c = e, t = c where t like 'a' || substr(x, 2) returning id, t, x, c`,
  ],
  'an update from rows': [
    [
      `update main.texts m set x = q.v from unnest($1::text[], $2::text[]) as q(k, v) where q.k = m.t returning m.id, m.x`,
      ['ab', 'zz'],
      ['one', 'two'],
    ],
  ],
  'a delete': [
    [`delete from main.texts where t = any($1) returning t`, ['ab', '😀Ω']],
    `delete from main.texts m using main.texts q where q.x = m.t and q.t <> m.t returning m.id`,
  ],
  'an upsert that does nothing': [
    `insert into main.pairs values ('a', 1, 'x'), ('b', 1, 'y')`,
    `insert into main.pairs values ('b', 1, 'z'), ('c', 2, 'z') on conflict do nothing returning k`,
  ],
  'an upsert that updates': [
    `insert into main.pairs values ('a', 1, 'x'), ('b', 1, 'y')`,
    `insert into main.pairs values ('b', 1, 'z'), ('c', 2, 'z') on conflict (k, n) do update set note = pairs.note || excluded.k where keys.note <> excluded.k returning *`,
  ],
  'a key that is changed': [
    `insert into main.pairs values ('a', 1, 'x'), ('b', 1, 'y')`,
    `update main.pairs set k = k || note where note like k or note > 'x' returning k`,
  ],
}

/** `$1` is a text that the character set does not have. */
export const untranslatable: readonly string[] = [
  'insert into main.texts (id, t) values (9, $1)',
  "insert into main.texts (id, x) values (8, 'x'), (9, $1) returning id",
  'insert into main.texts (id, c) values (9, $1)',
  'insert into main.texts (id, x) select id + 10, t || $1 from main.texts',
  'insert into main.texts (id, l) values (9, jsonb_build_object($1::text, 1))',
  'insert into main.texts (id, t) values (1, $1) on conflict (id) do update set t = excluded.t',
  "insert into main.texts (id, t) values (1, 'x') on conflict (id) do update set t = $1 returning t",
  'insert into main.pairs (k, n) values ($1, 1) on conflict do nothing',
  'insert into main.pairs (k, n) values ($1, 1) on conflict (k, n) do update set note = $1 returning *',
  'update main.texts set t = $1 where id = 1',
  'update main.texts set x = t || $1 where id = 2 returning x',
  'update main.texts m set c = q.v from (select $1::text as v) q where m.id = 1',
  `update main.pairs set k = $1 where k = '?'`,
]
