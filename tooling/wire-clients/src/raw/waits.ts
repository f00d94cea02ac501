/** @module pg_sleep() and its relatives; functions that are refused. Columns are `name:number:type:length:modifier:format`. */
import { bind, describeStatement, execute, parse, query, sync } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const waits: readonly Scenario[] = [
  scenario(
    'pg_sleep as text',
    [query('select pg_sleep(0.01)'), query('SELECT pg_catalog.PG_SLEEP ( \'0.01\' ) AS "Nap";')],
    [
      'T pg_sleep:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
      'T Nap:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'pg_sleep of a parameter, described',
    [
      parse('select pg_sleep($1)'),
      describeStatement(),
      bind({ values: ['0.01'] }),
      execute(),
      bind({ values: [null] }),
      execute(),
      sync,
    ],
    ['1 ; t 701 ; T pg_sleep:0:2278:4:-1:0 ; 2 ; D ; C SELECT 1 ; 2 ; D NULL ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'pg_sleep beside other values',
    [query('select true as x, pg_sleep(0.01), \'é\' as "é", pg_sleep(-1) as nap')],
    [
      'T x:0:16:1:-1:0 pg_sleep:0:2278:4:-1:0 é:0:25:-1:-1:0 nap:0:2278:4:-1:0 ; D t||é| ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'waiting for an interval, and until a time',
    [
      query("select pg_sleep_for('10 milliseconds')"),
      query("select pg_sleep_until(now() + interval '10 milliseconds')"),
      query("select pg_sleep_until('2020-01-01 00:00:00+02')"),
    ],
    [
      'T pg_sleep_for:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
      'T pg_sleep_until:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
      'T pg_sleep_until:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'values that are no time',
    [
      query("select pg_sleep('soon')"),
      query('select pg_sleep()'),
      query('select pg_sleep(1, 2)'),
      query("select pg_sleep('NaN')"),
      query('select pg_sleep(1 / 0)'),
    ],
    [
      'E 22P02 ; Z I',
      'E 42883 ; Z I',
      'E 42883 ; Z I',
      'T pg_sleep:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
      'E 22012 ; Z I',
    ],
  ),
  scenario(
    'waiting too long, alone and in a transaction',
    [
      query("set statement_timeout = '1s'"),
      query('select pg_sleep(60)'),
      query('begin'),
      query('select pg_sleep(60)'),
      query('select pg_sleep(0)'),
      query('rollback'),
      query('reset statement_timeout'),
      query('select pg_sleep(0)'),
    ],
    [
      'C SET ; Z I',
      'T pg_sleep:0:2278:4:-1:0 ; E 57014 ; Z I',
      'C BEGIN ; Z T',
      'T pg_sleep:0:2278:4:-1:0 ; E 57014 ; Z E',
      'E 25P02 ; Z E',
      'C ROLLBACK ; Z I',
      'C RESET ; Z I',
      'T pg_sleep:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'waiting in a prepared statement',
    [
      query('prepare nap as select pg_sleep($1)'),
      query('execute nap(0.01)'),
      query('deallocate nap'),
    ],
    ['C PREPARE ; Z I', 'T pg_sleep:0:2278:4:-1:0 ; D ; C SELECT 1 ; Z I', 'C DEALLOCATE ; Z I'],
  ),
  scenario(
    'one text that waits between its statements',
    [query('select 1 as one; select pg_sleep(0.01); select 2 as two')],
    [
      'T one:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; T pg_sleep:0:2278:4:-1:0 ; D ; C SELECT 1 ; T two:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'large objects',
    [
      query('select lo_create(-1)'),
      query('select lo_open(1, 131072)'),
      query("select lowrite(0, 'x')"),
      query('select loread(0, 10)'),
      query('select lo_get(1)'),
    ],
    ['E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I'],
    'engine',
  ),
  scenario(
    'waiting elsewhere',
    [
      query('select count(*) from main.tags where pg_sleep(0) is null'),
      query('select id from main.tags order by pg_sleep(0)'),
      query('select (select pg_sleep(0)) from main.tags'),
      query('select pg_sleep(0) from pg_class'),
      query('select 1 where pg_sleep(0) is null'),
    ],
    ['E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I', 'E 0A000 ; Z I'],
    'engine',
  ),
]
