import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask-catalog.ts'
import { type FixtureCatalog, openFixtureCatalog } from '../support/fixture-catalog.ts'

/** Tables and views; an engine has no partitions, materialized views, CHECK and ON DELETE SET NULL. */
const shown = `c.relnamespace = 'main'::regnamespace and c.relkind in ('r', 'v')
  and c.relname not like 'parted%' and c.relname <> 'country_counts'`

/** Names and orders that differ from PostgreSQL's own choice. */
const named = `
  create table main.named (
    id int4 constraint named_key primary key, a int4, b text, parent int4 constraint named_parent references main.named,
    constraint named_pair unique (a, b)
  );
  create index named_latest on main.named (a desc, b);
  create index named_odd on main.named (a nulls first, b desc nulls last, id);
  create index named_plain on main.named (parent)`

/** By kind of query; each has one order. */
const questions: Readonly<Record<string, string>> = {
  'columns with type, nullability, identity': `select c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), t.typname, t.typtype,
        a.attnotnull and c.relkind = 'r', a.attidentity, a.attgenerated, a.atthasdef or a.attidentity <> ''
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where ${shown} and a.attnum > 0 and a.attname <> 'home' order by 1, 3`,
  'defaults that are constants or clocks': `select c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
        join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_class c on c.oid = a.attrelid
      where ${shown} and a.attgenerated = '' order by 1, 2`,
  'primary and unique keys': `select c.relname, k.conname, k.contype, pg_get_constraintdef(k.oid) from pg_constraint k
      join pg_class c on c.oid = k.conrelid where ${shown} and k.contype in ('p', 'u') order by 1, 2`,
  'foreign keys': `select k.conname, k.conrelid::regclass, k.confrelid::regclass, k.conkey, k.confkey, k.confupdtype
      from pg_constraint k join pg_class c on c.oid = k.conrelid where ${shown} and k.contype = 'f' order by 1`,
  'key columns, one by one': `select tc.table_name, tc.constraint_type, kcu.column_name, kcu.ordinal_position
      from information_schema.table_constraints tc join information_schema.key_column_usage kcu
        using (constraint_schema, constraint_name, table_name)
      where tc.table_schema = 'main' and tc.table_name not like 'parted%' order by 1, tc.constraint_name, 4`,
  'indexes of keys': `select c.relname, i.relname, x.indisunique, x.indisprimary, x.indkey::text, pg_get_indexdef(i.oid)
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where ${shown} and c.relkind = 'r' and x.indisunique order by 1, 2`,
  'plain indexes': `select i.relname, x.indkey::text, x.indoption::text, pg_get_indexdef(i.oid) from pg_index x
      join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where ${shown} and c.relname = 'named' and not x.indisunique order by 1`,
  enums: `select t.typname, e.enumlabel, e.enumsortorder from pg_enum e join pg_type t on t.oid = e.enumtypid
      where t.typnamespace = 'main'::regnamespace order by 1, 3`,
  domains: `select t.typname, format_type(t.typbasetype, t.typtypmod), t.typnotnull from pg_type t
      where t.typtype = 'd' and t.typnamespace = 'main'::regnamespace order by 1`,
  'columns as information_schema tells them': `select table_name, column_name, ordinal_position, is_nullable, data_type, character_maximum_length,
        numeric_precision, numeric_scale, datetime_precision, is_identity, is_generated
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'main' and table_name not like 'parted%' and data_type <> 'USER-DEFINED'
        and table_type = 'BASE TABLE' order by 1, 3`,
  'tables as information_schema tells them': `select table_name, table_type from information_schema.tables
      where table_schema = 'main' and table_name not like 'parted%' and table_name <> 'country_counts' order by 1`,
  'built-in types and their arrays': `select t.oid, t.typname, t.typtype, t.typcategory, t.typlen, t.typelem, t.typarray, t.typdelim, n.nspname
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.oid < 6000 and t.typtype in ('b', 'r', 'm') and t.typname <> 'aclitem' order by 1`,
  'casts of built-in types': `select castsource::regtype, casttarget::regtype, castcontext, castmethod from pg_cast
      where castsource in (16, 20, 23, 25, 1043, 1114, 1700) and casttarget in (16, 20, 23, 25, 1043, 1114, 1700)
        and castsource <> 16 order by 1, 2`,
  'the search path': `select current_schemas(true), current_schema(), to_regclass('orders'), to_regclass('nope'),
        'orders'::regclass, pg_table_is_visible('main.orders'::regclass)`,
  'what the session may do': `select has_schema_privilege('main', 'usage'), has_table_privilege('main.orders', 'select'),
        has_table_privilege('main.orders', 'delete'), has_column_privilege('main.orders', 'id', 'insert')`,
  expressions: `select 1 + 1, 'a' || 'b', 1.50::numeric(5,1), array[1, 2]::text, row(1, null)::text,
      '{"b": 1, "a": [1.0]}'::jsonb, interval '1 day 02:03', date '2024-02-29' + 1, to_char(1234.5, '9,999.99'),
      md5('x'), encode('\\x00ff', 'base64'), '2024-01-01'::timestamp at time zone 'UTC', quote_ident('a b'),
      string_to_array('a,b', ','), format('%s-%I', 1, 'x y'), 1e20::float8, 0.1::float4, 'infinity'::date`,
}

describePostgres('answers of the embedded PostgreSQL about mirrors', () => {
  let fixture: FixtureCatalog
  beforeAll(async () => {
    fixture = await openFixtureCatalog('wire_metadata', named)
  })
  afterAll(() => fixture?.close())

  test.each(Object.keys(questions))('are those of the real one: %s', async (name) => {
    const sql = questions[name] ?? ''
    const { rows } = await fixture.real.query<(string | null)[]>({
      text: sql,
      rowMode: 'array',
      types: { getTypeParser: () => (text: unknown) => text },
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(await ask(fixture.catalog, sql, fixture.scope)).toEqual(rows)
  })
})
