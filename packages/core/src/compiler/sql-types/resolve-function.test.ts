import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import { createTypeSystem } from './system/type-system.ts'

const types = createTypeSystem()
const { int4, int8, float8, numeric, text, unknown, timestamp, timestamptz, jsonb } = oids

test('an exact match wins', () => {
  expect(types.resolveFunction('abs', [int4])).toMatchObject({
    kind: 'function',
    function: { signature: 'abs(int4)' },
    argumentOids: [int4],
    resultOid: int4,
  })
})

test('a literal takes the preferred type of the category that the overloads vote for', () => {
  expect(types.resolveFunction('abs', [unknown])).toMatchObject({
    function: { signature: 'abs(float8)' },
    argumentOids: [float8],
  })
  expect(types.resolveFunction('lower', [unknown])).toMatchObject({ argumentOids: [text] })
})

test('arguments are coerced by implicit casts only', () => {
  expect(types.resolveFunction('sqrt', [int4])).toMatchObject({ argumentOids: [float8] })
  expect(types.resolveFunction('lower', [int4])).toEqual({
    ok: false,
    reason: 'noMatch',
    sqlState: '42883',
    message: 'function lower(integer) does not exist',
  })
})

test('an unknown name', () => {
  expect(types.resolveFunction('frobnicate', [int4, unknown])).toEqual({
    ok: false,
    reason: 'unknown',
    sqlState: '42883',
    message: 'function frobnicate(integer, unknown) does not exist',
  })
})

test('functions outside the allow-list do not exist', () => {
  for (const name of ['pg_sleep', 'pg_read_file', 'query_to_xml', 'current_setting', 'nextval']) {
    expect(types.resolveFunction(name, [unknown])).toMatchObject({ ok: false, reason: 'unknown' })
  }
})

test('an overload that is not allowed is refused, not passed over', () => {
  const xid = 28
  expect(types.resolveFunction('age', [xid])).toEqual({
    ok: false,
    reason: 'refused',
    sqlState: '0A000',
    message: 'function age(xid) is not available here',
  })
})

test('more than one best candidate', () => {
  expect(types.resolveFunction('to_char', [unknown, unknown])).toMatchObject({
    ok: false,
    reason: 'ambiguous',
    sqlState: '42725',
    message: 'function to_char(unknown, unknown) is not unique',
  })
})

test('variadic arguments are spread', () => {
  expect(types.resolveFunction('concat', [text, int4, unknown])).toMatchObject({
    argumentOids: [text, int4, unknown],
    variadicFrom: 0,
    resultOid: text,
  })
  const path = types.resolveFunction('jsonb_extract_path', [jsonb, unknown, unknown])
  expect(path).toMatchObject({ argumentOids: [jsonb, text, text], variadicFrom: 1 })
})

test('a variadic argument may be given as an array', () => {
  const options = { isVariadicCall: true }
  const resolved = types.resolveFunction('jsonb_extract_path', [jsonb, unknown], options)
  expect(resolved).toMatchObject({ argumentOids: [jsonb, oids.textArray] })
  expect(resolved).not.toHaveProperty('variadicFrom')
})

test('VARIADIC before the argument of a function that is not variadic', () => {
  expect(types.resolveFunction('lower', [text], { isVariadicCall: true })).toMatchObject({
    ok: false,
  })
})

test('arguments with defaults may be left out, or named', () => {
  expect(types.resolveFunction('jsonb_set', [jsonb, unknown, unknown])).toMatchObject({
    argumentOids: [jsonb, oids.textArray, jsonb],
  })
  expect(
    types.resolveFunction('make_interval', [int4, float8], { argumentNames: ['days', 'secs'] }),
  ).toMatchObject({ argumentOids: [int4, float8], parameterOrder: [3, 6] })
})

test('names that do not fit', () => {
  const named = (argumentNames: readonly string[], count: number) =>
    types.resolveFunction('make_interval', Array(count).fill(int4), { argumentNames })
  expect(named(['eons'], 1)).toMatchObject({ reason: 'noMatch' })
  expect(named(['days', 'days'], 2)).toMatchObject({ reason: 'noMatch' })
  expect(named(['years'], 2)).toMatchObject({
    reason: 'noMatch',
    message: 'function make_interval(integer, years => integer) does not exist',
  })
})

test("a call of a type's name is a cast", () => {
  expect(types.resolveFunction('date', [unknown])).toEqual({
    ok: true,
    kind: 'cast',
    sourceOid: unknown,
    targetOid: oids.date,
  })
  expect(types.resolveFunction('date', [timestamp])).toMatchObject({ kind: 'cast' })
  expect(types.resolveFunction('text', [int4])).toMatchObject({ kind: 'cast', targetOid: text })
  expect(types.resolveFunction('int8', [numeric])).toMatchObject({ kind: 'cast', targetOid: int8 })
  expect(types.resolveFunction('numeric', [int4])).toMatchObject({ targetOid: numeric })
  expect(types.resolveFunction('numeric', [numeric, int4])).toMatchObject({ reason: 'refused' })
  expect(types.resolveFunction('regclass', [unknown])).toMatchObject({ ok: false })
})

test('such a call converts its argument to what the cast takes', () => {
  expect(types.resolveFunction('bool', [oids.int2])).toEqual({
    ok: true,
    kind: 'cast',
    sourceOid: int4,
    targetOid: oids.bool,
  })
  expect(types.resolveFunction('timestamptz', [oids.date])).toMatchObject({
    sourceOid: oids.date,
    targetOid: oids.timestamptz,
  })
})

test('polymorphic functions', () => {
  expect(types.resolveFunction('array_append', [oids.int4Array, numeric])).toMatchObject({
    argumentOids: [oids.numericArray, numeric],
    resultOid: oids.numericArray,
  })
  expect(types.resolveFunction('array_agg', [text])).toMatchObject({ resultOid: oids.textArray })
  expect(types.resolveFunction('unnest', [oids.textArray])).toMatchObject({ resultOid: text })
  expect(types.resolveFunction('array_length', [unknown, int4])).toMatchObject({
    ok: false,
    reason: 'undetermined',
    sqlState: '42804',
  })
  expect(types.resolveFunction('array_remove', [unknown, oids.int4Array])).toMatchObject({
    ok: false,
    sqlState: '42704',
    message: 'could not find array type for data type integer[]',
  })
})

test('a name may belong to a window function and to an aggregate', () => {
  expect(types.resolveFunction('rank', [])).toMatchObject({ function: { kind: 'window' } })
  expect(types.resolveFunction('rank', [int4])).toMatchObject({
    function: { kind: 'aggregate', aggregateKind: 'hypotheticalSet' },
  })
})

test('count without arguments is the one of count(*)', () => {
  expect(types.resolveFunction('count', [])).toMatchObject({
    function: { signature: 'count()' },
    resultOid: int8,
  })
})

test('the preferred type decides between timestamps', () => {
  expect(types.resolveFunction('date_trunc', [unknown, oids.date])).toMatchObject({
    argumentOids: [text, timestamptz],
  })
})
