import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecordScanner } from './scan-records.ts'

interface Scanned {
  readonly records: readonly { readonly cells: readonly string[]; readonly line: number }[]
  readonly texts: readonly string[]
  readonly faults: readonly { readonly line: number; readonly reason: string }[]
}

function scan(pieces: readonly string[], delimiter = ','): Scanned {
  const records: { readonly cells: readonly string[]; readonly line: number }[] = []
  const texts: string[] = []
  const faults: { readonly line: number; readonly reason: string }[] = []
  const scanner = createRecordScanner(delimiter, {
    record: (cells, line, text, start, end) => {
      records.push({ cells, line })
      texts.push(text.slice(start, end))
    },
    fault: (fault) => faults.push(fault),
  })
  for (const piece of pieces) scanner.push(piece)
  scanner.end()
  return { records, texts, faults }
}

const cellsOf = ({ records }: Scanned) => records.map(({ cells }) => cells)

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a\n\n\nb', [['a'], ['b']]],
  ['"a ""b""",c', [['a "b"', 'c']]],
  [
    '"a\nb",c\nd,e',
    [
      ['a\nb', 'c'],
      ['d', 'e'],
    ],
  ],
  ['a"b,c', [['a"b', 'c']]],
  [
    ',\n,,',
    [
      ['', ''],
      ['', '', ''],
    ],
  ],
  ['""', [['']]],
  ['a,', [['a', '']]],
])('%j', (text, expected) => {
  const scanned = scan([text])
  expect(cellsOf(scanned)).toEqual(expected)
  expect(scanned.faults).toEqual([])
})

test('a record has its line and its text, also after line ends in quotes', () => {
  const scanned = scan(['a,"x\r\ny"\r\n\r\nb,c\r\n'])

  expect(scanned.records.map(({ line }) => line)).toEqual([1, 4])
  expect(scanned.texts).toEqual(['a,"x\r\ny"', 'b,c'])
})

test('an error is reported with its line, and the next line is read', () => {
  const scanned = scan(['a,b\n"x"y,2\nc,d\n"never ends\n'])

  expect(cellsOf(scanned)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(scanned.faults).toEqual([
    { line: 2, reason: 'something stands behind a quoted value' },
    { line: 4, reason: 'a quoted value has no end' },
  ])
})

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', ',', ';', '"', '\n', '\r', ' ', '1'),
})

const document = fc.record({
  rows: fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  endsWithLineEnd: fc.boolean(),
})

function textOf({
  rows,
  lineEnd,
  endsWithLineEnd,
}: {
  readonly rows: readonly (readonly string[])[]
  readonly lineEnd: string
  readonly endsWithLineEnd: boolean
}): string {
  const quoted = (text: string) =>
    /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const text = rows.map((row) => row.map(quoted).join(',')).join(lineEnd)
  return endsWithLineEnd ? text + lineEnd : text
}

test('what was written is read, wherever the pieces end, and csv-parse reads the same', () => {
  fc.assert(
    fc.property(document, fc.infiniteStream(fc.nat({ max: 7 })), (written, lengths) => {
      const text = textOf(written)
      const pieces: string[] = []
      for (let start = 0; start < text.length; ) {
        const length = 1 + (lengths.next().value ?? 0)
        pieces.push(text.slice(start, start + length))
        start += length
      }
      const scanned = scan(pieces)

      expect(cellsOf(scanned)).toEqual(written.rows)
      expect(scanned.faults).toEqual([])
      const other = parse(text, { record_delimiter: written.lineEnd, relax_column_count: true })
      expect(cellsOf(scanned)).toEqual(other)
    }),
  )
})
