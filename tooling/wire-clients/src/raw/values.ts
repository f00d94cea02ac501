/** @module Types and values, as text and as binary. Columns are `name:number:type:length:modifier:format`. */
import {
  bind,
  describePortal,
  describeStatement,
  execute,
  int32,
  parse,
  query,
  sync,
} from './frontend.ts'
import { type Scenario, scenario } from './scenario.ts'

/** A length of four bytes, then the bytes. */
function counted(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([int32(bytes.length), bytes])
}

/** Numbers of double precision, one after the other. */
function floats(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8)
  for (const [i, number] of numbers.entries()) bytes.writeDoubleBE(number, i * 8)
  return bytes
}

export const values: readonly Scenario[] = [
  scenario(
    'binary parameters and results',
    [
      parse('select $1::int4 + 1, $2::text, $3::bool', '', [23, 25, 16]),
      bind({
        values: [int32(41), 'é', Buffer.from([1])],
        formats: [1, 0, 1],
        resultFormats: [1, 1, 1],
      }),
      execute(),
      sync,
    ],
    ['1 ; 2 ; D \\x0000002a|é|\\x01 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'one format for all parameters and results',
    [
      parse('select id from main.folders where id = $1 or id = $2 order by id'),
      bind({ values: [int32(1), int32(2)], formats: [1], resultFormats: [1] }),
      execute(),
      sync,
    ],
    ['1 ; 2 ; D \\x00000001 ; D \\x00000002 ; C SELECT 2 ; Z I'],
  ),
  scenario(
    'a format for each result column',
    [
      parse('select id, id, name from main.folders where id = 1'),
      bind({ resultFormats: [1, 0, 1] }),
      describePortal(),
      execute(),
      sync,
    ],
    [
      '1 ; 2 ; T id:1:23:4:-1:1 id:1:23:4:-1:0 name:2:25:-1:-1:1 ; D \\x00000001|1|root ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'a NULL parameter',
    [
      parse('select $1::int4 is null, $1::int4', '', [23]),
      bind({ values: [null] }),
      execute(),
      sync,
    ],
    ['1 ; 2 ; D t|NULL ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'JSON as it was written',
    [
      query(
        "select c_json from main.type_samples where label in ('upper', 'exponents') order by id",
      ),
    ],
    ['T c_json:18:114:-1:-1:0 ; D {"e":1e2} ; D {"z":1,"a":2,"bb":3} ; C SELECT 2 ; Z I'],
    'postgres',
  ),
  scenario(
    'columns of every portable type',
    [
      query(
        'select id, label, c_int2, c_int4, c_int8, c_numeric, c_float8, c_bool, c_text, c_varchar, c_char, c_uuid, c_date, c_time, c_timestamp, c_timestamptz, c_bytea, c_jsonb from main.type_samples limit 0',
      ),
    ],
    [
      'T id:1:23:4:-1:0 label:2:25:-1:-1:0 c_int2:3:21:2:-1:0 c_int4:4:23:4:-1:0 c_int8:5:20:8:-1:0 c_numeric:6:1700:-1:786440:0 c_float8:7:701:8:-1:0 c_bool:8:16:1:-1:0 c_text:9:25:-1:-1:0 c_varchar:10:1043:-1:24:0 c_char:11:1042:-1:9:0 c_uuid:12:2950:16:-1:0 c_date:13:1082:4:-1:0 c_time:14:1083:8:-1:0 c_timestamp:15:1114:8:-1:0 c_timestamptz:16:1184:8:-1:0 c_bytea:17:17:-1:-1:0 c_jsonb:19:3802:-1:-1:0 ; C SELECT 0 ; Z I',
    ],
  ),
  scenario(
    'columns of every type of PostgreSQL',
    [
      query(
        'select id, label, numbers, names, amounts, flags, days, stamps, any_numeric, f4, f8, span, clock, address, network, bits, stamp, document, spot, during, computed from main.pg_only limit 0',
      ),
    ],
    [
      'T id:1:23:4:-1:0 label:2:25:-1:-1:0 numbers:3:1007:-1:-1:0 names:4:1009:-1:-1:0 amounts:5:1231:-1:655366:0 flags:6:1000:-1:-1:0 days:7:1182:-1:-1:0 stamps:8:1115:-1:-1:0 any_numeric:13:1700:-1:-1:0 f4:14:700:4:-1:0 f8:15:701:8:-1:0 span:16:1186:16:-1:0 clock:17:1266:12:-1:0 address:18:869:-1:-1:0 network:19:650:-1:-1:0 bits:20:1560:-1:4:0 stamp:21:1184:8:-1:0 document:22:142:-1:-1:0 spot:24:600:16:-1:0 during:25:3904:-1:-1:0 computed:27:23:4:-1:0 ; C SELECT 0 ; Z I',
    ],
    'postgres',
  ),
  scenario(
    'types of expressions',
    [
      query(
        "select 1, 1.5, 'x', true, null, now(), current_date, 1::int2, array[1], array['a'], interval '1 day', 5000000000, 'a'::\"char\", 'n'::name, 1::oid, row(1), '{}'::json, count(*) from (select 1) t limit 0",
      ),
    ],
    [
      'T ?column?:0:23:4:-1:0 ?column?:0:1700:-1:-1:0 ?column?:0:25:-1:-1:0 ?column?:0:16:1:-1:0 ?column?:0:25:-1:-1:0 now:0:1184:8:-1:0 current_date:0:1082:4:-1:0 int2:0:21:2:-1:0 array:0:1007:-1:-1:0 array:0:1009:-1:-1:0 interval:0:1186:16:-1:0 ?column?:0:20:8:-1:0 char:0:18:1:-1:0 name:0:19:64:-1:0 oid:0:26:4:-1:0 row:0:2249:-1:-1:0 json:0:114:-1:-1:0 count:0:20:8:-1:0 ; C SELECT 0 ; Z I',
    ],
  ),
  scenario(
    'types of aggregates',
    [
      query(
        "select count(*), sum(id), avg(id), max(id), min(status), sum(total_cents), sum(freight), avg(freight), bool_and(id > 0), string_agg(status, ','), array_agg(id), max(order_date), count(distinct status) from main.orders limit 0",
      ),
    ],
    [
      'T count:0:20:8:-1:0 sum:0:20:8:-1:0 avg:0:1700:-1:-1:0 max:0:23:4:-1:0 min:0:25:-1:-1:0 sum:0:1700:-1:-1:0 sum:0:1700:-1:-1:0 avg:0:1700:-1:-1:0 bool_and:0:16:1:-1:0 string_agg:0:25:-1:-1:0 array_agg:0:1007:-1:-1:0 max:0:1114:8:-1:0 count:0:20:8:-1:0 ; C SELECT 0 ; Z I',
    ],
  ),
  scenario(
    'types of operators and functions',
    [
      query(
        "select id + 1, id / 2, freight * 2, status || 'x', lower(status), length(status), id::text, coalesce(notes, ''), order_date + interval '1 day', order_date::date, extract(year from order_date), shipped_on - shipped_on, case when id > 1 then 1.5 else 2 end, substring(status from 1 for 2), now() - order_date, round(freight), abs(id), id > 1, nullif(id, 1), greatest(id, 2), date_trunc('day', order_date) from main.orders limit 0",
      ),
    ],
    [
      'T ?column?:0:23:4:-1:0 ?column?:0:23:4:-1:0 ?column?:0:1700:-1:-1:0 ?column?:0:25:-1:-1:0 lower:0:25:-1:-1:0 length:0:23:4:-1:0 id:0:25:-1:-1:0 coalesce:0:25:-1:-1:0 ?column?:0:1114:8:-1:0 order_date:0:1082:4:-1:0 extract:0:1700:-1:-1:0 ?column?:0:23:4:-1:0 case:0:1700:-1:-1:0 substring:0:25:-1:-1:0 ?column?:0:1186:16:-1:0 round:0:1700:-1:-1:0 abs:0:23:4:-1:0 ?column?:0:16:1:-1:0 nullif:0:23:4:-1:0 greatest:0:23:4:-1:0 date_trunc:0:1114:8:-1:0 ; C SELECT 0 ; Z I',
    ],
  ),
  scenario(
    'inferred types of parameters',
    [
      parse(
        'select id from main.orders where id = $1 and status = $2 and freight > $3 and order_date < $4 and paid_at > $5 and shipped_on = $6 and total_cents in ($7, $8) and ship_city like $9 and id = any($10) limit $11 offset $12',
      ),
      describeStatement(),
      sync,
    ],
    ['1 ; t 23 25 1700 1114 1184 1082 20 20 25 1007 20 20 ; T id:1:23:4:-1:0 ; Z I'],
  ),
  scenario(
    'inferred types of inserted parameters',
    [
      parse(
        'insert into main.scratch (id, name, amount, flag, small, big, ratio, code, day, at, seen_at, data, bytes) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13) returning *',
      ),
      describeStatement(),
      sync,
    ],
    [
      '1 ; t 23 25 1700 16 21 20 701 1043 1082 1114 1184 3802 17 ; T id:1:23:4:-1:0 name:2:25:-1:-1:0 note:3:25:-1:-1:0 amount:4:1700:-1:655366:0 flag:5:16:1:-1:0 n:6:23:4:-1:0 small:7:21:2:-1:0 big:8:20:8:-1:0 ratio:9:701:8:-1:0 code:10:1043:-1:14:0 day:11:1082:4:-1:0 at:12:1114:8:-1:0 seen_at:13:1184:8:-1:0 data:14:3802:-1:-1:0 bytes:15:17:-1:-1:0 ; Z I',
    ],
  ),
  scenario(
    'inferred types of expressions',
    [
      parse(
        "select $1 + 1, $2 || 'x', coalesce($3, 1.5), $4::date, $5 is null, -$6::int8, lower($7), case when $8 then 1 end",
      ),
      describeStatement(),
      sync,
    ],
    ['E 42P18 ; Z I'],
  ),
  scenario(
    'a declared type of another width',
    [
      parse('select id from main.orders where id = $1', '', [20]),
      describeStatement(),
      bind({ values: ['5'] }),
      execute(),
      sync,
    ],
    ['1 ; t 20 ; T id:1:23:4:-1:0 ; 2 ; D 5 ; C SELECT 1 ; Z I'],
  ),
  scenario(
    'a gap in the numbers of parameters',
    [parse('select $2::int4'), describeStatement(), bind({ values: ['1', '2'] }), execute(), sync],
    ['E 42P18 ; Z I'],
  ),
  scenario(
    'floats as text',
    [
      query(
        "select 1e300::float8, 1e-7::float8, 100000::float8, 1e15::float8, 123456789012345678::float8, 0.1::float4, 'NaN'::float8, '-Infinity'::float8, 1e20::float8, -0.0::float8",
      ),
    ],
    [
      'T float8:0:701:8:-1:0 float8:0:701:8:-1:0 float8:0:701:8:-1:0 float8:0:701:8:-1:0 float8:0:701:8:-1:0 float4:0:700:4:-1:0 float8:0:701:8:-1:0 float8:0:701:8:-1:0 float8:0:701:8:-1:0 ?column?:0:701:8:-1:0 ; D 1e+300|1e-07|100000|1e+15|1.2345678901234568e+17|0.1|NaN|-Infinity|1e+20|-0 ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'numerics, intervals and times as text',
    [
      query(
        "select 1.50::numeric, 1e10::numeric, 'NaN'::numeric, '1 year 2 mons -3 days 04:05:06.7'::interval, '24:00:00'::time, '10:00:00.5+05:30'::timetz, 'infinity'::date, '0044-03-15 BC'::date, '\\x00ff'::bytea",
      ),
    ],
    [
      'T numeric:0:1700:-1:-1:0 numeric:0:1700:-1:-1:0 numeric:0:1700:-1:-1:0 interval:0:1186:16:-1:0 time:0:1083:8:-1:0 timetz:0:1266:12:-1:0 date:0:1082:4:-1:0 date:0:1082:4:-1:0 bytea:0:17:-1:-1:0 ; D 1.50|10000000000|NaN|1 year 2 mons -3 days +04:05:06.7|24:00:00|10:00:00.5+05:30|infinity|0044-03-15 BC|\\x00ff ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'arrays as text',
    [
      query(
        "select array[1,null,3], array['a b','c\"d','e,f','NULL','',null], '{{1,2},{3,4}}'::int4[], '{}'::text[], array[true,false], array[1.50]",
      ),
    ],
    [
      'T array:0:1007:-1:-1:0 array:0:1009:-1:-1:0 int4:0:1007:-1:-1:0 text:0:1009:-1:-1:0 array:0:1000:-1:-1:0 array:0:1231:-1:-1:0 ; D {1,NULL,3}|{"a b","c\\"d","e,f","NULL","",NULL}|{{1,2},{3,4}}|{}|{t,f}|{1.50} ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'binary values without a table',
    [
      parse(
        "select 1.5::numeric, -0.001::numeric, 12345678.9::numeric, 'NaN'::numeric, '1 day'::interval, '2024-02-29'::date, '10:00'::time, true, 'x'::bpchar, '00000000-0000-0000-0000-000000000001'::uuid, '{\"a\": 1}'::jsonb, '{\"a\": 1}'::json, array[1,null], 1::int2, 1.5::float4, 1.5::float8, '\\x01'::bytea, timestamp '2000-01-01 00:00:01', timestamptz '2000-01-01 00:00:01+00', 5::oid, 'n'::name",
      ),
      bind({ resultFormats: [1] }),
      execute(),
      sync,
    ],
    [
      '1 ; 2 ; D \\x000200000000000100011388|\\x0001ffff40000003000a|\\x000300010000000104d2162e2328|\\x00000000c0000000|\\x00000000000000000000000100000000|\\x00002279|\\x0000000861c46800|\\x01|x|\\x00000000000000000000000000000001|\\x017b2261223a20317d|{"a": 1}|\\x00000001000000010000001700000002000000010000000400000001ffffffff|\\x0001|\\x3fc00000|\\x3ff8000000000000|\\x01|\\x00000000000f4240|\\x00000000000f4240|\\x00000005|n ; C SELECT 1 ; Z I',
    ],
  ),
  scenario(
    'binary values of a table',
    [
      parse(
        "select c_int2, c_int4, c_int8, c_numeric, c_float8, c_bool, c_text, c_varchar, c_char, c_uuid, c_date, c_time, c_timestamp, c_timestamptz, c_bytea, c_jsonb from main.type_samples where label in ('beyond 2^53', 'largest', 'smallest', 'minus half') order by id",
      ),
      bind({ resultFormats: [1] }),
      execute(),
      sync,
    ],
    [
      '1 ; 2 ; D \\x8000|\\x80000000|\\x8000000000000000|\\x0003000140000004270f270f270f|\\xffefffffffffffff|\\x00|||     |\\x00000000000000000000000000000000|\\xfff4dbf9|\\x0000000000000000|\\xff1fe2ffc59c6000|\\xff1fe2ffc59c6000||\\x017b7d ; D \\x7fff|\\x7fffffff|\\x7fffffffffffffff|\\x0003000100000004270f270f270f|\\x7fefffffffffffff|\\x01|􏿿|zzzzzzzzzzzzzzzzzzzz|zzzzz|\\xffffffffffffffffffffffffffffffff|\\x002c95d3|\\x000000141dd75fff|\\x0380e70b913b7fff|\\x0380e70b913b7fff|\\xffffffff|\\x015b7b2264656570223a205b5b5b315d5d5d7d5d ; D \\x0035|\\x00000035|\\x0020000000000001|\\x0001ffff0000000403e8|\\x3fb999999999999a|\\x01|x|x|x    |DDDDDDDDDDDDDDDD|\\x00002279|\\x00000008cd0e3a00|\\x0002b581829a9a00|\\x0002b581829a9a00|\\xdeadbeef|\\x017b22626967223a20393030373139393235343734303939317d ; D \\xfffc|\\xfffffffc|\\xfffffffffffffffc|\\x000200004000000400021388|\\xc004000000000000|NULL|-2.5|-2.5|-2.5 |\\x99999999999999999999999999999999|\\x000023a9|\\x0000000000000001|\\x0002cd5c254e6001|\\x0002cd5c254e6001|\\x06|\\x0166616c7365 ; C SELECT 4 ; Z I',
    ],
  ),
  scenario(
    'binary values that PostgreSQL alone has',
    [
      parse(
        'select numbers, names, amounts, flags, days, stamps, grid, any_numeric, f4, f8, span, clock, address, network, bits, stamp, spot, stamp_any from main.pg_only order by id',
      ),
      bind({ resultFormats: [1] }),
      execute(),
      sync,
    ],
    [
      '1 ; 2 ; D \\x0000000100000000000000170000000300000001000000040000000100000004000000020000000400000003|\\x000000010000000100000019000000060000000100000001610000000362206300000003642c65ffffffff000000044e554c4c00000000|\\x0000000100000001000006a400000003000000010000000c0002000000000002000113880000000a00010000000000020002ffffffff|\\x000000010000000100000010000000030000000100000001010000000100ffffffff|\\x00000001000000000000043a0000000200000001000000040000225c0000000400002279|\\x00000001000000000000045a0000000200000001000000080002b339b5eae800000000080002b339b5f28920|\\x000000020000000000000017000000020000000100000002000000010000000400000001000000040000000200000004000000030000000400000004|\\x000200000000000200011388|\\x3dcccccd|\\x3fb999999999999a|\\x00000001b81ee6000000000100000000|\\x00000008cd0e3a0000000000|\\x022000040a000001|\\x020801040a000000|\\x00000004a0|\\x0002b339b5eae800|\\x3ff80000000000004000000000000000|\\x7fffffffffffffff ; D \\x000000000000000000000017|\\x000000000000000000000019|\\x0000000000000000000006a4|\\x000000000000000000000010|\\x00000000000000000000043a|\\x00000000000000000000045a|\\x000000000000000000000017|\\x0000000000000000|\\x00000000|\\x0000000000000000|\\x00000000000000000000000000000000|\\x0000000000000000ffffe3e0|\\x0380001000000000000000000000000000000001|\\x0300011000000000000000000000000000000000|\\x0000000400|\\xff1fc63d1bb12000|\\x00000000000000000000000000000000|\\x8000000000000000 ; D NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL ; D \\x0000000100000000000000170000000200000001000000047fffffff0000000480000000|\\x00000001000000000000001900000005000000010000000771756f746520220000000a6261636b5c736c617368000000077b62726163657d00000002c3a900000004f09f9880|\\x0000000100000000000006a400000001000000010000000e0003000100000002270f270f26ac|\\x00000001000000000000001000000001000000010000000100|\\x00000001000000000000043a000000010000000100000004fff4dbf9|\\x00000001000000000000045a0000000100000001000000087fffffffffffffff|\\x00000002000000010000001700000001000000010000000100000001ffffffff|\\x00000000c0000000|\\x7fc00000|\\x7ff0000000000000|\\xffffffffffe91ca000000003fffffff2|\\x000000141dd75fff0000a8c0|\\x02180004c0a80101|\\x02100104c0a80000|\\x00000004f0|\\x7fffffffffffffff|\\xc415af1d78b58c403e7ad7f29abcaf48|\\xfd0f7cc1411fa000 ; D \\x0000000100000000000000170000000300000001000000040000000300000004000000010000000400000002|\\x000000010000000000000019000000040000000100000001620000000161000000014300000002c389|\\x0000000100000000000006a400000002000000010000000a0001ffff0000000203e80000000a0001ffff0000000207d0|\\x00000001000000000000001000000001000000010000000101|\\x00000001000000000000043a000000010000000100000004000023ab|\\x00000001000000000000045a0000000100000001000000080002cd987ed47fff|\\x000000020000000000000017000000010000000100000001000000010000000400000005|\\x0009000700000003000c0d801ed204d2162e23340d801ed204ce|\\x4b800000|\\xfff0000000000000|\\x00000000000000000000000000000001|\\x0000000a0eebb000ffffb2a8|\\x022000040a000002|\\x021001040a010000|\\x0000000450|\\x0002bf26d19fe200|\\x40080000000000004010000000000000|\\x7fffff5bb3a35dc0 ; C SELECT 5 ; Z I',
    ],
    'postgres',
  ),
  scenario(
    'ranges, figures and money in binary, a range of texts that a user made too',
    [
      parse(
        'select words, chapters, open, seats, free, spot, area, edge, course, trail, outline, reach, price, tried, entry from main.spaces where words = $1 and reach = $2 and free @> $3 and price >= $4 and chapters = $5',
      ),
      bind({
        values: [
          Buffer.concat([Buffer.of(2), counted('apple'), counted('melon')]),
          floats(1, 1, 2),
          Buffer.concat([
            int32(1),
            counted(Buffer.concat([Buffer.of(2), counted(int32(1)), counted(int32(2))])),
          ]),
          Buffer.concat([int32(0), int32(100)]),
          '{[a,c),[x,z)}',
        ],
        formats: [1, 1, 1, 1, 0],
        resultFormats: [1],
      }),
      execute(),
      sync,
    ],
    [
      '1 ; 2 ; D \\x02000000056170706c65000000056d656c6f6e|\\x000000020000000b02000000016100000001630000000b020000000178000000017a|\\x02000000040000227a000000040000236f|\\x0200000004000000010000000400000005|\\x00000002000000110200000004000000010000000400000003000000110200000004000000050000000400000007|\\x3ff00000000000004000000000000000|\\x4000000000000000400800000000000000000000000000000000000000000000|\\x0000000000000000000000000000000040080000000000004010000000000000|\\x3ff0000000000000bff00000000000000000000000000000|\\x0000000003000000000000000000000000000000003ff00000000000003ff000000000000040000000000000000000000000000000|\\x0000000400000000000000000000000000000000000000000000000040000000000000004000000000000000400000000000000040000000000000000000000000000000|\\x3ff00000000000003ff00000000000004000000000000000|\\x000000000001e240|\\x000002bc|\\x00000016b374d848 ; C SELECT 1 ; Z I',
    ],
    'postgres',
  ),
  scenario(
    'values that PostgreSQL alone has, as text',
    [
      query(
        'select numbers, names, amounts, flags, days, stamps, grid, positive, any_numeric, f4, f8, span, clock, address, network, bits, stamp, document, spot, during, stamp_any, computed from main.pg_only order by id',
      ),
    ],
    [
      'T numbers:3:1007:-1:-1:0 names:4:1009:-1:-1:0 amounts:5:1231:-1:655366:0 flags:6:1000:-1:-1:0 days:7:1182:-1:-1:0 stamps:8:1115:-1:-1:0 grid:9:1007:-1:-1:0 positive:12:23:4:-1:0 any_numeric:13:1700:-1:-1:0 f4:14:700:4:-1:0 f8:15:701:8:-1:0 span:16:1186:16:-1:0 clock:17:1266:12:-1:0 address:18:869:-1:-1:0 network:19:650:-1:-1:0 bits:20:1560:-1:4:0 stamp:21:1184:8:-1:0 document:22:142:-1:-1:0 spot:24:600:16:-1:0 during:25:3904:-1:-1:0 stamp_any:26:1114:8:-1:0 computed:27:23:4:-1:0 ; D {1,2,3}|{a,"b c","d,e",NULL,"NULL",""}|{1.50,2.00,NULL}|{t,f,NULL}|{2024-01-31,2024-02-29}|{"2024-01-31 10:00:00","2024-01-31 10:00:00.5"}|{{1,2},{3,4}}|1|1.50|0.1|0.1|1 day 02:03:04|10:30:00+00|10.0.0.1|10.0.0.0/8|1010|2024-01-31 10:00:00+00|<a>1</a>|(1.5,2)|[1,5)|infinity|2 ; D {}|{}|{}|{}|{}|{}|{}|7|0|0|0|00:00:00|00:00:00+02|::1|::/0|0000|0001-01-01 00:00:00+00 BC||(0,0)|empty|-infinity|4 ; D NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|6 ; D {2147483647,-2147483648}|{"quote \\"","back\\\\slash","{brace}",é,😀}|{99999999.99}|{f}|{0001-01-01}|{infinity}|{{NULL}}|2147483647|NaN|NaN|Infinity|-1 years -2 mons +3 days -00:00:01.5|23:59:59.999999-12|192.168.1.1/24|192.168.0.0/16|1111|infinity|<b/>|(-1e+20,1e-07)|(,)|4714-11-24 00:00:00 BC|8 ; D {3,1,2}|{b,a,C,É}|{0.10,0.20}|{t}|{2024-12-31}|{"2024-12-31 23:59:59.999999"}|{{5}}|5|123456789012345678901234567890.123|1.6777216e+07|-Infinity|1 mon|12:00:00+05:30|10.0.0.2|10.1.0.0/16|0101|2024-07-01 04:30:00+00|<c>é</c>|(3,4)|[2,3)|294276-12-31 23:59:59|10 ; C SELECT 5 ; Z I',
    ],
    'postgres',
  ),
  scenario(
    'samples as text',
    [
      query(
        "select id, label, c_int2, c_int4, c_int8, c_numeric, c_float8, c_bool, c_text, c_varchar, c_char, c_uuid, c_date, c_time, c_timestamp, c_timestamptz, c_bytea, c_jsonb from main.type_samples where label in ('smallest', 'largest', 'nulls', 'exponents', 'tiny float', 'accents', 'trailing blanks', 'upper') order by id",
      ),
    ],
    [
      'T id:1:23:4:-1:0 label:2:25:-1:-1:0 c_int2:3:21:2:-1:0 c_int4:4:23:4:-1:0 c_int8:5:20:8:-1:0 c_numeric:6:1700:-1:786440:0 c_float8:7:701:8:-1:0 c_bool:8:16:1:-1:0 c_text:9:25:-1:-1:0 c_varchar:10:1043:-1:24:0 c_char:11:1042:-1:9:0 c_uuid:12:2950:16:-1:0 c_date:13:1082:4:-1:0 c_time:14:1083:8:-1:0 c_timestamp:15:1114:8:-1:0 c_timestamptz:16:1184:8:-1:0 c_bytea:17:17:-1:-1:0 c_jsonb:19:3802:-1:-1:0 ; D 1|smallest|-32768|-2147483648|-9223372036854775808|-99999999.9999|-1.7976931348623157e+308|f|||     |00000000-0000-0000-0000-000000000000|0001-01-01|00:00:00|0001-01-01 00:00:00|0001-01-01 00:00:00+00|\\x|{} ; D 2|largest|32767|2147483647|9223372036854775807|99999999.9999|1.7976931348623157e+308|t|􏿿|zzzzzzzzzzzzzzzzzzzz|zzzzz|ffffffff-ffff-ffff-ffff-ffffffffffff|9999-12-31|23:59:59.999999|9999-12-31 23:59:59.999999|9999-12-31 23:59:59.999999+00|\\xffffffff|[{"deep": [[[1]]]}] ; D 3|nulls|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL ; D 14|exponents|6|100000|100000000000000000|0.0001|1e+20|f|1e5|1e5|1e5  |bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb|2020-12-31|02:02:02.2|2020-12-31 02:02:02.2|2020-12-31 02:02:02.2+00|\\x08|{"e": 100} ; D 15|tiny float|7|-100000|-100000000000000000|-0.0001|1e-07|t|007|007|007  |cccccccc-cccc-4ccc-8ccc-cccccccccccc|1970-01-01|03:03:03|1970-01-01 00:00:00|1970-01-01 00:00:00+00|\\x09|{"n": null} ; D 16|accents|8|8|8|8.0800|123456.789|f|éclair|Éclair|é    |dddddddd-dddd-4ddd-8ddd-dddddddddddd|1969-12-31|04:04:04|1969-12-31 23:59:59.5|1969-12-31 23:59:59.5+00|\\xc3a9|{"é": "ü"} ; D 23|trailing blanks|15|15|15|15.1500|1000000|t|blank  |blank |b    |abcdefab-cdef-4abc-8def-abcdefabcdee|2024-08-08|11:11:11|2024-08-08 11:11:11|2024-08-08 11:11:11+00|\\x2020|[] ; D 26|upper|18|18|18|18.1800|1234567.1234567|f|STRASSE|ABC|ABC  |abcdefab-cdef-4abc-8def-abcdefabcdeb|2024-11-11|14:14:14|2024-11-11 14:14:14|2024-11-11 14:14:14+00|\\x414243|{"a": 2, "z": 1, "bb": 3} ; C SELECT 8 ; Z I',
    ],
  ),
]
