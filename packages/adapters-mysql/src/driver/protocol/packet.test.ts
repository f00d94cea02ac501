import { expect, test } from 'vitest'
import { executeCommand } from './commands.ts'
import { framed, readLength, sizeOfLength, writeLength } from './packet.ts'

const most = 0xff_ff_ff

test.each([0, 1, 250, 251, 252, 0xff_ff, 0x1_00_00, most, most + 1, 2 ** 40])(
  'the length %i is read as it is written',
  (length) => {
    const bytes = Buffer.alloc(12)
    const end = writeLength(bytes, 1, length)
    expect(end).toBe(1 + sizeOfLength(length))
    expect(readLength(bytes, 1)).toEqual({ position: end, value: length })
  },
)

test.each([
  [0, [0]],
  [most - 1, [most - 1]],
  [most, [most, 0]],
  [most + 1, [most, 1]],
  [2 * most, [most, most, 0]],
])('a command of %i bytes is sent in packets of %j', (length, expected) => {
  const { bytes, packets } = framed(Buffer.alloc(4 + length, 1))
  const lengths: number[] = []
  for (let position = 0; position < bytes.length; position += 4 + (lengths.at(-1) ?? 0)) {
    expect(bytes[position + 3]).toBe(lengths.length)
    lengths.push(bytes.readUIntLE(position, 3))
  }
  expect(lengths).toEqual(expected)
  expect(packets).toBe(expected.length)
})

test('values follow a bitmap of NULLs and their types', () => {
  const { bytes } = executeCommand(7, [
    null,
    1.5,
    -2n,
    'é',
    Buffer.from([0xff]),
    null,
    'x',
    'y',
    null,
  ])
  expect(bytes.subarray(4).toString('hex')).toBe(
    [
      '17',
      '07000000',
      '00',
      '01000000',
      // The first, the sixth and the ninth are NULL.
      '2101',
      '01',
      '0600 0500 0800 fd00 fc00 0600 fd00 fd00 0600'.replaceAll(' ', ''),
      '000000000000f83f',
      `fe${'ff'.repeat(7)}`,
      '02c3a9',
      '01ff',
      '0178',
      '0179',
    ].join(''),
  )
})
