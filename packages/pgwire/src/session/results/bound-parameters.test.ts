import { createTypeSystem } from '@engine/core/catalog'
import { oids } from '@engine/core/values'
import { expect, test } from 'vitest'
import { checkParameters, createParameterReader, noParameters } from './bound-parameters.ts'

const values = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 } as const
const types = createTypeSystem()
const typed = (...typeOids: readonly number[]) =>
  createParameterReader({ types, parameterTypes: typeOids.map((oid) => ({ oid, typmod: -1 })) })
const bound = (
  parameters: readonly (string | Buffer | null)[],
  formats: readonly (0 | 1)[] = [],
) => ({
  ...noParameters,
  parameters: parameters.map((value) => (value === null ? null : Buffer.from(value))),
  parameterFormats: formats,
})

test('values are read in the format of each', () => {
  const read = typed(oids.int4, oids.text, oids.int4)
  const cells = read(bound([Buffer.from([0, 0, 1, 0]), 'a', null], [1, 0, 0]), values)
  expect(cells).toEqual(['256', 'a', null])
  expect(read(bound(['7', 'b', '8']), values)).toEqual(['7', 'b', '8'])
})

test('a text that is not a value of its type is refused', () => {
  const read = typed(oids.int4)
  expect(() => read(bound(['x']), values)).toThrow(expect.objectContaining({ sqlState: '22P02' }))
  expect(() => read(bound(['99999999999']), values)).toThrow(
    expect.objectContaining({ sqlState: '22003' }),
  )
  expect(() => read(bound([Buffer.from([1])], [1]), values)).toThrow(
    expect.objectContaining({ sqlState: '08P01' }),
  )
})

test('there are as many values as parameters, and no other number of formats', () => {
  expect(() => checkParameters(bound(['1']), 1, 's')).not.toThrow()
  expect(() => checkParameters(bound(['1']), 2, 's')).toThrow(
    'bind message supplies 1 parameters, but prepared statement "s" requires 2',
  )
  expect(() => checkParameters(bound(['1'], [0, 1]), 1, 's')).toThrow(
    'bind message has 2 parameter formats but 1 parameters',
  )
})
