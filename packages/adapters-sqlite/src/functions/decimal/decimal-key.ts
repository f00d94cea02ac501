/** @module Decimals in forms that SQLite itself can compare, and in the form that a DECIMAL column stores. */

import { sqlError } from '../register/sql-error.ts'
import {
  compare,
  type Decimal,
  decimal,
  decimalOf,
  decimalText,
  digitsAt,
  type FiniteDecimal,
  floorAt,
  magnitudeOf,
  negate,
  powerOfTen,
  round,
  trimScale,
  withoutZerosAtEnd,
} from './decimal.ts'

const exponentBias = 500_000

/**
 * Text whose byte order is the order of the numbers, the same for 1.5 and 1.50: a letter for the range, then the exponent
 * and the digits, both complemented below zero.
 */
export function decimalKey(value: Decimal): string {
  if (value.special !== undefined) return specialKeys[value.special]
  const { digits } = trimScale(value)
  if (digits === 0n) return 'o'
  const exponent = magnitudeOf(value)
  const significant = withoutZerosAtEnd(digits.toString())
  if (digits > 0n) return `p${String(exponentBias + exponent).padStart(7, '0')}${significant}`
  const complement = significant.slice(1).replace(/\d/g, (digit) => String(9 - Number(digit)))
  return `n${String(exponentBias - exponent).padStart(7, '0')}${complement}~`
}

const specialKeys = { '-Infinity': 'm', Infinity: 'q', NaN: 'r' } as const

/** The key, a blank and the text itself: the least or greatest of these contains the number. */
export function packDecimal(text: string): string {
  return `${decimalKey(decimalOf(text))} ${text}`
}

export function unpackDecimal(packed: string): string {
  return packed.slice(packed.indexOf(' ') + 1)
}

/** The value as a whole number of units of 10^-`scale`; undefined where it is not one, or exceeds 64 bits. */
export function unitsOf(value: Decimal, scale: number): bigint | undefined {
  if (value.special !== undefined) return undefined
  const trimmed = trimScale(value)
  if (trimmed.scale > scale) return undefined
  const units = digitsAt(trimmed, scale)
  return BigInt.asIntN(64, units) === units ? units : undefined
}

/**
 * Bounds for a stored REAL that represents a decimal with `scale` places: half a unit beside the value, so that the noise of
 * doubles does not count. `stored < ceilingEdge` is "below the value" and `stored > floorEdge` "above it"; equal is between the
 * two `equalEdges`.
 */
export function ceilingEdge(value: Decimal, scale: number): number {
  return edge(value, scale, true, -1n)
}

export function floorEdge(value: Decimal, scale: number): number {
  return edge(value, scale, false, 1n)
}

/** The bounds have no value between them when no decimal with that scale equals the value. */
export function equalEdge(value: Decimal, scale: number, isUpper: boolean): number {
  const exact = value.special === undefined && trimScale(value).scale <= scale
  if (!exact) return isUpper ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return edge(value, scale, false, isUpper ? 1n : -1n)
}

function edge(value: Decimal, scale: number, isCeiling: boolean, halves: bigint): number {
  if (value.special !== undefined) {
    return value.special === '-Infinity' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const whole = isCeiling ? ceilingAt(value, scale) : floorAt(value, scale)
  return Number(decimalText(decimal((whole.digits * 2n + halves) * 5n, scale + 1)))
}

function ceilingAt(value: FiniteDecimal, scale: number): FiniteDecimal {
  return negate(floorAt(negate(value) as FiniteDecimal, scale)) as FiniteDecimal
}

/**
 * A value of `numeric(precision, scale)`.
 *
 * @throws an `sqlError` 22003 when it has too many digits before the point.
 */
export function fitDecimal(value: Decimal, precision: number, scale: number): Decimal {
  if (value.special === 'NaN') return value
  const overflow = sqlError('22003', 'numeric field overflow')
  if (value.special !== undefined) throw overflow
  const rounded = round(value, scale) as FiniteDecimal
  const limit = decimal(powerOfTen(Math.max(0, precision - scale)), 0)
  if (compare(rounded, limit) >= 0 || compare(negate(rounded), limit) >= 0) throw overflow
  return rounded
}

/**
 * The form of a decimal in a column of NUMERIC affinity.
 *
 * @throws an `sqlError` 22003 when a double cannot represent it exactly.
 */
export function storableNumber(text: string): bigint | number {
  const value = decimalOf(text)
  if (value.special !== undefined) throw notStorable()
  const trimmed = trimScale(value)
  if (trimmed.scale === 0) {
    if (BigInt.asIntN(64, trimmed.digits) !== trimmed.digits) throw notStorable()
    return trimmed.digits
  }
  if (trimmed.digits.toString().replace('-', '').length > 15) throw notStorable()
  return Number(text)
}

function notStorable(): Error {
  return sqlError('22003', 'SQLite cannot store this numeric value exactly in this column')
}
