import { expect, test } from 'vitest'
import { oids } from './oids.ts'
import { createTypeSystem } from './system/type-system.ts'

const { formatType } = createTypeSystem({
  types: [
    {
      oid: 30_000,
      name: 'Mood ring',
      category: 'E',
      isPreferred: false,
      kind: 'enum',
      isCollatable: false,
      isNameable: true,
    },
  ],
})

test('SQL spellings', () => {
  expect(formatType(oids.int4)).toBe('integer')
  expect(formatType(oids.varchar, 24)).toBe('character varying(20)')
  expect(formatType(oids.timestamptz, 3)).toBe('timestamp(3) with time zone')
  expect(formatType(oids.numericArray, 655_366)).toBe('numeric(10,2)[]')
  expect(formatType(oids.jsonb)).toBe('jsonb')
})

test('character and bit without a length', () => {
  expect(formatType(oids.bpchar)).toBe('character')
  expect(formatType(oids.bpchar, -1)).toBe('bpchar')
  expect(formatType(oids.bit, -1)).toBe('"bit"')
})

test('names that need quotes, and types nobody knows', () => {
  expect(formatType(30_000)).toBe('"Mood ring"')
  expect(formatType(0)).toBe('-')
  expect(formatType(999_999)).toBe('???')
})
