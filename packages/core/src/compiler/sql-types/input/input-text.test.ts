import { expect, test } from 'vitest'
import { oids } from '../oids.ts'
import { createTypeSystem } from '../system/type-system.ts'

const { inputText } = createTypeSystem()

test('scalars', () => {
  expect(inputText(oids.bool, true)).toBe('true')
  expect(inputText(oids.int8, -5n)).toBe('-5')
  expect(inputText(oids.text, 'a')).toBe('a')
  expect(inputText(oids.bytea, Uint8Array.of(1, 255))).toBe('\\x01ff')
})

test('floats as PostgreSQL prints them', () => {
  const doubles: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '-0'],
    [1.5, '1.5'],
    [1e14, '100000000000000'],
    [1e15, '1e+15'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e23, '9.999999999999999e+22'],
    [5e-324, '5e-324'],
    [-1e100, '-1e+100'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ]
  for (const [value, text] of doubles) expect(inputText(oids.float8, value)).toBe(text)
})

test('a single has digits of its own', () => {
  expect(inputText(oids.float4, Math.fround(0.1))).toBe('0.1')
  expect(inputText(oids.float4, 1e6)).toBe('1e+06')
  expect(inputText(oids.float4, 123_456)).toBe('123456')
  expect(inputText(oids.float4, 2 ** 87)).toBe('1.5474251e+26')
  expect(inputText(oids.float8, Math.fround(0.1))).toBe('0.10000000149011612')
})

test('arrays', () => {
  const array = {
    kind: 'array',
    elementOid: oids.text,
    dimensions: [2, 2],
    elements: ['a', null, 'b c', 'null'],
  } as const
  expect(inputText(oids.textArray, array)).toBe('{{a,NULL},{"b c","null"}}')
  expect(inputText(oids.textArray, { ...array, dimensions: [], elements: [] })).toBe('{}')
})
