import { expect, test } from 'vitest'
import { jsonShape } from './json-shape.ts'

test.each([
  ['1', 0],
  ['"{[:"', 0],
  ['{}', 1],
  ['[1, {"a": [2]}, []]', 3],
])('%s has a depth of %d', (text, depth) => {
  expect(jsonShape(text)).toEqual({ depth, repeatedKey: undefined })
})

test.each([
  ['{"a": 1, "b": 2, "a": 3}', 'a'],
  ['[{"x": {"b": 1, "\\u0062": 2}}]', 'b'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ['{"a\\\\": 1, "a\\\\": 2}', 'a\\'],
])('%s names %s twice', (text, key) => {
  expect(jsonShape(text).repeatedKey).toBe(key)
})

test.each([
  '{"a": {"a": 1}, "b": {"a": 1}}',
  '[{"a": 1}, {"a": 1}]',
  '{"a": "a", "b": ["a", "a", ":"]}',
  '{"a": "\\"a\\": 1", "b": 2}',
])('%s names nothing twice', (text) => {
  expect(jsonShape(text).repeatedKey).toBeUndefined()
})
