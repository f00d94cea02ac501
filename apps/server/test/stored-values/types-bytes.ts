/** @module Bytes. */
import * as fc from 'fast-check'
import { both, everywhere, type StoredType } from './stored-type.ts'

const bytes = (length: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array) => `\\x${Buffer.from(array).toString('hex')}`)

export const byteTypes: readonly StoredType[] = [
  {
    name: 'bytea',
    type: 'bytea',
    columns: everywhere('bytea', 'mediumblob', 'blob'),
    values: ['\\x', '\\x00', '\\x00ff5c27', '\\xc3a9', '\\xDEAD', `\\x${'ab'.repeat(70_000)}`],
    refused: ['\\x0', '\\xzz'],
    random: fc.nat(20).chain(bytes),
  },
  ...['tinyblob', 'blob', 'longblob'].map(
    (declared): StoredType => ({
      name: declared,
      type: 'bytea',
      columns: both(declared),
      values: ['\\x', '\\x00ff', '\\x2020'],
      refused: [declared === 'tinyblob' ? `\\x${'ab'.repeat(256)}` : '\\x0'],
    }),
  ),
  {
    name: 'varbinary(4)',
    type: 'bytea',
    columns: both('varbinary(4)'),
    values: ['\\x', '\\x00', '\\xab00', '\\xdeadbeef', '\\x2020'],
    refused: ['\\xdeadbeef00', '\\xdeadbeef20'],
    random: fc.nat(4).chain(bytes),
  },
  {
    name: 'binary(4)',
    type: 'bytea',
    columns: both('binary(4)'),
    values: ['\\xdeadbeef', '\\x00000000', '\\x20202020', '\\xab000000'],
    refused: ['\\xdeadbeef00', '\\xab', '\\x', '\\xabcdef'],
    random: bytes(4),
  },
  {
    name: 'bit(12)',
    type: 'bytea',
    columns: both('bit(12)'),
    values: ['\\x0801', '\\x0fff', '\\x0000'],
    refused: ['\\x1000', '\\xff', '\\x', '\\x000801', '\\x31'],
  },
  {
    name: 'bit(64)',
    type: 'bytea',
    columns: both('bit(64)'),
    values: ['\\xffffffffffffffff', '\\x8000000000000000', '\\x0000000000000001'],
    refused: ['\\x00', '\\xffffffffffffffff00'],
    random: bytes(8),
  },
]
