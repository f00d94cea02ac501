import { expect, test } from 'vitest'
import type { CellKind } from './cell-kind.ts'
import { cellText } from './cell-text.ts'
import type { StoredValue } from './stored-value.ts'

type Value = NonNullable<StoredValue>

const numeric: CellKind = { kind: 'decimal', scale: 2 }
const anyNumeric: CellKind = { kind: 'decimal', scale: undefined }
const int2: CellKind = { kind: 'integer', range: [-32_768n, 32_767n] }
const bytes = new Uint8Array([0xde, 0xad])

const arrayOf = (element: CellKind): CellKind => ({ kind: 'array', element })

test.each<[CellKind, Value, string]>([
  [{ kind: 'boolean' }, 0n, 'f'],
  [{ kind: 'boolean' }, 1, 't'],
  [int2, -32_768n, '-32768'],
  [int2, 5, '5'],
  [{ kind: 'bigint' }, 9223372036854775807n, '9223372036854775807'],
  [{ kind: 'bigint' }, '12', '12'],
  [{ kind: 'float8' }, 0.1, '0.1'],
  [{ kind: 'float8' }, 1e300, '1e+300'],
  [{ kind: 'float8' }, 1e-7, '1e-07'],
  [{ kind: 'float8' }, 1e15, '1e+15'],
  [{ kind: 'float8' }, 123456789012345, '123456789012345'],
  [{ kind: 'float8' }, -0, '-0'],
  [{ kind: 'float8' }, 3n, '3'],
  [{ kind: 'float8' }, Number.NEGATIVE_INFINITY, '-Infinity'],
  [{ kind: 'float4' }, Math.fround(0.1), '0.1'],
  [{ kind: 'float4' }, 1e6, '1e+06'],
  [numeric, '12.50', '12.50'],
  [numeric, 12n, '12.00'],
  [numeric, 12.5, '12.50'],
  [anyNumeric, 1e21, '1000000000000000000000'],
  [anyNumeric, 'NaN', 'NaN'],
  [{ kind: 'bytes' }, bytes, '\\xdead'],
  [{ kind: 'bytes' }, new Uint8Array(), '\\x'],
  [{ kind: 'text' }, 'a"\\\n\u2028', 'a"\\\n\u2028'],
  [{ kind: 'text' }, '', ''],
  [{ kind: 'text' }, 5n, '5'],
  [
    { kind: 'uuid' },
    'ABCDEF00-0000-4000-8000-00000000000F',
    'abcdef00-0000-4000-8000-00000000000f',
  ],
  [{ kind: 'padded', length: 5 }, 'ab', 'ab   '],
  [{ kind: 'date' }, '2024-02-29', '2024-02-29'],
  [{ kind: 'date' }, '2024-02-29 10:00:00', '2024-02-29'],
  [{ kind: 'date' }, '0044-03-15 BC', '0044-03-15 BC'],
  [{ kind: 'date' }, 'infinity', 'infinity'],
  [{ kind: 'time' }, '10:30:00.250', '10:30:00.25'],
  [{ kind: 'timestamp' }, '2024-01-31T10:30:00.000000', '2024-01-31 10:30:00'],
  [{ kind: 'timestamp' }, '-infinity', '-infinity'],
  [{ kind: 'timestamptz' }, '2024-01-15 10:30:00', '2024-01-15 10:30:00+00'],
  [{ kind: 'timestamptz' }, '2024-01-15 10:30:00+05:30', '2024-01-15 05:00:00+00'],
  [{ kind: 'json' }, ' {"b":1,\n"a": 2} ', ' {"b":1,\n"a": 2} '],
  [{ kind: 'json' }, 'null', 'null'],
  [{ kind: 'jsonb' }, '{"bb":1,"a":[1,2.50,"é"],"a":null}', '{"a": null, "bb": 1}'],
  [{ kind: 'jsonb' }, '[1e2,{"a":{}}]', '[100, {"a": {}}]'],
  [{ kind: 'jsonb' }, 12n, '12'],
])('$0.kind of $1', (cell, value, expected) => {
  expect(cellText(cell)(value)).toBe(expected)
})

test.each<[CellKind, string, string]>([
  [{ kind: 'integer' }, '[1,null,-3]', '{1,NULL,-3}'],
  [{ kind: 'integer' }, '[]', '{}'],
  [{ kind: 'integer' }, '[[1,2],[3,4]]', '{{1,2},{3,4}}'],
  [{ kind: 'integer' }, '[[],[]]', '{}'],
  [{ kind: 'boolean' }, '[1,false,null]', '{t,f,NULL}'],
  [
    { kind: 'text' },
    '["a b","",null,"null","x,y","\\"","\\\\","{}","é"]',
    '{"a b","",NULL,"null","x,y","\\"","\\\\","{}",é}',
  ],
  [anyNumeric, '["1.50",2.50,3]', '{1.50,2.50,3}'],
  [{ kind: 'float8' }, '[1e300,0.5]', '{1e+300,0.5}'],
  [{ kind: 'bytes' }, '["DEAD"]', '{"\\\\xdead"}'],
  [{ kind: 'timestamp' }, '["2024-01-15 10:30:00"]', '{"2024-01-15 10:30:00"}'],
  [{ kind: 'jsonb' }, '[{"a":[1]},[2],"x",null]', '{"{\\"a\\": [1]}",[2],"\\"x\\"",NULL}'],
])('an array of $0.kind: $1', (element, stored, expected) => {
  expect(cellText(arrayOf(element))(stored)).toBe(expected)
})

test.each<[CellKind, Value]>([
  [{ kind: 'boolean' }, 'yes'],
  [int2, 40_000n],
  [int2, 1.5],
  [int2, 'many'],
  [{ kind: 'bigint' }, bytes],
  [{ kind: 'float8' }, 'NULL'],
  [numeric, '1","2'],
  [{ kind: 'uuid' }, 'no uuid'],
  [{ kind: 'date' }, '2024-02-30'],
  [{ kind: 'date' }, '0000-01-01'],
  [{ kind: 'date' }, 20240115n],
  [{ kind: 'time' }, '25:00:00'],
  [{ kind: 'timestamp' }, 1705314600n],
  [{ kind: 'timestamptz' }, 'yesterday'],
  [{ kind: 'json' }, '1],[2'],
  [{ kind: 'jsonb' }, ''],
  [{ kind: 'jsonb' }, Number.POSITIVE_INFINITY],
  [arrayOf({ kind: 'text' }), 'no array'],
  [arrayOf(int2), '[1,"x"]'],
])('$0.kind has no text for $1', (cell, value) => {
  expect(cellText(cell)(value)).toBeUndefined()
})
