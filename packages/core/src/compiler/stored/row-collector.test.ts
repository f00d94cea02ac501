import { expect, test } from 'vitest'
import { createRowCollector, createStoredRowEncoders } from './row-collector.ts'

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
