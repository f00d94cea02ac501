import { expect, test } from 'vitest'
import { jsonbKey } from './jsonb-key.ts'

/** In PostgreSQL's order. */
const sorted: readonly string[] = [
  '[]',
  'null',
  '""',
  '"a"',
  '"b"',
  '-1.5',
  '0',
  '9007199254740993',
  'false',
  'true',
  '[null]',
  '["a"]',
  '[2]',
  '[[]]',
  '[[1]]',
  '[{}]',
  '[1, 2]',
  '{}',
  '{"a": 1}',
  '{"a": 2}',
  '{"b": null}',
  '{"": null, "  ": 0}',
  '{"": null, "!": null}',
  '{"a": 1, "c": 1}',
]

test('keys sort as jsonb does', () => {
  expect(sorted.map(jsonbKey).toSorted(Buffer.compare)).toEqual(sorted.map(jsonbKey))
})

test('numbers of another scale are the same, texts of another spelling too', () => {
  expect(jsonbKey('{"a": 1.0, "b": 2}')).toEqual(jsonbKey('{"b":2,"a":1.00}'))
})
