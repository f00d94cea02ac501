/** @module Transactions and settings. Columns are `name:number:type:length:modifier:format`. */
import { bind, execute, parse, query, sync } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const transactions: readonly Scenario[] = [
  scenario(
    'a transaction in simple queries',
    [query('begin'), query('select 1'), query('commit')],
    ['C BEGIN ; Z T', 'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z T', 'C COMMIT ; Z I'],
  ),
  scenario(
    'a portal ends with its transaction',
    [
      parse('select id from main.folders order by id limit 3'),
      bind({ portal: 'p' }),
      execute('p', 1),
      sync,
      execute('p', 1),
      sync,
    ],
    ['1 ; 2 ; D 1 ; s ; Z I', 'E 34000 ; Z I'],
  ),
  scenario(
    'a portal lives within a transaction',
    [
      query('begin'),
      parse('select id from main.folders order by id limit 3'),
      bind({ portal: 'p' }),
      execute('p', 1),
      sync,
      execute('p', 5),
      sync,
      query('commit'),
    ],
    ['C BEGIN ; Z T', '1 ; 2 ; D 1 ; s ; Z T', 'D 2 ; D 3 ; C SELECT 2 ; Z T', 'C COMMIT ; Z I'],
  ),
  scenario(
    'a transaction in the extended protocol',
    [
      parse('begin'),
      bind(),
      execute(),
      parse('select id from main.folders where id = 1'),
      bind(),
      execute(),
      parse('commit'),
      bind(),
      execute(),
      sync,
    ],
    ['1 ; 2 ; C BEGIN ; 1 ; 2 ; D 1 ; C SELECT 1 ; 1 ; 2 ; C COMMIT ; Z I'],
  ),
  scenario(
    'SET in the extended protocol reports the change',
    [parse("set application_name to 'raw'"), bind(), execute(), sync],
    ['1 ; 2 ; C SET ; S application_name=raw ; Z I'],
  ),
  scenario(
    'a setting goes back with ROLLBACK and is reported',
    [query('begin'), query("set timezone to 'Asia/Tokyo'"), query('rollback')],
    ['C BEGIN ; Z T', 'C SET ; S TimeZone=Asia/Tokyo ; Z T', 'C ROLLBACK ; S TimeZone=UTC ; Z I'],
  ),
  scenario(
    'SET LOCAL is reported, and its end',
    [query('begin'), query("set local timezone to 'Asia/Tokyo'"), query('commit')],
    ['C BEGIN ; Z T', 'C SET ; S TimeZone=Asia/Tokyo ; Z T', 'C COMMIT ; S TimeZone=UTC ; Z I'],
  ),
  scenario(
    'several settings in one text',
    [query("set timezone to 'Asia/Tokyo'; set application_name to 'x'; show timezone; reset all")],
    ['C SET ; C SET ; T TimeZone:0:25:-1:-1:0 ; D Asia/Tokyo ; C SHOW ; C RESET ; Z I'],
  ),
  scenario(
    'warnings of transactions',
    [query('commit'), query('begin; begin'), query('rollback')],
    ['N 25P01 ; C COMMIT ; Z I', 'C BEGIN ; N 25001 ; C BEGIN ; Z T', 'C ROLLBACK ; Z I'],
  ),
  scenario('SAVEPOINT outside of a transaction', [query('savepoint s')], ['E 25P01 ; Z I']),
  scenario(
    'ROLLBACK TO a savepoint that is not there',
    [query('begin; savepoint a'), query('rollback to b'), query('rollback')],
    ['C BEGIN ; C SAVEPOINT ; Z T', 'E 3B001 ; Z E', 'C ROLLBACK ; Z I'],
  ),
  scenario(
    'a failed statement, ROLLBACK TO, and on',
    [
      query('begin; savepoint a'),
      query('select 1/0'),
      query('rollback to a'),
      query('select 1'),
      query('commit'),
    ],
    [
      'C BEGIN ; C SAVEPOINT ; Z T',
      'E 22012 ; Z E',
      'C ROLLBACK ; Z T',
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z T',
      'C COMMIT ; Z I',
    ],
  ),
  scenario(
    'SET TRANSACTION in time and too late',
    [
      query('begin; set transaction isolation level serializable read only'),
      query('show transaction_isolation; show transaction_read_only'),
      query('select count(*) from main.tags; set transaction read write'),
      query('rollback'),
    ],
    [
      'C BEGIN ; C SET ; Z T',
      'T transaction_isolation:0:25:-1:-1:0 ; D serializable ; C SHOW ; T transaction_read_only:0:25:-1:-1:0 ; D on ; C SHOW ; Z T',
      'T count:0:20:8:-1:0 ; D 12 ; C SELECT 1 ; E 25001 ; Z E',
      'C ROLLBACK ; Z I',
    ],
  ),
  scenario(
    'SET LOCAL outside of a transaction',
    [query("set local timezone to 'UTC'")],
    ['N 25P01 ; C SET ; Z I'],
  ),
  scenario(
    'a write in a read only transaction',
    [query('begin read only'), query('delete from main.folders where id = -1'), query('rollback')],
    ['C BEGIN ; Z T', 'E 25006 ; Z E', 'C ROLLBACK ; Z I'],
  ),
  scenario(
    'default_transaction_read_only',
    [
      query('set default_transaction_read_only to on'),
      query('delete from main.folders where id = -1'),
      query('reset default_transaction_read_only'),
    ],
    [
      'C SET ; S default_transaction_read_only=on ; Z I',
      'E 25006 ; Z I',
      'C RESET ; S default_transaction_read_only=off ; Z I',
    ],
  ),
  scenario(
    'DISCARD in and out of a transaction',
    [query('discard all'), query('begin'), query('discard all'), query('rollback')],
    ['C DISCARD ALL ; Z I', 'C BEGIN ; Z T', 'E 25001 ; Z E', 'C ROLLBACK ; Z I'],
  ),
  scenario(
    'tags of commands',
    [
      query(
        "begin; savepoint a; release a; set timezone to 'UTC'; reset timezone; rollback; prepare pp as select 1; deallocate pp; deallocate all; close all; unlisten *; discard plans; discard temp",
      ),
    ],
    [
      'C BEGIN ; C SAVEPOINT ; C RELEASE ; C SET ; C RESET ; C ROLLBACK ; C PREPARE ; C DEALLOCATE ; C DEALLOCATE ALL ; C CLOSE CURSOR ALL ; C UNLISTEN ; C DISCARD PLANS ; C DISCARD TEMP ; Z I',
    ],
  ),
  scenario(
    'RESET of what reports',
    [query("set datestyle to 'iso, dmy'; reset datestyle")],
    ['C SET ; C RESET ; Z I'],
  ),
  scenario(
    'LIMIT, OFFSET and NULL ordering',
    [query('select parent_id from main.folders order by parent_id desc, id limit 3 offset 1')],
    ['T parent_id:3:23:4:-1:0 ; D NULL ; D 2 ; D 1 ; C SELECT 3 ; Z I'],
  ),
  scenario(
    'warnings that are not wanted',
    [
      query('set client_min_messages to error'),
      query('rollback'),
      query('reset client_min_messages'),
    ],
    ['C SET ; Z I', 'C ROLLBACK ; Z I', 'C RESET ; Z I'],
  ),
]
