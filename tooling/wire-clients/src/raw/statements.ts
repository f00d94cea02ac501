/** @module Statements, portals and cursors. Columns are `name:number:type:length:modifier:format`. */
import {
  bind,
  closePortal,
  closeStatement,
  describePortal,
  describeStatement,
  execute,
  flush,
  parse,
  query,
  sync,
} from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const statements: readonly Scenario[] = [
  scenario(
    'a simple query of several statements',
    [query('select 1; select 2 as b; select id from main.folders where id = 1')],
    [
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; T b:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; T id:1:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario('an empty simple query', [query('')], ['I ; Z I']),
  scenario(
    'a simple query of comments',
    [query('-- nothing'), query('/* a /* nested */ comment */ ;;')],
    ['I ; Z I', 'I ; Z I'],
  ),
  scenario(
    'BEGIN and COMMIT within one text',
    [query('begin; select 1; commit; select 2')],
    [
      'C BEGIN ; T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; C COMMIT ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'a statement and its description',
    [parse('select id, name from main.folders where id = $1', 's'), describeStatement('s'), sync],
    ['1 ; t 23 ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 ; Z I'],
  ),
  scenario(
    'a portal in pieces',
    [
      parse('select id from main.folders order by id limit 5'),
      bind(),
      execute('', 2),
      execute('', 2),
      execute('', 2),
      execute('', 2),
      sync,
    ],
    ['1 ; 2 ; D 1 ; D 2 ; s ; D 3 ; D 4 ; s ; D 5 ; C SELECT 1 ; C SELECT 0 ; Z I'],
  ),
  scenario(
    'a portal of exactly the size of a piece',
    [
      parse('select id from main.folders order by id limit 2'),
      bind(),
      execute('', 2),
      execute('', 2),
      sync,
    ],
    ['1 ; 2 ; D 1 ; D 2 ; s ; C SELECT 0 ; Z I'],
  ),
  scenario(
    'a portal that is exhausted runs no more',
    [parse('select id from main.folders order by id limit 1'), bind(), execute(), execute(), sync],
    ['1 ; 2 ; D 1 ; C SELECT 1 ; C SELECT 0 ; Z I'],
  ),
  scenario(
    'a portal without a table in pieces',
    [
      parse('select g from generate_series(1, 3) g'),
      bind(),
      execute('', 2),
      execute('', 2),
      execute('', 0),
      sync,
    ],
    ['1 ; 2 ; D 1 ; D 2 ; s ; D 3 ; C SELECT 1 ; C SELECT 0 ; Z I'],
  ),
  scenario(
    'two portals side by side',
    [
      parse('select id from main.folders order by id limit 2', 's'),
      bind({ portal: 'a', statement: 's' }),
      bind({ portal: 'b', statement: 's' }),
      execute('a', 1),
      execute('b', 1),
      execute('a', 1),
      execute('b', 1),
      execute('a', 1),
      closePortal('a'),
      closePortal('b'),
      sync,
    ],
    ['1 ; 2 ; 2 ; D 1 ; s ; D 1 ; s ; D 2 ; s ; D 2 ; s ; C SELECT 0 ; 3 ; 3 ; Z I'],
  ),
  scenario(
    'a named statement that exists already',
    [parse('select 1', 's'), parse('select 2', 's'), sync],
    ['1 ; E 42P05 ; Z I'],
  ),
  scenario(
    'a named portal that exists already',
    [parse('select 1'), bind({ portal: 'p' }), bind({ portal: 'p' }), sync],
    ['1 ; 2 ; E 42P03 ; Z I'],
  ),
  scenario(
    'the unnamed statement is replaced',
    [parse('select 1 as a'), parse('select 2 as b'), bind(), execute(), sync],
    ['1 ; 1 ; 2 ; D 2 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'a closed statement is gone',
    [parse('select 1', 's'), closeStatement('s'), bind({ statement: 's' }), sync],
    ['1 ; 3 ; E 26000 ; Z I'],
  ),
  scenario(
    'an empty statement in the extended protocol',
    [parse(''), describeStatement(), bind(), describePortal(), execute(), sync],
    ['1 ; t ; n ; 2 ; n ; I ; Z I'],
  ),
  scenario(
    'a comment in the extended protocol',
    [parse('/* ping */'), bind(), execute(), sync],
    ['1 ; 2 ; I ; Z I'],
  ),
  scenario('two statements in one Parse', [parse('select 1; select 2'), sync], ['E 42601 ; Z I']),
  scenario(
    'a write described, bound and executed',
    [
      parse('update main.folders set name = name where id = $1'),
      describeStatement(),
      bind({ values: ['1'] }),
      describePortal(),
      execute(),
      sync,
    ],
    ['1 ; t 23 ; n ; 2 ; n ; C UPDATE 1 ; Z I'],
  ),
  scenario(
    'a write with RETURNING in pieces',
    [
      parse('update main.folders set name = name where id = 2 returning id'),
      bind(),
      execute('', 1),
      execute('', 10),
      sync,
    ],
    ['1 ; 2 ; D 2 ; s ; C UPDATE 0 ; Z I'],
  ),
  scenario(
    'all writes up to a Sync or none',
    [
      parse("insert into main.settings (id, name) values (901, 'x')"),
      bind(),
      execute(),
      parse('select 1 / (id - id) from main.tags'),
      bind(),
      execute(),
      sync,
      query('select count(*) from main.settings where id = 901'),
    ],
    [
      '1 ; 2 ; C INSERT 0 1 ; 1 ; 2 ; E 22012 ; Z I',
      'T count:0:20:8:-1:0 ; D 0 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'BEGIN described',
    [
      parse('begin'),
      describeStatement(),
      bind(),
      describePortal(),
      execute(),
      parse('rollback'),
      bind(),
      execute(),
      sync,
    ],
    ['1 ; t ; n ; 2 ; n ; C BEGIN ; 1 ; 2 ; C ROLLBACK ; Z I'],
  ),
  scenario(
    'SHOW described and executed',
    [parse('show server_encoding'), describeStatement(), bind(), describePortal(), execute(), sync],
    [
      '1 ; t ; T server_encoding:0:25:-1:-1:0 ; 2 ; T server_encoding:0:25:-1:-1:0 ; D UTF8 ; C SHOW ; Z I',
    ],
  ),
  scenario(
    'Flush pushes what there is',
    [parse('select 1'), flush, bind(), flush, execute(), flush, sync],
    ['1 ; 2 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario('Sync alone', [sync, sync, sync], ['Z I', 'Z I', 'Z I']),
  scenario(
    'a pipeline of queries',
    [
      query('select 1'),
      parse('select 2'),
      bind(),
      execute(),
      sync,
      query('select 3'),
      query('select 4'),
    ],
    [
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I',
      '1 ; 2 ; D 2 ; C SELECT 1 ; Z I',
      'T ?column?:0:23:4:-1:0 ; D 3 ; C SELECT 1 ; Z I',
      'T ?column?:0:23:4:-1:0 ; D 4 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'prepared in SQL, executed in the protocol',
    [
      query('prepare q (int4) as select $1 + 1'),
      bind({ statement: 'q', values: ['1'] }),
      execute(),
      sync,
    ],
    ['C PREPARE ; Z I', '2 ; D 2 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'prepared in the protocol, executed in SQL',
    [parse('select $1::int4 + 1', 'q', [23]), sync, query('execute q(41)')],
    ['1 ; Z I', 'T ?column?:0:23:4:-1:0 ; D 42 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'DEALLOCATE of a statement of the protocol',
    [parse('select 1', 'q'), sync, query('deallocate q'), bind({ statement: 'q' }), sync],
    ['1 ; Z I', 'C DEALLOCATE ; Z I', 'E 26000 ; Z I'],
  ),
  scenario(
    'a declared cursor read by the protocol',
    [
      query('begin; declare c cursor for select id from main.folders order by id'),
      describePortal('c'),
      execute('c', 2),
      sync,
      query('fetch 1 from c; close c; commit'),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; Z T',
      'T id:1:23:4:-1:0 ; D 1 ; D 2 ; s ; Z T',
      'T id:1:23:4:-1:0 ; D 3 ; C FETCH 1 ; C CLOSE CURSOR ; C COMMIT ; Z I',
    ],
  ),
  scenario(
    'a portal of the protocol read by SQL',
    [
      query('begin'),
      parse('select id from main.folders order by id'),
      bind({ portal: 'p' }),
      execute('p', 1),
      sync,
      query('fetch 2 from p'),
      query('commit'),
    ],
    [
      'C BEGIN ; Z T',
      '1 ; 2 ; D 1 ; s ; Z T',
      'T id:1:23:4:-1:0 ; D 2 ; D 3 ; C FETCH 2 ; Z T',
      'C COMMIT ; Z I',
    ],
  ),
  scenario(
    'names with capitals and Unicode',
    [
      parse('select 1', 'Ä S'),
      bind({ statement: 'Ä S', portal: 'Ö P' }),
      execute('Ö P'),
      closeStatement('Ä S'),
      sync,
    ],
    ['1 ; 2 ; D 1 ; C SELECT 1 ; 3 ; Z I'],
  ),
  scenario(
    'FETCH in all directions',
    [
      query(
        'begin; declare c scroll cursor for select id from main.folders order by id limit 4; fetch 2 from c; fetch prior from c; fetch last from c; fetch backward all from c; fetch absolute 3 from c; fetch relative -1 from c; fetch 0 from c; move last in c; fetch forward 0 from c; rollback',
      ),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; T id:1:23:4:-1:0 ; D 1 ; D 2 ; C FETCH 2 ; T id:1:23:4:-1:0 ; D 1 ; C FETCH 1 ; T id:1:23:4:-1:0 ; D 4 ; C FETCH 1 ; T id:1:23:4:-1:0 ; D 3 ; D 2 ; D 1 ; C FETCH 3 ; T id:1:23:4:-1:0 ; D 3 ; C FETCH 1 ; T id:1:23:4:-1:0 ; D 2 ; C FETCH 1 ; T id:1:23:4:-1:0 ; D 2 ; C FETCH 1 ; C MOVE 1 ; T id:1:23:4:-1:0 ; D 4 ; C FETCH 1 ; C ROLLBACK ; Z I',
    ],
  ),
]
