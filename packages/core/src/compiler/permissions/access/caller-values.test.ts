import { describe, expect, test } from 'vitest'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { encodeTypmod } from '../../sql-types/typmod.ts'
import { shop } from '../test-support/authorize-for-test.ts'
import { callerValue } from './caller-values.ts'

function read(value: unknown, type: number | SqlType, path = ['x']) {
  const sqlType = typeof type === 'number' ? { oid: type, typmod: -1 } : type
  return callerValue({ x: value }, { path, type: sqlType }, shop.connection.types)
}

describe('scalars are read by the type of the column', () => {
  test.each([
    [7, oids.int4, '7'],
    ['7', oids.int4, '7'],
    ['7', oids.text, '7'],
    [7, oids.text, '7'],
    [true, oids.bool, 'true'],
    ['5.50', oids.numeric, '5.50'],
    ['2024-01-31', oids.date, '2024-01-31'],
    ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', oids.uuid, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['happy', 90_001, 'happy'],
  ])('%j as %i is %j', (value, type, expected) => {
    expect(read(value, type)).toBe(expected)
  })
})

describe('what is no value of the type is missing', () => {
  test.each([
    ['abc', oids.int4],
    [1.5, oids.int4],
    [3_000_000_000, oids.int4],
    ['2024-13-01', oids.date],
    ['angry', 90_001],
    [null, oids.text],
    [undefined, oids.text],
    [{ $ne: '' }, oids.text],
    [{}, oids.text],
    [['acme'], oids.text],
    [{ toString: () => 'acme' }, oids.text],
    ['a\0b', oids.text],
    ['\uD800', oids.text],
    [Number.NaN, oids.int4],
    [Number.POSITIVE_INFINITY, oids.float8],
    ['NaN', oids.numeric],
    ['Infinity', oids.numeric],
    ['-infinity', oids.float8],
    [{ a: 1 }, oids.jsonb],
    [[1], oids.jsonb],
  ])('%j as %i', (value, type) => {
    expect(read(value, type)).toBeUndefined()
  })
})

test('a number that has lost digits could be that of another caller', () => {
  expect(read(2 ** 53, oids.int8)).toBeUndefined()
  expect(read(2 ** 53, oids.text)).toBeUndefined()
  expect(read(JSON.parse('1e400'), oids.text)).toBeUndefined()
  expect(read(2 ** 53, oids.numeric)).toBeUndefined()
  expect(read(2 ** 53 - 1, oids.int8)).toBe('9007199254740991')
  expect(read('9007199254740993', oids.int8)).toBe('9007199254740993')
  expect(read(1e300, oids.float8)).toBe('1e+300')
})

test('a text that is too long for a column is not cut to that of another caller', () => {
  const encoded = encodeTypmod(oids.varchar, [3], 'varchar')
  const typmod = encoded.ok ? encoded.typmod : -1
  expect(read('acme', { oid: oids.varchar, typmod })).toBeUndefined()
  expect(read('abc', { oid: oids.varchar, typmod })).toBe('abc')
})

test('a pattern that LIKE could fail on is no value', () => {
  const pattern = (value: unknown) =>
    callerValue(
      { x: value },
      { path: ['x'], type: { oid: oids.text, typmod: -1 }, isPattern: true },
      shop.connection.types,
    )
  expect(pattern('a\\')).toBeUndefined()
  expect(pattern('\\\\\\')).toBeUndefined()
  expect(pattern('a\\\\')).toBe('a\\\\')
  expect(pattern('\\%a')).toBe('\\%a')
  expect(pattern('')).toBe('')
  expect(pattern(undefined)).toBeUndefined()
  expect(read('a\\', oids.text)).toBe('a\\')
})

test('a text in the place of JSON is a JSON string', () => {
  expect(read('{"a": 1}', oids.jsonb)).toBe('"{\\"a\\": 1}"')
  expect(read('blue', oids.jsonb)).toBe('"blue"')
  expect(read(5, oids.jsonb)).toBe('5')
})

describe('lists', () => {
  test('of scalars of the type', () => {
    expect(read([1, '2'], oids.int4Array)).toEqual(['1', '2'])
    expect(read([], oids.textArray)).toEqual([])
    expect(read(['happy'], 90_002)).toEqual(['happy'])
  })
  test.each([
    ['a list', oids.text],
    ['{a,b}', oids.textArray],
    [[1, null], oids.int4Array],
    [[1, 'x'], oids.int4Array],
    [[[1]], oids.int4Array],
    [[{ a: 1 }], oids.textArray],
    [[2 ** 53], oids.int8Array],
    [{ 0: 'a', length: 1 }, oids.textArray],
  ])('%j as %i is missing', (value, type) => {
    expect(read(value, type)).toBe(value === 'a list' ? 'a list' : undefined)
  })
})

describe('paths', () => {
  const types = shop.connection.types
  const type = { oid: oids.text, typmod: -1 }
  const at = (fields: Readonly<Record<string, unknown>>, ...path: readonly string[]) =>
    callerValue(fields, { path, type }, types)

  test('lead through own properties of objects', () => {
    expect(at({ org: { id: 'acme' } }, 'org', 'id')).toBe('acme')
    expect(at({ org: 'acme' }, 'org', 'length')).toBeUndefined()
    expect(at({ orgs: ['acme'] }, 'orgs', '0')).toBeUndefined()
    expect(at({ org: null }, 'org', 'id')).toBeUndefined()
    expect(at({}, 'org', 'id')).toBeUndefined()
  })
  test('never through a prototype', () => {
    expect(at({}, 'constructor', 'name')).toBeUndefined()
    expect(at({}, '__proto__', 'x')).toBeUndefined()
    expect(at({}, 'toString')).toBeUndefined()
    expect(at(Object.create({ tenant: 'acme' }), 'tenant')).toBeUndefined()
  })
  test('a claim of that name is a claim like any other', () => {
    const fields = JSON.parse('{"__proto__": {"tenant": "acme"}, "constructor": "c"}')
    expect(at(fields, '__proto__', 'tenant')).toBe('acme')
    expect(at(fields, 'tenant')).toBeUndefined()
    expect(at(fields, 'constructor')).toBe('c')
  })
})
