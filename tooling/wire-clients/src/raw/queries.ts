/** @module Texts and queries of many kinds. Columns are `name:number:type:length:modifier:format`. */
import {
  bind,
  describeStatement,
  execute,
  int16,
  message,
  parse,
  query,
  sync,
  text,
} from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

const numbers = Array.from({ length: 1000 }, (_, index) => index)

export const queries: readonly Scenario[] = [
  scenario(
    'TABLE and VALUES',
    [
      query('table main.settings limit 0'),
      query("values (1, 'a'), (2, null)"),
      parse('values ($1::int4)'),
      describeStatement(),
      bind({ values: ['1'] }),
      execute(),
      sync,
    ],
    [
      'T id:1:23:4:-1:0 name:2:25:-1:-1:0 level:3:21:2:-1:0 enabled:4:16:1:-1:0 ratio:5:1700:-1:393223:0 starts_on:6:1082:4:-1:0 data:7:3802:-1:-1:0 comment:8:25:-1:-1:0 ; C SELECT 0 ; Z I',
      'T column1:0:23:4:-1:0 column2:0:25:-1:-1:0 ; D 1|a ; D 2|NULL ; C SELECT 2 ; Z I',
      '1 ; t 23 ; T column1:0:23:4:-1:0 ; 2 ; D 1 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'a query text that is no UTF-8',
    [message('Q', Buffer.from([...Buffer.from("select '"), 0xff, 0xfe, 0x27, 0]))],
    ['E 22021 ; Z I'],
  ),
  scenario(
    'a Parse text that is no UTF-8',
    [message('P', Buffer.concat([text(''), Buffer.from([0x73, 0xff, 0]), int16(0)])), sync],
    ['E 22021 ; Z I'],
  ),
  scenario(
    'characters outside of the basic plane',
    [query("select '😀', U&'\\+01F600', length('😀'), '\\u00e9', E'\\u00e9'")],
    [
      'T ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 length:0:23:4:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 ; D 😀|😀|1|\\u00e9|é ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'quotes of every kind',
    [query("select $$a'b$$, $x$a$$b$x$, 'a''b', E'a\\'b', \"n\" from (select 1 as \"n\") t")],
    [
      "T ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 n:0:23:4:-1:0 ; D a'b|a$$b|a'b|a'b|1 ; C SELECT 1 ; Z I",
    ],
  ),
  scenario(
    'semicolons that end nothing',
    [query("select ';', $$;$$, 1 /* ; */ -- ;\n; select 2")],
    [
      'T ?column?:0:25:-1:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:23:4:-1:0 ; D ;|;|1 ; C SELECT 1 ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'a row value and a null row',
    [query("select row(1, null, 'a b'), row(null), null::int4[], '{}'::int4[]")],
    [
      'T row:0:2249:-1:-1:0 row:0:2249:-1:-1:0 int4:0:1007:-1:-1:0 int4:0:1007:-1:-1:0 ; D (1,,"a b")|()|NULL|{} ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'duplicate column names',
    [query('select 1 as a, 2 as a')],
    ['T a:0:23:4:-1:0 a:0:23:4:-1:0 ; D 1|2 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'no columns',
    [query('select'), query('select from main.folders where id <= 2')],
    ['T ; D ; C SELECT 1 ; Z I', 'T ; D ; D ; C SELECT 2 ; Z I'],
  ),
  scenario(
    'many parameters',
    [
      parse(
        `select count(*) from main.folders where id in (${Array.from({ length: 5000 }, (_, index) => `$${index + 1}`).join(',')})`,
      ),
      bind({ values: Array.from({ length: 5000 }, (_, index) => String(index + 1)) }),
      execute(),
      sync,
    ],
    ['1 ; 2 ; D 5 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'a wide row',
    [query(`select ${numbers.join(',')}`)],
    [
      `T ${numbers.map(() => '?column?:0:23:4:-1:0').join(' ')} ; D ${numbers.join('|')} ; C SELECT 1 ; Z I`,
    ],
  ),
  scenario(
    'a long name of a statement',
    [parse('select 1', 'n'.repeat(200)), bind({ statement: 'n'.repeat(200) }), execute(), sync],
    ['1 ; 2 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'current times over a table',
    [
      query(
        'select now() = transaction_timestamp(), current_date = now()::date, localtimestamp is not null from main.folders where id = 1',
      ),
    ],
    [
      'T ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 ; D t|t|t ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'pg_typeof and casts to names',
    [
      query(
        "select pg_typeof(1), pg_typeof('a'::text), pg_typeof(now()), 'main.orders'::regclass, 23::regtype, 'pg_catalog'::regnamespace",
      ),
    ],
    [
      'T pg_typeof:0:2206:4:-1:0 pg_typeof:0:2206:4:-1:0 pg_typeof:0:2206:4:-1:0 regclass:0:2205:4:-1:0 regtype:0:2206:4:-1:0 regnamespace:0:4089:4:-1:0 ; D integer|text|timestamp with time zone|orders|integer|pg_catalog ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'has_table_privilege',
    [
      query(
        "select has_table_privilege('main.orders', 'select'), has_schema_privilege('main', 'usage'), has_database_privilege(current_database(), 'connect')",
      ),
    ],
    [
      'T has_table_privilege:0:16:1:-1:0 has_schema_privilege:0:16:1:-1:0 has_database_privilege:0:16:1:-1:0 ; D t|t|t ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'generate_series of several kinds',
    [
      query(
        "select * from generate_series(1, 3) a, generate_series('2024-01-01'::date, '2024-01-02'::date, '1 day') b order by a, b limit 3",
      ),
    ],
    [
      'T a:0:23:4:-1:0 b:0:1184:8:-1:0 ; D 1|2024-01-01 00:00:00+00 ; D 1|2024-01-02 00:00:00+00 ; D 2|2024-01-01 00:00:00+00 ; C SELECT 3 ; Z I',
    ],
  ),
  scenario(
    'LIKE, ILIKE, regular expressions, between, in over a table',
    [
      query(
        "select id from main.tags where name like 'v%' or name ilike 'NEW' or name ~ '^s' or id between 5 and 6 or id in (7, 8) order by id",
      ),
    ],
    ['T id:1:23:4:-1:0 ; D 1 ; D 3 ; D 4 ; D 5 ; D 6 ; D 7 ; D 8 ; C SELECT 7 ; Z I'],
  ),
  scenario(
    'subqueries, lateral, windows, grouping sets',
    [
      query(
        'select c.id, x.n, row_number() over (order by c.id) from main.categories c cross join lateral (select count(*) as n from main.products p where p.category_id = c.id) x order by c.id limit 3; select status, count(*) from main.orders group by rollup (status) order by 1 nulls last limit 2',
      ),
    ],
    [
      'T id:1:23:4:-1:0 n:0:20:8:-1:0 row_number:0:20:8:-1:0 ; D 1|8|1 ; D 2|12|2 ; D 3|6|3 ; C SELECT 3 ; T status:4:25:-1:-1:0 count:0:20:8:-1:0 ; D Shipped|55 ; D cancelled|56 ; C SELECT 2 ; Z I',
    ],
  ),
  scenario(
    'upserts and RETURNING',
    [
      query(
        "insert into main.counters (key, n) values ('raw', 1) on conflict (key) do update set n = counters.n + 1 returning key, n",
      ),
      query(
        "insert into main.counters (key, n) values ('raw', 1) on conflict (key) do update set n = counters.n + 1 returning *, n * 2 as twice",
      ),
      query("delete from main.counters where key = 'raw' returning n"),
    ],
    [
      'T key:1:25:-1:-1:0 n:2:23:4:-1:0 ; D raw|1 ; C INSERT 0 1 ; Z I',
      'T key:1:25:-1:-1:0 n:2:23:4:-1:0 updated_at:3:1114:8:-1:0 twice:0:23:4:-1:0 ; D raw|2|NULL|4 ; C INSERT 0 1 ; Z I',
      'T n:2:23:4:-1:0 ; D 2 ; C DELETE 1 ; Z I',
    ],
  ),
  scenario(
    'WITH that writes',
    [
      query(
        'with gone as (delete from main.settings where id > 900 returning id) select count(*) >= 0 as some from gone',
      ),
      query(
        'with moved as (update main.folders set name = name where id = 1 returning id) select id from moved',
      ),
    ],
    ['T some:0:16:1:-1:0 ; D t ; C SELECT 1 ; Z I', 'T id:1:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I'],
    'postgres',
  ),
  scenario(
    'INSERT ... SELECT, UPDATE ... FROM, DELETE ... USING',
    [
      query(
        'insert into main.settings (id, name) select id + 950, name from main.folders where id = 1',
      ),
      query(
        'update main.settings s set comment = f.name from main.folders f where f.id = 1 and s.id = 951',
      ),
      query(
        'delete from main.settings s using main.folders f where s.id = f.id + 950 and f.id = 1',
      ),
    ],
    ['C INSERT 0 1 ; Z I', 'C UPDATE 1 ; Z I', 'C DELETE 1 ; Z I'],
  ),
  scenario(
    'FOR UPDATE and FOR SHARE',
    [
      query('begin; select id from main.folders where id = 1 for update'),
      query('select id from main.folders where id = 2 for share nowait'),
      query('rollback'),
    ],
    [
      'C BEGIN ; T id:1:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z T',
      'T id:1:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z T',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'DISTINCT ON, FILTER, LIMIT WITH TIES',
    [
      query(
        'select distinct on (status) status, id from main.orders order by status, id limit 2; select count(*) filter (where id < 3) from main.folders; select id from main.folders order by id fetch first 2 rows only',
      ),
    ],
    [
      'T status:4:25:-1:-1:0 id:1:23:4:-1:0 ; D Shipped|2 ; D cancelled|3 ; C SELECT 2 ; T count:0:20:8:-1:0 ; D 2 ; C SELECT 1 ; T id:1:23:4:-1:0 ; D 1 ; D 2 ; C SELECT 2 ; Z I',
    ],
  ),
  scenario(
    'jsonb operators',
    [
      query(
        "select attributes ->> 'color' is null, attributes -> 'dims', attributes @> '{}', jsonb_typeof(attributes) from main.products where id in (9, 10) order by id",
      ),
    ],
    [
      'T ?column?:0:16:1:-1:0 ?column?:0:3802:-1:-1:0 ?column?:0:16:1:-1:0 jsonb_typeof:0:25:-1:-1:0 ; D t|NULL|f|string ; D t|NULL|t|object ; C SELECT 2 ; Z I',
    ],
  ),
]
