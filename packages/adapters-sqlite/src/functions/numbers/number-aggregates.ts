/** @module Sums, averages and variances. Every aggregate supports a sliding window. */

import { intervalText } from '@engine/core/values'
import { addIntervals, type Interval, intervalOf, negateInterval } from '../dates/interval.ts'
import {
  add,
  type Decimal,
  decimal,
  decimalText,
  digitsAt,
  divide,
  type FiniteDecimal,
  isZero,
  multiply,
  subtract,
} from '../decimal/decimal.ts'
import { decimalArgument } from '../decimal/decimal-functions.ts'
import { decimalKey } from '../decimal/decimal-key.ts'
import { squareRootAt } from '../decimal/decimal-math.ts'
import {
  type AggregateFunction,
  type AggregateFunctions,
  aggregate,
} from '../register/aggregate.ts'
import { numberOf, type SqliteValue } from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'

/** Exact sums by scale, so that a scale without values left in the window is removed. */
interface DecimalSums {
  count: number
  readonly byScale: Map<number, { sum: bigint; squares: bigint; count: number }>
  readonly specials: Map<string, number>
}

function startSums(): DecimalSums {
  return { count: 0, byScale: new Map(), specials: new Map() }
}

function account(sums: DecimalSums, value: SqliteValue, direction: 1 | -1): DecimalSums {
  if (value === null) return sums
  const argument = decimalArgument(value)
  sums.count += direction
  if (argument.special !== undefined) {
    sums.specials.set(argument.special, (sums.specials.get(argument.special) ?? 0) + direction)
    return sums
  }
  const { digits, scale } = argument
  const entry = sums.byScale.get(scale) ?? { sum: 0n, squares: 0n, count: 0 }
  const sign = BigInt(direction)
  entry.sum += sign * digits
  entry.squares += sign * digits * digits
  entry.count += direction
  if (entry.count === 0) sums.byScale.delete(scale)
  else sums.byScale.set(scale, entry)
  return sums
}

function specialSum({ specials }: DecimalSums): Decimal | undefined {
  const has = (name: string) => (specials.get(name) ?? 0) > 0
  if (has('NaN') || (has('Infinity') && has('-Infinity'))) return { special: 'NaN' }
  if (has('Infinity')) return { special: 'Infinity' }
  return has('-Infinity') ? { special: '-Infinity' } : undefined
}

function totalOf(sums: DecimalSums): Decimal {
  const special = specialSum(sums)
  if (special !== undefined) return special
  const scale = Math.max(0, ...sums.byScale.keys())
  let total = 0n
  for (const [own, { sum }] of sums.byScale) total += digitsAt(decimal(sum, own), scale)
  return decimal(total, scale)
}

function squaresOf(sums: DecimalSums): FiniteDecimal {
  const scale = Math.max(0, ...sums.byScale.keys()) * 2
  let total = 0n
  for (const [own, { squares }] of sums.byScale) total += digitsAt(decimal(squares, own * 2), scale)
  return decimal(total, scale)
}

const decimalAggregate = (result: (sums: DecimalSums) => SqliteValue): AggregateFunction =>
  aggregate<DecimalSums>({
    arity: 1,
    start: startSums,
    step: (sums, value = null) => account(sums, value, 1),
    inverse: (sums, value = null) => account(sums, value, -1),
    result,
  })

/** Integers, the most frequent values, are added without a decimal of each. */
interface TotalSums extends DecimalSums {
  integers: bigint
}

function addToTotal(sums: TotalSums, value: SqliteValue, direction: 1 | -1): TotalSums {
  if (typeof value !== 'bigint') {
    account(sums, value, direction)
    return sums
  }
  sums.count += direction
  sums.integers += direction === 1 ? value : -value
  return sums
}

const decimalTotal: AggregateFunction = aggregate<TotalSums>({
  arity: 1,
  start: () => ({ ...startSums(), integers: 0n }),
  step: (sums, value = null) => addToTotal(sums, value, 1),
  inverse: (sums, value = null) => addToTotal(sums, value, -1),
  result: (sums) =>
    sums.count === 0 ? null : decimalText(add(totalOf(sums), decimal(sums.integers, 0))),
})

/** @see `numeric_stddev_internal` in PostgreSQL's numeric.c */
const variance = (isSample: boolean, isRoot: boolean): AggregateFunction =>
  decimalAggregate((sums) => {
    if (sums.count === 0 || (isSample && sums.count === 1)) return null
    if (specialSum(sums) !== undefined) return 'NaN'
    const count = decimal(BigInt(sums.count), 0)
    const total = totalOf(sums)
    const spread = subtract(multiply(count, squaresOf(sums)), multiply(total, total))
    if (isZero(spread) || (spread.special === undefined && spread.digits < 0n)) return '0'
    const others = decimal(BigInt(isSample ? sums.count - 1 : sums.count), 0)
    const quotient = divide(spread, multiply(count, others))
    return decimalText(isRoot ? squareRootAt(quotient as FiniteDecimal) : quotient)
  })

/** Values in the order of their arrival; summed naively, as PostgreSQL does, and again when some leave the window. */
interface FloatSums {
  readonly values: number[]
  first: number
  sum: number
  isStale: boolean
}

function floatAggregate(
  result: (values: readonly number[], sum: number) => number | null,
  isSingle = false,
): AggregateFunction {
  const plus = (sum: number, value: number) => (isSingle ? Math.fround(sum + value) : sum + value)
  return aggregate<FloatSums>({
    arity: 1,
    start: () => ({ values: [], first: 0, sum: 0, isStale: false }),
    step: (sums, value = null) => {
      if (value === null) return sums
      sums.sum =
        sums.values.length === sums.first ? numberOf(value) : plus(sums.sum, numberOf(value))
      sums.values.push(numberOf(value))
      return sums
    },
    inverse: (sums, value = null) => {
      if (value === null) return sums
      sums.first += 1
      sums.isStale = true
      return sums
    },
    result: (sums) => {
      const values = sums.first === 0 ? sums.values : sums.values.slice(sums.first)
      if (values.length === 0) return null
      if (sums.isStale) sums.sum = values.slice(1).reduce(plus, values[0] ?? 0)
      const found = result(values, sums.sum)
      const isLost = found !== null && !Number.isFinite(found) && values.every(Number.isFinite)
      if (isLost) throw sqlError('22003', 'value out of range: overflow')
      return found
    },
  })
}

/** Youngs and Cramer's method, as PostgreSQL computes it. */
function spreadOf(values: readonly number[]): number {
  let [count, sum, spread] = [0, 0, 0]
  for (const value of values) {
    count += 1
    sum += value
    if (count === 1) continue
    const difference = value * count - sum
    spread += (difference * difference) / (count * (count - 1))
  }
  return spread
}

const floatVariance = (isSample: boolean, isRoot: boolean): AggregateFunction =>
  floatAggregate((values) => {
    const others = isSample ? values.length - 1 : values.length
    if (others === 0) return null
    const quotient = spreadOf(values) / others
    return isRoot ? Math.sqrt(quotient) : quotient
  })

/** For integers; all values of the window are stored so that `merge` can be undone. */
function bitAggregate(merge: (left: bigint, right: bigint) => bigint): AggregateFunction {
  return aggregate<bigint[]>({
    arity: 1,
    start: () => [],
    step: (values, value = null) => {
      if (typeof value === 'bigint') values.push(value)
      return values
    },
    inverse: (values, value = null) => {
      if (value !== null) values.shift()
      return values
    },
    result: (values) => (values.length === 0 ? null : values.reduce(merge)),
  })
}

interface IntervalSum {
  count: number
  sum: Interval
}

export const numberAggregates: AggregateFunctions = {
  dec_sum: decimalTotal,
  /** DISTINCT by value: 1.0 and 1.00 are one. */
  dec_sum_distinct: aggregate<Map<string, Decimal>>({
    arity: 1,
    start: () => new Map(),
    step: (values, value = null) => {
      if (value === null) return values
      const argument = decimalArgument(value)
      return values.set(decimalKey(argument), argument)
    },
    result: (values) => {
      if (values.size === 0) return null
      return decimalText([...values.values()].reduce(add))
    },
  }),
  dec_var_samp: variance(true, false),
  dec_var_pop: variance(false, false),
  dec_stddev_samp: variance(true, true),
  dec_stddev_pop: variance(false, true),
  float_sum: floatAggregate((_values, sum) => sum),
  float4_sum: floatAggregate((_values, sum) => sum, true),
  // PostgreSQL's starts at 0: that of -0 is 0.
  float_avg: floatAggregate((values, sum) => (sum + 0) / values.length),
  float_var_samp: floatVariance(true, false),
  float_var_pop: floatVariance(false, false),
  float_stddev_samp: floatVariance(true, true),
  float_stddev_pop: floatVariance(false, true),
  int_and: bitAggregate((left, right) => left & right),
  int_or: bitAggregate((left, right) => left | right),
  int_xor_all: bitAggregate((left, right) => left ^ right),
  interval_sum: aggregate<IntervalSum>({
    arity: 1,
    start: () => ({ count: 0, sum: { months: 0, days: 0, microseconds: 0n } }),
    step: (state, value = null) =>
      value === null
        ? state
        : { count: state.count + 1, sum: addIntervals(state.sum, intervalOf(value)) },
    inverse: (state, value = null) =>
      value === null
        ? state
        : {
            count: state.count - 1,
            sum: addIntervals(state.sum, negateInterval(intervalOf(value))),
          },
    result: ({ count, sum }) => (count === 0 ? null : intervalText(sum)),
  }),
  /** A JSON array of texts, NULL left out; NULL for none. */
  collect_texts: aggregate<string[]>({
    arity: 1,
    start: () => [],
    step: (texts, value = null) => {
      if (value !== null) texts.push(JSON.stringify(String(value)))
      return texts
    },
    inverse: (texts, value = null) => {
      if (value !== null) texts.shift()
      return texts
    },
    result: (texts) => (texts.length === 0 ? null : `[${texts.join(',')}]`),
  }),
}
