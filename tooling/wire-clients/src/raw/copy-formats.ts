/** @module The formats and options of COPY. Columns are `name:number:type:length:modifier:format`. */
import { copyData, copyDone, int16, int32, query } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const copyFormats: readonly Scenario[] = [
  scenario(
    'COPY with options that do not exist',
    [query('copy main.tags to stdout (nothing true)')],
    ['E 42601 ; Z I'],
  ),
  scenario(
    'COPY options that contradict',
    [query("copy main.tags to stdout (format binary, delimiter ',')")],
    ['E 42601 ; Z I'],
  ),
  scenario(
    'COPY of a column that does not exist',
    [query('copy main.tags (nothing) to stdout')],
    ['E 42703 ; Z I'],
  ),
  scenario(
    'COPY of a table that does not exist',
    [query('copy main.nowhere from stdin')],
    ['E 42P01 ; Z I'],
  ),
  scenario(
    'COPY out of a write',
    [query('copy (update main.folders set name = name where id = 1 returning id) to stdout')],
    ['H 0 1 0 0 ; d "1\\n" ; c ; C COPY 1 ; Z I'],
  ),
  scenario(
    'COPY csv with quotes, NULL and forced quotes',
    [
      query(
        "copy (select 'a,b', null, '', 'it''s \"x\"', 1, true, e'x\\ny') to stdout with (format csv, force_quote *)",
      ),
    ],
    [
      'H 0 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ; d "\\"a,b\\",,\\"\\",\\"it\'s \\"\\"x\\"\\"\\",\\"1\\",\\"t\\",\\"x\\ny\\"\\n" ; c ; C COPY 1 ; Z I',
    ],
  ),
  scenario(
    'COPY text with escapes',
    [
      query(
        "copy (select e'tab\\tnew\\nback\\\\', null, '\\x00ff'::bytea, array['a b', null]) to stdout",
      ),
    ],
    [
      'H 0 4 0 0 0 0 0 0 0 0 ; d "tab\\\\tnew\\\\nback\\\\\\\\\\t\\\\N\\t\\\\\\\\x00ff\\t{\\"a b\\",NULL}\\n" ; c ; C COPY 1 ; Z I',
    ],
  ),
  scenario(
    'COPY in of binary',
    [
      query('copy main.settings (id, name) from stdin (format binary)'),
      copyData(
        Buffer.concat([
          Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'),
          int32(0),
          int32(0),
          int16(2),
          int32(4),
          int32(931),
          int32(1),
          Buffer.from('b'),
          int16(-1),
        ]),
      ),
      copyDone,
    ],
    ['G 0 2 0 1 0 1 ; C COPY 1 ; Z I'],
  ),
  scenario(
    'COPY in of binary without its signature',
    [
      query('copy main.settings (id, name) from stdin (format binary)'),
      copyData('nonsense nonsense nonsense'),
      copyDone,
    ],
    ['G 0 2 0 1 0 1 ; E 22P04 ; Z I'],
  ),
  scenario(
    'COPY in of CSV with quotes over several messages',
    [
      query('copy main.settings (id, name, comment) from stdin csv'),
      copyData('932,"a'),
      copyData('""b\nc",\n93'),
      copyData('3,x,""\n'),
      copyDone,
    ],
    ['G 0 3 0 0 0 0 0 0 ; C COPY 2 ; Z I'],
  ),
  scenario(
    'COPY in violates a constraint',
    [query('copy main.tags (id, name) from stdin'), copyData('1\tx\n'), copyDone],
    ['G 0 2 0 0 0 0 ; E 23505 ; Z I'],
  ),
  scenario(
    'COPY in with too many columns',
    [query('copy main.settings (id, name) from stdin'), copyData('934\tx\ty\n'), copyDone],
    ['G 0 2 0 0 0 0 ; E 22P04 ; Z I'],
  ),
  scenario(
    'COPY in with an unterminated quote',
    [query('copy main.settings (id, name) from stdin csv'), copyData('935,"x\n'), copyDone],
    ['G 0 2 0 0 0 0 ; E 22P04 ; Z I'],
  ),
  scenario(
    'COPY in of nothing',
    [query('copy main.settings (id, name) from stdin'), copyDone],
    ['G 0 2 0 0 0 0 ; C COPY 0 ; Z I'],
  ),
  scenario(
    'COPY in of CRLF lines',
    [query('copy main.settings (id, name) from stdin'), copyData('936\tx\r\n937\ty\r\n'), copyDone],
    ['G 0 2 0 0 0 0 ; C COPY 2 ; Z I'],
  ),
  scenario(
    'COPY in within a transaction that fails',
    [
      query('begin'),
      query('copy main.settings (id, name) from stdin'),
      copyData('x\ty\n'),
      copyDone,
      query('select 1'),
      query('rollback'),
    ],
    ['C BEGIN ; Z T', 'G 0 2 0 0 0 0 ; E 22P02 ; Z E', 'E 25P02 ; Z E', 'C ROLLBACK ; Z I'],
  ),
]
