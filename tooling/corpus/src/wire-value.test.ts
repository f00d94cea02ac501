import { expect, test } from 'vitest'
import { wireValue } from './wire-value.ts'

const elementTypes = new Map([
  [1007, 23],
  [1009, 25],
  [1000, 16],
  [1016, 20],
  [3807, 3802],
])

test.each([
  ['boolean', 't', 16, true],
  ['int2', '-3', 21, -3],
  ['int4', '2147483647', 23, 2147483647],
  ['int8', '9007199254740993', 20, '9007199254740993'],
  ['numeric', '10.50', 1700, '10.50'],
  ['float8', '1e+20', 701, 1e20],
  ['float8 NaN', 'NaN', 701, 'NaN'],
  ['float8 infinity', '-Infinity', 701, '-Infinity'],
  ['text', '007', 25, '007'],
  ['timestamp', '2024-02-29 10:30:00.5', 1114, '2024-02-29 10:30:00.5'],
  ['json', '{"a": [1, null]}', 114, { a: [1, null] }],
  ['jsonb null', 'null', 3802, null],
])('%s', (_, text, oid, value) => {
  expect(wireValue(text, oid, elementTypes)).toEqual(value)
})

test('SQL NULL is null whatever the type', () => {
  expect(wireValue(null, 3802, elementTypes)).toBeNull()
})

test.each([
  ['{1,NULL,3}', 1007, [1, null, 3]],
  ['{}', 1009, []],
  [
    '{a,"b c","d,e",NULL,"NULL","","q\\"s","back\\\\"}',
    1009,
    ['a', 'b c', 'd,e', null, 'NULL', '', 'q"s', 'back\\'],
  ],
  [
    '{{1,2},{3,4}}',
    1007,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['[0:1]={5,6}', 1007, [5, 6]],
  ['{t,f}', 1000, [true, false]],
  ['{9007199254740993}', 1016, ['9007199254740993']],
  ['{"{\\"a\\": 1}"}', 3807, [{ a: 1 }]],
])('the array %s', (text, oid, value) => {
  expect(wireValue(text, oid, elementTypes)).toEqual(value)
})
