/** Errors as drivers read them: severity, code, routine, position and the named objects, compared with PostgreSQL. */
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Comparison, openComparison } from './support/same-as-postgres.ts'

const setUp = `
  create table main.parents (id int4 primary key, code text unique, size int2 check (size > 0));
  create table main.children (
    id int4 primary key, parent_id int4 not null references main.parents, at date, during int4range,
    exclude using gist (during with &&)
  );
  create table main.later (id int4 primary key references main.parents deferrable initially deferred);
  create view main.names as select id, code from main.parents;
  insert into main.parents values (1, 'a', 1), (2, 'b', 2);
  insert into main.children values (1, 1, '2024-01-01', '[1,2)');
`

/** A statement in each line. */
const statements = `
selec 1
select * frm items
select * from items where
select 'open
select * from nothing
select * from nothing where id = 1
select id, nope from items
select items.nope from items
select i.nope from items i
select x.id from items i
select id from items i, parents p
select nosuch(1)
select $1a
select to_timestamp('2011 PST', 'YYYY TZ')
select lower(1, 2) from items
select lower(id) from items
select id + name from items
select id || 1 + true from items
select * from items where id = true
select * from items where name = 1
select * from items where id
select id, count(*) from items
select id from items group by name
select count(count(*)) from items
select id from items where count(*) > 1
select (select id, name from items)
select id from items where id in (select id, name from items)
select (select id from items)
select 1 / 0 from items
select id::int2 + 40000::int2 from items
select (id * 100000 * 100000) from items
select 'x'::int4 from items
select name::int4 from items
select name::int8 from items
select 'x'::bool from items
select 'x'::uuid from items
select 'x'::float8 from items
select 'x'::numeric from items
select 3000000000::int4 from items
select 2147483647 + id from items
select '2024-13-01'::date from items
select '{1'::int4[] from items
select id from items tablesample nosuch (1)
select id from items tablesample system (1, 2)
select id from items tablesample system (id)
select id from items tablesample bernoulli (101)
select id from items tablesample bernoulli (null)
select id from items tablesample system (1) repeatable (null)
select id from items tablesample system (true)
select 'a'::nothing from items
select id from items union select name from items
select id from items union select id, name from items
select id from items order by 5
select distinct id from items order by name
select id from items limit -1
select id from items limit 'x'
select case when id then 1 end from items
select coalesce(id, name) from items
select array[id, name] from items
select id as a, sum(id) over w from items
select sum(id) over (partition by nope) from items
select * from items i join parents p using (nope)
select * from items i join parents p on i.id
select * from items i join parents i on true
with w as (select 1) select * from v
with w as (select 1), w as (select 2) select * from w
insert into nothing values (1)
insert into parents (id, nope) values (1, 2)
insert into parents (id, id) values (1, 2)
insert into parents values (1, 'x', 1, 4)
insert into parents (id, code) values (3)
insert into parents values (3, 'x'), (4)
insert into parents values ('x', 'x', 1)
insert into parents values (true, 'x', 1)
insert into parents values ((1, 2), 'x', 1)
insert into parents values (1, 'z', 1)
insert into parents values (3, 'a', 1)
insert into parents values (3, 'z', 0)
insert into parents values (null, 'z', 1)
insert into parents values (3, 'z', 70000)
insert into children values (2, 9, null, null)
insert into children values (2, null, null, null)
insert into children values (2, 1, null, '[1,5)')
insert into items values (100, 'a name that is longer than twenty', 1)
insert into items values (100, 'x', 12345678901)
insert into numbered (id, label) values (1, 'x')
insert into parents values (1, 'a', 1) on conflict (size) do nothing
insert into parents values (5, 'q', 1), (5, 'q', 1) on conflict (id) do update set code = excluded.code
insert into later values (99)
select r.v from items, json_to_record('{"v": "long text"}') as r(v varchar(3))
select r.v from items, jsonb_to_record('{"v": "long "}') as r(v char(3))
select p.name from json_populate_record(null::items, '{"name": "a name that is longer than twenty"}') p
update nothing set a = 1
update parents set nope = 1
update parents set code = nope
update parents set size = 'x'
update parents set size = true
update parents set size = row(1, 'a')
update parents set size = -1
update parents set id = 1
update parents set id = null
update parents set id = 50 where id = 1
delete from nothing
delete from parents where nope = 1
delete from parents where id = 1
savepoint x
rollback to x
release x
fetch 1 from nothing
close nothing
declare c cursor for select 1
execute nothing
deallocate nothing
set nothing to 1
set work_mem to 'x'
set transaction isolation level nothing
show nothing
select $1
select id from items for update of nothing
copy nothing to stdout
copy items (nope) to stdout
select current_setting('nothing')
select * from generate_series(1)
select extract(nothing from made) from items
select to_char(made) from items
select substring(name from -1 for -1) from items
select sqrt(-1) from items
select ln(0) from items
select name collate nothing from items
select id from items where name like 'x\\' escape 'xx'
select name ~ '(' from items
select ('{"a"'::jsonb) from items
select row(1, 2) = row(1) from items
select id from items fetch first -1 rows only
select nextval('nothing')
create table x (id int4)
lock table nothing
`
  .trim()
  .split('\n')

/** Where we differ, and why. */
const accepted: Readonly<Record<string, readonly [ours: object, reason: string]>> = {
  'select count(count(*)) from items': [{ position: '8' }, 'the outer call is named'],
  'select id from items limit -1': [{ position: '28' }, 'a literal is checked before it runs'],
  'select id from items fetch first -1 rows only': [
    { position: '34' },
    'a literal is checked before it runs',
  ],
  'select * from items i join parents p using (nope)': [
    { routine: 'errorMissingColumn' },
    'the same check as for every other column',
  ],
  "insert into numbered (id, label) values (1, 'x')": [
    { position: '42' },
    'the value is known before it runs',
  ],
  "insert into parents values (1, 'a', 1) on conflict (size) do nothing": [
    { position: '52' },
    'the column is known before it runs',
  ],
  'copy items (nope) to stdout': [
    { routine: 'errorMissingColumn' },
    'COPY reads by a SELECT of these columns',
  ],
  "select to_timestamp('2011 PST', 'YYYY TZ')": [
    { routine: undefined },
    'routines are found by messages, and those of a database are for its log',
  ],
  'select name collate nothing from items': [
    { code: '0A000', routine: undefined },
    'databases have collations of their own: no name is looked up',
  ],
  "select nextval('nothing')": [
    { routine: 'parserOpenTable' },
    'the same check as for every other relation',
  ],
  'create table x (id int4)': [
    { severity: 'ERROR', code: '0A000' },
    'the schema is changed on the database itself',
  ],
  'lock table nothing': [{ code: '0A000', routine: undefined }, 'locks are taken by FOR UPDATE'],
}

interface Fields {
  readonly severity?: string | undefined
  readonly code?: string | undefined
  readonly routine?: string | undefined
  readonly position?: string | undefined
  readonly schema?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly constraint?: string | undefined
}

/** The fields of an error, or none. */
async function fieldsOf(client: pg.Client, sql: string): Promise<Fields> {
  const error = await client.query(sql).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof pg.DatabaseError)) return {}
  const { severity, code, routine, position, schema, table, column, constraint } = error
  return { severity, code, routine, position, schema, table, column, constraint }
}

describePostgres('Errors are those of PostgreSQL', () => {
  let comparison: Comparison
  let postgres: pg.Client
  let ours: pg.Client
  beforeAll(async () => {
    comparison = await openComparison(setUp)
    postgres = new pg.Client({ connectionString: comparison.own })
    ours = new pg.Client({ connectionString: comparison.server.url })
    await Promise.all([postgres.connect(), ours.connect()])
  })
  afterAll(async () => {
    await Promise.all([postgres?.end(), ours?.end()])
    await comparison?.close()
  })

  test.each(statements)('%s', async (sql) => {
    const expected = await fieldsOf(postgres, sql)
    await postgres.query('rollback')
    const actual = await fieldsOf(ours, sql)
    await ours.query('rollback')
    const [difference] = accepted[sql] ?? [{}]
    expect(actual).toEqual({ ...expected, ...difference })
    expect(actual.code).toMatch(/^\w{5}$/)
  })

  test('every accepted difference still is one', () => {
    expect(Object.keys(accepted).filter((sql) => !statements.includes(sql))).toEqual([])
  })
})
