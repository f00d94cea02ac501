import { createTypeSystem, type PgType } from '@engine/core/catalog'
import { oids } from '@engine/core/values'
import { describe, expect, test } from 'vitest'
import type { ValueSettings } from './cell-format.ts'
import { createCellEncoder } from './create-cell-encoder.ts'
import { createParameterDecoder } from './create-parameter-decoder.ts'

const addressOid = 20_000

const address: PgType = {
  oid: addressOid,
  name: 'address',
  kind: 'opaque',
  category: 'C',
  isPreferred: false,
  isCollatable: false,
  isNameable: true,
  schema: 'public',
  attributes: [
    { name: 'street', oid: oids.text, typmod: -1 },
    { name: 'number', oid: oids.int4, typmod: -1 },
    { name: 'since', oid: oids.timestamptz, typmod: -1 },
  ],
}

const types = createTypeSystem({ types: [address] })
const settings: ValueSettings = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 }
const column = { name: 'home', typeOid: addressOid }
const parameter = { number: 1, typeOid: addressOid }

describe('a composite value', () => {
  test.each([
    ['(High,7,"2024-01-01 00:00:00+00")'],
    ['("High ""Street"", (7) \\\\",,)'],
    ['("",-1,)'],
    ['(,,)'],
    ['(é,0,infinity)'],
  ])('%s goes to bytes and back', (text) => {
    const bytes = createCellEncoder(column, 1, types, settings)(text)
    const decode = createParameterDecoder(parameter, 1, types, settings)
    expect(decode(Buffer.from(bytes))).toBe(text)
  })

  test('without an end goes to the database as it is, however many quotes it has', () => {
    const berlin = { ...settings, timeZone: 'Europe/Berlin' }
    const decode = createParameterDecoder(parameter, 0, types, berlin)
    for (const text of [`(${'"a"'.repeat(500)}x`, `(${'"'.repeat(1_001)}`]) {
      expect(decode(Buffer.from(text))).toBe(text)
    }
    expect(decode(Buffer.from('("a""b"" ""","7",2024-07-01 10:00)'))).toBe(
      '("a""b"" """,7,"2024-07-01 10:00:00+02")',
    )
  })

  test('has its attributes with type and length', () => {
    expect([...Buffer.from(createCellEncoder(column, 1, types, settings)('(a,7,)'))]).toEqual([
      ...[0, 0, 0, 3],
      ...[0, 0, 0, 25, 0, 0, 0, 1, 97],
      ...[0, 0, 0, 23, 0, 0, 0, 4, 0, 0, 0, 7],
      ...[0, 0, 4, 160, 255, 255, 255, 255],
    ])
  })

  test('has the fields of its type where it is a row', () => {
    const row = {
      name: 'row',
      typeOid: oids.record,
      fields: [
        { name: 'f1', type: { oid: oids.int4, typmod: -1 } },
        { name: 'f2', type: { oid: oids.timestamptz, typmod: -1 } },
      ],
    }
    expect([...Buffer.from(createCellEncoder(row, 1, types, settings)('(7,)'))]).toEqual([
      ...[0, 0, 0, 2],
      ...[0, 0, 0, 23, 0, 0, 0, 4, 0, 0, 0, 7],
      ...[0, 0, 4, 160, 255, 255, 255, 255],
    ])
    const inTokyo = { ...settings, timeZone: 'Asia/Tokyo' }
    const rows = { ...row, typeOid: oids.recordArray }
    const text = createCellEncoder(rows, 0, types, inTokyo)
    expect(text('{"(7,\\"2024-01-01 00:00:00+00\\")"}')).toBe(
      '{"(7,\\"2024-01-01 09:00:00+09\\")"}',
    )
  })

  test('shows timestamps as the session wants them', () => {
    const inTokyo = createCellEncoder(column, 0, types, { ...settings, timeZone: 'Asia/Tokyo' })
    expect(inTokyo('("a b",7,"2024-01-01 00:00:00+00")')).toBe('("a b",7,"2024-01-01 09:00:00+09")')
  })

  test.each([
    ['too few attributes', [0, 0, 0, 2, 0, 0, 0, 25, 255, 255, 255, 255]],
    ['an attribute of another type', [0, 0, 0, 3, 0, 0, 0, 23, 255, 255, 255, 255]],
    ['a length beyond the end', [0, 0, 0, 3, 0, 0, 0, 25, 0, 0, 0, 9, 97]],
    ['a negative length', [0, 0, 0, 3, 0, 0, 0, 25, 255, 255, 255, 254]],
    ['nothing', []],
  ])('of bytes with %s is refused', (_, bytes) => {
    const decode = createParameterDecoder(parameter, 1, types, settings)
    expect(() => decode(Buffer.from(bytes))).toThrow(expect.objectContaining({ sqlState: '22P03' }))
  })

  test('that holds a type of the connection has the number under which clients know it', () => {
    const outer: PgType = {
      ...address,
      oid: 20_001,
      name: 'outer',
      attributes: [{ name: 'home', oid: addressOid, typmod: -1 }],
    }
    const both = createTypeSystem({ types: [address, outer] })
    const shown = { ...settings, wireOid: (oid: number) => (oid === addressOid ? 30_000 : oid) }
    const text = '("(High,7,)")'
    const bytes = Buffer.from(
      createCellEncoder({ name: 'x', typeOid: 20_001 }, 1, both, shown)(text),
    )
    expect(bytes.readUInt32BE(4)).toBe(30_000)
    const decode = createParameterDecoder({ number: 1, typeOid: 20_001 }, 1, both, shown)
    expect(decode(bytes)).toBe(text)
  })

  test('of one NULL is printed like a row without fields', () => {
    const fields = [{ name: 'f1', type: { oid: oids.text, typmod: -1 } }]
    const encode = createCellEncoder(
      { name: 'r', typeOid: oids.record, fields },
      1,
      types,
      settings,
    )
    expect(encode('()')).toEqual(Buffer.from('0000000100000019ffffffff', 'hex'))
  })

  test('of a type that clients know as text is sent as its text, also in the binary format', () => {
    const shown = { ...settings, wireOid: (oid: number) => (oid === addressOid ? oids.text : oid) }
    const encode = createCellEncoder(column, 1, types, shown)
    expect(Buffer.from(encode('(High,7,)')).toString()).toBe('(High,7,)')
  })
})
