/** @module SHOW and SET in their spellings. Columns are `name:number:type:length:modifier:format`. */
import { query } from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

export const settings: readonly Scenario[] = [
  scenario(
    'SHOW of several spellings',
    [
      query('show TimeZone'),
      query('show "TimeZone"'),
      query('show time zone'),
      query('show transaction isolation level'),
      query('show SERVER_ENCODING'),
    ],
    [
      'T TimeZone:0:25:-1:-1:0 ; D UTC ; C SHOW ; Z I',
      'T TimeZone:0:25:-1:-1:0 ; D UTC ; C SHOW ; Z I',
      'T TimeZone:0:25:-1:-1:0 ; D UTC ; C SHOW ; Z I',
      'T transaction_isolation:0:25:-1:-1:0 ; D read committed ; C SHOW ; Z I',
      'T server_encoding:0:25:-1:-1:0 ; D UTF8 ; C SHOW ; Z I',
    ],
  ),
  scenario(
    'SET in several spellings',
    [
      query("set time zone 'Asia/Tokyo'"),
      query('set time zone 3'),
      query("set time zone interval '-08:00' hour to minute"),
      query('set time zone local'),
      query("set names 'UTF8'"),
      query('set timezone to default'),
      query('set session application_name = x'),
    ],
    [
      'C SET ; S TimeZone=Asia/Tokyo ; Z I',
      'C SET ; S TimeZone=<+03>-03 ; Z I',
      'C SET ; S TimeZone=<-08>+08 ; Z I',
      'C SET ; S TimeZone=UTC ; Z I',
      'C SET ; Z I',
      'C SET ; Z I',
      'C SET ; S application_name=x ; Z I',
    ],
  ),
  scenario(
    'extra_float_digits and bytea_output',
    [
      query('set extra_float_digits to 0'),
      query('select 0.1::float8 + 0.2::float8, 1e0::float4 / 3'),
      query("set bytea_output to 'escape'"),
      query("select '\\x00ff41'::bytea, c_bytea from main.type_samples where label = 'zero'"),
      query('reset all'),
      query('select 0.1::float8 + 0.2::float8'),
    ],
    [
      'C SET ; Z I',
      'T ?column?:0:701:8:-1:0 ?column?:0:701:8:-1:0 ; D 0.3|0.333333333333333 ; C SELECT 1 ; Z I',
      'C SET ; Z I',
      'T bytea:0:17:-1:-1:0 c_bytea:17:17:-1:-1:0 ; D \\000\\377A|\\000 ; C SELECT 1 ; Z I',
      'C RESET ; Z I',
      'T ?column?:0:701:8:-1:0 ; D 0.30000000000000004 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'settings as functions',
    [
      query(
        "select current_setting('timezone'), current_setting('nothing.at_all', true) is null, set_config('application_name', 'abc', false)",
      ),
    ],
    [
      'T current_setting:0:25:-1:-1:0 ?column?:0:16:1:-1:0 set_config:0:25:-1:-1:0 ; D UTC|t|abc ; C SELECT 1 ; S application_name=abc ; Z I',
    ],
  ),
  scenario(
    'settings of extensions',
    [
      query("set my.setting to 'x'"),
      query('show my.setting'),
      query("select current_setting('my.setting')"),
    ],
    [
      'C SET ; Z I',
      'T my.setting:0:25:-1:-1:0 ; D x ; C SHOW ; Z I',
      'T current_setting:0:25:-1:-1:0 ; D x ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'LOCAL settings through functions',
    [
      query('begin'),
      query("select set_config('application_name', 'local', true)"),
      query('commit'),
      query('show application_name'),
    ],
    [
      'C BEGIN ; Z T',
      'T set_config:0:25:-1:-1:0 ; D local ; C SELECT 1 ; S application_name=local ; Z T',
      'C COMMIT ; S application_name= ; Z I',
      'T application_name:0:25:-1:-1:0 ; D ; C SHOW ; Z I',
    ],
  ),
  scenario(
    'SET SESSION CHARACTERISTICS',
    [
      query('set session characteristics as transaction isolation level serializable, read only'),
      query('show default_transaction_isolation; show default_transaction_read_only'),
      query('begin; show transaction_isolation; commit'),
      query('show transaction_read_only'),
    ],
    [
      'C SET ; S default_transaction_read_only=on ; Z I',
      'T default_transaction_isolation:0:25:-1:-1:0 ; D serializable ; C SHOW ; T default_transaction_read_only:0:25:-1:-1:0 ; D on ; C SHOW ; Z I',
      'C BEGIN ; T transaction_isolation:0:25:-1:-1:0 ; D serializable ; C SHOW ; C COMMIT ; Z I',
      'T transaction_read_only:0:25:-1:-1:0 ; D on ; C SHOW ; Z I',
    ],
  ),
  scenario(
    'session information',
    [
      query(
        "select current_user = session_user, current_database() is not null, current_schema(), pg_backend_pid() > 0, version() like 'PostgreSQL %', pg_is_in_recovery()",
      ),
    ],
    [
      'T ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 current_schema:0:19:64:-1:0 ?column?:0:16:1:-1:0 ?column?:0:16:1:-1:0 pg_is_in_recovery:0:16:1:-1:0 ; D t|t|main|t|t|f ; C SELECT 1 ; Z I',
    ],
  ),
]
