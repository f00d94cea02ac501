import { expect, test } from 'vitest'
import type { CellKind } from './cell-kind.ts'
import { createRowCollector, createStoredRowEncoders } from './row-collector.ts'
import type { StoredValue } from './stored-value.ts'

const misfit = (column: string) => new Error(`misfit in ${column}`)
const tooLarge = () => new Error('too large')

function collected(rows: readonly string[], maxBytes = 1e9): string | Uint8Array {
  const collector = createRowCollector(maxBytes, tooLarge)
  for (const row of rows) collector.add(row)
  expect(collector.rowCount()).toBe(rows.length)
  return collector.finish()
}

test.each([
  [[], ''],
  [['[1]'], '[1]'],
  [['[1]', '[2]'], '[1],[2]'],
])('a short answer stays text: %j', (rows, text) => expect(collected(rows)).toBe(text))

test.each([5_000, 20_000, 200_000])('%d rows become bytes in a buffer of their own', (count) => {
  const rows = Array.from({ length: count }, (_, index) => `["ä${index}"]`)

  const bytes = collected(rows)

  if (typeof bytes === 'string') throw new Error('bytes were expected')
  expect(bytes.buffer.byteLength).toBe(bytes.length)
  expect(Buffer.from(bytes).toString()).toBe(rows.join(','))
})

test('an answer of too many bytes is refused, however its rows come', () => {
  expect(() => collected(['x'.repeat(6_000)], 5_000)).toThrow(tooLarge())
  expect(() => collected(Array(1_000).fill('x'.repeat(1_000)), 500_000)).toThrow(tooLarge())
  expect(collected(['x'.repeat(5_000)], 5_000)).toHaveLength(5_000)
})

test('rows as arrays and as objects; of equal names the last one is there', () => {
  const { array, object } = createStoredRowEncoders(
    [
      { name: 'a', cell: { kind: 'integer' } },
      { name: 'b"', cell: { kind: 'text' } },
      { name: 'a', cell: { kind: 'bigint' } },
    ],
    misfit,
  )

  expect(array([1n, null, 2n, 'more'])).toBe('[1,null,"2"]')
  expect(object([1n, 'x', 2n, 'more'])).toBe('{"a":"2","b\\"":"x"}')
})

test("rows as cells: PostgreSQL's text of every value, NULL apart from a document that is null", () => {
  const { cells } = createStoredRowEncoders(
    [
      { name: 'id', cell: { kind: 'integer' } },
      { name: 'flag', cell: { kind: 'boolean' } },
      { name: 'document', cell: { kind: 'jsonb' } },
    ],
    misfit,
  )

  expect(cells([1n, 1n, 'null', 'more'])).toBe('["1","t","null"]')
  expect(cells([null, 0n, null])).toBe('[null,"f",null]')
  expect(() => cells([1n, 'maybe', null])).toThrow(misfit('flag'))
})

const kinds: readonly CellKind[] = [
  ...(['boolean', 'bigint', 'float4', 'float8', 'bytes', 'text', 'uuid'] as const).map((kind) => ({
    kind,
  })),
  ...(['date', 'time', 'timestamp', 'timestamptz', 'integer'] as const).map((kind) => ({ kind })),
  { kind: 'decimal', scale: 2 },
  { kind: 'decimal', scale: undefined },
  { kind: 'padded', length: 5 },
]
const values: readonly StoredValue[] = [
  ...[
    null,
    0n,
    1n,
    -7n,
    9_007_199_254_740_993n,
    0,
    -0,
    1.5,
    0.1,
    1e21,
    1e-7,
    Number.NaN,
    -Infinity,
  ],
  ...['', 'a"b\\', 'Ä😀\u0000', '\ud800', '2024-01-02', '2024-01-02T03:04:05.60+02:00', '12:30'],
  Buffer.from([0, 255]),
]

test.each(kinds)('rows as values have the JSON of rows as text: %j', (cell) => {
  const { array, arrayValues } = createStoredRowEncoders([{ name: 'a', cell }], misfit)
  const rows = values.map((value) => [value, 'more'])
  const expected = rows.map(array)
  const collector = createRowCollector(1e9, tooLarge)

  let characters = 0
  for (const row of rows) {
    const ofRow = arrayValues?.(row) ?? Number.NaN
    collector.addValues(row, ofRow)
    characters += ofRow
  }

  expect(collector.rowCount()).toBe(rows.length)
  expect(collector.finish()).toBe(expected.join(','))
  const texts = rows.flat().filter((value) => typeof value === 'string')
  expect(characters).toBe(texts.join('').length)
})

test('documents and arrays are copied as text, never as values', () => {
  for (const cell of [{ kind: 'json' }, { kind: 'array', element: { kind: 'text' } }] as const) {
    const columns = [{ name: 'a', cell }]
    expect(createStoredRowEncoders(columns, misfit).arrayValues).toBeUndefined()
  }
})

test('values and texts keep their order, however many they are', () => {
  const collector = createRowCollector(1e9, tooLarge, 1e6)

  for (let i = 0; i < 300; i += 1) collector.addValues([i, 'x'.repeat(i)], i)
  collector.add('["text"]')
  collector.addValues([300], 0)

  const rows = JSON.parse(`[${collector.finish()}]`) as unknown[][]
  expect(rows).toHaveLength(302)
  expect(rows.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, i) => [i, 'x'.repeat(i)]))
  expect(rows.slice(300)).toEqual([['text'], [300]])
})

test('rows of values with too many bytes are refused', () => {
  const collector = createRowCollector(500_000, tooLarge)
  const add = () => {
    for (let i = 0; i < 1_000; i += 1) collector.addValues(['x'.repeat(1_000)], 1_000)
    collector.finish()
  }
  expect(add).toThrow(tooLarge())
})
