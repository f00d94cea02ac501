import { expect, test } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const refused = (text: string, message: string) =>
  expect(() => parseStrictJson(text)).toThrow(
    expect.objectContaining({ problem: 'invalidInput', message }),
  )

test('values come as JSON.parse gives them', () => {
  for (const text of [
    '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
    '"a:b{"',
    'null',
    '[1,[2,[]]]',
    '{"a":"\\"{:","b":"\\\\"}',
    '{"a":{},"b":[]}',
  ])
    expect(parseStrictJson(text)).toEqual(JSON.parse(text))
})

test('a field that is there twice is refused, however it is spelled', () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"a":1,"b":{"a":0},"a":2}]}',
    '{"__proto__":1,"__proto__":2}',
  ])
    refused(text, 'The body names a field twice.')
})

test('__proto__ is a field like any other', () => {
  const value = parseStrictJson('{"__proto__":{"isAdmin":true}}') as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__'])
  expect(value['isAdmin']).toBeUndefined()
})

test('32 levels are read, 33 are refused', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseStrictJson(nested(32))).toEqual(JSON.parse(nested(32)))
  refused(nested(33), 'The body is nested too deeply.')
})

test('invalid JSON is refused', () => {
  for (const text of ['', '{', '{"a":1}x', "{'a':1}", '{"a":1,}', 'NaN'])
    refused(text, 'The body is not valid JSON.')
})
