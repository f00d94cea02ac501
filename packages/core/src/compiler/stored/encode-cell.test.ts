import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellKind } from './cell-kind.ts'
import { cellEncoder } from './encode-cell.ts'
import type { StoredValue } from './stored-value.ts'

type Value = NonNullable<StoredValue>

const json = (cell: CellKind, value: Value): string => cellEncoder(cell)(value)

const numeric: CellKind = { kind: 'decimal', scale: 2 }
const bytes = new Uint8Array([0xde, 0xad])

test.each<[CellKind, Value, string]>([
  [{ kind: 'boolean' }, 0n, 'false'],
  [{ kind: 'boolean' }, 7n, 'true'],
  [{ kind: 'boolean' }, 0.5, 'true'],
  [{ kind: 'integer' }, -5n, '-5'],
  [{ kind: 'bigint' }, 9223372036854775807n, '"9223372036854775807"'],
  [{ kind: 'float8' }, 0.1, '0.1'],
  [{ kind: 'float8' }, 3n, '3'],
  [{ kind: 'float8' }, -0, '-0'],
  [{ kind: 'float8' }, 1e21, '1e+21'],
  [{ kind: 'float8' }, Number.NEGATIVE_INFINITY, '"-Infinity"'],
  [{ kind: 'float4' }, Math.fround(0.1), '0.1'],
  [{ kind: 'float4' }, 0.1, '0.1'],
  [{ kind: 'float4' }, -0, '-0'],
  [{ kind: 'float4' }, 16777216, '16777216'],
  [numeric, '12.50', '"12.50"'],
  [numeric, 12n, '"12.00"'],
  [numeric, 12.5, '"12.50"'],
  [numeric, 1.005, '"1.01"'],
  [{ kind: 'decimal', scale: undefined }, 1e-7, '"0.0000001"'],
  [{ kind: 'decimal', scale: undefined }, 1e21, '"1000000000000000000000"'],
  [{ kind: 'decimal', scale: 0 }, 5n, '"5"'],
  [{ kind: 'decimal', scale: 0 }, -5, '"-5"'],
  [{ kind: 'decimal', scale: 0 }, 1e15, '"1000000000000000"'],
  [{ kind: 'decimal', scale: 0 }, 1e16, '"10000000000000000"'],
  [numeric, -0, '"0.00"'],
  [numeric, -0.05, '"-0.05"'],
  [numeric, -1234.5, '"-1234.50"'],
  [numeric, 9_999_999_999_999.99, '"9999999999999.99"'],
  [numeric, 99_999_999_999_999.98, '"99999999999999.98"'],
  [{ kind: 'decimal', scale: 4 }, 1.0203, '"1.0203"'],
  [{ kind: 'decimal', scale: 9 }, 1.5, '"1.500000000"'],
  [{ kind: 'bytes' }, bytes, '"\\\\xdead"'],
  [{ kind: 'text' }, 'a"\\\n\u2028', '"a\\"\\\\\\n\u2028"'],
  [
    { kind: 'uuid' },
    'ABCDEF00-0000-4000-8000-00000000000F',
    '"abcdef00-0000-4000-8000-00000000000f"',
  ],
  [{ kind: 'padded', length: 5 }, 'ab', '"ab   "'],
  [{ kind: 'padded', length: 2 }, '\u{1f600}', '"\u{1f600} "'],
  [{ kind: 'date' }, '2024-01-15', '"2024-01-15"'],
  [{ kind: 'timestamptz' }, '2024-01-15 10:30:00', '"2024-01-15 10:30:00+00"'],
  [{ kind: 'json' }, '{"n": 12345678901234567890.10}', '{"n": 12345678901234567890.10}'],
  [{ kind: 'json' }, ' [1] ', ' [1] '],
  [{ kind: 'json' }, 12n, '12'],
  [{ kind: 'jsonb' }, 9223372036854775807n, '9223372036854775807'],
])('%j of %s', (cell, value, expected) => {
  expect(json(cell, value)).toBe(expected)
})

test.each<[CellKind, Value, string]>([
  [{ kind: 'integer' }, 'many', '"many"'],
  [{ kind: 'integer' }, 1.5, '1.5'],
  [{ kind: 'integer' }, 2n ** 60n, '"1152921504606846976"'],
  [{ kind: 'bigint' }, 1e20, '"100000000000000000000"'],
  [{ kind: 'bigint' }, bytes, '"\\\\xdead"'],
  [{ kind: 'boolean' }, 'yes","no', '"yes\\",\\"no"'],
  [{ kind: 'float8' }, 'NULL],[1', '"NULL],[1"'],
  [numeric, '1"],["2', '"1\\"],[\\"2"'],
  [{ kind: 'json' }, '1],[2', '"1],[2"'],
  [{ kind: 'json' }, '', '""'],
  [{ kind: 'json' }, bytes, '"\\\\xdead"'],
  [{ kind: 'text' }, 5n, '"5"'],
  [{ kind: 'text' }, bytes, '"\\\\xdead"'],
  [{ kind: 'bytes' }, 'hi', '"\\\\x6869"'],
  [{ kind: 'timestamp' }, 1705314600n, '"1705314600"'],
])('%j keeps %s as what it is', (cell, value, expected) => {
  expect(json(cell, value)).toBe(expected)
})

test.each<[CellKind, string, string]>([
  [{ kind: 'bigint' }, '[1,9223372036854775807,null]', '["1","9223372036854775807",null]'],
  [{ kind: 'bigint' }, '["1"]', '["1"]'],
  [{ kind: 'boolean' }, '[1,0,true,false,null]', '[true,false,true,false,null]'],
  [{ kind: 'text' }, ' [ "a,]" , "b\\"" ] ', '["a,]","b\\""]'],
  [{ kind: 'integer' }, '[[1,2],[3,4]]', '[[1,2],[3,4]]'],
  [{ kind: 'decimal', scale: undefined }, '["1.50",2,2.50]', '["1.50","2","2.50"]'],
  [{ kind: 'bytes' }, '["DEAD",""]', '["\\\\xdead","\\\\x"]'],
  [{ kind: 'float8' }, '[0.5,1]', '[0.5,1]'],
  [{ kind: 'json' }, '[{"a":[1,2]},[3],null]', '[{"a":[1,2]},[3],null]'],
  [{ kind: 'text' }, '[]', '[]'],
  [{ kind: 'text' }, 'no array', '"no array"'],
])('an array of %j: %s', (element, stored, expected) => {
  expect(json({ kind: 'array', element }, stored)).toBe(expected)
})

test('a number with the digits of its column is written with exactly these', () => {
  const digits = fc.record({
    units: fc.integer({ min: -(10 ** 15), max: 10 ** 15 }),
    scale: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(digits, ({ units, scale }) => {
      const text = String(Math.abs(units)).padStart(scale + 1, '0')
      const expected = `${text.slice(0, -scale)}.${text.slice(-scale)}`
      const value = Number(`${units < 0 ? '-' : ''}${expected}`)
      expect(json({ kind: 'decimal', scale }, value)).toBe(`"${units < 0 ? '-' : ''}${expected}"`)
    }),
  )
})

test('whatever is stored in whatever column, the cell is one JSON value', () => {
  const kinds: readonly CellKind['kind'][] = [
    'boolean',
    'integer',
    'bigint',
    'float4',
    'float8',
    'bytes',
    'json',
    'text',
    'uuid',
    'date',
    'time',
    'timestamp',
    'timestamptz',
  ]
  const cells = fc.oneof(
    fc.constantFrom(...kinds).map((kind) => ({ kind }) as CellKind),
    fc.record({ kind: fc.constant('decimal' as const), scale: fc.constantFrom(undefined, 0, 2) }),
    fc.constantFrom(...kinds).map((kind) => ({ kind: 'array', element: { kind } }) as CellKind),
  )
  const values = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true }),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('{"a":[1,{}]}', '[[1,"]"],null]', '1],[2', '"', '{', ' 1.50 '),
    fc.uint8Array({ maxLength: 4 }),
  )
  fc.assert(
    fc.property(cells, values, (cell, value) => {
      const parsed = JSON.parse(`[${json(cell, value)}]`) as unknown[]
      return parsed.length === 1
    }),
  )
})
