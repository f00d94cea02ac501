/** @module COPY, message by message. Columns are `name:number:type:length:modifier:format`. */
import {
  bind,
  copyData,
  copyDone,
  copyFail,
  describeStatement,
  execute,
  flush,
  parse,
  query,
  sync,
} from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const copies: readonly Scenario[] = [
  scenario(
    'COPY out',
    [query('copy (select id, name from main.folders where id <= 2 order by id) to stdout')],
    ['H 0 2 0 0 0 0 ; d "1\\troot\\n" ; d "2\\tdocs\\n" ; c ; C COPY 2 ; Z I'],
  ),
  scenario(
    'COPY out as CSV and binary',
    [
      query('copy (select id from main.folders where id = 1) to stdout csv header'),
      query('copy (select id from main.folders where id = 1) to stdout binary'),
    ],
    [
      'H 0 1 0 0 ; d "id\\n" ; d "1\\n" ; c ; C COPY 1 ; Z I',
      'H 0 1 0 1 ; d "PGCOPY\\nÿ\\r\\n\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0001\\u0000\\u0000\\u0000\\u0004\\u0000\\u0000\\u0000\\u0001" ; d "ÿÿ" ; c ; C COPY 1 ; Z I',
    ],
  ),
  scenario(
    'COPY out in the extended protocol',
    [parse('copy (select 1) to stdout'), describeStatement(), bind(), execute(), sync],
    ['1 ; t ; n ; 2 ; H 0 1 0 0 ; d "1\\n" ; c ; C COPY 1 ; Z I'],
  ),
  scenario(
    'COPY in',
    [
      query('copy main.settings (id, name) from stdin'),
      copyData('902\tone\n903\tt'),
      copyData('wo\n'),
      copyDone,
    ],
    ['G 0 2 0 0 0 0 ; C COPY 2 ; Z I'],
  ),
  scenario(
    'COPY in that the client fails',
    [
      query('copy main.settings (id, name) from stdin'),
      copyData('904\tx\n'),
      copyFail('changed my mind'),
    ],
    ['G 0 2 0 0 0 0 ; E 57014 ; Z I'],
  ),
  scenario(
    'COPY in of a wrong row, and what follows is dropped',
    [
      query('copy main.settings (id, name) from stdin'),
      copyData('x\ty\n'),
      copyData('905\tz\n'),
      copyDone,
      query('select 1'),
    ],
    ['G 0 2 0 0 0 0 ; E 22P02 ; Z I', 'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'COPY in ignores Flush and Sync',
    [
      query('copy main.settings (id, name) from stdin'),
      flush,
      sync,
      copyData('906\tx\n'),
      copyDone,
    ],
    ['G 0 2 0 0 0 0 ; C COPY 1 ; Z I'],
  ),
  scenario(
    'COPY in with an end mark',
    [query('copy main.settings (id, name) from stdin'), copyData('908\tx\n\\.\n'), copyDone],
    ['G 0 2 0 0 0 0 ; C COPY 1 ; Z I'],
  ),
  scenario(
    'copied data without a COPY is ignored',
    [copyData('1\n'), copyDone, query('select 1')],
    ['T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'COPY in in the extended protocol',
    [
      parse('copy main.settings (id, name) from stdin'),
      bind(),
      execute(),
      copyData('909\tx\n'),
      copyDone,
      sync,
    ],
    ['1 ; 2 ; G 0 2 0 0 0 0 ; C COPY 1 ; Z I'],
  ),
  scenario(
    'COPY in between other statements of a text',
    [
      query('select 1; copy main.settings (id, name) from stdin; select 2'),
      copyData('910\tx\n'),
      copyDone,
    ],
    [
      'T ?column?:0:23:4:-1:0 ; D 1 ; C SELECT 1 ; G 0 2 0 0 0 0 ; C COPY 1 ; T ?column?:0:23:4:-1:0 ; D 2 ; C SELECT 1 ; Z I',
    ],
  ),
]
