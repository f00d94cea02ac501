/** @module Values of every type, as SQL expressions that PostgreSQL evaluates. */

export interface Sample {
  /** The type in SQL. */
  readonly type: string
  /** A query with one column of that type. */
  readonly sql: string
}

/** For each type its edge values, written out, and many random values. */
export const samples: readonly Sample[] = [
  listed('bool', ['t', 'f']),
  listed('bytea', ['\\x', '\\x00', '\\xdeadbeef', '\\x5c', '\\x27', '\\x1f207e7f80ff', 'abc']),
  random('bytea', "decode(md5(n::text), 'hex')"),
  listed('name', ['', 'a', 'ä€', 'x'.repeat(63)]),
  listed('int2', ['0', '1', '-1', '32767', '-32768']),
  random('int2', '(random() * 65535 - 32768)::int2'),
  listed('int4', ['0', '1', '-1', '2147483647', '-2147483648', '65536']),
  random('int4', '(random() * 4294967295 - 2147483648)::int4'),
  listed('int8', ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993']),
  random('int8', '(random() * 1e18)::int8 * (case when n % 2 = 0 then 1 else -9 end)'),
  listed('oid', ['0', '1', '2147483648', '4294967295']),
  listed('xid', ['0', '4294967295']),
  listed('xid8', ['0', '18446744073709551615']),
  listed('text', ['', ' ', 'a"b', "it's", '\\', 'ä€😀', '\uFEFFbom', 'NULL', 'null', '{}', '\t\n']),
  listed('varchar', ['', 'abc ']),
  listed('char(5)', ['', 'ab', 'abcde', 'ä€']),
  listed('"char"', ['', 'a', '~']),
  listed('json', ['{}', '{"a" : [1, 2,  null]}', '"ä"', '1e3']),
  listed('jsonb', ['{}', '{"bb" : [1, 2,  null], "a": 1.50}', '"ä"', 'null']),
  listed('jsonpath', ['$.a[*] ? (@ > 1)']),
  listed('xml', ['<a/>', 'text']),
  listed('float4', floats('3.4028235e38', '1e-45', '1.17549435e-38')),
  random('float4', '(random() * power(10, n % 70 - 38))::float4'),
  random('float4', '(random() * 1000 - 500)::float4'),
  listed('float8', floats('1.7976931348623157e308', '5e-324', '2.2250738585072014e-308')),
  random('float8', '(random() - 0.5) * power(10::float8, n % 600 - 300)'),
  random('float8', 'random() * 1e6 - 5e5'),
  random('float8', 'round(random() * 1e17)'),
  listed('numeric', numerics()),
  random('numeric', '(random() * power(10::numeric, n % 40 - 20))::numeric'),
  random('numeric', 'round((random() * 1e12)::numeric, n % 12) * (1 - 2 * (n % 2))'),
  listed('numeric(10,2)', ['0', '1.5', '-12345678.99']),
  listed('date', dates()),
  random('date', "'4713-01-01 BC'::date + (random() * 3e6)::int * (1 + n % 500)"),
  listed('time', ['00:00', '24:00:00', '23:59:59.999999', '10:30:00.5', '00:00:00.000001']),
  listed('timetz', [
    '00:00+00',
    '24:00:00-08',
    '10:30:00.25+05:30',
    '01:02:03+15:59:59',
    '1:00-0:30',
  ]),
  listed(
    'timestamp',
    dates().flatMap((date) => [date, withTime(date)]),
  ),
  random('timestamp', "'4713-01-01 BC'::timestamp + random() * interval '290000 years'"),
  random('timestamp', "'1900-01-01'::timestamp + random() * interval '200 years'"),
  listed(
    'timestamptz',
    dates()
      .slice(0, -2)
      .flatMap((date) => [date, withTime(date)]),
  ),
  random('timestamptz', "'4713-01-01 BC'::timestamptz + random() * interval '290000 years'"),
  random('timestamptz', "'1972-01-01'::timestamptz + random() * interval '66 years'", 600),
  random('timestamptz', "'2024-03-31 00:00+00'::timestamptz + n * interval '10 minutes'"),
  random('timestamptz', "'2024-10-27 00:00+00'::timestamptz + n * interval '10 minutes'"),
  listed('interval', intervals()),
  random('interval', 'make_interval(n - 100, n % 13, 0, n % 7 - 3, n % 24, n % 60, random() * 60)'),
  listed('uuid', ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-1234-4bcd-8abc-0123456789AB']),
  random('uuid', 'gen_random_uuid()'),
  listed('bit(3)', ['101', '000']),
  listed('varbit', ['', '1', '10110111', '101101110']),
  listed('inet', [...addresses(), '10.1.2.3/8', '::1/64']),
  listed('cidr', [...addresses(), '10.0.0.0/8', '2001:db8::/32', '0.0.0.0/0']),
  listed('macaddr', ['08:00:2b:01:02:03', 'FF-FF-FF-00-00-00']),
  listed('macaddr8', ['08:00:2b:01:02:03:04:05']),
  listed('pg_lsn', ['0/0', '16/B374D848', 'FFFFFFFF/FFFFFFFF']),
  listed('point', ['(1,2)', '(-1.5,1e300)', '(NaN,Infinity)', '(0.1,-0)']),
  listed('line', ['{1,-2,3.5}']),
  listed('lseg', ['[(1,2),(3,4.5)]']),
  listed('money', [
    '0',
    '-0.01',
    '1.5',
    '1234.56',
    '-1234567.89',
    '92233720368547758.07',
    '-92233720368547758.08',
  ]),
  listed('money[]', ['{1.50,NULL,-1234.56}']),
  listed('tsvector', [
    '',
    'a fat cat',
    "'quo ted':1A,2B,16383 x",
    "'it''s':3C 'back\\\\\\\\slash' ünï:1",
  ]),
  listed('box', ['(3,4),(1,2)', '(1e-7,1),(0,0)']),
  listed('circle', ['<(1,2),3>']),
  listed('polygon', ['((0,0),(1,1),(1,0))']),
  listed('path', ['((0,0),(1,1))', '[(0,0),(1,1.5)]']),
  listed('int4range', ['[1,5)', 'empty', '(,)', '[3,)', '(,-3)']),
  listed('int8range', ['[1,9007199254740993)']),
  listed('numrange', ['[1.10,2.0]', '(-1,2)', '(,1.5]']),
  listed('daterange', ['[2024-01-31,infinity)', '[0044-03-15 BC,2024-01-01)']),
  listed('tsrange', ['[2024-01-31 10:00,2024-02-01 00:00:00.5]']),
  listed('tstzrange', ['[2024-01-31 10:00+00,2024-07-01 00:00:00.5+00]', '(,2024-01-01 00:00+00)']),
  listed('int4multirange', ['{}', '{[1,3),[5,7)}']),
  listed('int8multirange', ['{[1,9007199254740993),[9007199254740995,)}']),
  listed('nummultirange', ['{(,-1.50],[2,3.0)}', '{(,)}']),
  listed('datemultirange', ['{[2024-01-31,infinity),[2000-01-01,2000-01-01]}']),
  listed('tsmultirange', ['{[2024-01-31 10:00,2024-02-01 00:00:00.5]}']),
  listed('tstzmultirange', ['{[2024-01-31 10:00+00,2024-07-01+00],[2025-01-01+00,)}']),
  listed('bool[]', ['{t,f,NULL}']),
  listed('int4[]', [
    '{}',
    '{1}',
    '{1,NULL,-3}',
    '{{1,2},{3,4}}',
    '[0:1]={7,8}',
    '{{{1}},{{NULL}}}',
  ]),
  listed('int4[]', ['[-1:0][2:3]={{1,2},{3,NULL}}']),
  listed('text[]', ['{a,"b c",NULL,"NULL","",null," x","a\\"b","c\\\\d","{}","ä,€"}']),
  listed('varchar[]', ['{a}']),
  listed('numeric[]', ['{1.50,NaN,-0.001}']),
  listed('float8[]', ['{1.5,NaN,-Infinity,1e300}']),
  listed('date[]', ['{2024-01-31,infinity,"0044-03-15 BC"}']),
  listed('timestamp[]', ['{"2024-01-31 10:00:00.5",infinity}']),
  listed('timestamptz[]', [
    '{"2024-01-31 10:00:00.5+00",infinity,NULL}',
    '[5:5]={2024-07-01 00:00+00}',
  ]),
  listed('interval[]', ['{1 day,"1 mon -2 days"}']),
  listed('bytea[]', ['{"\\\\x00ff","\\\\x"}']),
  listed('uuid[]', ['{00000000-0000-0000-0000-000000000000}']),
  listed('json[]', ['{"[1,2]","{\\"a\\":1}"}']),
  listed('jsonb[]', ['{"[1, 2]"}']),
  listed('box[]', ['{(3,4),(1,2);(1,1),(0,0)}']),
  listed('inet[]', ['{10.0.0.1,::1}']),
  listed('int4range[]', ['{"[1,3)",empty}']),
  listed('int4multirange[]', ['{"{[1,3),[5,7)}","{}",NULL}']),
  listed('tstzrange[]', ['{"[2024-01-31 10:00+00,)"}']),
  listed('point[]', ['{"(1,2)",NULL,"(-0.5,1e300)"}']),
  listed('circle[]', ['{"<(1,2),3>"}']),
  listed('polygon[]', ['{"((0,0),(1,1),(1,0))"}']),
  listed('path[]', ['{"((0,0),(1,1))","[(0,0),(1,1.5)]"}']),
  listed('lseg[]', ['{"[(1,2),(3,4.5)]"}']),
  listed('line[]', ['{"{1,-2,3.5}"}']),
]

function listed(type: string, texts: readonly string[]): Sample {
  const rows = texts.map((text) => `('${text.replaceAll("'", "''")}'::${type})`)
  return { type, sql: `select * from (values ${rows.join(',')}) as samples (value)` }
}

function random(type: string, expression: string, count = 200): Sample {
  return { type, sql: `select (${expression})::${type} from generate_series(1, ${count}) as n` }
}

function floats(...edges: readonly string[]): readonly string[] {
  const usual = ['0', '-0', '1', '-1.5', '0.1', '100000', '1e6', '123456.7', '1234567', '1e15']
  const small = ['0.001', '0.0001', '0.00001', '1e-7', '1.5e-10', '1e14', '1e20', '1e21', '1e22']
  const large = ['9007199254740993', '123456789012345680', '9.5367431640625e-7']
  return [...usual, ...small, ...large, 'NaN', 'Infinity', '-Infinity', ...edges]
}

function numerics(): readonly string[] {
  const usual = ['0', '0.00', '1', '-1', '1.50', '10000', '100000000', '0.0001', '0.00001', '1e20']
  const odd = ['123456789.000100020003', '-0.00000000000000000001', '99999999', '9999.9999']
  const special = [
    'NaN',
    'Infinity',
    '-Infinity',
    '1e-100',
    '1e130',
    `${'9'.repeat(200)}.${'1'.repeat(99)}`,
  ]
  return [...usual, ...odd, ...special]
}

function dates(): readonly string[] {
  const usual = ['2000-01-01', '1970-01-01', '1999-12-31', '2024-02-29', '1900-03-01', '0001-01-01']
  return [
    ...usual,
    '0001-12-31 BC',
    '4713-01-01 BC',
    '9999-12-31',
    '10000-01-01',
    '294276-12-31',
    'infinity',
    '-infinity',
  ]
}

function withTime(date: string): string {
  const [day, era = ''] = date.split(' ')
  return date.includes('infinity') ? date : `${day} 23:59:59.${era === '' ? '999999' : '5'} ${era}`
}

function intervals(): readonly string[] {
  const usual = [
    '0',
    '1 year',
    '-1 year',
    '1 year 2 mons 3 days 04:05:06.7',
    '1 mon',
    '-1 mon +1 day',
  ]
  const odd = ['-1 day +00:00:01', '1 day -00:00:01', '100 hours', '-00:00:00.000001', '-13 mons']
  return [...usual, ...odd, '178000000 years', '-2147483648 days', '2562047788:00:54.775807']
}

function addresses(): readonly string[] {
  const four = ['0.0.0.0', '10.1.2.3', '255.255.255.255']
  const six = [
    '::',
    '::1',
    '::2',
    '2001:db8::1',
    '1:0:0:2:0:0:0:3',
    'fe80::1:0:0:1',
    '1:2:3:4:5:6:7:8',
  ]
  return [...four, ...six, '::ffff:1.2.3.4', '::1.2.3.4', '1::', '0:1::']
}
