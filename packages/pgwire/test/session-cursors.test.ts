/** Cursors of SQL and COPY, compared with PostgreSQL message by message. */
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, test } from 'vitest'
import {
  bind,
  copyData,
  copyDone,
  copyFail,
  describePortal,
  describeStatement,
  execute,
  flush,
  parse,
  query,
  sync,
} from './support/recording-client.ts'
import { type Comparison, openComparison } from './support/same-as-postgres.ts'

describePostgres('Cursors and COPY are those of PostgreSQL', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison('create view main.seen as select id from main.items')
  })
  afterAll(() => comparison?.close())
  const same: Comparison['same'] = (...steps) => comparison.same(...steps)

  test('a cursor goes forward', () =>
    same(
      [[query('declare c cursor for select id from items order by id')]],
      [[query('begin')]],
      [[query('declare c no scroll cursor for select id, name from items order by id')]],
      [[query('fetch c')]],
      [[query('fetch 2 from c')]],
      [[query('fetch forward 3 from c')]],
      [[query('move 2 in c')]],
      [[query('fetch relative 2 from c')]],
      [[query('fetch absolute 12 from c')]],
      [[query('fetch 100 from c')]],
      [[query('fetch next from c')]],
      [[query('fetch all from c')]],
      [[query('close c')]],
      [[query('rollback')]],
    ))

  test('a cursor that does not scroll refuses to go back', () =>
    same(
      [[query('begin; declare c no scroll cursor for select id from items order by id')]],
      [[query('fetch 3 from c')]],
      [[query('fetch prior from c')]],
      [[query('rollback')]],
    ))

  test('a scrollable cursor goes anywhere', () =>
    same(
      [[query('begin; declare c scroll cursor for select id from items order by id')]],
      [[query('fetch 3 from c')]],
      [[query('fetch backward 2 from c')]],
      [[query('fetch prior from c')]],
      [[query('fetch prior from c')]],
      [[query('fetch last from c')]],
      [[query('fetch next from c')]],
      [[query('fetch backward 3 from c')]],
      [[query('fetch absolute -2 from c')]],
      [[query('fetch absolute 5 from c')]],
      [[query('fetch relative -2 from c')]],
      [[query('fetch relative 0 from c')]],
      [[query('fetch absolute 0 from c')]],
      [[query('fetch first from c')]],
      [[query('fetch 0 from c')]],
      [[query('move all from c')]],
      [[query('fetch backward all from c')]],
      [[query('move backward all from c')]],
      [[query('fetch -1 from c')]],
      [[query('fetch absolute 100 from c')]],
      [[query('fetch backward 1 from c')]],
      [[query('commit')]],
    ))

  test('a cursor without SCROLL goes back over a simple query', () =>
    same(
      [
        [
          query(
            'begin; declare c cursor for select id from items where id > 2 order by id limit 9',
          ),
        ],
      ],
      [[query('fetch 3 from c; fetch backward 2 from c; fetch relative 0 from c')]],
      [[query('fetch last from c; fetch absolute 2 from c; fetch prior from c')]],
      [[query('declare v cursor for values (1), (2)')]],
      [[query('fetch all from v; fetch backward all from v')]],
      [[query('declare s cursor for select n from (select n from many) s limit 3')]],
      [[query('select name, is_scrollable from pg_cursors order by name')]],
      [[query('rollback')]],
      ...[
        'select count(*) from items',
        'select distinct tags from items',
        'select a.id from items a join items b on a.id = b.id',
        'select generate_series(1, 3) from items',
        'select id from items for update',
        'select row_number() over () from items',
        'select id from items where id in (select n from many)',
      ].flatMap((select) => [
        [[query(`begin; declare c cursor for ${select}; fetch 1 from c`)]] as const,
        [[query('select is_scrollable from pg_cursors')]] as const,
        [[query('fetch backward 1 from c')]] as const,
        [[query('rollback')]] as const,
      ]),
    ))

  test('a cursor that does not scroll gives no row twice', () =>
    same(
      ...[
        'fetch 0 from c',
        'fetch absolute 3 from c',
        'fetch relative 0 from c',
        'fetch last from c',
      ]
        .concat('fetch backward 0 from c', 'fetch absolute 4 from c')
        .flatMap((fetch) => [
          [
            [query('begin; declare c no scroll cursor for select id from items order by id')],
          ] as const,
          [[query('fetch 0 from c; fetch 3 from c')]] as const,
          [[query(fetch)]] as const,
          [[query('rollback')]] as const,
        ]),
    ))

  test('a cursor over locked rows is neither held nor scrollable', () =>
    same(
      [[query('begin; declare c scroll cursor for select id from items for update')]],
      [[query('rollback; begin; declare c insensitive cursor for select id from items for share')]],
      [[query('rollback; declare c cursor with hold for select id from items for update')]],
    ))

  test('WHERE CURRENT OF means the row that was fetched last', () =>
    same(
      [[query('begin; declare c cursor for select id, name from items order by id')]],
      [[query('fetch 2 from c')]],
      [[query("update items set name = name || '!' where current of c returning id, name")]],
      // The row has another version now.
      [[query("update items set name = name || '?' where current of c returning id, name")]],
      [[query("update items set note = 'x' where id = 2")]],
      [[query('update items set price = 0 where current of c returning name, note, price')]],
      [[query('fetch relative 0 from c')]],
      [[query('delete from items where current of c')]],
      [[query('delete from items where current of c')]],
      [[query('update items set price = 1 where current of c')]],
      [[query('fetch 3 from c; fetch prior from c')]],
      [[query('delete from items i using many m where current of c returning i.id')]],
      [[query('with d as (delete from items where current of c returning id) select * from d')]],
      [[query('select id, name, note, price from items order by id limit 6')]],
      [[parse('update items set note = $1 where current of c', 'u'), describeStatement('u'), sync]],
      [[query('move absolute 7 in c')]],
      [[bind(['text'], { statement: 'u' }), execute(), sync]],
      [[query('select id, note from items where note is not null order by id')]],
      [[query('rollback')]],
    ))

  test('WHERE CURRENT OF a cursor that locks rows means one of its tables', () =>
    same(
      [
        [
          query(
            'begin; declare c cursor for select n, i.name from items i join many on n = i.id for update of i',
          ),
        ],
      ],
      [[query('fetch 2 from c')]],
      [[query("update items set note = 'locked' where current of c returning id")]],
      [[query('update many set n = -1 where current of c')]],
      [[query('rollback; begin; declare c cursor for select 1 from items a, items b for update')]],
      [[query('fetch 2 from c')]],
      [[query("update items set note = 'locked' where current of c")]],
      [[query('rollback')]],
    ))

  test('WHERE CURRENT OF is an error where a cursor has no such row', () =>
    same(
      ...[
        'select id from items',
        'select n from many',
        'select max(id) from items',
        'select a.id from items a, many',
        'select distinct id from items',
        'select id from items where id < 0',
      ].flatMap((select) => [
        [[query(`begin; declare c cursor for ${select}`)]] as const,
        [[query('delete from items where current of c')]] as const,
        [
          [query(`rollback; begin; declare c cursor for ${select}; move 1 in c; savepoint s`)],
        ] as const,
        [[query('delete from many where current of c')]] as const,
        [[query('rollback to s; move all in c')]] as const,
        [[query('delete from items where current of c')]] as const,
        [[query('rollback')]] as const,
      ]),
      [
        [
          query(
            'begin; declare h cursor with hold for select id from items; fetch 2 from h; commit',
          ),
        ],
      ],
      [[query('delete from items where current of h')]],
      [[query('delete from items where current of nosuch')]],
      [[query('delete from nosuch where current of h')]],
      [[query('delete from seen where current of h')]],
      [[query('close h')]],
    ))

  test('a cursor ends with its transaction, unless it is held', () =>
    same(
      [[query('begin; declare a cursor for select id from items order by id')]],
      [[query('declare b cursor with hold for select id from items order by id')]],
      [[query('declare a cursor for select 1')]],
      [[query('rollback; begin')]],
      [[query('declare b cursor with hold for select id from items order by id')]],
      [[query('fetch 2 from b')]],
      [[query('commit')]],
      [[query('fetch 2 from b')]],
      [[query('fetch a')]],
      [[query('begin; fetch 2 from b; select 1 / 0')]],
      [[query('rollback')]],
      [[query('close b')]],
      [[query('close b')]],
      [[query('declare d cursor with hold for select id from items order by id')]],
      [[query('fetch 3 from d')]],
      [[query('close all')]],
      [[query('fetch d')]],
    ))

  test('a cursor ends with the savepoint after which it was made', () =>
    same(
      [[query('begin; declare a cursor for select id from items order by id; savepoint s')]],
      [[query('declare b cursor for select id from items order by id')]],
      [[query('fetch a; fetch b')]],
      [[query('rollback to s')]],
      [[query('fetch a')]],
      [[query('fetch b')]],
      [[query('rollback')]],
      [[query('begin; savepoint s; declare c cursor for select id from items order by id')]],
      [[query('release s; savepoint t')]],
      [[query('rollback to t')]],
      [[query('fetch c')]],
      [[query('rollback')]],
    ))

  test('cursors with parameters, binary cursors, cursors by the extended protocol', () =>
    same(
      [[query('begin')]],
      [[query('declare c binary cursor for select id from items order by id')]],
      [[query('fetch 2 from c')]],
      [[parse('fetch 2 from c'), describeStatement(), bind(), describePortal(), execute(), sync]],
      [
        [
          parse('fetch 2 from c'),
          bind([], { resultFormats: [1] }),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [[describePortal('c'), execute(2, 'c'), sync]],
      [
        [
          query(
            "declare e binary cursor for select '\\x00ff'::bytea, array['\\x0a'::bytea], id from items",
          ),
        ],
      ],
      [[query('fetch 1 from e')]],
      [
        [
          parse('declare d cursor for select id from items where id > $1 order by id'),
          describeStatement(),
          bind(['5']),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [
        [
          parse('fetch 2 from d'),
          describeStatement(),
          bind([], { resultFormats: [1] }),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [[parse('fetch 3 from d'), bind(), execute(2), execute(2), sync]],
      [[parse('move 3 from d'), describeStatement(), bind(), execute(), sync]],
      [[parse('close d'), bind(), execute(), sync]],
      [[query('commit')]],
    ))

  test('portals of the protocol and cursors of SQL have the same names', () =>
    same(
      [[query('begin')]],
      [
        [
          parse('select id from items order by id', 's'),
          bind([], { statement: 's', portal: 'p' }),
          sync,
        ],
      ],
      [[query('fetch 2 from p')]],
      [[query('move 3 in p')]],
      [[describePortal('p'), execute(2, 'p'), sync]],
      [[query('declare p cursor for select 1')]],
      [[query('rollback; begin')]],
      [[query('declare d cursor for select id from items order by id')]],
      [[describePortal('d'), execute(2, 'd'), execute(3, 'd'), sync]],
      [[query('fetch 1 from d')]],
      [[execute(0, 'd'), execute(0, 'd'), sync]],
      [[bind([], { statement: 's', portal: 'd' }), sync]],
      [[query('rollback')]],
      [[query('begin'), bind([], { statement: 's', portal: 'e' }), execute(3, 'e'), sync], 2],
      [[query('fetch backward 1 from e')]],
      [[query('rollback')]],
    ))

  test('catalogs show the whole statements', () =>
    same(
      [[query('begin')]],
      [[query('declare c binary scroll cursor with hold for select id from items where id < 3')]],
      [[query('declare d no scroll cursor for\n select 1 from items')]],
      [[query('prepare p (int) as select id from items where id = $1')]],
      [[parse('select id from items', 'q'), sync]],
      [
        [
          query(
            'select name::text, statement, is_holdable, is_binary, is_scrollable, creation_time <= clock_timestamp() as past from pg_cursors order by name',
          ),
        ],
      ],
      [
        [
          query(
            'select name, statement, not from_sql as parsed from pg_prepared_statements order by name',
          ),
        ],
      ],
      [[query('rollback')]],
    ))

  test('COPY refuses a view', () =>
    same(
      [[query('copy seen to stdout')]],
      [[query('copy main.seen (id) to stdout with csv')]],
      [[query('copy (select id from seen where id < 3 order by id) to stdout')]],
    ))

  test('COPY gives rows', () =>
    same(
      [[query('copy items (id, name, note) to stdout')]],
      [
        [
          query(
            'copy (select id, name, note from items where id < 4 order by id) to stdout csv header',
          ),
        ],
      ],
      [
        [
          query(
            'copy (select id, tags from items where id < 4 order by id) to stdout (format binary)',
          ),
        ],
      ],
      [[query('copy empty to stdout')]],
      [[query('copy (select 1 as a, null, $$x$$ as b) to stdout')]],
      [[query('copy nope to stdout')]],
      [[query('select 1 as a; copy empty to stdout; select 2 as b')]],
      [[parse('copy empty to stdout'), describeStatement(), bind(), execute(), sync]],
    ))

  test('COPY takes rows, all of them or none', () =>
    same(
      [
        [
          query('copy empty from stdin'),
          copyData('1\n2\n'),
          copyData('3'),
          copyData('\n'),
          copyDone,
        ],
      ],
      [[query('select id from empty order by id')]],
      [[query('copy empty from stdin'), copyData('4\n3\n'), copyDone]],
      [[query('copy empty from stdin'), copyData('5\n'), copyFail('never mind')]],
      [[query('copy empty from stdin'), copyData('x\n'), copyDone]],
      [[query('copy empty from stdin'), copyDone]],
      [[query('select id from empty order by id')]],
      [
        [
          query('copy items (id, name) from stdin (format csv)'),
          copyData('50,"a, b"\n51,c\n'),
          copyDone,
        ],
      ],
      [[query('select id, name, price from items where id >= 50 order by id')]],
      [[query('copy numbered (label) from stdin'), copyData('a\nb\n'), copyDone]],
      [[query('copy numbered from stdin'), copyData('70\tc\n'), copyDone]],
      [[query('select id, label from numbered order by id')]],
      [[query('begin; copy empty from stdin'), copyData('9\n'), copyDone]],
      [[query('rollback')]],
      [[query('copy empty from stdin; select count(*) from empty'), copyData('10\n'), copyDone]],
      [[query('copy nope from stdin')]],
      [[query('copy empty (nope) from stdin')]],
      [
        [
          parse('copy empty from stdin'),
          bind(),
          execute(),
          flush,
          copyData('20\n'),
          sync,
          copyData('21\n'),
          copyDone,
          sync,
        ],
      ],
      [[query('delete from empty')]],
      [[query('delete from items where id > 20')]],
    ))

  test('another message in the midst of COPY ends the connection', () =>
    same([[query('copy empty from stdin'), copyData('1\n'), query('select 1')]]))

  test('COPY takes a table of many rows', () =>
    same(
      [
        [
          query('copy empty from stdin'),
          ...Array.from({ length: 50 }, (_, i) =>
            copyData(Array.from({ length: 77 }, (_, j) => `${i * 77 + j}\n`).join('')),
          ),
          copyDone,
        ],
      ],
      [[query('select count(*), min(id), max(id) from empty')]],
      [[query('delete from empty')]],
    ))
})
