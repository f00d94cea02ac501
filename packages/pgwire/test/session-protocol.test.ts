/** The simple and the extended protocol, compared with PostgreSQL message by message. */
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  bind,
  closePortal,
  closeStatement,
  copyData,
  copyDone,
  describePortal,
  describeStatement,
  execute,
  flush,
  functionCall,
  openRecordingClient,
  parse,
  query,
  sync,
} from './support/recording-client.ts'
import { type Comparison, openComparison } from './support/same-as-postgres.ts'

describePostgres('The protocol is that of PostgreSQL', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison()
  })
  afterAll(() => comparison?.close())
  const same: Comparison['same'] = (...steps) => comparison.same(...steps)

  test('a query of one statement', async () => {
    const lines = await same(
      [[query('select id, name, price, made, tags, note from items where id < 3 order by id')]],
      [[query('select id from empty')]],
      [[query('')]],
      [[query(' ; /* nothing */ -- at all')]],
      [[query('select nope from items')]],
      [[query("select id from items where id = 'x'")]],
      [[query('select from items where id < 3')]],
    )
    expect(lines).toContain('D 1|item 1|1.50|2024-01-01 00:00:00+00|{a,b}|null')
  })

  test('writes say how many rows they have written', () =>
    same(
      [[query("insert into items (id, name) values (101, 'x'), (102, 'y')")]],
      [[query("insert into items (id, name) values (103, 'x') returning id, name")]],
      [[query('update items set note = name where id > 100')]],
      [[query('update items set note = name where id > 1000')]],
      [[query("insert into items (id, name) values (101, 'x')")]],
      [[query('insert into items (id) values (104)')]],
      [[query('delete from items where id > 100 returning id')]],
      [[query('delete from items where id > 100')]],
    ))

  test('several statements are one transaction', () =>
    same(
      [[query('select 1 as a; select id from items where id = 1; select 2 as b')]],
      [[query('insert into empty values (1); insert into empty values (2); select 1/0; select 3')]],
      [[query('select count(*) from empty')]],
      [[query('begin; insert into empty values (1); select id from empty')]],
      [[query('select count(*) from empty')]],
      [[query('rollback; select count(*) from empty')]],
      [[query('insert into empty values (7); begin; select 1 as a')]],
      [[query('rollback')]],
      [[query('select count(*) from empty')]],
      [[query('insert into empty values (8); commit; insert into empty values (8)')]],
      [[query('delete from empty; rollback; select count(*) from empty; commit')]],
      [[query('insert into empty values (9); savepoint a')]],
      [[query('delete from empty')]],
      [[query('select 1 as a; bad syntax; select 2')]],
    ))

  test('a transaction block', () =>
    same(
      [[query('commit')]],
      [[query('rollback')]],
      [[query('begin')]],
      [[query('begin')]],
      [[query('select 1/0')]],
      [[query('select 1')]],
      [[query('')]],
      [[query('bad syntax')]],
      [[query('begin')]],
      [[query('savepoint a')]],
      [[query('commit')]],
      [[query('start transaction')]],
      [[query('insert into empty values (1)')]],
      [[query('savepoint a')]],
      [[query('insert into empty values (2)')]],
      [[query('insert into empty values (1)')]],
      [[query('rollback to nope')]],
      [[query('rollback to savepoint a')]],
      [[query('select id from empty')]],
      [[query('release a')]],
      [[query('release a')]],
      [[query('rollback to a')]],
      [[query('rollback')]],
      [[query('select count(*) from empty')]],
      [[query('savepoint a')]],
      [[query('release a')]],
      [[query('rollback to a')]],
      [[query('commit and chain')]],
      [[query('rollback and chain')]],
      [[query('begin; select 1 as a')]],
      [[query('commit and chain')]],
      [[query('rollback and no chain')]],
    ))

  test('transaction modes', () =>
    same(
      [[query('begin read only')]],
      [[query('insert into empty values (1)')]],
      [[query('rollback')]],
      [[query('begin isolation level repeatable read')]],
      [[query('show transaction_isolation')]],
      [[query('select id from empty')]],
      [[query('set transaction isolation level serializable')]],
      [[query('rollback')]],
      [[query('show transaction_isolation')]],
      [[query('set transaction read only')]],
      [[query('begin; set transaction read only')]],
      [[query('show transaction_read_only')]],
      [[query('delete from empty')]],
      [[query('commit')]],
      [[query('set session characteristics as transaction read only')]],
      [[query('insert into empty values (1)')]],
      [[query('begin read write; insert into empty values (1); rollback')]],
      [[query('set session characteristics as transaction read write')]],
      [[query('begin isolation level serializable')]],
      [[query('select 1 as a; set transaction read only; insert into empty values (1)')]],
      [[query('rollback')]],
      [[query('set local timezone to 0')]],
      [[query('show timezone')]],
      [[query("set local application_name to 'x'; show application_name")]],
      [[query('set transaction read only; show transaction_read_only; delete from empty')]],
      [[query('show transaction_read_only')]],
    ))

  test('the time of a transaction is one for all of its statements', () =>
    same(
      [[query('begin')]],
      [[query('update items set made = now() where id = 1')]],
      [[query('select pg_sleep(0.02)')]],
      [[query("update items set made = 'now' where id = 2")]],
      [[query('update items set made = current_timestamp where id = 3')]],
      [[query("select now() = 'now'::timestamptz as a, now() < statement_timestamp() as b")]],
      [[query('select count(distinct made), max(made) = now() as a from items where id < 4')]],
      [[query('savepoint a; select pg_sleep(0.02)')]],
      [[query('select count(*) from items where made = transaction_timestamp()')]],
      [[query('commit and chain')]],
      [[query('select count(*) from items where made = now()')]],
      [[query("update items set made = '2024-01-01 00:00:00+00' where id < 4; commit")]],
      [[query("update items set made = 'now' where id = 1")]],
      [[query('select pg_sleep(0.02)')]],
      [[query('select count(*) from items where made = now()')]],
      [[query("update items set made = '2024-01-01 00:00:00+00' where id = 1")]],
    ))

  test('transaction modes of a chain and of savepoints', () =>
    same(
      [[query('begin read write, deferrable; select 1 as a')]],
      [[query('commit and chain')]],
      [[query('show transaction_deferrable')]],
      [[query('set transaction not deferrable')]],
      [[query('rollback and chain')]],
      [[query('show transaction_deferrable')]],
      [[query('rollback')]],
      [[query('begin; savepoint a; set transaction read only; savepoint b')]],
      [[query('release a')]],
      [[query('show transaction_read_only')]],
      [[query('insert into empty values (1)')]],
      [[query('savepoint a; set transaction read only; select 1 as a')]],
      [[query('rollback to a')]],
      [[query('show transaction_read_only')]],
      [[query('insert into empty values (2)')]],
      [[query('rollback')]],
      [[query('begin; savepoint a; set transaction read only; insert into empty values (1)')]],
      [[query('rollback to a')]],
      [[query('insert into empty values (1)')]],
      [[query('rollback')]],
      [[query('begin; savepoint a; set transaction read only')]],
      [[query('commit and chain')]],
      [[query('show transaction_read_only')]],
      [[query('insert into empty values (1); rollback')]],
    ))

  test('settings follow transactions, and changes are reported', () =>
    same(
      [[query("set application_name to 'a'")]],
      [[query("begin; set application_name to 'b'")]],
      [[query('rollback')]],
      [[query("begin; set local application_name to 'c'")]],
      [[query('commit')]],
      [[query("set application_name to 'd'; select 1/0")]],
      [[query('show application_name')]],
      [[query("set timezone to 'Europe/Berlin'; select made from items where id = 1")]],
      [[query('reset timezone')]],
      [[query("set nonsense to 'x'")]],
      [[query("set client_encoding to 'KLINGON'")]],
      [[query("select set_config('application_name', 'e', false)")]],
      [[query('discard all')]],
      [[query('begin; discard all')]],
      [[query('rollback; select 1 as a')]],
      [[query('select 1 as a; discard all')]],
    ))

  test('Parse, Bind, Describe, Execute, Sync', () =>
    same(
      [
        [
          parse('select id, name from items where id = $1'),
          describeStatement(),
          bind(['3']),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [
        [
          parse('select id, name, price, made from items where id = $1', 's', [23]),
          bind([Buffer.from([0, 0, 0, 4])], {
            statement: 's',
            parameterFormats: [1],
            resultFormats: [1],
          }),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [
        [
          bind(['5'], { statement: 's', resultFormats: [1, 0, 0, 0] }),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [
        [
          parse('insert into empty values ($1)'),
          describeStatement(),
          bind(['5']),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [[parse('delete from empty returning id'), describeStatement(), bind(), execute(), sync]],
      [[parse(''), describeStatement(), bind(), describePortal(), execute(), sync]],
      [[parse('begin'), describeStatement(), bind(), describePortal(), execute(), sync]],
      [[parse('show timezone'), describeStatement(), bind(), describePortal(), execute(), sync]],
      [[parse('commit'), bind(), execute(), sync]],
      [
        [
          parse('select $1::int4 + 1 as n'),
          describeStatement(),
          bind(['5']),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [[parse('select 1 as a, $1 as b'), describeStatement(), bind(['x']), execute(), sync]],
      [
        [
          parse('select id from items where name = $1 limit $2', '', [0, 705]),
          describeStatement(),
          bind(['item 1', '1']),
          execute(),
          sync,
        ],
      ],
    ))

  test('mistakes with names and numbers', () =>
    same(
      [[parse('select 1 as a', 'x'), parse('select 2 as a', 'x'), sync]],
      [[closeStatement('x'), closeStatement('nope'), closePortal('nope'), sync]],
      [[parse('select 1; select 2'), sync]],
      [[bind([], { statement: 'nope' }), sync]],
      [[describeStatement('nope'), sync]],
      [[describePortal('nope'), sync]],
      [[execute(0, 'nope'), sync]],
      [[bind(), sync]],
      [[parse('select $1::int4 as a', 'y'), bind([], { statement: 'y' }), sync]],
      [[bind(['1', '2'], { statement: 'y' }), sync]],
      [[bind(['1'], { statement: 'y', parameterFormats: [0, 0] }), sync]],
      [[bind(['1'], { statement: 'y', resultFormats: [0, 0] }), sync]],
      [
        [
          bind(['1'], { statement: 'y', portal: 'p' }),
          bind(['1'], { statement: 'y', portal: 'p' }),
          sync,
        ],
      ],
      [[parse('select nope from items'), sync]],
      [[parse('selec'), sync]],
    ))

  test('a text by itself has no values for parameters', () =>
    same(
      [[query('select id from items where id = $1')]],
      [[query("select '$1' as a, $2::int4 as b")]],
      [[query("select id from items where note = '$1'")]],
    ))

  test('warnings are sent to sessions that accept them', () =>
    same(
      [[query('set client_min_messages to error')]],
      [[query('commit')]],
      [[query('reset client_min_messages; begin; begin')]],
      [[query('rollback')]],
    ))

  test('moments are read and written in the time zone of the session', () =>
    same(
      [[query("set timezone to 'Asia/Kolkata'")]],
      [[query("insert into items (id, name, made) values (60, 'x', '2024-06-01 12:00')")]],
      [[query('select made from items where id = 60')]],
      [[query("select id from items where made = '2024-06-01 12:00'")]],
      [
        [
          parse('select id, made from items where made = $1'),
          bind(['2024-06-01 12:00'], { resultFormats: [0, 1] }),
          execute(),
          sync,
        ],
      ],
      [[query("set timezone to 'America/New_York'; select made from items where id = 60")]],
      [[query('delete from items where id = 60; reset timezone')]],
    ))

  test('after an error nothing counts until Sync', () =>
    same(
      [
        [
          parse('select 1 / id from empty union all select 1 / (id - 1) from items'),
          bind(),
          execute(),
          parse('select 1 as a', 'lost'),
          query('select 1'),
          sync,
        ],
      ],
      [[bind([], { statement: 'lost' }), execute(), sync]],
      [
        [
          parse('insert into empty values ($1)', 'i'),
          bind(['1'], { statement: 'i' }),
          execute(),
          bind(['1'], { statement: 'i' }),
          execute(),
          sync,
          query('select count(*) from empty'),
        ],
        2,
      ],
      [
        [
          bind(['1'], { statement: 'i' }),
          execute(),
          sync,
          bind(['1'], { statement: 'i' }),
          execute(),
          sync,
          query('delete from empty'),
        ],
        3,
      ],
    ))

  test('a pipeline is one transaction up to Sync', () =>
    same(
      [
        [
          parse('insert into empty values ($1)', 'i'),
          bind(['1'], { statement: 'i' }),
          execute(),
          bind(['2'], { statement: 'i' }),
          execute(),
          parse('select id from empty order by id'),
          bind(),
          execute(),
          sync,
        ],
      ],
      [[query('select count(*) from empty')]],
      [[parse('begin'), bind(), execute(), parse('delete from empty'), bind(), execute(), sync]],
      [[query('rollback')]],
      [[parse('delete from empty'), bind(), execute(), query('select count(*) from empty')]],
      [[query('select count(*) from empty')]],
    ))

  test('a portal gives its rows in pieces', () =>
    same(
      [
        [
          parse('select id from items order by id'),
          bind(),
          execute(2),
          execute(3),
          execute(14),
          execute(1),
          execute(1),
          execute(),
          execute(1),
          sync,
        ],
      ],
      [[query('begin')]],
      [
        [
          parse('select id from items order by id', 's'),
          bind([], { statement: 's', portal: 'p' }),
          execute(4, 'p'),
          sync,
        ],
      ],
      [[execute(4, 'p'), sync]],
      [[query('select 1 as a')]],
      [[execute(4, 'p'), describePortal('p'), sync]],
      [[execute(0, 'p'), sync]],
      [[execute(0, 'p'), sync]],
      [[closePortal('p'), execute(0, 'p'), sync]],
      [[query('rollback')]],
      [
        [bind([], { statement: 's', portal: 'p' }), execute(1, 'p'), sync, execute(1, 'p'), sync],
        2,
      ],
      [[bind([], { statement: 's' }), execute(5), flush, execute(100), sync]],
    ))

  test('a portal without rows runs once', () =>
    same(
      [[query('begin')]],
      [[parse('insert into empty values (50)'), bind(), execute(), execute(), sync]],
      [[query('rollback')]],
      [[query('begin')]],
      [
        [
          parse('insert into empty values (51), (52), (53) returning id'),
          bind(),
          execute(2),
          execute(2),
          execute(2),
          sync,
        ],
      ],
      [[query('select count(*) from empty')]],
      [[parse('show timezone'), bind(), execute(1), execute(1), execute(1), sync]],
      [
        [
          parse('select 1 as a union all select 2 union all select 3'),
          bind(),
          execute(2),
          execute(1),
          execute(1),
          sync,
        ],
      ],
      [[query('rollback')]],
    ))

  test('in a failed transaction', () =>
    same(
      [
        [
          parse('select 1 as a', 's'),
          parse('rollback', 'r'),
          parse('delete from empty', 'd'),
          sync,
        ],
      ],
      [[query('begin; select 1/0')]],
      [[parse('select 1'), sync]],
      [[bind([], { statement: 's' }), sync]],
      [[describeStatement('s'), sync]],
      [[describeStatement('d'), sync]],
      [[parse(''), bind(), execute(), sync]],
      [[parse('commit', 'c'), bind([], { statement: 'c' }), execute(), sync]],
      [[query('select 1 as a')]],
    ))

  test('PREPARE, EXECUTE and DEALLOCATE share names with Parse', () =>
    same(
      [[query('prepare p (int) as select id, name from items where id = $1')]],
      [[query('execute p (3)')]],
      [[query("execute p ('4')")]],
      [[query('execute p (2 + 3)')]],
      [[query('execute p (null)')]],
      [[query('execute p')]],
      [[bind(['6'], { statement: 'p' }), describePortal(), execute(), sync]],
      [[query('prepare p as select 1')]],
      [[parse('select 7 as n', 'q'), sync]],
      [[query('execute q')]],
      [[query('deallocate q')]],
      [[query('execute q')]],
      [[parse('execute p (8)'), describeStatement(), bind(), execute(), sync]],
      [[query('deallocate all')]],
      [[query('execute p (1)')]],
      [[query('deallocate p')]],
      [[query('prepare a (int, text, float8, bool) as select $1, $2, $3, $4')]],
      ...[
        "2.5, 'b', 1, true",
        "'7', 5, '1.5', 'off'",
        '2::int8, current_date - current_date, 3::numeric, null',
        "1 + 1, 'a' || 'b', -4.25, 1 = 1",
      ].map((args) => [[query(`execute a (${args})`)]] as const),
      [[query('prepare w as insert into empty values ($1)')]],
      [[query('execute w (77)')]],
      [[query('delete from empty')]],
      [[query('prepare bad as select nope from items')]],
    ))
  test.each([
    ["true, 'b', 1, true", '42804'],
    ["'1'::text, 'b', 1, true", '42804'],
    ["1, 'b', false, true", '42804'],
    ["1, 'b', 1, 1", '42804'],
    ["'x', 'b', 1, true", '22P02'],
  ])('EXECUTE a (%s) is refused with %s', async (args, sqlState) => {
    const client = await openRecordingClient(comparison.server.url)
    onTestFinished(() => client.close())
    const prepare = query('prepare a (int, text, float8, bool) as select $1, $2, $3, $4')
    await client.exchange([prepare], 1)
    const [error] = await client.exchange([query(`execute a (${args})`)], 1)
    expect(error).toContain(`E ERROR ${sqlState}`)
  })
  test('a function call by the protocol is refused, and the connection goes on', async () => {
    const client = await openRecordingClient(comparison.server.url)
    onTestFinished(() => client.close())
    expect(await client.exchange([functionCall], 1)).toEqual(['E ERROR 0A000', 'Z I'])
    expect(await client.exchange([query('select 7 as n')], 1)).toContain('D 7')
  })
  test('pg_sleep() within a statement', async () => {
    await same(
      [[query("select 'x' as f from pg_sleep(0.01)")]],
      [[query('select row(pg_sleep(0.01), 1)')]],
      [[query('select g, s from generate_series(1, 2) g, pg_sleep(0.01) s')]],
      [[query("select id, pg_sleep_for('10 ms') from items where id < 3 order by id")]],
      [[query('with d as (select pg_sleep(0.01)) insert into empty select 1 from d')]],
      [[query("insert into items (id, name) values (301, pg_sleep(0.01) || 'x') returning name")]],
      [[query('delete from items where id > 300; delete from empty')]],
      [[query('copy (select pg_sleep(0.01) from generate_series(1, 2)) to stdout')]],
      [[parse('select pg_sleep($1) from items where id = 1'), bind(['0.01']), execute(), sync]],
    )
    const client = await openRecordingClient(comparison.server.url)
    onTestFinished(() => client.close())
    const limited = 'set statement_timeout to 100; select pg_sleep(600) from generate_series(1, 2)'
    expect(await client.exchange([query(limited)], 1)).toContain('E ERROR 57014')
  })

  test('strings in which a backslash escapes', () => {
    const escaped = String.raw`select 'a\'b', 'c\\', 'd\n', E'\x41', $$\'$$, nope`
    return same(
      [[query('set standard_conforming_strings to off')]],
      [[query(escaped)]],
      [[query(escaped.replace('nope', String.raw`'\x42\103'`))]],
      [[parse(escaped.replace(', nope', ' where $1')), bind(['t']), execute(), sync]],
      [[query(String.raw`select id from items where name = 'item\ 1'; select '\\'`)]],
      [[query('set escape_string_warning to off')]],
      [[query(String.raw`select '\'' /* '\' */, nope`)]],
      [[query('set backslash_quote to off'), query(String.raw`select '\''`)], 2],
      [[query("select u&'a'")]],
      [[query('reset standard_conforming_strings'), query(String.raw`select '\'`)], 2],
    )
  })

  test('text in another encoding, in both directions', async () => {
    const latin = (sql: string) => query(sql, 'latin1')
    const lines = await same(
      [[query("set client_encoding to 'iso-8859-1'")]],
      [
        [
          latin(
            `select 'é' as "ñ", array['é','x'], ('{"ä":1}')::jsonb, id from items where id = 1`,
          ),
        ],
      ],
      [[latin("insert into items (id, name, tags) values (201, 'für', array['ö'])")]],
      [[latin("select name, tags, length(name) from items where name = 'für'")]],
      [[latin('select "ñ" from items')]],
      [[query('select chr(8364)')]],
      [[query('select name || chr(8363 + id) from items where id < 4 order by id')]],
      [[query('select 1 as a')]],
      [[query("select 1 as a where 'a' = chr(8364)")]],
      [[query('begin; set client_encoding to latin9')]],
      [[query('select chr(8364)')]],
      [[query('rollback')]],
      [[latin("select 'é'")]],
      [
        [query('set client_encoding to utf8'), query("select name, 'é' from items where id = 201")],
        2,
      ],
      [[query('set client_encoding to win1252'), latin("select 'é', chr(8364)")], 2],
      [[latin("select '\u0081'")]],
      [
        [
          query('set client_encoding to sql_ascii'),
          query("select 'é', name from items where id = 201"),
        ],
        2,
      ],
      [[latin("select 'é'")]],
      [[query('reset client_encoding')]],
      [[query('delete from items where id = 201')]],
    )
    expect(lines).toContain('D \\xe9|\\x7be92c787d|\\x7b22e4223a20317d|1')
  })

  test('values in another encoding', () => {
    const eAcute = Buffer.of(0xe9)
    const run = (sql: string, value: Buffer, format: number) => [
      parse(sql, '', [], 'latin1'),
      bind([value], { parameterFormats: [format], resultFormats: [1] }),
      describePortal(),
      execute(),
    ]
    return same(
      [[query('set client_encoding to latin1')]],
      [[...run("select name || $1 || 'ü', array[$1] from items where id = 1", eAcute, 0), sync]],
      [[...run("select name || $1 || 'ü', array[$1] from items where id = 1", eAcute, 1), sync]],
      [[...run('select to_json($1::text), to_jsonb($1::text)', eAcute, 1), sync]],
      [
        [
          ...run(
            "select 'é' || relname, $1::name from pg_class where relname = 'pg_class'",
            eAcute,
            1,
          ),
          sync,
        ],
      ],
      [[...run('select $1::text', Buffer.of(0x61, 0), 0), sync]],
      [[...run('select $1::text || chr(8364)', eAcute, 1), sync]],
      [[query('begin; declare c cursor for select name || chr(233) from items order by id')]],
      [[parse('fetch 1 from c'), bind([], { resultFormats: [1] }), execute(), sync]],
      [[query('set client_encoding to utf8')]],
      [[parse('fetch 1 from c'), bind([], { resultFormats: [1] }), execute(), sync]],
      [[query('fetch 1 from c')]],
      [[query('commit')]],
    )
  })

  test('conditions that COPY refuses', async () => {
    const client = await openRecordingClient(comparison.server.url)
    onTestFinished(() => client.close())
    const refused = [
      ['items where id in (select 1)', '0A000'],
      ['empty where nope > 1', '42703'],
      ['items (id, name) where price > 1', '0A000'],
      ['items (id, name) where count(*) > 1', '42803'],
      ['items (id, name) where name', '42804'],
    ] as const
    for (const [copied, sqlState] of refused) {
      const [target, condition] = copied.split(' where ')
      const answer = await client.exchange(
        [query(`copy ${target} from stdin where ${condition}`)],
        1,
      )
      expect(answer).toEqual([`E ERROR ${sqlState}`, 'Z I'])
    }
  })

  test('COPY with a condition', () => {
    const copy = (rest: string, data: string) => [query(`copy ${rest}`), copyData(data), copyDone]
    return same(
      [
        copy(
          "items (id, name, price) from stdin where id > 301 and name <> 'x'",
          '301\ta\t1\n302\tb\t1\n303\tx\t1\n',
        ),
      ],
      [
        copy(
          'items (id, name, price) from stdin (format csv) where items.price = 1.01',
          '304,c,1.005\n305,d,1\n',
        ),
      ],
      [copy("items (id, name) from stdin where name = 'a'", '306\ta\nx\tb\n')],
      [copy('items (id, name) from stdin where false', '307\ta\n')],
      [[query('select id, name, price from items where id > 300 order by id')]],
      [[query('delete from items where id > 300')]],
    )
  })

  test('COPY in another encoding', () => {
    const line = (text: string) => copyData(Buffer.from(text, 'latin1'))
    const binary = Buffer.from(
      '5047434f50590aff0d0a000000000000000000000200000004000000cb00000002e97affff',
      'hex',
    )
    const copied = 'copy (select id, name from items where id > 200 order by id) to stdout'
    return same(
      [[query('set client_encoding to latin1')]],
      [[query('copy items (id, name) from stdin'), line('201\té\n202\t\\303\\251\n'), copyDone]],
      [[query('copy items (id, name) from stdin (format binary)'), copyData(binary), copyDone]],
      [
        [
          query("copy items (id, name) from stdin (encoding 'utf8')"),
          copyData('204\té\n'),
          copyDone,
        ],
      ],
      [[query(copied)]],
      [[query(`${copied} (format csv, header)`)]],
      [[query(`${copied} (format binary)`)]],
      [[query(`${copied} (encoding 'utf-8')`)]],
      [[query('set client_encoding to utf8')]],
      [[query(`${copied} (encoding 'latin1')`)]],
      [[query("copy items (id, name) from stdin (encoding 'latin9')"), line('205\t¤\n'), copyDone]],
      [
        [
          query("copy items (id, name) from stdin (encoding 'win1252')"),
          line('206\ta\n207\t\u0081\n'),
          copyDone,
        ],
      ],
      [[query("copy items (id, name) from stdin (encoding 'klingon')")]],
      [[query(copied)]],
      [[query('delete from items where id > 200')]],
    )
  })
})
