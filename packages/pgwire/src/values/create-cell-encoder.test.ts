import { createTypeSystem } from '@engine/core/catalog'
import { type Oid, oids } from '@engine/core/values'
import { describe, expect, test } from 'vitest'
import type { Format } from '../protocol/frontend-message.ts'
import type { CellEncoder, ValueSettings } from './cell-format.ts'
import { createCellEncoder } from './create-cell-encoder.ts'
import { sameText } from './text-form.ts'

const domainOid = 90_001
const enumOid = 90_002
const types = createTypeSystem({
  types: [
    {
      oid: domainOid,
      name: 'quantity',
      category: 'N',
      isPreferred: false,
      kind: 'domain',
      baseOid: oids.int4,
      isCollatable: false,
      isNameable: true,
    },
    {
      oid: enumOid,
      name: 'mood',
      category: 'E',
      isPreferred: false,
      kind: 'enum',
      enumLabels: ['sad', 'glücklich'],
      isCollatable: false,
      isNameable: true,
    },
  ],
})

const utc: ValueSettings = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 }

function encoder(typeOid: Oid, format: Format, settings: Partial<ValueSettings> = {}): CellEncoder {
  return createCellEncoder({ name: 'price', typeOid }, format, types, { ...utc, ...settings })
}

function hex(typeOid: Oid, text: string): string {
  return Buffer.from(encoder(typeOid, 1)(text)).toString('hex')
}

describe('text', () => {
  test.each([oids.text, oids.varchar, oids.bpchar, oids.json, oids.jsonb, oids.name, enumOid])(
    'type %i is sent as it is, by one and the same function',
    (typeOid) => expect(encoder(typeOid, 0)).toBe(sameText),
  )

  test.each([
    [oids.int4, '-2147483648'],
    [oids.int8, '9223372036854775807'],
    [oids.numeric, '-0.50'],
    [oids.float8, '1e+300'],
    [oids.float8, '0.1'],
    [oids.date, '0044-03-15 BC'],
    [oids.timestamptz, '2024-02-29 23:59:59.5+00'],
    [domainOid, '42'],
  ])('what PostgreSQL prints for type %i stays: %s', (typeOid, text) => {
    expect(encoder(typeOid, 0)(text)).toBe(text)
  })

  test.each([
    [oids.bool, 'true', 't'],
    [oids.bool, '0', 'f'],
    [oids.int4, '007', '7'],
    [oids.float8, '1.0', '1'],
    [oids.float8, '1000000000000000', '1e+15'],
    [oids.float8, '1e-7', '1e-07'],
    [oids.float4, '3.4e38', '3.4e+38'],
    [oids.numeric, '.5', '0.5'],
    [oids.numeric, '-0.00', '0.00'],
    [oids.date, '2024/1/5', '2024-01-05'],
    [oids.time, '10:30', '10:30:00'],
    [oids.timestamp, '2024-01-31T10:30:00.250Z', '2024-01-31 10:30:00.25'],
    [oids.timestamptz, '2024-01-31T10:30:00+01:00', '2024-01-31 09:30:00+00'],
    [oids.uuid, 'A0EEBC999C0B4EF8BB6D6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    [oids.interval, '90 minutes', '01:30:00'],
  ])('another spelling of type %i is put right: %s', (typeOid, text, expected) => {
    expect(encoder(typeOid, 0)(text)).toBe(expected)
  })

  test.each([
    [oids.bool, 'maybe', '22P02'],
    [oids.int4, 'abc', '22P02'],
    [oids.int4, '1.5', '22P02'],
    [oids.int4, '', '22P02'],
    [oids.int4, '2147483648', '22003'],
    [oids.int8, '9223372036854775808', '22003'],
    [oids.numeric, '1,5', '22P02'],
    [oids.float8, '1e999', '22003'],
    [oids.date, '2023-02-29', '22P02'],
    [oids.date, '0000-00-00', '22P02'],
    [oids.timestamp, 'yesterday', '22P02'],
    [oids.uuid, 'x', '22P02'],
    [domainOid, 'abc', '22P02'],
  ])('what is no value of type %i is refused: %j', (typeOid, text, sqlState) => {
    for (const format of [0, 1] as const) {
      expect(() => encoder(typeOid, format)(text)).toThrow(
        expect.objectContaining({ sqlState, message: expect.stringContaining('column "price"') }),
      )
    }
  })

  test.each([
    ['Europe/Berlin', '2024-07-01 22:00:00.5+00', '2024-07-02 00:00:00.5+02'],
    ['Asia/Kolkata', '2024-01-01 00:00:00+00', '2024-01-01 05:30:00+05:30'],
    ['America/New_York', '0001-01-01 00:00:00+00', '0001-12-31 19:03:58-04:56:02 BC'],
    ['<-03:30>+03:30', '2024-01-01 00:00:00+00', '2023-12-31 20:30:00-03:30'],
    ['UTC-3', '2024-01-01 00:00:00+00', '2024-01-01 03:00:00+03'],
    ['Europe/Berlin', 'infinity', 'infinity'],
  ])('a timestamp is shown in the zone of the session, %s', (timeZone, text, expected) => {
    expect(encoder(oids.timestamptz, 0, { timeZone })(text)).toBe(expected)
  })

  test('so is each of an array', () => {
    const encode = encoder(oids.timestamptzArray, 0, { timeZone: 'Europe/Berlin' })
    expect(encode('[0:1]={"2024-07-01 00:00:00+00",NULL}')).toBe(
      '[0:1]={"2024-07-01 02:00:00+02",NULL}',
    )
  })

  test('zones that are UTC by another name change nothing', () => {
    const text = '2024-07-01 22:00:00.5+00'
    for (const timeZone of ['UTC', 'Etc/UTC', 'Zulu', 'GMT', '<+00>-00', 'UTC+0']) {
      expect(encoder(oids.timestamptz, 0, { timeZone })(text)).toBe(text)
    }
  })

  test('bytes are escaped where the session wants it', () => {
    const encode = encoder(oids.bytea, 0, { byteaOutput: 'escape' })
    expect(encode('\\x00415c7eff')).toBe('\\000A\\\\~\\377')
  })
})

describe('binary', () => {
  test.each([
    [oids.bool, 't', '01'],
    [oids.bool, 'false', '00'],
    [oids.int2, '-2', 'fffe'],
    [oids.int4, '-2', 'fffffffe'],
    [oids.int8, '-2', 'fffffffffffffffe'],
    [oids.oid, '4294967295', 'ffffffff'],
    [oids.float4, '1.5', '3fc00000'],
    [oids.float8, '-Infinity', 'fff0000000000000'],
    [oids.numeric, '0.00', '0000000000000002'],
    [oids.numeric, '-12345.6700', '0003000140000004000109291a2c'],
    [oids.numeric, '10000', '00010001000000000001'],
    [oids.numeric, '0.0001', '0001ffff000000040001'],
    [oids.numeric, 'NaN', '00000000c0000000'],
    [oids.text, 'ä', 'c3a4'],
    [oids.jsonb, '{}', '017b7d'],
    [oids.bytea, '\\xdead', 'dead'],
    [oids.uuid, '00010203-0405-0607-0809-0a0b0c0d0e0f', '000102030405060708090a0b0c0d0e0f'],
    [oids.date, '1999-12-31', 'ffffffff'],
    [oids.date, 'infinity', '7fffffff'],
    [oids.time, '00:00:01', '00000000000f4240'],
    [oids.timetz, '00:00:00+01', '0000000000000000fffff1f0'],
    [oids.timestamp, '2000-01-01 00:00:00.000001', '0000000000000001'],
    [oids.timestamptz, '-infinity', '8000000000000000'],
    [oids.interval, '1 mon 2 days 00:00:01', '00000000000f42400000000200000001'],
    [oids.inet, '10.0.0.1', '022000040a000001'],
    [oids.varbit, '101', '00000003a0'],
    [domainOid, '42', '0000002a'],
    [enumOid, 'glücklich', '676cc3bc636b6c696368'],
    [oids.int4Array, '{}', '000000000000000000000017'],
    [
      oids.int4Array,
      '{7,NULL}',
      '0000000100000001000000170000000200000001000000040000000' + '7ffffffff',
    ],
  ])('type %i: %s', (typeOid, text, expected) => {
    expect(hex(typeOid, text)).toBe(expected)
  })

  test('the zone of the session does not count', () => {
    const encode = encoder(oids.timestamptz, 1, { timeZone: 'Asia/Tokyo' })
    expect(encode('2000-01-01 00:00:00+00')).toEqual(Buffer.alloc(8))
  })

  test('another spelling is put right first', () => {
    expect(hex(oids.timestamp, '2000-01-01T00:00:00.000001Z')).toBe('0000000000000001')
    expect(hex(oids.numeric, '1e2')).toBe(hex(oids.numeric, '100'))
  })

  test.each([
    ['inet', oids.inet, 'here'],
    ['int4[]', oids.int4Array, '{1,x}'],
    ['int4[]', oids.int4Array, '[0:5]={1}'],
    ['bytea', oids.bytea, '\\xabc'],
    ['point', oids.point, '(1)'],
    ['money', oids.money, '12.34'],
    ['money', oids.money, '$92,233,720,368,547,758.08'],
    ['tsvector', oids.tsvector, "'a':16384"],
    ['tsvector', oids.tsvector, 'a'],
  ])('what cannot be a value of %s is never sent', (_, typeOid, text) => {
    expect(() => encoder(typeOid, 1)(text)).toThrow(expect.objectContaining({ sqlState: '22P02' }))
  })

  test.each([3615, oids.record])('type %i can be sent as text only', (typeOid) => {
    expect(() => encoder(typeOid, 1)).toThrow(expect.objectContaining({ sqlState: '0A000' }))
    expect(encoder(typeOid, 0)).toBe(sameText)
  })
})
