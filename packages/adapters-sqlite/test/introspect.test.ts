import {
  type IntrospectedColumn,
  type IntrospectedTable,
  type Log,
  silentLog,
} from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { createSqliteFixture } from '@engine/fixtures'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { SqliteColumnNative } from '../src/index.ts'
import { type IntrospectOptions, introspectedTables } from '../src/introspection/introspect.ts'
import { readSchema } from '../src/introspection/read-schema.ts'
import { openAdapter, temporaryPath } from './open-adapter.ts'
import { type TypeName, typeOf } from './statements.ts'

/** Without an adapter around it. */
function introspect(
  setup: string,
  options: IntrospectOptions = { include: undefined, exclude: [] },
): Readonly<Record<string, IntrospectedTable>> {
  const database = new Database(':memory:')
  database.defaultSafeIntegers(true)
  database.exec(setup)
  const { tables } = introspectedTables(readSchema(database), options)
  database.close()
  return Object.fromEntries(tables.map((table) => [table.name, table]))
}

function columnOf(table: IntrospectedTable | undefined, name: string): IntrospectedColumn {
  const column = table?.columns.find((each) => each.name === name)
  if (column === undefined) throw new Error(`no column ${name}`)
  return column
}

function nativeOf(table: IntrospectedTable | undefined, name: string): SqliteColumnNative {
  return columnOf(table, name).native as SqliteColumnNative
}

function typesOf(table: IntrospectedTable | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(table?.columns.map(({ name, type }) => [name, type]) ?? [])
}

test('indexes that are no keys, and what becomes of rows whose parent goes or changes', () => {
  const { children } = introspect(`
    create table parents (id integer primary key, code text unique);
    create table children (
      id integer primary key,
      a int references parents (id) on delete set null on update cascade,
      b int references parents (id) on delete restrict,
      c text references parents (code)
    );
    create index by_a on children (a);
    create index by_c_and_b on children (c, b desc);
    create unique index only_b on children (b);
    create index positive on children (b) where b > 0;
    create index lower_c on children (lower(c));
  `)

  expect(children?.indexes).toEqual([
    { name: 'by_a', columns: ['a'] },
    { name: 'by_c_and_b', columns: ['c', 'b'] },
  ])
  expect(
    children?.foreignKeys?.map(({ columns, onDelete, onUpdate }) => [columns, onDelete, onUpdate]),
  ).toEqual([
    [['a'], 'set null', 'cascade'],
    [['b'], 'restrict', undefined],
    [['c'], undefined, undefined],
  ])
})

test('a table with keys, defaults and references', () => {
  const { Users, orders } = introspect(`
    create table Users (Id integer primary key, Email varchar(40) not null unique collate nocase);
    create table orders (
      id integer primary key autoincrement,
      user_id int references users (ID),
      again int references Users,
      lost int references nowhere (id),
      at timestamp default current_timestamp,
      note text default null,
      n integer not null default (1 + 2),
      doubled int generated always as (n * 2) virtual,
      tripled int as (n * 3) stored
    );
  `)

  expect(Users).toMatchObject({
    schema: undefined,
    kind: 'table',
    primaryKey: ['Id'],
    uniqueKeys: [['Email']],
    foreignKeys: [],
  })
  expect(columnOf(Users, 'Email')).toMatchObject({
    type: typeOf('varchar', 44),
    nullable: false,
    hasDefault: false,
    generated: 'no',
    nativeType: 'varchar(40)',
    collation: 'NOCASE',
  })
  expect(orders?.foreignKeys).toEqual([
    { columns: ['user_id'], table: 'Users', references: ['Id'], cascades: false },
    { columns: ['again'], table: 'Users', references: ['Id'], cascades: false },
  ])
  expect(
    orders?.columns.map(({ name, hasDefault, generated, nativeDefault }) => [
      name,
      hasDefault,
      generated,
      nativeDefault,
    ]),
  ).toEqual([
    ['id', true, 'no', undefined],
    ['user_id', false, 'no', undefined],
    ['again', false, 'no', undefined],
    ['lost', false, 'no', undefined],
    ['at', true, 'no', 'current_timestamp'],
    ['note', false, 'no', undefined],
    ['n', true, 'no', '1 + 2'],
    ['doubled', true, 'always', undefined],
    ['tripled', true, 'always', undefined],
  ])
})

test('the rowid under another name', () => {
  const tables = introspect(`
    create table alias (id integer primary key);
    create table int_key (id int primary key);
    create table descending (id integer primary key desc);
    create table pair (a integer, b integer, primary key (b, a));
    create table without (id integer primary key) without rowid;
    create table shadowed (rowid text, _rowid_ text);
    create table hidden (rowid text, _rowid_ text, oid text);
    create view v as select * from alias;
  `)
  const facts = Object.entries(tables).map(([name, table]) => {
    const [first] = table.columns
    const native = first?.native as SqliteColumnNative
    const { isRowidAlias, rowidName, storesNull } = native
    return [name, isRowidAlias, rowidName, storesNull, first?.nullable]
  })

  expect(facts).toEqual([
    ['alias', true, 'rowid', false, false],
    ['descending', false, 'rowid', true, false],
    ['hidden', false, undefined, false, true],
    ['int_key', false, 'rowid', true, false],
    ['pair', false, 'rowid', true, false],
    ['shadowed', false, 'oid', false, true],
    ['v', false, undefined, false, true],
    ['without', false, undefined, false, false],
  ])
  expect(tables['pair']?.primaryKey).toEqual(['b', 'a'])
})

test('only indexes that find whole rows by plain columns are keys', () => {
  const { t } = introspect(`
    create table t (id integer primary key, a text, b text, c text, d text collate nocase, e text, unique (a, b));
    create unique index whole on t (c);
    create unique index whole_too on t (c);
    create unique index partial on t (e) where e <> '';
    create unique index expression on t (lower(e));
    create unique index other_case on t (e collate nocase);
    create unique index own_case on t (d);
    create index plain on t (b);
  `)

  expect(t?.uniqueKeys).toEqual([['a', 'b'], ['c'], ['d']])
})

test('collations, those of a view too', () => {
  const { t, v } = introspect(`
    create table t (a text, b text collate nocase, c text collate rtrim, d text collate "binary", e int);
    create view v as select b as x, a || b as y, c, upper(b) as z from t;
  `)
  const collations = (table: IntrospectedTable | undefined) =>
    table?.columns.map(({ collation }) => collation)

  expect(collations(t)).toEqual([undefined, 'NOCASE', 'RTRIM', undefined, undefined])
  expect(collations(v)).toEqual(['NOCASE', undefined, 'RTRIM', undefined])
})

test('names that have to be quoted', () => {
  const tables = introspect(`
    create table "a ""b"" '%_" ("c ""d"" ';--" integer primary key, "select" text collate nocase);
    create table "sqlite" (a); create table "SQLiteX" (a); create table "" (a);
  `)

  expect(Object.keys(tables)).toEqual(['', 'SQLiteX', `a "b" '%_`, 'sqlite'])
  expect(tables[`a "b" '%_`]?.columns.map(({ name, collation }) => [name, collation])).toEqual([
    [`c "d" ';--`, undefined],
    ['select', 'NOCASE'],
  ])
})

test('a type too small for what is stored makes way for a larger one', () => {
  const { t, v } = introspect(`
    create table t (id integer primary key, small smallint, tiny smallint, at integer, n int, b bigint, bad integer);
    insert into t values (1, 70000, 5, 1700000000000, 2147483647, 1, 'many'), (2, 1, -32768, 1, -2147483648, 1, 3000000000);
    create view v as select id, at, cast(n as integer) as m, n + 1 as sum from t;
  `)

  expect(typesOf(t)).toEqual({
    id: typeOf('int4'),
    small: typeOf('int4'),
    tiny: typeOf('int2'),
    at: typeOf('int8'),
    n: typeOf('int4'),
    b: typeOf('int8'),
    bad: typeOf('int8'),
  })
  expect(typesOf(v)).toEqual({
    id: typeOf('int4'),
    at: typeOf('int8'),
    m: typeOf('int4'),
    sum: typeOf('text'),
  })
})

test.each<[string, readonly string[], readonly string[]]>([
  ['boolean', ['0', '1', 'null'], ['2', `'true'`, '0.5']],
  ['integer', ['0', `'12'`, 'null'], [`'x'`, '1.5', `x'00'`]],
  ['real', ['0.5', '3', '9e999'], [`'x'`]],
  ['decimal(10,2)', ['1', '1.25', `'7.50'`], [`'x'`, `x'00'`]],
  ['text', [`''`, '5'], [`x'00'`]],
  ['blob', [`x''`], [`'x'`, '1']],
  [
    'uuid',
    [`'00000000-0000-4000-8000-00000000000f'`],
    [`'00000000-0000-4000-8000-00000000000F'`, `x'00'`, `'short'`],
  ],
  ['date', [`'2024-02-29'`, `'0001-01-01'`], [`'2023-02-29'`, `'2024-2-1'`, '20240201', `'now'`]],
  ['time', [`'23:59:59'`, `'00:00:00.5'`], [`'9:00'`, `'09:00'`, `'09:00:00.50'`, `'09:00:00.'`]],
  [
    'timestamp',
    [`'2024-02-29 00:00:00'`, `'2024-02-29 23:59:59.999999'`],
    [
      `'2024-02-29T00:00:00'`,
      `'2024-02-29'`,
      `'2024-02-29 00:00:00+00'`,
      `'2024-02-29 00:00:00.500'`,
      `'2024-02-29 00:00:00.x'`,
      `'2024-02-29 00:00:00.1234567'`,
      '1700000000',
    ],
  ],
  [
    'timestamptz',
    [`'2024-02-29 00:00:00+00'`, `'2024-02-29 00:00:00.25+00'`],
    [`'2024-02-29 00:00:00'`, `'2024-02-29T00:00:00Z'`, `'2024-02-29 00:00:00+01'`, `'+00'`],
  ],
])('values of %s that are stored as ours are canonical', (type, canonical, others) => {
  const table = (name: string, values: readonly string[]) =>
    `create table ${name} (v ${type}); insert into ${name} values ${values.map((v) => `(${v})`).join(', ')};`
  const tables = introspect(
    `${table('ours', canonical)} ${table('none', ['null'])} create table empty (v ${type});
    ${others.map((value, index) => table(`other${index}`, [...canonical, value])).join(' ')}`,
  )

  const found = Object.fromEntries(
    Object.keys(tables).map((name) => [name, nativeOf(tables[name], 'v').isCanonical]),
  )
  expect(found).toEqual({
    ours: true,
    none: true,
    empty: true,
    ...Object.fromEntries(others.map((_value, index) => [`other${index}`, false])),
  })
})

test('what a view shows is as canonical as what it can come from', () => {
  const { v } = introspect(`
    create table t (a date, b timestamp);
    insert into t values ('2024-01-15', '2024-01-15T10:00:00');
    create view v as select a, b, a || '' as c from t;
  `)

  expect(v?.columns.map((column) => (column.native as SqliteColumnNative).isCanonical)).toEqual([
    true,
    false,
    false,
  ])
})

test('of a large table both ends are looked at, and what indexes tell', () => {
  const { t } = introspect(`
    create table t (id integer primary key, i integer, x integer, d date);
    create index t_i on t (i);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 210000)
    insert into t select i, case i when 100000 then 5000000000 else 1 end,
      case i when 100000 then 5000000000 else 1 end, case i when 210000 then 'soon' end from n;
  `)

  expect(typesOf(t)).toMatchObject({ i: typeOf('int8'), x: typeOf('int4') })
  expect(nativeOf(t, 'd').isCanonical).toBe(false)
})

test('values that break a generated column do not break the introspection', () => {
  const { t } = introspect(`
    create table t (a text);
    insert into t values ('{');
    alter table t add column b text as (json_extract(a, '$.b'));
  `)

  expect(nativeOf(t, 'a').isCanonical).toBe(false)
})

test('what cannot be used is left out; broken views are reported', async () => {
  const warnings: object[] = []
  const log: Log = { ...silentLog, warn: (facts) => void warnings.push(facts) }
  const setup = `
    create table t (a text);
    create virtual table words using fts5 (word);
    create view good as select a from t;
    create view lost as select a from gone;
    create view calls as select nonsense(a) as a from t;`
  const adapter = openAdapter(':memory:', { setup, log, name: 'shop' })

  const { tables, types } = await adapter.introspect(new AbortController().signal)

  expect(types).toEqual([])
  expect(tables.map(({ name }) => name)).toEqual(['good', 't'])
  expect(warnings).toEqual([
    { connection: 'shop', name: 'calls', reason: 'no such function: nonsense' },
    { connection: 'shop', name: 'lost', reason: 'no such table: main.gone' },
  ])
})

describe('types of integers', () => {
  const types = createTypeSystem()
  const setup = `create table t (a integer, b smallint, c bigint, d integer, e text, f decimal(10, 2));
    insert into t values (1, 70000, 1, ${2n ** 40n}, 'x', 1.5);
    create view v as select d, b from t`
  const typesOf = (options: Partial<IntrospectOptions>) => {
    const { t, v } = introspect(setup, { include: undefined, exclude: [], ...options })
    const nameOf = (column: IntrospectedColumn) =>
      `${column.name} ${types.typeByOid(column.type.oid)?.name}${column.isTypeInferred === true ? ' inferred' : ''}`
    return [t, v].map((table) => table?.columns.slice(0, 4).map(nameOf).join(', '))
  }

  test('follow stored values, and say so', () => {
    expect(typesOf({})).toEqual([
      'a int4, b int4 inferred, c int8, d int8 inferred',
      'd int8 inferred, b int4 inferred',
    ])
  })

  test('follow the declaration where the connection says so', () => {
    expect(typesOf({ types: 'declared' })).toEqual([
      'a int4, b int2, c int8, d int4',
      'd int4, b int2',
    ])
  })

  test('are those of the configuration, whatever is stored', () => {
    const columnTypes = { t: { a: 'bigint', b: 'smallint', d: 'integer' }, v: { d: 'bigint' } }
    for (const from of ['declared', 'inferred'] as const) {
      expect(typesOf({ types: from, columnTypes })[0]).toBe('a int8, b int2, c int8, d int4')
    }
    expect(typesOf({ columnTypes })[1]).toBe('d int8, b int4 inferred')
  })

  test('what is configured in vain is named', () => {
    const database = new Database(':memory:')
    database.defaultSafeIntegers(true)
    database.exec(setup)
    const columnTypes = { t: { a: 'int', e: 'bigint', missing: 'bigint' }, __proto__: { a: 'x' } }
    const { typeFaults } = introspectedTables(readSchema(database), {
      include: undefined,
      exclude: [],
      columnTypes,
    })
    database.close()
    expect(typeFaults).toEqual([
      { table: 't', column: 'a', message: 'expects smallint, integer or bigint' },
      {
        table: 't',
        column: 'e',
        message: 'the column is declared as TEXT: only that of an integer can be chosen',
      },
    ])
  })
})

test('tables can be left out; what refers to them does not', () => {
  const setup = `
    create table a (id integer primary key); create table b (a integer references a); create table c (x);`

  const some = introspect(setup, { include: ['b', 'c'], exclude: ['c'] })

  expect(Object.keys(some)).toEqual(['b'])
  expect(some['b']?.foreignKeys).toEqual([])
})

test('the fixture has the types it was declared with', async () => {
  const path = temporaryPath()
  createSqliteFixture(path)
  const { tables } = await openAdapter(path).introspect(new AbortController().signal)
  const samples = tables.find(({ name }) => name === 'type_samples')
  const expected: Readonly<Record<string, [TypeName, number?]>> = {
    id: ['int4'],
    label: ['text'],
    c_int2: ['int2'],
    c_int4: ['int4'],
    c_int8: ['int8'],
    c_numeric: ['numeric', 786440],
    c_float8: ['float8'],
    c_bool: ['bool'],
    c_text: ['text'],
    c_varchar: ['varchar', 24],
    c_char: ['bpchar', 9],
    c_uuid: ['uuid'],
    c_date: ['date'],
    c_time: ['time'],
    c_timestamp: ['timestamp'],
    c_timestamptz: ['timestamptz'],
    c_bytea: ['bytea'],
    c_json: ['jsonb'],
    c_jsonb: ['jsonb'],
  }

  expect(typesOf(samples)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, type]) => [name, typeOf(...type)])),
  )
  const notCanonical = tables.flatMap(({ name, kind, columns }) =>
    columns
      .filter(({ native }) => kind === 'table' && native?.['isCanonical'] !== true)
      .map((column) => `${name}.${column.name}`),
  )
  expect(notCanonical).toEqual([])
})
