import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AggregateFunction } from '../register/aggregate.ts'
import type { SqliteValue } from '../register/scalar.ts'
import { numberAggregates } from './number-aggregates.ts'

function aggregateOf(name: string): AggregateFunction<unknown> {
  const found = numberAggregates[name]
  if (found === undefined) throw new Error(`no aggregate ${name}`)
  return found as unknown as AggregateFunction<unknown>
}

function over(name: string, values: readonly SqliteValue[]): SqliteValue {
  const { start, step, result } = aggregateOf(name)
  return result(values.reduce((state, value) => step(state, value), start()))
}

/** The result after the first `dropped` values have left the window. */
function sliding(name: string, values: readonly SqliteValue[], dropped: number): SqliteValue {
  const { start, step, inverse, result } = aggregateOf(name)
  if (inverse === undefined) throw new Error(`${name} does not slide`)
  const all = values.reduce((state, value) => step(state, value), start())
  return result(values.slice(0, dropped).reduce((state, value) => inverse(state, value), all))
}

const decimals = fc.oneof(
  fc
    .tuple(fc.integer(), fc.integer({ min: 0, max: 3 }))
    .map(([units, scale]) => (units / 10 ** scale).toFixed(scale)),
  fc.integer().map(BigInt),
)

test.each(['dec_sum', 'dec_var_samp', 'dec_stddev_pop'])(
  '%s of a window is that of its values alone',
  (name) => {
    fc.assert(
      fc.property(fc.array(decimals), fc.integer({ min: 0, max: 5 }), (values, count) => {
        const dropped = Math.min(count, values.length)
        expect(sliding(name, values, dropped)).toBe(over(name, values.slice(dropped)))
      }),
    )
  },
)

test.each(['float_sum', 'float_avg', 'float_var_pop'])(
  '%s forgets nothing but what left',
  (name) => {
    const floats = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 })
    fc.assert(
      fc.property(fc.array(floats), fc.integer({ min: 0, max: 5 }), (values, count) => {
        const dropped = Math.min(count, values.length)
        expect(sliding(name, values, dropped)).toBe(over(name, values.slice(dropped)))
      }),
    )
  },
)

test('floats are summed one after the other, as PostgreSQL does', () => {
  expect(over('float_sum', [0.1, 0.2, 0.3])).toBe(0.6000000000000001)
})

test('the scale of a sum is the largest one', () => {
  expect(over('dec_sum', ['1.5', '2.25', 3n])).toBe('6.75')
  expect(over('dec_sum', [null])).toBeNull()
})

test('DISTINCT takes 1.0 and 1.00 for one', () => {
  expect(over('dec_sum_distinct', ['1.0', '1.00', '2'])).toBe('3.00')
})

test('a variance of nothing is NULL, of equals it is 0', () => {
  expect(over('dec_var_samp', ['1'])).toBeNull()
  expect(over('dec_var_pop', ['1', '1'])).toBe('0')
  expect(over('dec_var_samp', [1n, 2n, 3n, 4n])).toBe('1.6666666666666667')
})
