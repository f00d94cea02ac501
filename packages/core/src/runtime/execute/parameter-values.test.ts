import { describe, expect, test } from 'vitest'
import { slotKey } from '../../compiler/permissions/access/access.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { SqlType } from '../../compiler/sql-types/sql-type.ts'
import { createTypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { SqlValue, ValueSource } from '../../compiler/sql-types/value-source.ts'
import { createParameterRecipe } from './parameter-values.ts'

const types = createTypeSystem({})
const timeMs = Date.UTC(2024, 0, 15, 10, 30)

function typeOf(oid: number): SqlType {
  return { oid, typmod: -1 }
}

function statementOf(
  steps: readonly (readonly ValueSource[])[],
  isWrite: boolean,
): CompiledStatement {
  return {
    steps: steps.map((parameters) => ({
      sql: '',
      parameters,
      yields: 'result',
      checkColumn: undefined,
      visibleColumn: undefined,
    })),
    needsTransaction: false,
    isWrite,
    columns: [],
    hints: undefined,
  }
}

/** The value of one source. */
function computed(
  source: ValueSource,
  params: readonly unknown[] = [],
  { isWrite = false, callerValues = new Map<string, SqlValue>() } = {},
): SqlValue | undefined {
  const recipe = createParameterRecipe(statementOf([[source]], isWrite), types)
  return recipe({ params, callerValues, timeMs })[0]?.[0]
}

const request = (oid: number, index = 0): ValueSource => ({
  from: 'request',
  index,
  type: typeOf(oid),
})

test('values stand in the order of the placeholders, step by step', () => {
  const steps = [[request(oids.int4, 1), request(oids.text, 0)], [], [request(oids.int4, 1)]]
  const recipe = createParameterRecipe(statementOf(steps, false), types)
  expect(recipe({ params: ['a', 7], callerValues: new Map(), timeMs })).toEqual([
    ['7', 'a'],
    [],
    ['7'],
  ])
})

describe('values of the request are put into canonical text', () => {
  test.each<[number, unknown, SqlValue]>([
    [oids.int4, 5, '5'],
    [oids.int4, -0, '0'],
    [oids.int4, -2_147_483_648, '-2147483648'],
    [oids.int4, ' 7 ', '7'],
    [oids.int8, 9_007_199_254_740_991, '9007199254740991'],
    [oids.int8, '9223372036854775807', '9223372036854775807'],
    [oids.bool, true, 'true'],
    [oids.bool, 'off', 'false'],
    [oids.text, 'é 🙂', 'é 🙂'],
    [oids.numeric, '1.50', '1.50'],
    [oids.int4, null, null],
    [oids.text, null, null],
    [oids.int4Array, [1, null], ['1', null]],
  ])('%d %j', (oid, value, text) => {
    expect(computed(request(oid), [value])).toEqual(text)
  })

  test.each<[number, unknown]>([
    [oids.int4, 2 ** 31],
    [oids.int4, 1.5],
    [oids.int4, 'x'],
    [oids.int4, Number.POSITIVE_INFINITY],
    [oids.int8, 2 ** 63],
    [oids.bool, 'maybe'],
    [oids.text, 'a\0'],
    [oids.text, '\ud800'],
  ])('%d %j is refused: 400 in a read, 422 in a write', (oid, value) => {
    const named = expect.objectContaining({ message: expect.stringMatching(/^Parameter \$1: /) })
    expect(() => computed(request(oid), [value])).toThrow(named)
    expect(() => computed(request(oid), [value])).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => computed(request(oid), [value], { isWrite: true })).toThrow(
      expect.objectContaining({ status: 422 }),
    )
  })
})

test('words for the present time mean that of the request, and only in UTC', () => {
  const now = new Date(timeMs).toISOString()
  const day = now.slice(0, 10)
  expect(computed(request(oids.date), ['today'])).toBe(day)
  expect(computed(request(oids.timestamp), [' Today 10:30'])).toBe(`${day} 10:30:00`)
  expect(computed(request(oids.timestamptz), ['now'])).toBe(
    computed({
      from: 'requestTime',
      type: typeOf(oids.timestamptz),
      offsetMs: 0,
      calendar: undefined,
    }),
  )
  const recipe = createParameterRecipe(statementOf([[request(oids.date)]], false), types, false)
  const values = { params: ['today'], callerValues: new Map<string, SqlValue>(), timeMs }
  expect(() => recipe(values)).toThrow(expect.objectContaining({ sqlState: '22007' }))
})

test('now of the client is the start of the transaction, now of a permission that of the request', () => {
  const type = typeOf(oids.timestamptz)
  const moment = { from: 'requestTime', type, offsetMs: 0, calendar: undefined } as const
  const sources: readonly ValueSource[] = [
    moment,
    { ...moment, ofTransaction: true },
    { from: 'request', index: 0, type },
  ]
  const recipe = createParameterRecipe(statementOf([sources], false), types)
  const request = { params: ['now'], callerValues: new Map<string, SqlValue>(), timeMs }
  const now = '2024-01-15 10:30:00+00'
  const earlier = '2024-01-15 10:29:00+00'
  expect(recipe(request)).toEqual([[now, now, now]])
  expect(recipe({ ...request, transactionTimeMs: timeMs - 60_000 })).toEqual([
    [now, earlier, earlier],
  ])
})

test('a LIMIT is lowered to the most rows there may be, never raised', () => {
  const limit: ValueSource = { from: 'clampedLimit', index: 0, max: 11 }
  expect(computed(limit, [5])).toBe('5')
  expect(computed(limit, [0])).toBe('0')
  expect(computed(limit, ['11'])).toBe('11')
  expect(computed(limit, [12])).toBe('11')
  expect(computed(limit, ['9223372036854775807'])).toBe('11')
  expect(computed(limit, [null])).toBe('11')
  for (const value of [-1, '-1']) {
    expect(() => computed(limit, [value])).toThrow(expect.objectContaining({ sqlState: '2201W' }))
  }
  expect(() => computed(limit, [1.5])).toThrow(expect.objectContaining({ status: 400 }))
})

test('a missing OFFSET is none', () => {
  const offset: ValueSource = { from: 'clampedLimit', index: 0, max: 100, isOffset: true }
  expect(computed(offset, [null])).toBe('0')
  expect(computed(offset, [7])).toBe('7')
  expect(computed(offset, [200])).toBe('100')
  expect(() => computed(offset, [-1])).toThrow(expect.objectContaining({ sqlState: '2201X' }))
})

test('fields of the caller are those that were computed for it; a missing one is NULL', () => {
  const slot = { path: ['tenant_id'], type: typeOf(oids.int4) }
  const callerValues = new Map([[slotKey(slot), '7']])
  expect(computed({ from: 'caller', slot }, [], { callerValues })).toBe('7')
  expect(computed({ from: 'caller', slot })).toBeNull()
})

test('constants, the moment of the request, and what an earlier step gives', () => {
  const type = typeOf(oids.timestamptz)
  expect(computed({ from: 'constant', value: 'x', type: typeOf(oids.text) })).toBe('x')
  expect(computed({ from: 'requestTime', type, offsetMs: -60_000, calendar: undefined })).toBe(
    '2024-01-15 10:29:00+00',
  )
  expect(computed({ from: 'step', step: 0 })).toBeNull()
})
