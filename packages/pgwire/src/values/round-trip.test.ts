import { GatewayError } from '@engine/core'
import { createTypeSystem, type PgType } from '@engine/core/catalog'
import { type Oid, oids } from '@engine/core/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCellEncoder } from './create-cell-encoder.ts'
import { createParameterDecoder } from './create-parameter-decoder.ts'

const hstore: PgType = {
  oid: 20_001,
  name: 'hstore',
  schema: 'public',
  kind: 'opaque',
  category: 'U',
  isPreferred: false,
  isCollatable: false,
  isNameable: true,
}
const types = createTypeSystem({ types: [hstore] })
const settings = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 } as const

function decode(typeOid: Oid, bytes: Uint8Array): string {
  return createParameterDecoder({ number: 1, typeOid }, 1, types, settings)(bytes)
}

function encode(typeOid: Oid, text: string): Buffer {
  return Buffer.from(createCellEncoder({ name: 'c', typeOid }, 1, types, settings)(text))
}

/** Generates values of this number of bytes; all such bytes are values. */
const fixedLengths: readonly (readonly [name: string, typeOid: Oid, length: number])[] = [
  ['int2', oids.int2, 2],
  ['int4', oids.int4, 4],
  ['int8', oids.int8, 8],
  ['oid', oids.oid, 4],
  ['uuid', oids.uuid, 16],
  ['interval', oids.interval, 16],
  ['macaddr', oids.macaddr, 6],
]

describe('binary → text → binary gives the same bytes', () => {
  test.each(fixedLengths)('%s', (_, typeOid, length) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (bytes) => {
        expect(encode(typeOid, decode(typeOid, bytes))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test.each([
    ['float4', oids.float4, 4],
    ['float8', oids.float8, 8],
  ] as const)('%s', (_, typeOid, length) => {
    const value = length === 4 ? fc.float({ noNaN: true }) : fc.double({ noNaN: true })
    fc.assert(
      fc.property(value, (number) => {
        const bytes = Buffer.alloc(length)
        if (length === 4) bytes.writeFloatBE(number)
        else bytes.writeDoubleBE(number)
        expect(encode(typeOid, decode(typeOid, bytes))).toEqual(bytes)
      }),
    )
  })

  test('timestamp', () => {
    const first = -211_813_488_000_000_000n
    fc.assert(
      fc.property(fc.bigInt({ min: first, max: 9_223_371_331_199_999_999n }), (microseconds) => {
        const bytes = Buffer.alloc(8)
        bytes.writeBigInt64BE(microseconds)
        expect(encode(oids.timestamp, decode(oids.timestamp, bytes))).toEqual(bytes)
      }),
    )
  })

  test('date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_451_545, max: 2_145_031_948 }), (days) => {
        const bytes = Buffer.alloc(4)
        bytes.writeInt32BE(days)
        expect(encode(oids.date, decode(oids.date, bytes))).toEqual(bytes)
      }),
    )
  })
})

describe('text → binary → text gives the same text', () => {
  test('numeric', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,40})(\.\d{1,40})?$/)
    fc.assert(
      fc.property(digits, fc.boolean(), (text, isNegative) => {
        const value = isNegative && /[1-9]/.test(text) ? `-${text}` : text
        expect(decode(oids.numeric, encode(oids.numeric, value))).toBe(value)
      }),
    )
  })

  test('text, in arrays too', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
    fc.assert(
      fc.property(fc.array(fc.option(text), { minLength: 1 }), (values) => {
        const literal = types.inputText(oids.textArray, {
          kind: 'array',
          elementOid: oids.text,
          dimensions: [values.length],
          elements: values,
        })
        expect(decode(oids.textArray, encode(oids.textArray, literal))).toBe(literal)
      }),
    )
  })

  test('bits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[01]{0,40}$/), (bits) => {
        expect(decode(oids.varbit, encode(oids.varbit, bits))).toBe(bits)
      }),
    )
  })
})

/** Type, text, the bytes that PostgreSQL sends for it. */
const sentByPostgres: readonly (readonly [type: string, text: string, hex: string])[] = [
  ['tid', '(1,2)', '000000010002'],
  ['tid', '(4294967295,65535)', 'ffffffffffff'],
  ['txid_snapshot', '10:20:', '00000000000000000000000a0000000000000014'],
  ['pg_snapshot', '10:20:14', '00000001000000000000000a0000000000000014000000000000000e'],
  ['hstore', '', '00000000'],
  ['hstore', '"a"=>"1", "b"=>NULL', '00000002000000016100000001310000000162ffffffff'],
  ['hstore', String.raw`"\"\\"=>"é, "`, '0000000100000002225c00000004c3a92c20'],
]

test.each(sentByPostgres)('%s %s has the binary form of PostgreSQL', (name, text, hex) => {
  const typeOid = types.typeByName(name)?.oid ?? 0
  const bytes = Buffer.from(hex, 'hex')
  expect(encode(typeOid, text)).toEqual(bytes)
  expect(decode(typeOid, bytes)).toBe(text)
  for (let end = 0; end < bytes.length; end += 1) {
    expect(() => decode(typeOid, bytes.subarray(0, end))).toThrow(GatewayError)
  }
})

test('whatever bytes come, they are a value or refused', () => {
  const readable = Object.values(oids).filter((typeOid) => {
    try {
      createParameterDecoder({ number: 1, typeOid }, 1, types, settings)
      return true
    } catch (error) {
      if (error instanceof GatewayError && error.sqlState === '0A000') return false
      throw error
    }
  })
  expect(readable.length).toBeGreaterThan(40)
  fc.assert(
    fc.property(fc.constantFrom(...readable), fc.uint8Array({ maxLength: 40 }), (oid, bytes) => {
      try {
        expect(typeof decode(oid, bytes)).toBe('string')
      } catch (error) {
        expect(error).toBeInstanceOf(GatewayError)
        expect(['08P01', '22P03', '22021']).toContain((error as GatewayError).sqlState)
      }
    }),
    { numRuns: 5000 },
  )
})

test('long texts take no longer than their length', () => {
  const size = 200_000
  const nasty: readonly (readonly [Oid, string])[] = [
    [oids.float8, `${'1'.repeat(size)}x`],
    [oids.numeric, `${'1'.repeat(size)}x`],
    [oids.int8, '1'.repeat(size)],
    [oids.point, `${'1,'.repeat(size)}x`],
    [oids.inet, '1/'.repeat(size)],
    [oids.interval, '1 day '.repeat(size)],
    [oids.date, ' '.repeat(size)],
  ]
  for (const [typeOid, text] of nasty) {
    expect(() => encode(typeOid, text)).toThrow(GatewayError)
  }
  const decodeText = (name: string, text: string): string => {
    const typeOid = types.typeByName(name)?.oid ?? 0
    const session = { ...settings, timeZone: 'Europe/Berlin' }
    return createParameterDecoder({ number: 1, typeOid }, 0, types, session)(Buffer.from(text))
  }
  for (const text of ['1a'.repeat(size), `[${'""'.repeat(size)}`, ' '.repeat(size)]) {
    expect(decodeText('timestamptz', text)).toBe(text)
    expect(decodeText('tstzrange', text)).toBe(text)
    expect(decodeText('_timestamptz', text)).toBe(text)
  }
})
