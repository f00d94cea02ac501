/** @module Transaction blocks in texts of several statements. Columns are `name:number:type:length:modifier:format`. */
import { bind, describeStatement, execute, parse, query, sync } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const blocks: readonly Scenario[] = [
  scenario(
    'BEGIN in the middle of a text',
    [query('select 1; begin; select 2; commit; select 3')],
    [
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; C BEGIN ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; C COMMIT ; T ?column?:0:23:4:-1:0 ; D 3 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'COMMIT first in a text',
    [query('commit; select 1')],
    ['N 25P01 ; C COMMIT ; T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'a text that begins a transaction and leaves it open',
    [query('select 1; begin; select 2'), query('commit')],
    [
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; C BEGIN ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z T',
      'C COMMIT ; Z I',
    ],
  ),
  scenario(
    'an implicit transaction that becomes a block and is rolled back',
    [
      query(
        "insert into main.settings (id, name) values (921, 'x'); begin; insert into main.settings (id, name) values (922, 'x'); rollback",
      ),
      query('select count(*) from main.settings where id in (921, 922)'),
    ],
    [
      'C INSERT 0 1 ; C BEGIN ; C INSERT 0 1 ; C ROLLBACK ; Z I',
      'T count:0:20:8:-1:0 ; D 0 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'an implicit transaction that is committed halfway',
    [
      query(
        "insert into main.settings (id, name) values (923, 'x'); commit; insert into main.settings (id, name) values (924, 'x'); select 1/0",
      ),
      query('select id from main.settings where id in (923, 924)'),
    ],
    [
      'C INSERT 0 1 ; N 25P01 ; C COMMIT ; C INSERT 0 1 ; E 22012 ; Z I',
      'T id:1:23:4:-1:0 ; D 923 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'transaction modes',
    [
      query('start transaction isolation level repeatable read, read only, not deferrable'),
      query('show transaction_isolation; show transaction_read_only; show transaction_deferrable'),
      query('rollback'),
      query('begin transaction read write'),
      query('end'),
    ],
    [
      'C START TRANSACTION ; Z T',
      'T transaction_isolation:0:25:-1:-1:0 ; D repeatable read ; C SHOW ; T transaction_read_only:0:25:-1:-1:0 ; D on ; C SHOW ; T transaction_deferrable:0:25:-1:-1:0 ; D off ; C SHOW ; Z T',
      'C ROLLBACK ; Z I',
      'C BEGIN ; Z T',
      'C COMMIT ; Z I',
    ],
  ),
  scenario(
    'ABORT, END and ROLLBACK WORK',
    [
      query('begin work'),
      query('abort'),
      query('begin'),
      query('end transaction'),
      query('begin'),
      query('rollback work'),
    ],
    [
      'C BEGIN ; Z T',
      'C ROLLBACK ; Z I',
      'C BEGIN ; Z T',
      'C COMMIT ; Z I',
      'C BEGIN ; Z T',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'COMMIT AND CHAIN keeps the modes',
    [
      query('begin isolation level serializable'),
      query('commit and chain'),
      query('show transaction_isolation'),
      query('rollback'),
    ],
    [
      'C BEGIN ; Z T',
      'C COMMIT ; Z T',
      'T transaction_isolation:0:25:-1:-1:0 ; D serializable ; C SHOW ; Z T',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'COMMIT AND CHAIN outside of a transaction',
    [query('commit and chain')],
    ['E 25P01 ; Z I'],
  ),
  scenario(
    'savepoints with names in quotes and capitals',
    [
      query('begin; savepoint "A b"; savepoint A'),
      query('rollback to savepoint a; release "A b"'),
      query('release nothing'),
      query('rollback'),
    ],
    [
      'C BEGIN ; C SAVEPOINT ; C SAVEPOINT ; Z T',
      'C ROLLBACK ; C RELEASE ; Z T',
      'E 3B001 ; Z E',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'PREPARE TRANSACTION in a failed transaction',
    [query('begin; select 1/0'), query('savepoint s'), query('rollback')],
    ['C BEGIN ; E 22012 ; Z E', 'E 25P02 ; Z E', 'C ROLLBACK ; Z I'],
  ),
  scenario(
    'a failed transaction may only end',
    [
      query('begin'),
      query('select nothing'),
      parse('select 1'),
      sync,
      parse('rollback'),
      bind(),
      execute(),
      sync,
      query('select 1'),
      query('begin; select 1/0; select 2'),
      query('end'),
    ],
    [
      'C BEGIN ; Z T',
      'E 42703 ; Z E',
      'E 25P02 ; Z E',
      '1 ; 2 ; C ROLLBACK ; Z I',
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I',
      'C BEGIN ; E 22012 ; Z E',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'describing in a failed transaction',
    [
      parse('select 1', 's'),
      sync,
      query('begin; select 1/0'),
      describeStatement('s'),
      sync,
      query('rollback'),
    ],
    ['1 ; Z I', 'C BEGIN ; E 22012 ; Z E', 'E 25P02 ; Z E', 'C ROLLBACK ; Z I'],
  ),
  scenario(
    'times agree within a transaction',
    [
      query(
        'begin; select now() = transaction_timestamp(), current_timestamp = now(), statement_timestamp() >= now(), clock_timestamp() >= now(); commit',
      ),
    ],
    [
      'C BEGIN ; T ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 ; D t|t|t|t ; C SELECT 1 ; C COMMIT ; Z I',
    ],
  ),
]
