import { expect, test } from 'vitest'
import { outputJson } from './output-json.ts'

test.each([
  [undefined, '{"ok":true}'],
  [null, 'null'],
  [0, '0'],
  ['x', '"x"'],
  [12n, '"12"'],
  [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  [Buffer.from([0, 255]), '"\\\\x00ff"'],
  [new Uint8Array([1]), '"\\\\x01"'],
  [{ a: [1n, new Date(Number.NaN), undefined], b: undefined }, '{"a":["1",null,null]}'],
])('%s is %s', (output, json) => {
  expect(outputJson(output)).toBe(json)
})

test.each([
  ['a map', { a: new Map() }],
  ['a set', [new Set()]],
  ['a function', { a: () => 1 }],
  ['a function as a whole', () => 1],
  ['a symbol', Symbol('x')],
])('%s is refused', (_name, output) => {
  expect(() => outputJson(output)).toThrow(TypeError)
})

test('a circle is refused', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(() => outputJson(circle)).toThrow(TypeError)
})
