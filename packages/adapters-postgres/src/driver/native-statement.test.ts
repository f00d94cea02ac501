import { createTypeSystem, oids } from '@engine/core/catalog'
import { expect, test } from 'vitest'
import { hintsOf, nativeStatement } from './native-statement.ts'

const types = createTypeSystem()
const step = {
  sql: 'select 1',
  parameters: [],
  yields: 'result',
  checkColumn: undefined,
  visibleColumn: undefined,
} as const
const columns = [
  { name: 'a', type: { oid: oids.int4, typmod: -1 } },
  { name: 'b', type: { oid: oids.varchar, typmod: 24 } },
]

test('the same text has the same name, another text another one', () => {
  const name = (sql: string) =>
    hintsOf(nativeStatement({ steps: [{ ...step, sql }], columns, isWrite: false }, types)).steps[0]
      ?.statementName ?? ''

  expect(name('select 1')).toBe(name('select 1'))
  expect(name('select 1')).not.toBe(name('select 2'))
  expect(name('select 1').length).toBeLessThan(64)
})

test('a check needs a transaction', () => {
  const checked = { steps: [{ ...step, checkColumn: 2 }], columns, isWrite: true }

  expect(nativeStatement(checked, types).needsTransaction).toBe(true)
  expect(nativeStatement({ steps: [step], columns, isWrite: true }, types).needsTransaction).toBe(
    false,
  )
})

test.each([false, true])(
  'columns may be of another type as long as they look the same',
  (isWrite) => {
    const { expects } = hintsOf(nativeStatement({ steps: [step], columns, isWrite }, types))

    expect(expects.isWrite).toBe(isWrite)
    for (let time = 0; time < 2; time += 1) {
      expect(expects.accepts([oids.int4, oids.text])).toBe(true)
      expect(expects.accepts([oids.int2, oids.varchar])).toBe(true)
      expect(expects.accepts([oids.int8, oids.text])).toBe(false)
      expect(expects.accepts([oids.text, oids.text])).toBe(false)
      expect(expects.accepts([oids.int4])).toBe(false)
    }
  },
)

test('elements of parameters are separated as their type wants it', () => {
  const parameter = (oid: number) =>
    ({ from: 'request', index: 0, type: { oid, typmod: -1 } }) as const
  const parameters = [oids.text, oids.textArray, types.arrayTypeOid(oids.box) ?? 0].map(parameter)

  expect(
    hintsOf(nativeStatement({ steps: [{ ...step, parameters }], columns, isWrite: false }, types))
      .steps[0]?.delimiters,
  ).toEqual([',', ',', ';'])
})
