import { oids } from '@engine/core/catalog'
import { renderSql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { expect, test } from 'vitest'
import { printLimit } from './print-limit.ts'

const int8 = { oid: oids.int8, typmod: -1 }
const int4 = { oid: oids.int4, typmod: -1 }

function constant(value: string | null): Expression {
  return { kind: 'constant', value, type: int8 }
}

function limited(
  count: Expression | undefined,
  offset?: Expression,
  max?: number,
): ReturnType<typeof renderSql> {
  const limit =
    count === undefined && max === undefined ? undefined : { count, max, withTies: false }
  return renderSql(printLimit({ limit, offset }), { kind: 'positional' }, '`')
}

test('numbers are printed, the smaller of count and most', () => {
  expect(limited(constant('3')).text).toBe(' limit 3')
  expect(limited(constant('3'), constant('4'), 2).text).toBe(' limit 2 offset 4')
  expect(limited(undefined, undefined, 7).text).toBe(' limit 7')
})

test('NULL is no limit', () => {
  expect(limited(constant(null)).text).toBe('')
  expect(limited(constant(null), constant(null), 5).text).toBe(' limit 5')
})

test('an offset alone needs a limit that is none', () => {
  expect(limited(undefined, constant('2')).text).toBe(' limit 18446744073709551615 offset 2')
})

test('parameters are lowered when the request comes', () => {
  const parameter: Expression = { kind: 'parameter', index: 1, type: int8 }
  const cast: Expression = {
    kind: 'cast',
    operand: { kind: 'parameter', index: 0, type: int4 },
    method: 'function',
    isExplicit: false,
    type: int8,
  }
  expect(limited(cast, parameter, 100)).toEqual({
    text: ' limit ? offset ?',
    parameters: [
      { from: 'clampedLimit', index: 0, max: 100 },
      { from: 'clampedLimit', index: 1, max: Number.MAX_SAFE_INTEGER, isOffset: true },
    ],
    volatileCalls: [],
  })
})

test('negative numbers are errors', () => {
  expect(() => limited(constant('-1'))).toThrow(expect.objectContaining({ sqlState: '2201W' }))
  expect(() => limited(undefined, constant('-1'))).toThrow(
    expect.objectContaining({ sqlState: '2201X' }),
  )
})

test('what is computed is refused', () => {
  const computed: Expression = { kind: 'coalesce', args: [constant('1')], type: int8 }
  expect(() => limited(computed)).toThrow(expect.objectContaining({ problem: 'unsupported' }))
})
