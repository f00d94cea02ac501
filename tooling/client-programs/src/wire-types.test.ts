import pg from 'pg'
import { expect, test } from 'vitest'
import { wireTypes } from './wire-types.ts'

const { builtins } = pg.types

test.each([
  ['a boolean', builtins.BOOL, 't', true],
  ['an integer', builtins.INT4, '-7', -7],
  ['an int8', builtins.INT8, '9007199254740993', '9007199254740993'],
  ['a numeric', builtins.NUMERIC, '1.50', '1.50'],
  ['a float', builtins.FLOAT8, '1e-07', 1e-7],
  ['a float that is no number', builtins.FLOAT8, 'NaN', 'NaN'],
  ['a timestamp', builtins.TIMESTAMP, '2024-01-31 10:00:00.123456', '2024-01-31 10:00:00.123456'],
  ['a date', builtins.DATE, '2024-01-31', '2024-01-31'],
  ['bytes', builtins.BYTEA, '\\xff00', '\\xff00'],
  ['json', builtins.JSONB, '{"a": [1, null]}', { a: [1, null] }],
  ['an unknown type', 999_999, '(1,2)', '(1,2)'],
  ['an array of integers', 1007, '{1,NULL,3}', [1, null, 3]],
  [
    'an array of arrays',
    1007,
    '{{1,2},{3,4}}',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['an array of booleans', 1000, '{t,f}', [true, false]],
  ['an array of texts', 1009, '{a,"b,c",NULL,"NULL",""}', ['a', 'b,c', null, 'NULL', '']],
] as const)('%s takes its wire form', (_what, oid, text, value) => {
  expect(wireTypes.getTypeParser(oid as never)(text)).toEqual(value)
})
