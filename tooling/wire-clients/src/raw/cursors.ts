/** @module Portals, cursors and prepared statements, of the protocol and of SQL. Columns are `name:number:type:length:modifier:format`. */
import { bind, describePortal, describeStatement, execute, parse, query, sync } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const cursors: readonly Scenario[] = [
  scenario(
    'a simple query drops the unnamed statement',
    [parse('select 1'), query('select 2'), bind(), execute(), sync],
    ['1 ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z I', 'E 26000 ; Z I'],
  ),
  scenario(
    'a simple query drops the unnamed portal',
    [
      query('begin'),
      parse('select id from main.folders order by id'),
      bind(),
      execute('', 1),
      query('select 2'),
      execute('', 1),
      sync,
      query('rollback'),
    ],
    [
      'C BEGIN ; Z T',
      '1 ; 2 ; D 1 ; s ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z T',
      'E 34000 ; Z E',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'a named portal survives a simple query',
    [
      query('begin'),
      parse('select id from main.folders order by id'),
      bind({ portal: 'p' }),
      execute('p', 1),
      sync,
      query('select 2'),
      execute('p', 1),
      sync,
    ],
    [
      'C BEGIN ; Z T',
      '1 ; 2 ; D 1 ; s ; Z T',
      'T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z T',
      'D 2 ; s ; Z T',
    ],
  ),
  scenario(
    'an INSERT is not run twice by its portal',
    [
      parse("insert into main.settings (id, name) values (925, 'x')"),
      bind(),
      execute(),
      execute(),
      sync,
    ],
    ['1 ; 2 ; C INSERT 0 1 ; E 55000 ; Z I'],
  ),
  scenario(
    'a SET is not run twice by its portal',
    [parse("set application_name to 'twice'"), bind(), execute(), execute(), sync],
    ['1 ; 2 ; C SET ; E 55000 ; Z I'],
  ),
  scenario(
    'a statement is bound twice',
    [
      parse('select $1::int4 * 2', 's'),
      bind({ statement: 's', values: ['1'] }),
      execute(),
      bind({ statement: 's', values: ['2'] }),
      execute(),
      sync,
    ],
    ['1 ; 2 ; D 2 ; C SELECT 1 ; 2 ; D 4 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'Describe of a portal after it has run',
    [parse('select id from main.folders where id = 1'), bind(), execute(), describePortal(), sync],
    ['1 ; 2 ; D 1 ; C SELECT 1 ; T id:1:23:4:-1:0 ; Z I'],
  ),
  scenario(
    'EXECUTE with the wrong count of values',
    [query('prepare w (int4) as select $1'), query('execute w(1, 2)')],
    ['C PREPARE ; Z I', 'E 42601 ; Z I'],
  ),
  scenario(
    'EXECUTE with expressions and casts',
    [
      query('prepare x (int4, text, timestamptz) as select $1, $2, $3'),
      query("execute x(1 + 1, upper('a'), '2024-01-01 00:00+00')"),
      query('execute x(null, null, null)'),
    ],
    [
      'C PREPARE ; Z I',
      'T ?column?:0:23:4:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:1184:8:-1:0 ; D 2|A|2024-01-01 00:00:00+00 ; C SELECT 1 ; Z I',
      'T ?column?:0:23:4:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:1184:8:-1:0 ; D NULL|NULL|NULL ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'PREPARE twice',
    [query('prepare y as select 1'), query('prepare y as select 2')],
    ['C PREPARE ; Z I', 'E 42P05 ; Z I'],
  ),
  scenario(
    'PREPARE of a write',
    [
      query('prepare z (int4) as update main.folders set name = name where id = $1 returning id'),
      query('execute z(1)'),
      query('deallocate prepare z'),
    ],
    ['C PREPARE ; Z I', 'T id:1:23:4:-1:0 ; D 1 ; C UPDATE 1 ; Z I', 'C DEALLOCATE ; Z I'],
  ),
  scenario(
    'PREPARE with inferred types',
    [
      query('prepare i as select id from main.folders where id = $1 and name = $2'),
      query("execute i(1, 'root')"),
    ],
    ['C PREPARE ; Z I', 'T id:1:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'a cursor WITH HOLD outside of a transaction',
    [
      query('declare h cursor with hold for select id from main.folders order by id'),
      query('fetch 2 from h'),
      query('fetch 2 from h'),
      query('close h'),
    ],
    [
      'C DECLARE CURSOR ; Z I',
      'T id:1:23:4:-1:0 ; D 1 ; D 2 ; C FETCH 2 ; Z I',
      'T id:1:23:4:-1:0 ; D 3 ; D 4 ; C FETCH 2 ; Z I',
      'C CLOSE CURSOR ; Z I',
    ],
  ),
  scenario(
    'a cursor without SCROLL does not go back',
    [
      query(
        'begin; declare n no scroll cursor for select id from main.folders order by id; fetch 2 from n',
      ),
      query('fetch prior from n'),
      query('rollback'),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; T id:1:23:4:-1:0 ; D 1 ; D 2 ; C FETCH 2 ; Z T',
      'E 55000 ; Z E',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'a BINARY cursor',
    [
      query('begin; declare b binary cursor for select id from main.folders order by id'),
      query('fetch 1 from b'),
      query('close all; commit'),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; Z T',
      'T id:1:23:4:-1:1 ; D \\x00000001 ; C FETCH 1 ; Z T',
      'C CLOSE CURSOR ALL ; C COMMIT ; Z I',
    ],
  ),
  scenario(
    'a cursor declared with parameters in the extended protocol',
    [
      query('begin'),
      parse('declare d cursor for select id from main.folders where id > $1 order by id'),
      bind({ values: ['2'] }),
      execute(),
      sync,
      query('fetch all from d; rollback'),
    ],
    [
      'C BEGIN ; Z T',
      '1 ; 2 ; C DECLARE CURSOR ; Z T',
      'T id:1:23:4:-1:0 ; D 3 ; D 4 ; D 5 ; C FETCH 3 ; C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'a cursor fails at its first row',
    [
      query('begin; declare e cursor for select 1 / (id - id) from main.folders'),
      query('fetch 1 from e'),
      query('rollback'),
    ],
    ['C BEGIN ; C DECLARE CURSOR ; Z T', 'E 22012 ; Z E', 'C ROLLBACK ; Z I'],
    'postgres',
  ),
  scenario(
    'FETCH in the extended protocol is described',
    [
      query('begin; declare f cursor for select id, name from main.folders order by id'),
      parse('fetch 2 from f'),
      describeStatement(),
      bind(),
      describePortal(),
      execute(),
      sync,
      query('rollback'),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; Z T',
      '1 ; t ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 ; 2 ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 ; D 1|root ; D 2|docs ; C FETCH 2 ; Z T',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'MOVE and CLOSE in the extended protocol',
    [
      query('begin; declare g cursor for select id from main.folders order by id'),
      parse('move 2 in g'),
      describeStatement(),
      bind(),
      execute(),
      parse('close g'),
      bind(),
      execute(),
      sync,
      query('commit'),
    ],
    [
      'C BEGIN ; C DECLARE CURSOR ; Z T',
      '1 ; t ; n ; 2 ; C MOVE 2 ; 1 ; 2 ; C CLOSE CURSOR ; Z T',
      'C COMMIT ; Z I',
    ],
  ),
  scenario(
    'EXECUTE in the extended protocol is described',
    [
      query('prepare ex as select id, name from main.folders where id = 1'),
      parse('execute ex'),
      describeStatement(),
      bind(),
      describePortal(),
      execute(),
      sync,
    ],
    [
      'C PREPARE ; Z I',
      '1 ; t ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 ; 2 ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 ; D 1|root ; C SELECT 1 ; Z I',
    ],
  ),
]
