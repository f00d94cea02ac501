import { createTypeSystem } from '@engine/core/catalog'
import { type Oid, oids } from '@engine/core/values'
import { describe, expect, test } from 'vitest'
import type { Format } from '../protocol/frontend-message.ts'
import type { ParameterDecoder } from './cell-format.ts'
import { createParameterDecoder } from './create-parameter-decoder.ts'

const types = createTypeSystem()

/** It is summer in Berlin. */
const clock = (): number => Date.UTC(2024, 6, 1, 12)

function decoder(typeOid: Oid, format: Format, timeZone = 'UTC'): ParameterDecoder {
  const settings = { timeZone, byteaOutput: 'hex', clock } as const
  return createParameterDecoder({ number: 3, typeOid }, format, types, settings)
}

describe('text', () => {
  test('is left to the engine', () => {
    expect(decoder(oids.int4, 0)(Buffer.from(' 42 '))).toBe(' 42 ')
    expect(decoder(oids.text, 0)(Buffer.from('\uFEFFä€😀'))).toBe('\uFEFFä€😀')
    expect(decoder(oids.timestamptz, 0)(Buffer.from('2024-07-01'))).toBe('2024-07-01')
  })

  test.each(['ff', 'c3', 'eda080', '6100'])('bytes that are no text are refused: %s', (digits) => {
    for (const format of [0, 1] as const) {
      expect(() => decoder(oids.text, format)(Buffer.from(digits, 'hex'))).toThrow(
        expect.objectContaining({ sqlState: '22021' }),
      )
    }
  })

  test.each([
    ['2024-07-01 10:00', '2024-07-01 10:00:00+02'],
    ['2024-01-01T10:00:00.5', '2024-01-01 10:00:00.5+01'],
    ['2024-03-31 02:30', '2024-03-31 02:30:00+01'],
    ['2024-10-27 02:30', '2024-10-27 02:30:00+01'],
    ['2024-07-01', '2024-07-01 00:00:00+02'],
    ['2024-07-01 10:00 America/New_York', '2024-07-01 10:00 America/New_York'],
    ['0044-03-15 BC', '0044-03-15 00:00:00+00:53:28 BC'],
    ['2024-07-01 10:00Z', '2024-07-01 10:00Z'],
    ['2024-07-01 10:00+00', '2024-07-01 10:00+00'],
    ['infinity', 'infinity'],
    ['nonsense', 'nonsense'],
  ])('a clock in Berlin shows %s', (text, expected) => {
    expect(decoder(oids.timestamptz, 0, 'Europe/Berlin')(Buffer.from(text))).toBe(expected)
  })

  test('so do those of an array', () => {
    const decode = decoder(oids.timestamptzArray, 0, 'Europe/Berlin')
    expect(decode(Buffer.from('{"2024-07-01 10:00",NULL}'))).toBe('{"2024-07-01 10:00:00+02",NULL}')
  })

  test('a time of day without an offset is one of today', () => {
    const decode = decoder(oids.timetz, 0, 'Europe/Berlin')
    expect(decode(Buffer.from('10:00'))).toBe('10:00:00+02')
    expect(decode(Buffer.from('10:00+05'))).toBe('10:00+05')
  })
})

describe('binary', () => {
  test.each([
    [oids.int4, 'fffffffe', '-2'],
    [oids.numeric, '0003000140000004000109291a2c', '-12345.6700'],
    [oids.numeric, '0001ffff000000060001', '0.000100'],
    [oids.numeric, '0001000000000001' + '0001', '1.0'],
    [oids.jsonb, '017b7d', '{}'],
    [oids.date, '80000000', '-infinity'],
    [oids.timestamptz, 'ffffffffffffffff', '1999-12-31 23:59:59.999999+00'],
    [oids.textArray, '000000010000000000000019000000010000000100000002612c', '{"a,"}'],
    [oids.float8, '3ff8000000000000', '1.5'],
  ])('type %i: %s', (typeOid, digits, expected) => {
    expect(decoder(typeOid, 1)(Buffer.from(digits, 'hex'))).toBe(expected)
  })

  test.each([
    [oids.int4, '0000000000'],
    [oids.numeric, '0001000000000000'],
    [oids.numeric, '0001000000000000270f00'],
    [oids.numeric, '00010000000000002710'],
    [oids.numeric, '0000000012340000'],
    [oids.jsonb, '027b7d'],
    [oids.timestamp, '7ffffffffffffffe'],
    [oids.time, 'ffffffffffffffff'],
    [oids.int4Array, '000000010000000000000019000000010000000100000004' + '00000001'],
    [oids.int4Array, '0000000100000000000000177fffffff00000001'],
    [oids.int4Array, '000000070000000000000017'],
    [oids.int4Array, 'ffffffff0000000000000017'],
  ])('bytes that are no value of type %i are refused: %s', (typeOid, digits) => {
    expect(() => decoder(typeOid, 1)(Buffer.from(digits, 'hex'))).toThrow(
      expect.objectContaining({
        sqlState: '22P03',
        message: 'incorrect binary data format in bind parameter 3',
      }),
    )
  })

  test.each([
    [oids.bool, ''],
    [oids.int4, '00'],
    [oids.uuid, '00'],
  ])('too few bytes for type %i break the protocol: %j', (typeOid, digits) => {
    expect(() => decoder(typeOid, 1)(Buffer.from(digits, 'hex'))).toThrow(
      expect.objectContaining({ sqlState: '08P01', message: 'insufficient data left in message' }),
    )
  })

  test('a view into a larger packet is read where it is', () => {
    const packet = new Uint8Array([9, 9, 0, 0, 0, 7, 9])
    expect(decoder(oids.int4, 1)(packet.subarray(2, 6))).toBe('7')
  })
})

test.each([
  ['0001 7fff 0000 0000 0009', '9e131068'],
  ['0001 7fff 4000 0000 0009', '-9e131068'],
  ['0001 7fff 0000 0000 0000', '0'],
  ['0001 0065 0000 0000 0001', '1e404'],
  ['0001 0063 0000 0000 270f', `9999${'0'.repeat(396)}`],
  ['0001 0063 0000 0002 0001', `1${'0'.repeat(396)}.00`],
  ['0001 f001 0000 3fff 0032', '50000e-16383'],
  ['0001 f001 4000 3ffe 0032', '-5000e-16382'],
  ['0000 0000 0000 3fff', '54000'],
  ['0001 7fff 0000 0001 0009', '54000'],
  ['0001 0000 0000 3fff 0009', '54000'],
])('the numeric %s is not a long text: %s', (digits, expected) => {
  const bytes = Buffer.from(digits.replaceAll(' ', ''), 'hex')
  const decode = decoder(oids.numeric, 1)
  if (expected === '54000') {
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ sqlState: '54000' }))
  } else {
    expect(decode(bytes)).toBe(expected)
  }
})

test('an array of numbers with many zeros is about as long as its bytes', () => {
  const count = 70_000
  const int4 = (number: number) => number.toString(16).padStart(8, '0')
  const header = [1, 0, oids.numeric, count, 1].map(int4).join('')
  const element = `${int4(10)}00017fff000000000009`
  const bytes = Buffer.from(header + element.repeat(count), 'hex')
  expect(decoder(oids.numericArray, 1)(bytes)).toBe(`{${Array(count).fill('9e131068').join()}}`)
})
