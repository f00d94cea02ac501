import type { Cells } from '@engine/core/adapter'
import type { WireKind } from '@engine/core/catalog'
import { createArrayEncoder } from '@engine/core/driver'
import { expect, test } from 'vitest'
import { cellForm, createJsonRows, type RowLayout } from './json-rows.ts'

/** The bytes of a row as a server sends it. */
function dataRow(cells: readonly (string | Buffer | null)[]): Buffer {
  const parts = [int16(cells.length)]
  for (const cell of cells) {
    if (cell === null) {
      parts.push(int32(-1))
      continue
    }
    const bytes = Buffer.from(cell)
    parts.push(int32(bytes.length), bytes)
  }
  return Buffer.concat(parts)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function layoutOf(kinds: readonly WireKind[]): RowLayout {
  const columns = kinds.map((kind, index) => ({ name: `c${index}`, kind }))
  return {
    forms: columns.map((column) =>
      cellForm(column.kind, (text) => createArrayEncoder([column])([text]).slice(1, -1)),
    ),
    encode: createArrayEncoder(columns),
  }
}

/** @returns the JSON of the rows' bytes, and the JSON of their texts. */
function bothWays(kinds: readonly WireKind[], rows: readonly Cells[]): readonly [string, string] {
  const layout = layoutOf(kinds)
  const json = createJsonRows(layout)
  for (const row of rows) json.add(Buffer.concat([Buffer.from('x'), dataRow(row)]), 1)
  return [Buffer.from(json.finish()).toString(), rows.map(layout.encode).join(',')]
}

const array = (element: 'text' | 'boolean' | 'float'): WireKind => ({
  kind: 'array',
  element,
  delimiter: ',',
})

const samples: readonly (readonly [WireKind, readonly string[]])[] = [
  [{ kind: 'boolean' }, ['t', 'f']],
  [{ kind: 'integer' }, ['0', '-2147483648', '4294967295']],
  [{ kind: 'bigint' }, ['9223372036854775807', '-1']],
  [{ kind: 'decimal' }, ['1.50', 'NaN', '-Infinity', '9'.repeat(500)]],
  [{ kind: 'float' }, ['0.1', '1e+20', '-1e-07', 'NaN', 'Infinity', '-Infinity']],
  [{ kind: 'bytes' }, ['\\x', '\\xdeadbeef', `\\x${'00'.repeat(2_000)}`]],
  [{ kind: 'json' }, ['{"a":  1}', '[1,\n"\u00e9"]', 'null', `"${'x'.repeat(5_000)}"`]],
  [
    { kind: 'text' },
    [
      '',
      'plain',
      String.fromCharCode(...Array.from({ length: 0x100 }, (_, code) => code).slice(1)),
      'Zoë \u2028\u2029 \u{1f600} \uffff',
      '\u0001'.repeat(1_024),
      '"\\'.repeat(512),
      'é'.repeat(511),
    ],
  ],
  [array('text'), ['{}', '{a,NULL,"b\\"c"}', '{{a},{"é"}}']],
  [array('boolean'), ['{t,f,NULL}']],
  [array('float'), ['{NaN,1.5}']],
]

test.each(samples)('%j: bytes become what their text becomes', (kind, texts) => {
  for (const text of texts) {
    const [bytes, strings] = bothWays([kind], [[text]])
    expect(bytes).toBe(strings)
    expect(() => JSON.parse(bytes)).not.toThrow()
  }
})

test('rows of all kinds follow one another, NULLs among them', () => {
  const kinds = samples.map(([kind]) => kind)
  const rows = Array.from({ length: 200 }, (_, row) =>
    samples.map(([, texts], column) =>
      (row + column) % 5 === 0 ? null : (texts[(row * 7 + column) % texts.length] ?? null),
    ),
  )
  const [bytes, strings] = bothWays(kinds, rows)
  expect(bytes).toBe(strings)
})

test('a text of any length is whole, where its bytes are scanned and where they are not', () => {
  for (const length of [0, 1, 47, 48, 49, 1_023, 1_024, 1_025, 4_096, 70_000]) {
    for (const character of ['a', '"', 'é', '\u{1f600}']) {
      const text = character.repeat(length)
      const [bytes] = bothWays([{ kind: 'text' }], [[text], [text]])
      expect(JSON.parse(`[${bytes}]`)).toEqual([[text], [text]])
    }
  }
})

test('cells after the columns of the answer are left out; a column without a cell is null', () => {
  const text: WireKind = { kind: 'text' }
  expect(bothWays([text], [['a', 'b']])[0]).toBe('["a"]')
  expect(bothWays([text, text], [['a']])[0]).toBe('["a",null]')
  expect(bothWays([], [['a']])[0]).toBe('[]')
})

test('no rows are no text', () => {
  expect(createJsonRows(layoutOf([{ kind: 'text' }])).finish()).toBe('')
})

test.each([3, 30_000])(
  'bytes that are not UTF-8 come as in any decoded text, %i of them',
  (count) => {
    const layout = layoutOf([{ kind: 'text' }, { kind: 'text' }])
    const json = createJsonRows(layout)
    const cells = [
      Buffer.from([0x61, 0xff, 0xe2, 0x82]),
      Buffer.concat([Buffer.from([0xac]), Buffer.alloc(count, 0xc3)]),
    ]
    json.add(dataRow(cells), 0)
    expect(Buffer.from(json.finish()).toString()).toBe(
      layout.encode(cells.map((cell) => cell.toString())),
    )
  },
)
