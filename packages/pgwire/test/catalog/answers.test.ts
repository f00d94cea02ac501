import { afterAll, describe, expect, test } from 'vitest'
import { catalogNumbers } from '../../src/catalog/catalog-numbers.ts'
import { ask, askOne, runOf, scopeOf, sqlStateOf } from '../support/ask-catalog.ts'
import { openCatalog } from '../support/open-catalog.ts'
import { openOrders, shopTypeOids, visibleShop } from '../support/visible-shop.ts'

const { catalog, complaints } = openCatalog()
afterAll(() => catalog.close())

describe('mirrors', () => {
  test('nothing is left out', async () => {
    await ask(catalog, 'select 1')
    expect(complaints).toEqual([])
  })

  test('connections are schemas, tables and views are in them', async () => {
    const rows = await ask(
      catalog,
      `select n.nspname, c.relname, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'v')
        order by 1, 2`,
    )
    expect(rows).toEqual([
      ['files', 'imports', 'r'],
      ['main', 'Strange "table"; drop schema main --', 'r'],
      ['main', 'customers', 'r'],
      ['main', 'open_orders', 'v'],
      ['main', 'orders', 'r'],
      ['main', 'recent_orders', 'v'],
    ])
  })

  test('columns have their types, defaults and identities', async () => {
    const rows = await ask(
      catalog,
      `select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
          pg_get_expr(d.adbin, d.adrelid)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = 'main.orders'::regclass and a.attnum > 0 order by a.attnum`,
    )
    expect(rows).toEqual([
      ['id', 'integer', 't', 'a', '', null],
      ['customer_id', 'integer', 't', '', '', null],
      ['status', 'order_status', 't', '', '', "'new'::order_status"],
      ['total', 'price', 'f', '', '', null],
      ['tags', 'character varying(20)[]', 'f', '', '', null],
      ['history', 'order_status[]', 'f', '', '', null],
      ['placed_at', 'timestamp with time zone', 't', '', '', 'now()'],
      ['secret_default', 'text', 't', '', '', 'COALESCE(NULL::text)'],
      ['double', 'integer', 'f', '', 's', 'NULL::integer'],
    ])
  })

  test('types of a connection are what they are: enum, domain, type of an extension', async () => {
    const rows = await ask(
      catalog,
      `select t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod),
          (select array_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
        from pg_type t where t.typnamespace = 'main'::regnamespace and t.typelem = 0 and t.typrelid = 0 order by 1`,
    )
    expect(rows).toEqual([
      ['citext', 'b', '-', null],
      ['order_status', 'e', '-', "{new,pa'id}"],
      ['price', 'd', 'numeric(10,2)', null],
    ])
  })

  test('keys are constraints, also over a type of an extension', async () => {
    const rows = await ask(
      catalog,
      `select conname, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'main'::regnamespace and contype <> 'n' order by 1`,
    )
    expect(rows).toEqual([
      ['customers_email_key', 'UNIQUE (email)'],
      ['customers_pkey', 'PRIMARY KEY (id)'],
      [
        'orders_customer_id_fkey',
        'FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE',
      ],
      ['orders_pkey', 'PRIMARY KEY (id)'],
    ])
  })

  test('a counter that is not the callers to know of is a counter of its own', async () => {
    expect(await askOne(catalog, `select pg_get_serial_sequence('main.customers', 'id')`)).toBe(
      'main.customers_id_seq',
    )
  })

  test('comments are there', async () => {
    const rows = await ask(
      catalog,
      `select obj_description('main.customers'::regclass), col_description('main.customers'::regclass, 2)`,
    )
    expect(rows).toEqual([["those who 'buy'", 'how to reach them']])
  })

  test('privileges are what the caller may do', async () => {
    const rows = await ask(
      catalog,
      `select has_table_privilege('main.orders', 'select'), has_table_privilege('main.orders', 'delete'),
          has_table_privilege('main.customers', 'update'), has_column_privilege('main.customers', 'name', 'update'),
          has_column_privilege('main.customers', 'email', 'update'), has_table_privilege('files.imports', 'insert'),
          has_schema_privilege('main', 'usage'), has_schema_privilege('main', 'create')`,
    )
    expect(rows).toEqual([['t', 'f', 'f', 't', 'f', 'f', 't', 'f']])
    expect(
      await ask(
        catalog,
        `select privilege_type from information_schema.table_privileges
          where table_name = 'orders' and grantee = current_user order by 1`,
      ),
    ).toEqual([['INSERT'], ['SELECT'], ['UPDATE']])
  })
})

describe('the session', () => {
  test('the session is told as it is', async () => {
    const settings = new Map([
      ['search_path', 'files, main'],
      ['TimeZone', 'Asia/Tokyo'],
      ['DateStyle', 'ISO, MDY'],
      ['application_name', "it's me"],
      ['server_version', '17.9'],
      ['transaction_read_only', 'off'],
      ['shop.tenant', 'a'],
    ])
    const rows = await ask(
      catalog,
      `select current_user, session_user, user, current_database(), current_catalog, pg_backend_pid(),
          current_schema(), current_setting('timezone'), current_setting('application_name'),
          current_setting('server_version'), current_setting('transaction_read_only'),
          current_setting('shop.tenant'), current_setting('is_superuser'), '2024-01-01 00:00+00'::timestamptz`,
      scopeOf({ settings }),
    )
    expect(rows).toEqual([
      [
        ...['alice@example.com', 'alice@example.com', 'alice@example.com', 'shop', 'shop', '4711'],
        ...['files', 'Asia/Tokyo', "it's me", '17.9', 'off', 'a', 'off', '2024-01-01 09:00:00+09'],
      ],
    ])
  })

  test('the session shows its prepared statements and cursors', async () => {
    const prepared = {
      name: 'p',
      statement: "select '1'",
      parameter_types: [23, 1009],
      from_sql: true,
    }
    const cursor = { name: 'c', statement: 'select 2', is_scrollable: true, is_binary: false }
    const at = '2024-01-01T00:00:00.000Z'
    const settings = new Map([
      ['engine.prepared_statements', JSON.stringify([{ ...prepared, prepare_time: at }])],
      ['engine.cursors', JSON.stringify([{ ...cursor, is_holdable: false, creation_time: at }])],
    ])
    const statements =
      'select name, statement, prepare_time, parameter_types, from_sql from pg_prepared_statements'
    expect(await ask(catalog, statements, scopeOf({ settings }))).toEqual([
      ['p', "select '1'", '2024-01-01 00:00:00+00', '{integer,text[]}', 't'],
    ])
    expect(await ask(catalog, 'select * from pg_cursors', scopeOf({ settings }))).toEqual([
      ['c', 'select 2', 'f', 'f', 't', '2024-01-01 00:00:00+00'],
    ])
    expect(await ask(catalog, statements)).toEqual([])
  })

  test('of the next client has nothing of it', async () => {
    const rows = await ask(
      catalog,
      `select current_setting('timezone'), current_setting('application_name'),
          current_setting('shop.tenant', true), current_setting('server_version')`,
    )
    expect(rows).toEqual([['UTC', '', null, '18.6']])
  })

  test.each([
    ['postgres', 'postgres'],
    ["o'neil", "o'neil"],
    ['x"; reset role; --', 'x"; reset role; --'],
    ['public', 'public'],
    ['none', 'none'],
    ['ü'.repeat(40), 'ü'.repeat(31)],
    ['pg_engine', 'user pg_engine'],
    ['pg_monitor', 'user pg_monitor'],
  ])('the session may be that of %s', async (user, shown) => {
    expect(await ask(catalog, 'select current_user, session_user', scopeOf({ user }))).toEqual([
      [shown, shown],
    ])
  })

  test('the session knows of itself alone: no other role, database or activity', async () => {
    const scope = scopeOf({ user: 'bob', database: 'o"ther' })
    expect(
      await ask(catalog, `select rolname from pg_roles where rolname !~ '^pg_'`, scope),
    ).toEqual([['bob']])
    expect(await ask(catalog, 'select datname from pg_database', scope)).toEqual([['o"ther']])
    expect(
      await ask(catalog, 'select usename, datname, pid, state from pg_stat_activity', scope),
    ).toEqual([['bob', 'o"ther', '4711', 'active']])
  })
})

describe('what empty copies cannot know', () => {
  test.each([
    `select query_to_xml('select * from main.orders', true, false, '')`,
    `select query_to_xmlschema('select 1', true, false, '')`,
    `select table_to_xml('main.orders', true, false, '')`,
    `select schema_to_xml_and_xmlschema('main', true, false, '')`,
    `select database_to_xml(true, false, '')`,
    `select cursor_to_xml('c', 1, true, false, '')`,
    `select * from ts_stat('select to_tsvector(name) from main.customers')`,
    `select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, ''b''::tsquery')`,
    'select pg_current_wal_lsn()',
    'select txid_current_snapshot()',
    'select pg_ls_waldir()',
    `select lo_get(1)`,
    `select ('main.orders'::regclass).pg_relation_filepath`,
    'select relname from pg_class order by pg_relation_filenode(oid)',
    'select * from pg_locks',
    'select * from pg_stat_replication',
    'select * from pg_stat_archiver',
    `select pg_walfile_name('0/1')`,
    'select pg_column_size(relname) from pg_class',
    'select pg_listening_channels()',
  ])('what empty copies cannot know is refused: %s', async (sql) => {
    expect(await sqlStateOf(catalog, sql)).toBe('0A000')
  })

  test('what empty copies cannot know is refused by name', async () => {
    await expect(
      catalog.run(runOf(`select pg_relation_filepath('main.orders')`), scopeOf()),
    ).rejects.toMatchObject({
      problem: 'unsupported',
      message: expect.stringMatching(
        /^pg_relation_filepath\(\) is not supported: the system catalogs/,
      ),
    })
  })

  test.each([
    `select pg_table_size('main.orders'), pg_size_pretty(pg_total_relation_size('main.orders'::regclass)),
      pg_relation_size('main.orders', 'main'), pg_indexes_size('main.orders'), pg_database_size('shop'),
      pg_tablespace_size('pg_default')`,
    `select pg_table_size((select oid from pg_class where relname = 'orders'))`,
    `select * from pg_table_size('main.orders')`,
    'select txid_current(), pg_postmaster_start_time(), inet_server_addr(), inet_client_port()',
    `select age(relfrozenxid), mxid_age(relminmxid) from pg_class where relname = 'orders'`,
    `select n_live_tup, seq_scan, last_analyze, pg_stat_get_live_tuples(relid) from pg_stat_user_tables
      where relname = 'orders'`,
    'select xact_commit, blks_hit, numbackends, stats_reset from pg_stat_database where datid > 0',
    `select last_value from pg_sequences`,
  ])('what empty copies cannot know is NULL: %s', async (sql) => {
    const [row] = await ask(catalog, sql)
    expect(new Set(row)).toEqual(new Set([null]))
  })

  test('what empty copies cannot know is unknown as PostgreSQL says it, in statistics of a table', async () => {
    expect(
      await askOne(catalog, `select reltuples from pg_class where oid = 'main.orders'::regclass`),
    ).toBe('-1')
  })

  test('what empty copies cannot know is hidden in definitions of views', async () => {
    const view = `'main.recent_orders'::regclass`
    const rows = await ask(
      catalog,
      `select pg_get_viewdef(${view}), pg_get_viewdef(${view}, true), pg_get_viewdef('main.recent_orders', true),
        pg_get_viewdef((select c.oid from pg_class c where c.oid = ${view}), 80), pg_get_viewdef('main.orders'::regclass),
        (select definition from pg_views where viewname = 'recent_orders'),
        (select view_definition from information_schema.views where table_name = 'recent_orders'),
        (select pg_get_ruledef(oid) from pg_rewrite where ev_class = ${view}),
        pg_get_viewdef('pg_catalog.pg_tables') ~ 'pg_class'`,
    )
    expect(rows).toEqual([[null, null, null, null, null, null, null, null, 't']])
    expect(await sqlStateOf(catalog, `select engine_original_viewdef(${view}, true)`)).toBe('0A000')
  })

  test('what empty copies cannot know is shown of views where the caller may know it, and nowhere else', async () => {
    const view = `'main.open_orders'::regclass`
    const rows = await ask(
      catalog,
      `select pg_get_viewdef(${view}), pg_get_viewdef(${view}, false) = (select definition from pg_views where viewname = 'open_orders'),
        pg_get_viewdef('main.open_orders') = (select view_definition from information_schema.views where table_name = 'open_orders'),
        pg_get_viewdef('main.open_orders', true), pg_get_viewdef(${view}, 0), pg_get_viewdef(${view}, 80),
        (select pg_get_ruledef(oid) from pg_rewrite where ev_class = ${view}),
        (select count(view_definition) from information_schema.views)`,
    )
    const { text, pretty } = openOrders
    expect(rows).toEqual([[text, 't', 't', pretty, pretty, null, null, '1']])
    expect(await sqlStateOf(catalog, 'select * from pg_catalog.engine_view')).toBe('42501')
    expect(await sqlStateOf(catalog, `select engine_view_fact(${view}, 'text')`)).toBe('0A000')
  })
})

describe('a view that can be written', () => {
  test('a view that can be written is so in the catalogs', async () => {
    const rows = await ask(
      catalog,
      `select v.table_name, v.is_updatable, v.is_insertable_into, t.is_insertable_into, pg_relation_is_updatable(o.oid, false),
          pg_relation_is_updatable(o.oid, true),
          (select array_agg(c.column_name || ' ' || c.is_updatable order by c.ordinal_position)
            from information_schema.columns c where c.table_name = v.table_name)
        from information_schema.views v join information_schema.tables t using (table_schema, table_name)
        join pg_class o on o.relname = v.table_name
        where v.table_schema = 'main' order by 1`,
    )
    expect(rows).toEqual([
      ['open_orders', 'YES', 'NO', 'NO', '20', '28', '{"id YES","total NO"}'],
      ['recent_orders', 'NO', 'NO', 'NO', '0', '0', '{"id NO","name NO"}'],
    ])
  })
})

describe('a statement', () => {
  test('a statement of the catalogs is described without being run', async () => {
    const sql = 'select c.relname, $1::int4 + 1 as n, $2::text from pg_class c where c.oid = $3'
    const { parameterOids, fields } = await catalog.describe(runOf(sql), scopeOf())
    expect(parameterOids).toEqual([23, 25, 26])
    expect(fields).toEqual([
      { name: 'relname', tableOid: 1259, columnNumber: 2, typeOid: 19, typmod: -1, format: 0 },
      { name: 'n', tableOid: 0, columnNumber: 0, typeOid: 23, typmod: -1, format: 0 },
      { name: 'text', tableOid: 0, columnNumber: 0, typeOid: 25, typmod: -1, format: 0 },
    ])
  })

  test('a statement of the catalogs takes parameters and gives results in text and binary', async () => {
    const seven = Buffer.from([0, 0, 0, 7])
    const { fields, rows, tag } = await catalog.run(
      runOf('select $1::int4, $2::int4, $3::text', {
        parameters: [seven, Buffer.from('8'), null],
        parameterFormats: [1, 0, 0],
        resultFormats: [0, 1, 1],
      }),
      scopeOf(),
    )
    expect(fields.map(({ format }) => format)).toEqual([0, 1, 1])
    expect(rows.map((row) => row.map((cell) => cell && [...cell]))).toEqual([
      [[...Buffer.from('7')], [0, 0, 0, 8], null],
    ])
    expect(tag).toBe('SELECT 1')
  })

  test('a statement of the catalogs gives as many rows as it may', async () => {
    const some = await catalog.run(
      runOf('select generate_series(1, 100000000000)', { maxRows: 3 }),
      scopeOf(),
    )
    expect(some).toMatchObject({ truncated: true, tag: 'SELECT 3' })
    expect(some.rows).toHaveLength(3)
    const all = await catalog.run(
      runOf('select * from generate_series(1, 3)', { maxRows: 3 }),
      scopeOf(),
    )
    expect(all).toMatchObject({ truncated: false, tag: 'SELECT 3' })
  })

  test('a statement of the catalogs keeps its own tag', async () => {
    const { tag } = await catalog.run(runOf('show search_path'), scopeOf())
    expect(tag).toBe('SHOW')
  })

  test('a statement of the catalogs that is wrong is reported as PostgreSQL reports it', async () => {
    await expect(
      catalog.run(runOf('select "é", nope from pg_class'), scopeOf()),
    ).rejects.toMatchObject({
      problem: 'unknownColumn',
      sqlState: '42703',
      message: 'column "é" does not exist',
      position: 8,
    })
    await expect(catalog.describe(runOf('select lower(1, 2)'), scopeOf())).rejects.toMatchObject({
      sqlState: '42883',
      details: { hint: expect.stringContaining('explicit type casts') },
    })
    expect(await sqlStateOf(catalog, 'select $1', scopeOf(), { parameters: [] })).toBe('08P01')
    expect(await sqlStateOf(catalog, "values ('\0')")).toBe('22021')
  })
})

describe('numbers', () => {
  test('numbers are those of the catalogs', async () => {
    const numbers = catalogNumbers(visibleShop)
    const found = numbers.columnNumber('main', 'orders', 'status')
    expect(
      await ask(
        catalog,
        `select 'main.orders'::regclass::oid, attnum, atttypid, (select typarray from pg_type where oid = atttypid)
          from pg_attribute where attrelid = 'main.orders'::regclass and attname = 'status'`,
      ),
    ).toEqual([
      [
        String(found?.tableOid),
        String(found?.columnNumber),
        String(numbers.typeOid('main', shopTypeOids.orderStatus)),
        String(numbers.typeOid('main', shopTypeOids.orderStatus + 1)),
      ],
    ])
    expect(numbers.columnNumber('main', 'orders', 'nope')).toBeUndefined()
  })

  test('numbers go both ways, and leave built-in types alone', async () => {
    const { typeOid, engineTypeOid } = catalogNumbers(visibleShop)
    for (const oid of Object.values(shopTypeOids)) {
      expect(engineTypeOid('main', typeOid('main', oid))).toBe(oid)
    }
    expect(typeOid('main', 23)).toBe(23)
    expect(engineTypeOid('main', 1009)).toBe(1009)
    expect(typeOid('files', shopTypeOids.price)).toBe(25)
    expect(engineTypeOid('main', 99_999)).toBeUndefined()
  })
})

describe('public', () => {
  const withDefault = (path: string) =>
    scopeOf({
      visible: { ...visibleShop, defaultConnection: 'main' },
      settings: new Map([['search_path', path]]),
    })
  const scope = withDefault('main')
  const relations = `select n.nspname, c.relname, pg_table_is_visible(c.oid) from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where c.relname = 'orders' and c.relkind = 'r'`

  test('public is the schema of the default connection in questions that name it', async () => {
    const oid = await askOne(catalog, `select 'main.orders'::regclass::oid`, scope)
    expect(await askOne(catalog, `select 'public.orders'::regclass::oid`, scope)).toBe(oid)
    const named = `${relations} and n.nspname operator(pg_catalog.~) '^(public)$' collate pg_catalog.default`
    expect(await ask(catalog, named, scope)).toEqual([['public', 'orders', 't']])
    expect(
      await ask(
        catalog,
        `select table_name from information_schema.tables where table_schema = 'public' order by 1`,
        scope,
      ),
    ).toContainEqual(['orders'])
    const parameters = [Buffer.from('public')]
    expect(
      await ask(catalog, `${relations} and n.nspname = $1`, scope, {
        parameterOids: [25],
        parameters,
      }),
    ).toEqual([['public', 'orders', 't']])
  })

  test('public is no schema in other questions', async () => {
    expect(await ask(catalog, relations, scope)).toEqual([['main', 'orders', 't']])
    expect(await askOne(catalog, `select current_schema()`, scope)).toBe('main')
    expect(await sqlStateOf(catalog, `select 'public.orders'::regclass`)).toBe('42P01')
  })

  test('public is the schema of the default connection for a session that searches it', async () => {
    const session = withDefault('"$user", public')
    expect(await ask(catalog, relations, session)).toEqual([['public', 'orders', 't']])
    expect(await askOne(catalog, `select current_schema()`, session)).toBe('public')
    expect(await askOne(catalog, `select current_setting('search_path') || ' public'`, scope)).toBe(
      'main public',
    )
  })

  test('public gives no right to write', async () => {
    expect(await sqlStateOf(catalog, 'create table public.x (a int)', scope)).toBe('0A000')
    expect(
      await askOne(catalog, `select current_setting('transaction_read_only') || ' public'`, scope),
    ).toBe('on public')
  })
})
