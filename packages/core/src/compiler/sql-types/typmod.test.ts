import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import { createTypeSystem } from './system/type-system.ts'
import {
  encodeTypmod,
  fractionDigitsOfTypmod,
  intervalFieldsOfTypmod,
  lengthOfTypmod,
  numericOfTypmod,
} from './typmod.ts'

const types = createTypeSystem()
const typmodOf = (oid: number, ...modifiers: readonly number[]) => {
  const encoded = encodeTypmod(oid, modifiers, 'type')
  if (!encoded.ok) throw new Error(encoded.message)
  return encoded.typmod
}

test('lengths', () => {
  expect(typmodOf(oids.varchar, 20)).toBe(24)
  expect(lengthOfTypmod(oids.varchar, 24)).toBe(20)
  expect(lengthOfTypmod(oids.bit, typmodOf(oids.bit, 8))).toBe(8)
  expect(lengthOfTypmod(oids.varchar, -1)).toBeUndefined()
  expect(lengthOfTypmod(oids.text, 24)).toBeUndefined()
})

test('numeric(10,2) is 655366', () => {
  expect(typmodOf(oids.numeric, 10, 2)).toBe(655_366)
  expect(numericOfTypmod(655_366)).toEqual({ precision: 10, scale: 2 })
  expect(numericOfTypmod(typmodOf(oids.numeric, 5, -2))).toEqual({ precision: 5, scale: -2 })
  expect(numericOfTypmod(-1)).toBeUndefined()
})

test('fractions of seconds', () => {
  expect(fractionDigitsOfTypmod(oids.timestamp, typmodOf(oids.timestamp, 3))).toBe(3)
  expect(fractionDigitsOfTypmod(oids.timestamp, typmodOf(oids.timestamp, 9))).toBe(6)
  expect(fractionDigitsOfTypmod(oids.timestamp, -1)).toBe(6)
})

test('intervals', () => {
  const yearToMonth = 6
  const allFields = 0x7fff
  expect(intervalFieldsOfTypmod(typmodOf(oids.interval, yearToMonth))).toBe(yearToMonth)
  const seconds = typmodOf(oids.interval, allFields, 2)
  expect(intervalFieldsOfTypmod(seconds)).toBeUndefined()
  expect(fractionDigitsOfTypmod(oids.interval, seconds)).toBe(2)
  expect(typmodOf(oids.interval, allFields)).toBe(-1)
})

test('wrong modifiers say why', () => {
  expect(types.encodeTypmod(oids.varchar, [0])).toEqual({
    ok: false,
    sqlState: '22023',
    message: 'length for type character varying must be at least 1',
  })
  expect(types.encodeTypmod(oids.int4, [3])).toEqual({
    ok: false,
    sqlState: '42601',
    message: 'type modifier is not allowed for type "integer"',
  })
  expect(types.encodeTypmod(oids.numeric, [1001])).toMatchObject({ ok: false })
  expect(types.encodeTypmod(oids.numeric, [1, 2, 3])).toMatchObject({ ok: false })
  expect(types.encodeTypmod(oids.varchar, [1, 2])).toMatchObject({ ok: false })
  expect(types.encodeTypmod(oids.timestamp, [-1])).toMatchObject({ ok: false })
})
