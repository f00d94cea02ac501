import { expect, test } from 'vitest'
import { oids } from '../oids.ts'
import type { PgType } from '../pg-type.ts'
import { createTypeSystem } from '../system/type-system.ts'

const own = {
  category: 'U',
  isPreferred: false,
  isCollatable: false,
  isNameable: true,
  schema: 'public',
} as const
const mood: PgType = {
  ...own,
  oid: 20_001,
  name: 'mood',
  kind: 'enum',
  category: 'E',
  enumLabels: ['sad', 'happy'],
}
const shortText: PgType = {
  ...own,
  oid: 20_002,
  name: 'short_text',
  kind: 'domain',
  baseOid: oids.varchar,
  baseTypmod: 9,
  isNotNull: true,
}
const geometry: PgType = { ...own, oid: 20_003, name: 'geometry', kind: 'opaque' }
const types = createTypeSystem({ types: [mood, shortText, geometry] })

/** The text of the value, or the SQLSTATE of the refusal. */
function read(
  oid: number,
  value: unknown,
  typmod = -1,
  mode: 'explicit' | 'assignment' = 'explicit',
) {
  const result = types.parseInput(oid, typmod, value, mode)
  if (!result.ok) return result.sqlState
  return result.value === null ? null : types.inputText(oid, result.value)
}

test('numbers of JSON are read by their spelling', () => {
  expect(read(oids.int4, 5)).toBe('5')
  expect(read(oids.int4, 5.5)).toBe('22P02')
  expect(read(oids.int8, 9_007_199_254_740_993n)).toBe('9007199254740993')
  expect(read(oids.numeric, 0.1)).toBe('0.1')
  expect(read(oids.numeric, 1e-7)).toBe('0.0000001')
  expect(read(oids.text, 5)).toBe('5')
  expect(read(oids.float8, 1e21)).toBe('1e+21')
  expect(read(oids.bool, 1)).toBe('true')
  expect(read(oids.int4, Number.NaN)).toBe('22P02')
})

test('integers are bigints, floats are numbers, booleans are booleans', () => {
  expect(types.parseInput(oids.int2, -1, '7', 'explicit')).toMatchObject({ value: 7n })
  expect(types.parseInput(oids.float4, -1, '0.1', 'explicit')).toMatchObject({
    value: Math.fround(0.1),
  })
  expect(types.parseInput(oids.bool, -1, true, 'explicit')).toMatchObject({ value: true })
})

test('booleans of JSON', () => {
  expect(read(oids.bool, false)).toBe('false')
  expect(read(oids.text, true)).toBe('true')
  expect(read(oids.int4, true)).toBe('22P02')
})

test('NULL is NULL for every type but a domain that forbids it', () => {
  expect(read(oids.int4, null)).toBeNull()
  expect(read(oids.jsonb, null)).toBeNull()
  expect(read(20_002, null)).toBe('23502')
})

test('ISO timestamps as clients send them', () => {
  const iso = '2024-01-15T10:30:00.120Z'
  expect(read(oids.timestamp, iso)).toBe('2024-01-15 10:30:00.12')
  expect(read(oids.timestamptz, iso)).toBe('2024-01-15 10:30:00.12+00')
  expect(read(oids.date, '2024-01-15T00:00:00.000Z')).toBe('2024-01-15')
  expect(read(oids.timestamptz, '2024-01-15T10:30:00+05:30')).toBe('2024-01-15 05:00:00+00')
  expect(read(oids.timestamptz, new Date(0))).toBe('1970-01-01 00:00:00+00')
  expect(read(oids.timestamptz, new Date(Number.NaN))).toBe('22P02')
})

test('text without NUL and lone surrogates', () => {
  expect(read(oids.text, 'a\0b')).toBe('22021')
  expect(read(oids.text, 'a\ud800')).toBe('22021')
  expect(read(oids.varchar, '\udc00')).toBe('22021')
  expect(read(oids.text, '😀')).toBe('😀')
  expect(read(oids.textArray, ['a\0'])).toBe('22021')
  expect(read(20_003, 'a\0')).toBe('22021')
})

test('a length cuts in a cast and refuses in an assignment', () => {
  const varchar5 = 9
  expect(read(oids.varchar, 'abcdefgh', varchar5)).toBe('abcde')
  expect(read(oids.varchar, 'abcdefgh', varchar5, 'assignment')).toBe('22001')
  expect(read(oids.varchar, 'abcde   ', varchar5, 'assignment')).toBe('abcde')
  expect(read(oids.bpchar, 'ab', varchar5)).toBe('ab   ')
  expect(read(20_002, 'abcdefgh', -1, 'assignment')).toBe('22001')
  expect(read(20_002, 'abc', -1, 'assignment')).toBe('abc')
})

test('bytes as hexadecimal text, as a Buffer in JSON and as bytes', () => {
  expect(read(oids.bytea, '\\xDEAD')).toBe('\\xdead')
  expect(read(oids.bytea, '\\x de\n ad ')).toBe('\\xdead')
  expect(read(oids.bytea, '\\xd e')).toBe('22023')
  expect(read(oids.bytea, '\\xabc d')).toBe('22023')
  expect(read(oids.bytea, { type: 'Buffer', data: [222, 173] })).toBe('\\xdead')
  expect(read(oids.bytea, Uint8Array.of(0, 255))).toBe('\\x00ff')
  expect(read(oids.bytea, { type: 'Buffer', data: [256] })).toBe('22P02')
  expect(read(oids.bytea, { type: 'Buffer', data: 'xx' })).toBe('22P02')
  expect(read(oids.bytea, ['a'])).toBe('22P02')
})

test('json: a string is JSON text, everything else the value itself', () => {
  expect(read(oids.jsonb, '{"b": 1.50, "a": [1,2]}')).toBe('{"a": [1, 2], "b": 1.50}')
  expect(read(oids.jsonb, { b: 1, a: [true, null] })).toBe('{"a": [true, null], "b": 1}')
  expect(read(oids.json, '{"b":1,  "a":2}')).toBe('{"b":1,  "a":2}')
  expect(read(oids.json, [1, 'x'])).toBe('[1,"x"]')
  expect(read(oids.jsonb, 5)).toBe('5')
  expect(read(oids.jsonb, 'not json')).toBe('22P02')
  expect(read(oids.jsonb, 12_345_678_901_234_567_890n)).toBe('12345678901234567890')
  expect(read(oids.jsonb, { id: 12_345_678_901_234_567_890n })).toBe('{"id": 12345678901234567890}')
})

test('json keeps keys that are special elsewhere', () => {
  const parsed: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}')
  expect(read(oids.jsonb, parsed)).toBe('{"__proto__": 1, "constructor": 2}')
})

test('numbers of JSON whose source was kept', () => {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }
  const big = rawJSON('12345678901234567890.10')
  expect(read(oids.numeric, big)).toBe('12345678901234567890.10')
  expect(read(oids.jsonb, { n: big })).toBe('{"n": 12345678901234567890.10}')
  expect(read(oids.numeric, { rawJSON: '5' })).toBe('22P02')
})

test('arrays from JSON and from text', () => {
  expect(read(oids.int4Array, [1, '2', null])).toBe('{1,2,NULL}')
  expect(read(oids.int4Array, '{1, 2 ,NULL}')).toBe('{1,2,NULL}')
  expect(read(oids.textArray, ['a,b', '', 'NULL', 'c"d\\'])).toBe('{"a,b","","NULL","c\\"d\\\\"}')
  expect(
    read(oids.int4Array, [
      [1, 2],
      [3, 4],
    ]),
  ).toBe('{{1,2},{3,4}}')
  expect(read(oids.int4Array, [])).toBe('{}')
  expect(read(oids.int4Array, [[1], [2, 3]])).toBe('22P02')
  expect(read(oids.int4Array, [[]])).toBe('22P02')
  expect(read(oids.int4Array, [1, [2]])).toBe('22P02')
  expect(read(oids.int4Array, ['x'])).toBe('22P02')
  expect(read(oids.int4Array, 5)).toBe('22P02')
  expect(read(oids.boolArray, [true, false])).toBe('{t,f}')
  expect(read(oids.int4Array, '{{{{{{1}}}}}}')).toBe('{{{{{{1}}}}}}')
  expect(read(oids.int4Array, '{{{{ {{{1}}}}}}}')).toBe('54000')
})

test('the bounds of an array where the database keeps them', () => {
  const bounded = createTypeSystem({ arrayBounds: true })
  const readBounded = (value: unknown) => {
    const result = bounded.parseInput(oids.int4Array, -1, value, 'explicit')
    if (!result.ok) return result.sqlState
    return result.value === null ? null : bounded.inputText(oids.int4Array, result.value)
  }
  expect(readBounded('[0:1]={1,2}')).toBe('[0:1]={1,2}')
  expect(readBounded(' [-1:+0] [2]\t= {{1,2},{3,4}} ')).toBe('[-1:0][1:2]={{1,2},{3,4}}')
  expect(readBounded('[1:2]={1,2}')).toBe('{1,2}')
  expect(readBounded('[2]={1,2}')).toBe('{1,2}')
  expect(readBounded('{1,2}')).toBe('{1,2}')
  for (const text of [
    '[0:1]={1}',
    '[0:1][1:1]={1,2}',
    '[0:1]{1,2}',
    '[]={1}',
    '[a:b]={1}',
    '[0:1]',
  ]) {
    expect(readBounded(text), text).toBe('22P02')
  }
  expect(readBounded('[1:0]={}')).toBe('2202E')
  expect(readBounded('[0:9999999999]={1}')).toBe('22003')
  expect(read(oids.int4Array, '[0:1]={1,2}')).toBe('22P02')
})

test('an array of json has one dimension', () => {
  expect(read(oids.jsonbArray, [[1, 2], { a: 1 }])).toBe('{"[1, 2]","{\\"a\\": 1}"}')
})

test('enums by their labels', () => {
  expect(read(20_001, 'sad')).toBe('sad')
  expect(types.parseInput(20_001, -1, 'angry', 'explicit')).toEqual({
    ok: false,
    sqlState: '22P02',
    message: 'invalid input value for enum mood: "angry"',
  })
})

test('what only the database can read is passed on', () => {
  expect(types.parseInput(20_003, -1, 'POINT(1 2)', 'explicit')).toEqual({
    ok: true,
    value: 'POINT(1 2)',
    isCanonical: false,
  })
  expect(types.parseInput(oids.inet, -1, '10.0.0.1', 'explicit')).toMatchObject({
    isCanonical: false,
  })
})

test('objects, functions and undefined are no scalars', () => {
  expect(types.parseInput(oids.text, -1, { a: 1 }, 'explicit')).toEqual({
    ok: false,
    sqlState: '22P02',
    message: 'expected text, got a value of type object',
  })
  expect(read(oids.int4, [1])).toBe('22P02')
  expect(read(oids.text, undefined)).toBe('22P02')
  expect(read(oids.text, () => 1)).toBe('22P02')
  expect(read(oids.jsonb, undefined)).toBe('22P02')
})

test('messages show the start of a long value only', () => {
  const result = types.parseInput(oids.int4, -1, 'x'.repeat(1000), 'explicit')
  expect(result.ok ? '' : result.message.length).toBeLessThan(150)
})

test('small inputs do not become huge values', () => {
  const char10000 = 10_004
  expect(read(oids.bpchar, 'a', char10000)).toBe('54000')
  expect(read(oids.bit, '1', 100_000)).toBe('54000')
  expect(read(oids.numeric, '1e100000')).toBe('22003')
  expect(read(oids.jsonb, '[1e100000]')).toBe('22003')
  expect(read(oids.bpcharArray, Array(5000).fill('a'), 8000)).toBe('54000')
})

test('deep nesting ends in a refusal', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(read(oids.jsonb, deep)).toBe('54001')
  const nested: unknown = JSON.parse(deep)
  expect(read(oids.jsonb, nested)).toBe('54001')
  expect(read(oids.int4Array, nested)).toBe('22P02')
  expect(read(oids.int4Array, '{'.repeat(100_000))).toBe('54000')
})

test('a megabyte that is nearly right is refused without much ado', () => {
  const million = 1_000_000
  const nearly = (start: string, repeated: string, end: string) =>
    `${start}${repeated.repeat(million / repeated.length)}${end}`
  expect(read(oids.int4, nearly('', '0', 'x'))).toBe('22P02')
  expect(read(oids.int8, nearly('', '9', ''))).toBe('22003')
  expect(read(oids.numeric, nearly('', '1', 'x'))).toBe('22P02')
  expect(read(oids.numeric, nearly('', '9', ''))).toBe('22003')
  expect(read(oids.float8, nearly('', '1', 'x'))).toBe('22P02')
  expect(read(oids.timestamp, nearly('2024-01-01', ' ', 'x'))).toBe('22007')
  expect(read(oids.interval, nearly('1', ' ', 'x'))).toBe('22007')
  expect(read(oids.interval, nearly('P', '1', 'x'))).toBe('22007')
  expect(read(oids.bytea, nearly('\\x', 'ab ', 'x'))).toBe('22023')
  expect(read(oids.uuid, nearly('', 'a-', ''))).toBe('22P02')
  expect(read(oids.jsonb, nearly('"', 'ab', ''))).toBe('22P02')
  expect(read(oids.jsonb, nearly('"', '\\n', '"'))).not.toBe('22P02')
  expect(read(oids.textArray, nearly('{', 'a ', ''))).toBe('22P02')
  expect(read(oids.bool, nearly('', 't', ''))).toBe('22P02')
})

test('a carry runs through all digits', () => {
  const numeric10 = 655_364
  expect(read(oids.numeric, '999999999.5', numeric10)).toBe('1000000000')
  expect(read(oids.numeric, `${'9'.repeat(9)}9.5`, numeric10)).toBe('22003')
})

test('a numeric with many zeros keeps an exponent where the database reads one', () => {
  const long = createTypeSystem({ numericExponents: true })
  const readLong = (value: string, typmod = -1) => {
    const result = long.parseInput(oids.numeric, typmod, value, 'explicit')
    return result.ok ? result.value : result.sqlState
  }
  expect(readLong('1e400')).toBe(`1${'0'.repeat(400)}`)
  for (const spelled of ['9e131071', '9.00e131071', `9${'0'.repeat(131_071)}`, '0.09e131073']) {
    expect(readLong(spelled)).toBe('9e131071')
  }
  expect(readLong('-4.40e131071')).toBe('-44e131070')
  // Zeros between other digits are read once: an array of such numbers takes no longer than its text.
  for (let last = 1; last < 10; last += 1) {
    const spelled = `1${'0'.repeat(131_000)}${last}`
    expect(readLong(spelled)).toBe(spelled)
  }
  // The scale is kept: 16383 digits after the point.
  expect(readLong('5e-16383')).toBe('5e-16383')
  expect(readLong('-50e-16383')).toBe('-50e-16383')
  expect(readLong('0e-1000')).toBe('0e-1000')
  expect(readLong('0e1000')).toBe('0')
  expect(readLong(`0.${'0'.repeat(399)}1`)).toBe(`0.${'0'.repeat(399)}1`)
  for (const spelled of ['1e131072', '1e-16384', '1e99999999999', '-1e-99999999999']) {
    expect(readLong(spelled)).toBe('22003')
  }
  const inJson = long.parseInput(oids.jsonb, -1, '{"a":[9e131071,1e3]}', 'explicit')
  expect(inJson).toMatchObject({ ok: true, value: '{"a": [9e131071, 1000]}' })
  expect(readLong('1e-500', 655_366)).toBe('0.00')
  expect(readLong('1e500', 655_366)).toBe('22003')
  expect(read(oids.numeric, '1e401')).toBe('22003')
})

test('a negative oid counts from the end', () => {
  expect(read(oids.oid, '-1')).toBe('4294967295')
  expect(read(oids.oid, '-2147483648')).toBe('2147483648')
  expect(read(oids.oid, '-2147483649')).toBe('22003')
  expect(read(oids.oid, '4294967296')).toBe('22003')
})
