import { GatewayError } from '@engine/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CopyOptions } from '../session/statements/client-statement.ts'
import type { CopyCell } from './copy-codec.ts'
import { createCopyDecoder } from './copy-decoder.ts'
import { createCopyEncoder } from './copy-encoder.ts'

const text: CopyOptions = {
  format: 'text',
  delimiter: '\t',
  nullText: '\\N',
  header: 'none',
  quote: '"',
  escape: '"',
  forceQuote: [],
  forceNotNull: [],
  forceNull: [],
}
const csv: CopyOptions = { ...text, format: 'csv', delimiter: ',', nullText: '' }

const bytesOf = (message: string | Uint8Array): Uint8Array =>
  typeof message === 'string' ? new TextEncoder().encode(message) : message

function write(
  copy: CopyOptions,
  columns: readonly string[],
  rows: readonly (readonly CopyCell[])[],
) {
  const encoder = createCopyEncoder(copy, columns)
  const messages = [encoder.start(), ...rows.map((row) => encoder.row(row)), encoder.end()]
  return Uint8Array.from(
    messages.flatMap((message) => (message === undefined ? [] : [...bytesOf(message)])),
  )
}

function read(
  copy: CopyOptions,
  columns: readonly string[],
  pieces: readonly Uint8Array[],
  maxRowSize = 10_000,
) {
  const decoder = createCopyDecoder({
    copy,
    table: { name: 'things', allColumns: [...columns, 'other'] },
    columns,
    maxRowSize,
  })
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()]
}

/** The data, cut at these positions. */
function cut(data: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [
    0,
    ...places.map((place) => place % (data.length + 1)).sort((a, b) => a - b),
    data.length,
  ]
  return at.slice(1).map((end, index) => data.subarray(at[index], end))
}

const errorOf = (action: () => unknown): GatewayError => {
  try {
    action()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('what is written can be read again', () => {
  const awkward = fc.string({
    unit: fc.constantFrom(
      'a',
      '\\',
      'N',
      '.',
      '\n',
      '\r',
      '\t',
      ',',
      ';',
      '"',
      "'",
      'ä',
      '😀',
      '\b',
      ' ',
    ),
    maxLength: 8,
  })
  const rows = fc.array(fc.tuple(fc.option(awkward), fc.option(awkward)), { maxLength: 6 })
  const places = fc.array(fc.nat(), { maxLength: 6 })

  test.each<readonly [string, CopyOptions]>([
    ['text', text],
    ['text with other marks', { ...text, delimiter: ';', nullText: 'NULL', header: 'yes' }],
    ['csv', { ...csv, forceQuote: ['a'] }],
    ['csv with a header', { ...csv, header: 'match' }],
    ['csv with other marks', { ...csv, delimiter: ';', quote: "'", escape: '\\', nullText: 'N' }],
    ['csv that quotes everything', { ...csv, forceQuote: '*', escape: ',', delimiter: ';' }],
    ['binary', { ...text, format: 'binary' }],
  ])('%s', (_, copy) => {
    fc.assert(
      fc.property(rows, places, (given, at) => {
        const pieces = cut(write(copy, ['a', 'b'], given), at)
        const found = read(copy, ['a', 'b'], pieces).map(({ cells }) =>
          cells.map((cell) => (cell instanceof Uint8Array ? new TextDecoder().decode(cell) : cell)),
        )
        expect(found).toEqual(given)
      }),
    )
  })
})

describe('errors say where', () => {
  const fail = (copy: CopyOptions, data: string) =>
    errorOf(() => read(copy, ['a', 'b'], [bytesOf(data)]))

  test('a line', () => {
    const error = fail(text, '1\t2\n3\n')
    expect(error.sqlState).toBe('22P04')
    expect(error.details).toEqual({ context: 'COPY things, line 2: "3"' })
  })

  test('a line that spans several', () => {
    // Before the end of the first line, only carriage returns count: PostgreSQL does the same.
    expect(fail(csv, '1,2\n"1\n2",3\n4,5,6\n').details).toEqual({
      context: 'COPY things, line 4: "4,5,6"',
    })
  })

  test('a long line, shortened', () => {
    expect(fail(text, 'x'.repeat(200)).details).toEqual({
      context: `COPY things, line 1: "${'x'.repeat(100)}..."`,
    })
  })

  test('a field of binary data', () => {
    const copy: CopyOptions = { ...text, format: 'binary' }
    const data = write(copy, ['a', 'b'], [['1', '2']])
    const error = errorOf(() => read(copy, ['a', 'b'], [data.with(21, 0x80)]))
    expect(error.message).toBe('invalid field size')
    expect(error.details).toEqual({ context: 'COPY things, line 1, column a' })
  })
})

describe('memory is bounded', () => {
  test('a line that never ends is refused', () => {
    for (const copy of [text, csv]) {
      const decoder = createCopyDecoder({
        copy,
        table: { name: 't', allColumns: ['a'] },
        columns: ['a'],
        maxRowSize: 1000,
      })
      const piece = bytesOf(copy === csv ? '"ab\n'.slice(0, 4) : 'abcd')
      const fill = () => {
        for (let i = 0; i < 1000; i += 1) decoder.push(i === 0 ? piece : bytesOf('abc\\n'))
      }
      expect(errorOf(fill).sqlState).toBe('54000')
    }
  })

  test('a binary field that announces too much is refused at once', () => {
    const copy: CopyOptions = { ...text, format: 'binary' }
    const data = write(copy, ['a'], [['x']]).with(21, 0x7f)
    expect(errorOf(() => read(copy, ['a'], [data.subarray(0, 25)])).sqlState).toBe('54000')
    const header = write(copy, ['a'], []).with(15, 0x7f)
    expect(errorOf(() => read(copy, ['a'], [header])).sqlState).toBe('54000')
  })
})

test('what follows the end marker is ignored', () => {
  const rows = read(text, ['a'], [bytesOf('1\n\\.\n2\n'), bytesOf('\\xff')])
  expect(rows).toEqual([{ line: 1, cells: ['1'], text: '1' }])
})

test('options name columns that are copied', () => {
  for (const options of [{ forceNull: ['other'] }, { forceNotNull: ['other'] }]) {
    expect(errorOf(() => read({ ...csv, ...options }, ['a'], [])).sqlState).toBe('42P10')
  }
  const quoting = { ...csv, forceQuote: ['x'] }
  const messageFor = (allColumns: readonly string[]) =>
    errorOf(() => createCopyEncoder(quoting, ['a'], { name: 't', allColumns })).message
  expect(messageFor(['a', 'x'])).toBe('FORCE_QUOTE column "x" not referenced by COPY')
  expect(messageFor(['a'])).toBe('column "x" of relation "t" does not exist')
  expect(errorOf(() => createCopyEncoder(quoting, ['a'])).message).toBe('column "x" does not exist')
})
