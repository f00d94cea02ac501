import { expect, test } from 'vitest'
import type { Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import { canBeNull } from './nullability.ts'

const type = { oid: oids.text, typmod: -1 }
const value = (text: string | null): Expression => ({ kind: 'constant', value: text, type })
const isNullable = (part: Expression) => canBeNull(part, isNullable) ?? true

test('COALESCE is NULL only where all of its arguments can be', () => {
  expect(isNullable({ kind: 'coalesce', args: [value(null), value('a')], type })).toBe(false)
  expect(isNullable({ kind: 'coalesce', args: [value(null), value(null)], type })).toBe(true)
})

test('a test is never NULL, a cast is where its operand is', () => {
  const operand = value(null)
  expect(isNullable({ kind: 'nullTest', operand, negated: false, type })).toBe(false)
  const cast = { kind: 'cast', method: 'function', isExplicit: true, type } as const
  expect(isNullable({ ...cast, operand })).toBe(true)
  expect(isNullable({ ...cast, operand: value('a') })).toBe(false)
})

test('the dialect decides on a column', () => {
  expect(canBeNull({ kind: 'column', relation: 1, column: 0, type }, isNullable)).toBeUndefined()
})
