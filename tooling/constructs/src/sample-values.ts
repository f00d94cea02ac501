/** @module Sample values by type, and the expression that stands for an argument of a type. */

/** Values of one type, in PostgreSQL's text form: row 1 to 6 of the table `samples`. */
export interface SampleType {
  /** Name in pg_type. */
  readonly name: string
  /** Declaration of the column; by default the name. */
  readonly declared?: string
  /** Row 3 is NULL, row 4 empty or zero; rows 5 and 6 are extremes. */
  readonly values: readonly (string | null)[]
  /** The argument where a database has no column of the type; undefined: every database has one. */
  readonly portable?: string
}

/** Ids of the rows that a statement reads: the first set that no value of which makes PostgreSQL raise an error. */
export const rowSets = ['1, 2, 3, 4, 5, 6', '1, 2, 3', '1', '2', '4', '5', '6'] as const
export type RowSet = (typeof rowSets)[number]

function type(
  name: string,
  values: readonly (string | null)[],
  options: { readonly declared?: string; readonly portable?: string } = {},
): SampleType {
  return { name, values, ...options }
}

function literal(name: string, values: readonly (string | null)[], declared = name): SampleType {
  const portable = `cast('${values[0]?.replaceAll("'", "''")}' as ${declared})`
  return { name, values, portable, declared }
}

const numbers: readonly SampleType[] = [
  type('int2', ['3', '7', null, '0', '-5', '32767']),
  type('int4', ['3', '7', null, '0', '-5', '2147483647']),
  type('int8', ['3', '7', null, '0', '-5', '9223372036854775807']),
  type('numeric', ['2.5', '1.25', null, '0', '-7.5', '99999999.9999'], {
    declared: 'numeric(12,4)',
  }),
  type('float4', ['2.5', '0.5', null, '0', '-1.5', '3e+38'], {
    declared: 'real',
    portable: 'cast(a.c_float8 as real)',
  }),
  type('float8', ['2.5', '0.5', null, '0', '-1.5', '1e+300'], { declared: 'float8' }),
  literal('money', ['$2.50', '$1.25', null, '$0.00', '-$7.50', '$92233720368547758.07']),
]

const texts: readonly SampleType[] = [
  type('bool', ['true', 'false', null, 'false', 'true', 'true']),
  type('text', ['Hello, World', 'abc', null, '', ' Äß%_\\ x', '12 3.5']),
  type('varchar', ['Hello, World', 'abc', null, '', ' Äß%_\\ x', '12 3.5'], {
    declared: 'varchar(20)',
  }),
  type('bpchar', ['abc', 'Hello', null, '', 'x', 'zzzzz'], { declared: 'char(5)' }),
  literal('name', ['abc', 'Hello', null, '', 'x', 'zz']),
  type('bytea', ['\\x010203', '\\x68656c6c6f', null, '\\x', '\\xff00', '\\x00']),
  type('uuid', [
    '11111111-2222-3333-4444-555555555555',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    null,
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '00000000-0000-0000-0000-000000000001',
  ]),
  literal('bit', ['1010', '0110', null, '0000', '1111', '0001'], 'bit(4)'),
  literal('varbit', ['10101', '01', null, '', '1111', '0001']),
]

const times: readonly SampleType[] = [
  type('date', ['2024-02-29', '2023-12-31', null, '2000-01-01', '1970-01-01', '9999-12-31']),
  type('time', ['10:30:15.5', '23:59:59.999999', null, '00:00:00', '12:00:00', '01:02:03']),
  literal('timetz', [
    '10:30:15.5+02',
    '23:59:59+00',
    null,
    '00:00:00+00',
    '12:00:00-08',
    '01:02+00',
  ]),
  type('timestamp', [
    '2024-02-29 10:30:15.5',
    '2023-12-31 23:59:59.999999',
    null,
    '2000-01-01 00:00:00',
    '1970-01-02 00:00:01',
    '9999-12-31 23:59:59',
  ]),
  type('timestamptz', [
    '2024-02-29 10:30:15.5+00',
    '2023-12-31 23:59:59.999999+00',
    null,
    '2000-01-01 00:00:00+00',
    '1970-01-02 00:00:01+00',
    '2037-12-31 23:59:59+00',
  ]),
  literal('interval', [
    '1 day 02:03:04',
    '1 mon',
    null,
    '00:00:00',
    '-1 days -00:00:01.5',
    '10 years 3 days',
  ]),
]

const documents: readonly SampleType[] = [
  // Columns of JSON of other databases are jsonb.
  type('json', ['{"a": [1, 2], "b": "x"}', '[1, "two", null]', null, 'true', '12', '"text"'], {
    portable: 'cast(a.c_jsonb as json)',
  }),
  type('jsonb', ['{"a": [1, 2], "b": "x"}', '[1, "two", null]', null, 'true', '12', '"text"']),
  literal('jsonpath', ['$.a', '$[*]', null, '$', '$.b ? (@ == "x")', 'strict $.a[0]']),
  literal('xml', ['<a>1</a>', '<b/>', null, '', 'text', '<c d="1"/>']),
  literal('tsvector', [`'cat':3 'fat':2`, `'a':1`, null, '', `'x'`, `'b':1,5 'c':2`]),
  literal('tsquery', [`'fat' & 'cat'`, `'a'`, null, '', `!'x'`, `'b' | 'c'`]),
]

const networks: readonly SampleType[] = [
  literal('inet', ['192.168.1.5/24', '10.0.0.1', null, '0.0.0.0', '::1', 'fe80::1/64']),
  literal('cidr', ['192.168.1.0/24', '10.0.0.0/8', null, '0.0.0.0/0', '::1/128', 'fe80::/64']),
  literal('macaddr', [
    '08:00:2b:01:02:03',
    '00:00:00:00:00:01',
    null,
    '00:00:00:00:00:00',
    'ff:ff:ff:ff:ff:ff',
    'aa:bb:cc:dd:ee:ff',
  ]),
  literal('macaddr8', [
    '08:00:2b:01:02:03:04:05',
    '00:00:00:00:00:00:00:01',
    null,
    '00:00:00:00:00:00:00:00',
    'ff:ff:ff:ff:ff:ff:ff:ff',
    'aa:bb:cc:dd:ee:ff:00:11',
  ]),
]

const shapes: readonly SampleType[] = [
  literal('point', ['(1,2)', '(3,4)', null, '(0,0)', '(-1,-1)', '(1e10,1)']),
  literal('line', ['{1,-1,0}', '{0,1,2}', null, '{1,0,0}', '{2,3,4}', '{1,1,1}']),
  literal('lseg', [
    '[(0,0),(2,2)]',
    '[(0,2),(2,0)]',
    null,
    '[(0,0),(0,0)]',
    '[(1,1),(1,5)]',
    '[(-1,0),(9,0)]',
  ]),
  literal('box', ['(2,2),(0,0)', '(3,3),(1,1)', null, '(0,0),(0,0)', '(9,9),(8,8)', '(1,5),(0,4)']),
  literal('path', [
    '[(0,0),(2,2)]',
    '((0,0),(2,2),(3,0))',
    null,
    '[(0,0)]',
    '((1,1),(2,2))',
    '[(0,0),(1,0),(1,1)]',
  ]),
  literal('polygon', [
    '((0,0),(2,0),(1,2))',
    '((1,1),(3,1),(2,3))',
    null,
    '((0,0))',
    '((0,0),(4,0),(4,4),(0,4))',
    '((9,9),(8,8),(9,8))',
  ]),
  literal('circle', ['<(0,0),2>', '<(1,1),1>', null, '<(0,0),0>', '<(9,9),3>', '<(-1,0),0.5>']),
]

function range(name: string, from: readonly [string, string, string]): readonly SampleType[] {
  const [low, high, higher] = from.map((value) => `"${value}"`)
  const values = [
    `[${low},${high})`,
    `[${high},${higher}]`,
    null,
    'empty',
    `(,${high})`,
    `[${low},)`,
  ]
  const multi = values.map((value) =>
    value === null ? null : value === 'empty' ? '{}' : `{${value}}`,
  )
  return [literal(name, values), literal(name.replace('range', 'multirange'), multi)]
}

const ranges: readonly SampleType[] = [
  ...range('int4range', ['1', '5', '9']),
  ...range('int8range', ['1', '5', '9']),
  ...range('numrange', ['1.5', '5.5', '9']),
  ...range('daterange', ['2024-01-01', '2024-02-01', '2024-03-01']),
  ...range('tsrange', ['2024-01-01 00:00:00', '2024-02-01 00:00:00', '2024-03-01 00:00:00']),
  ...range('tstzrange', [
    '2024-01-01 00:00:00+00',
    '2024-02-01 00:00:00+00',
    '2024-03-01 00:00:00+00',
  ]),
]

function array(element: string, values: readonly (string | null)[], portable: string): SampleType {
  return { name: `_${element}`, declared: `${element}[]`, values, portable }
}

const arrays: readonly SampleType[] = [
  array(
    'int4',
    ['{1,2,3}', '{3,7}', null, '{}', '{NULL,-5}', '{{1,2},{3,4}}'],
    'array[a.c_int4, 2]',
  ),
  array('int8', ['{1,2,3}', '{3,7}', null, '{}', '{NULL,-5}', '{9}'], 'array[a.c_int8, 2]'),
  array('int2', ['{1,2,3}', '{3,7}', null, '{}', '{NULL,-5}', '{9}'], 'array[a.c_int2, a.c_int2]'),
  array('text', ['{a,b}', '{abc}', null, '{}', '{NULL,""}', '{"x y"}'], `array[a.c_text, 'b']`),
  array('numeric', ['{1.5,2}', '{3}', null, '{}', '{NULL}', '{9.99}'], 'array[a.c_numeric, 2.5]'),
  array('float8', ['{0.5,0.25}', '{1}', null, '{}', '{NULL}', '{0.9}'], 'array[a.c_float8, 0.5]'),
]

/** Types of the columns of `samples`. */
export const sampleTypes: readonly SampleType[] = [
  ...numbers,
  ...texts,
  ...times,
  ...documents,
  ...networks,
  ...shapes,
  ...ranges,
  ...arrays,
  {
    name: 'mood',
    values: ['sad', 'ok', null, 'happy', 'sad', 'happy'],
    declared: 'mood',
    portable: '',
  },
]

/** Types that stand for the pseudo-types of functions that take several. */
export const pseudoTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['any', ['int4', 'text']],
  ['anyelement', ['int4', 'text']],
  ['anynonarray', ['int4', 'text']],
  ['anycompatible', ['int4', 'text']],
  ['anycompatiblenonarray', ['int4', 'text']],
  ['anyarray', ['_int4', '_text']],
  ['anycompatiblearray', ['_int4', '_text']],
  ['anyrange', ['int4range', 'numrange']],
  ['anycompatiblerange', ['int4range', 'numrange']],
  ['anymultirange', ['int4multirange', 'nummultirange']],
  ['anycompatiblemultirange', ['int4multirange', 'nummultirange']],
  ['anyenum', ['mood', 'mood']],
])
