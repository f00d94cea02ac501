import { createTypeSystem, oids } from '@engine/core/adapter'
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

test('columns may be of another type as long as they look the same', () => {
  const { requireColumns } = hintsOf(
    nativeStatement({ steps: [step], columns, isWrite: false }, types),
  )

  expect(() => requireColumns([oids.int4, oids.text])).not.toThrow()
  expect(() => requireColumns([oids.int8, oids.text])).toThrow(
    expect.objectContaining({ problem: 'staleCatalog' }),
  )
})

test('a write is not compared: it is done by then', () => {
  const { requireColumns } = hintsOf(
    nativeStatement({ steps: [step], columns, isWrite: true }, types),
  )

  expect(() => requireColumns([oids.int8, oids.text])).not.toThrow()
})

test('elements of parameters are separated as their type wants it', () => {
  const parameter = (oid: number) =>
    ({ from: 'request', index: 0, type: { oid, typmod: -1 } }) as const
  const parameters = [oids.text, oids.textArray, types.arrayTypeOid(oids.box) ?? 0].map(parameter)

  expect(
    hintsOf(nativeStatement({ steps: [{ ...step, parameters }], columns, isWrite: false }, types))
      .steps[0]?.delimiters,
  ).toEqual([',', ',', ';'])
})
