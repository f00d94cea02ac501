/** @module Integers that must fit their type, and checked results of floats. */
import { bytesText } from '@engine/core/values'
import {
  booleanValue,
  countOf,
  integerOf,
  isTrue,
  nullable,
  numberOf,
  type ScalarFunctions,
  type SqliteValue,
  strict,
} from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'

const outOfRange = (typeName: string) => sqlError('22003', `${typeName} out of range`)

/** A REAL here is the overflow of an operation on 64-bit integers. */
const ranged = (bits: number, typeName: string) =>
  strict((value) => {
    if (typeof value !== 'bigint' || BigInt.asIntN(bits, value) !== value) {
      throw outOfRange(typeName)
    }
    return value
  })

const int4 = ranged(32, 'integer')

export const integerFunctions: ScalarFunctions = {
  int2: ranged(16, 'smallint'),
  int4,
  int8: ranged(64, 'bigint'),
  int_div: strict((left, right) => {
    if (right === 0n) throw sqlError('22012', 'division by zero')
    const quotient = integerOf(left) / integerOf(right)
    if (BigInt.asIntN(64, quotient) !== quotient) throw outOfRange('bigint')
    return quotient
  }),
  int_mod: strict((left, right) => {
    if (right === 0n) throw sqlError('22012', 'division by zero')
    return integerOf(left) % integerOf(right)
  }),
  int_xor: strict((left, right) => integerOf(left) ^ integerOf(right)),
  /** The distance counts modulo the width of the type, as on processors. */
  int_shift_left: strict((value, distance, bits) => {
    const width = integerOf(bits)
    const count = BigInt.asUintN(64, integerOf(distance)) % (width === 16n ? 32n : width)
    return BigInt.asIntN(countOf(bits), integerOf(value) << count)
  }),
  int_shift_right: strict((value, distance, bits) => {
    const width = integerOf(bits)
    const count = BigInt.asUintN(64, integerOf(distance)) % (width === 16n ? 32n : width)
    return integerOf(value) >> count
  }),
  int_gcd: strict((left, right) => magnitude(greatestDivisor(integerOf(left), integerOf(right)))),
  int_lcm: strict((left, right) => {
    const divisor = greatestDivisor(integerOf(left), integerOf(right))
    if (divisor === 0n) return 0n
    const multiple = magnitude((integerOf(left) / divisor) * integerOf(right))
    if (BigInt.asIntN(64, multiple) !== multiple) throw outOfRange('bigint')
    return multiple
  }),
  /** LIMIT: NULL is no limit; the optional second argument is the maximum. */
  limit_count: nullable((count = null, most = null) => {
    if (count !== null && integerOf(count) < 0n) {
      throw sqlError('2201W', 'LIMIT must not be negative')
    }
    if (most === null) return count ?? -1n
    return count === null || integerOf(count) > integerOf(most) ? most : count
  }, -1),
  offset_count: nullable((count = null) => {
    if (count !== null && integerOf(count) < 0n) {
      throw sqlError('2201X', 'OFFSET must not be negative')
    }
    return count ?? 0n
  }, 1),
  frame_offset: nullable((offset = null) => {
    if (offset === null || integerOf(offset) < 0n) {
      throw sqlError('22013', 'frame offset must not be negative or null')
    }
    return offset
  }, 1),
  range_offset: nullable((offset = null) => {
    if (offset === null || numberOf(offset) < 0) {
      throw sqlError('22013', 'invalid preceding or following size in window function')
    }
    return offset
  }, 1),
  /** The argument of ntile and nth_value. */
  positive_count: strict((count, sqlState) => {
    if (integerOf(count) <= 0n)
      throw sqlError(String(sqlState), 'argument must be greater than zero')
    return count
  }),
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

const overflow = () => sqlError('22003', 'value out of range: overflow')
const underflow = () => sqlError('22003', 'value out of range: underflow')

/** NaN cannot be stored: SQLite makes it NULL. */
function checked(result: number, args: readonly number[]): number {
  if (Number.isNaN(result)) throw sqlError('22003', 'the result is not a number')
  if (!Number.isFinite(result) && args.every((each) => Number.isFinite(each))) throw overflow()
  return result
}

const binary = (operation: (left: number, right: number) => number) =>
  strict((left, right) => operation(numberOf(left), numberOf(right)), 2)

const unary = (operation: (value: number) => number) =>
  strict((value) => operation(numberOf(value)), 1)

export const floatFunctions: ScalarFunctions = {
  float4: unary((value) => {
    const single = Math.fround(value)
    if (!Number.isFinite(single) && Number.isFinite(value)) throw overflow()
    if (single === 0 && value !== 0) throw underflow()
    return single
  }),
  float_add: binary((left, right) => checked(left + right, [left, right])),
  float_sub: binary((left, right) => checked(left - right, [left, right])),
  float_mul: binary((left, right) => {
    const product = checked(left * right, [left, right])
    if (product === 0 && left !== 0 && right !== 0) throw underflow()
    return product
  }),
  float_div: binary((left, right) => {
    if (right === 0) throw sqlError('22012', 'division by zero')
    const quotient = checked(left / right, [left, right])
    if (quotient === 0 && left !== 0 && Number.isFinite(right)) throw underflow()
    return quotient
  }),
  /** `power` is the C library's result for the other two. */
  float_pow: nullable(
    (base = null, exponent = null, power = null) =>
      base === null || exponent === null
        ? null
        : checkedPower(numberOf(base), numberOf(exponent), power),
    3,
  ),
  /** The first argument is the C library's result for the others: NULL where that is not a number. */
  float_result: nullable((result = null, ...args) => {
    if (args.includes(null)) return null
    if (result === null) throw sqlError('22003', 'input is out of range')
    return checked(numberOf(result), args.map(numberOf))
  }, -1),
  /** The same where PostgreSQL accepts infinities. */
  float_defined: nullable((result = null, argument = null) => {
    if (result === null && argument !== null) throw sqlError('22003', 'input is out of range')
    return result
  }, 2),
  float_exp: nullable((argument = null, result = null) => {
    if (argument === null) return null
    const value = checked(numberOf(result), [numberOf(argument)])
    if (value === 0 && Number.isFinite(numberOf(argument))) throw underflow()
    return value
  }, 2),
  float_log: nullable((argument = null, result = null) => {
    if (argument === null) return null
    const value = numberOf(argument)
    if (value === 0) throw sqlError('2201E', 'cannot take logarithm of zero')
    if (value < 0) throw sqlError('2201E', 'cannot take logarithm of a negative number')
    return result
  }, 2),
  float_sqrt: unary((value) => {
    if (value < 0) throw sqlError('2201F', 'cannot take square root of a negative number')
    return Math.sqrt(value)
  }),
  float_bucket: strict((value, low, high, count) =>
    bucketOf(numberOf(value), numberOf(low), numberOf(high), integerOf(count)),
  ),
  float_ceil: unary(Math.ceil),
  float_floor: unary(Math.floor),
  float_trunc: unary(Math.trunc),
  float_round: unary(roundHalfEven),
  float_sign: unary((value) => Math.sign(value) + 0),
  float_degrees: unary((value) => checked(value / (Math.PI / 180), [value])),
  float_radians: unary((value) => checked(value * (Math.PI / 180), [value])),
  float_random: { arity: 0, isVolatile: true, call: () => Math.random() },
  float_to_int: strict((value) => {
    const rounded = roundHalfEven(numberOf(value))
    if (!(rounded >= -(2 ** 63) && rounded < 2 ** 63)) throw outOfRange('integer')
    return BigInt(rounded)
  }),
}

function bucketOf(value: number, low: number, high: number, count: bigint): bigint {
  if (count <= 0n) throw sqlError('2201G', 'count must be greater than zero')
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    throw sqlError('2201G', 'lower and upper bounds must be finite')
  }
  if (low === high) throw sqlError('2201G', 'lower bound cannot equal upper bound')
  const isAscending = low < high
  if (isAscending ? value < low : value > low) return 0n
  if (isAscending ? value >= high : value <= high) return count + 1n
  const share = isAscending ? (value - low) / (high - low) : (low - value) / (low - high)
  return BigInt(Math.floor(share * Number(count))) + 1n
}

function checkedPower(base: number, exponent: number, power: SqliteValue): number {
  if (base === 0 && exponent < 0) {
    throw sqlError('2201F', 'zero raised to a negative power is undefined')
  }
  if (base < 0 && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw sqlError(
      '2201F',
      'a negative number raised to a non-integer power yields a complex result',
    )
  }
  if (power === null) throw sqlError('22003', 'the result is not a number')
  const result = checked(numberOf(power), [base, exponent])
  const isExact = base === 0 || !Number.isFinite(base) || !Number.isFinite(exponent)
  if (result === 0 && !isExact) throw underflow()
  return result
}

/** Exactly half goes to the even integer. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** Functions for stored values of a column that may not be of its type. */
export const storedFunctions: ScalarFunctions = {
  stored_bool: strict((value) => {
    if (typeof value === 'bigint' || typeof value === 'number') return booleanValue(isTrue(value))
    const word = String(value).trim().toLowerCase()
    if (['true', 't', 'yes', 'on', '1'].includes(word)) return 1n
    if (['false', 'f', 'no', 'off', '0'].includes(word)) return 0n
    throw unreadable('a boolean')
  }),
  stored_int: strict((value) => {
    if (typeof value === 'bigint') return value
    if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
    if (typeof value === 'string' && /^\s*[+-]?\d{1,19}\s*$/.test(value)) return BigInt(value)
    throw unreadable('an integer')
  }),
  stored_float: strict((value) => {
    if (typeof value === 'number') return value
    if (typeof value === 'bigint') return Number(value)
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
    if (Number.isNaN(read)) throw unreadable('a number')
    return read
  }),
  /** The text in answers: `168`, where SQLite's own cast returns `168.0`, and `\\x00ff`. */
  stored_text: strict((value) => {
    if (typeof value === 'string') return value
    return value instanceof Uint8Array ? bytesText(value) : String(value)
  }),
  /** The same as bytes: those of the text in answers. */
  stored_bytes: strict((value) =>
    value instanceof Uint8Array ? value : Buffer.from(String(value)),
  ),
}

function unreadable(kind: string): Error {
  return sqlError('22000', `a stored value cannot be read as ${kind}`)
}
