/**
 * @module Roots, logarithms and powers of `numeric`, computed with spare digits and rounded to PostgreSQL's scales.
 * @see PostgreSQL source, `numeric.c`: sqrt_var, exp_var, ln_var, log_var, power_var
 */

import { sqlError } from '../register/sql-error.ts'
import {
  compare,
  type Decimal,
  decimal,
  digitsAt,
  divideAt,
  divisionByZero,
  type FiniteDecimal,
  magnitudeOf,
  maxDisplayScale,
  minSignificantDigits,
  overflow,
  powerOfTen,
  round,
  signOf,
  truncate,
  weightOf,
  zero,
} from './decimal.ts'

const one = decimal(1n, 0)

export function squareRoot(value: Decimal): Decimal {
  if (value.special === 'NaN' || value.special === 'Infinity') return value
  if (value.special !== undefined || value.digits < 0n) {
    throw sqlError('2201F', 'cannot take square root of a negative number')
  }
  return squareRootAt(value, displayScale(weightOf(value) * 2 + 1, value.scale))
}

/** The root of a number that is not negative, rounded to `scale` places; by default to the number's own scale. */
export function squareRootAt(value: FiniteDecimal, scale: number = value.scale): Decimal {
  if (value.digits === 0n) return decimal(0n, scale)
  const spare = Math.max(scale + 2, Math.ceil(value.scale / 2))
  return round(decimal(integerRoot(digitsAt(value, spare * 2)), spare), scale)
}

export function exponential(value: Decimal): Decimal {
  if (value.special !== undefined) return value.special === '-Infinity' ? zero : value
  const decimalWeight = Math.max(-2000, Math.min(2000, doubleOf(value) * 0.434294481903252))
  const scale = displayScale(Math.trunc(decimalWeight), value.scale)
  const double = doubleOf(value)
  if (double >= 6000) throw overflow()
  if (double <= -6000) return decimal(0n, scale)
  const estimate = double * 0.4342944819032518
  return round(exp(value, scale + Math.max(0, Math.ceil(estimate)) + 10), scale)
}

export function naturalLogarithm(value: Decimal): Decimal {
  if (value.special === 'NaN' || value.special === 'Infinity') return value
  requirePositive(value)
  const finite = value as FiniteDecimal
  const scale = displayScale(logarithmWeight(finite), finite.scale)
  return round(ln(finite, scale + 10), scale)
}

/** The logarithm of `value` to the base `base`. */
export function logarithm(base: Decimal, value: Decimal): Decimal {
  if (base.special === 'NaN' || value.special === 'NaN') return { special: 'NaN' }
  requirePositive(base)
  requirePositive(value)
  if (base.special !== undefined) return value.special === undefined ? zero : { special: 'NaN' }
  if (value.special !== undefined) return value
  const weight = logarithmWeight(value) - logarithmWeight(base)
  const scale = displayScale(weight, Math.max(base.scale, value.scale))
  const precision = scale + 20 + Math.abs(logarithmWeight(base)) + Math.abs(logarithmWeight(value))
  if (compare(base, one) === 0) throw divisionByZero()
  return divideAt(ln(value, precision), ln(base, precision), scale)
}

export function power(base: Decimal, exponent: Decimal): Decimal {
  const special = specialPower(base, exponent)
  if (special !== undefined) return special
  return finitePower(base as FiniteDecimal, exponent as FiniteDecimal)
}

function finitePower(base: FiniteDecimal, exponent: FiniteDecimal): Decimal {
  const sign = signOf(base)
  const whole = truncate(exponent, 0) as FiniteDecimal
  const isWhole = compare(whole, exponent) === 0
  if (sign === 0 && signOf(exponent) < 0) {
    throw sqlError('2201F', 'zero raised to a negative power is undefined')
  }
  if (sign < 0 && !isWhole) {
    throw sqlError(
      '2201F',
      'a negative number raised to a non-integer power yields a complex result',
    )
  }
  if (sign === 0) {
    return decimal(signOf(exponent) === 0 ? powerOfTen(16) : 0n, minSignificantDigits)
  }
  const limit = 2_147_483_647n
  if (isWhole && whole.digits <= limit && whole.digits >= -limit - 1n) {
    return wholePower(base, Number(whole.digits))
  }
  const isNegative = sign < 0 && whole.digits % 2n !== 0n
  const magnitude = fractionalPower(sign < 0 ? decimal(-base.digits, base.scale) : base, exponent)
  return isNegative ? decimal(-magnitude.digits, magnitude.scale) : magnitude
}

/** @see `power_var_int` of PostgreSQL 15: 16 digits after the point, or as many as the base has. */
function wholePower(base: FiniteDecimal, exponent: number): Decimal {
  const scale = displayScale(0, base.scale)
  const text = (base.digits < 0n ? -base.digits : base.digits).toString()
  const leading = Number(`${text.slice(0, 1)}.${text.slice(1, 18)}`)
  const estimate = exponent * (Math.log10(leading) + magnitudeOf(base) - 1)
  if (estimate > 131_072) throw overflow()
  if (estimate + 1 < -scale) return decimal(0n, scale)
  const exactDigits = text.length * Math.abs(exponent)
  if (exactDigits < 300_000) {
    const power = decimal(
      base.digits ** BigInt(Math.abs(exponent)),
      base.scale * Math.abs(exponent),
    )
    return exponent < 0 ? divideAt(one, power, scale) : round(power, scale)
  }
  requireFeasible(estimate)
  const isNegative = base.digits < 0n && exponent % 2 !== 0
  const positive = base.digits < 0n ? decimal(-base.digits, base.scale) : base
  const spare = scale + Math.max(0, Math.ceil(estimate)) + 25
  const logarithmOfBase = ln(positive, spare)
  const product = decimal(logarithmOfBase.digits * BigInt(exponent), logarithmOfBase.scale)
  const result = round(exp(product, spare), scale) as FiniteDecimal
  return isNegative ? decimal(-result.digits, result.scale) : result
}

function fractionalPower(base: FiniteDecimal, exponent: FiniteDecimal): FiniteDecimal {
  const minimum = Math.max(base.scale, exponent.scale)
  const estimate = doubleOf(exponent) * doubleOf(ln(base, 30)) * 0.434294481903252
  requireFeasible(estimate)
  const scale = displayScale(Math.trunc(Math.max(-2000, Math.min(2000, estimate))), minimum)
  if (estimate + 1 < -scale) return decimal(0n, scale)
  const spare = scale + Math.max(0, Math.ceil(estimate)) + 25 + Math.max(0, magnitudeOf(exponent))
  const logarithmOfBase = ln(base, spare)
  const scaleOfProduct = logarithmOfBase.scale + exponent.scale
  const product = decimal(logarithmOfBase.digits * exponent.digits, scaleOfProduct)
  return round(exp(product, spare), scale) as FiniteDecimal
}

/** For NaN or infinities; as POSIX specifies for pow(3). */
function specialPower(base: Decimal, exponent: Decimal): Decimal | undefined {
  if (base.special === undefined && exponent.special === undefined) return undefined
  if (exponent.special === undefined && exponent.digits === 0n) return one
  if (base.special === undefined && compare(base, one) === 0) return one
  if (exponent.special !== 'NaN' && compare(base, decimal(-1n, 0)) === 0) return one
  const result = doubleOf(base) ** doubleOf(exponent)
  if (signOf(base) === 0 && exponent.special === '-Infinity') {
    throw sqlError('2201F', 'zero raised to a negative power is undefined')
  }
  if (base.special === '-Infinity' && exponent.special === undefined && exponent.scale > 0) {
    if (compare(truncate(exponent, 0), exponent) !== 0) {
      throw sqlError(
        '2201F',
        'a negative number raised to a non-integer power yields a complex result',
      )
    }
  }
  if (Number.isFinite(result)) return decimal(BigInt(Math.trunc(result)), 0)
  return Number.isNaN(result)
    ? { special: 'NaN' }
    : { special: result > 0 ? 'Infinity' : '-Infinity' }
}

/** e^`value`, exact to about `places` digits after the point. */
function exp(value: FiniteDecimal, places: number): FiniteDecimal {
  const precision = places + 20
  const unit = powerOfTen(precision)
  const whole = scaledTo(value, precision)
  let scaled = whole
  // Halved until it is small; the result is squared the same number of times.
  let halvings = 0
  const bound = unit / 1000n
  for (; scaled > bound || scaled < -bound; halvings += 1) scaled /= 2n
  const guard = powerOfTen(halvings)
  const wide = unit * guard
  const argument = (whole * guard) / 2n ** BigInt(halvings)
  let term = wide
  let sum = wide
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (term * argument) / wide / n
    sum += term
  }
  for (let step = 0; step < halvings; step += 1) sum = (sum * sum) / wide
  return decimal(sum / guard, precision)
}

const logarithmsOfTwo = new Map<number, bigint>()

/** The natural logarithm, exact to about `places` digits after the point. */
function ln(value: FiniteDecimal, places: number): FiniteDecimal {
  const precision = places + 20
  const unit = powerOfTen(precision)
  let scaled = scaledTo(value, precision)
  if (scaled === 0n) {
    const shift = value.scale - magnitudeOf(decimal(value.digits, 0))
    return lnOfSmall(value, shift, places)
  }
  let doublings = 0n
  while (scaled > (unit * 4n) / 3n) {
    scaled /= 2n
    doublings += 1n
  }
  if (doublings > 0n) {
    scaled = scaledTo(value, precision + Number(doublings)) / 2n ** doublings
    scaled /= powerOfTen(Number(doublings))
  }
  while (scaled < (unit * 2n) / 3n) {
    scaled *= 2n
    doublings -= 1n
  }
  const sum = twiceArtanh(((scaled - unit) * unit) / (scaled + unit), unit)
  return decimal(sum + doublings * lnTwo(precision), precision)
}

/** ln(v) for a v smaller than the last digit of the precision: ln(v × 10^n) - n ln(10). */
function lnOfSmall(value: FiniteDecimal, shift: number, places: number): FiniteDecimal {
  const head = ln(decimal(value.digits, value.scale - shift), places)
  const ten = ln(decimal(10n, 0), places)
  return decimal(head.digits - ten.digits * BigInt(shift), head.scale)
}

function lnTwo(precision: number): bigint {
  const known = logarithmsOfTwo.get(precision)
  if (known !== undefined) return known
  const unit = powerOfTen(precision)
  const value = twiceArtanh(unit / 3n, unit)
  logarithmsOfTwo.set(precision, value)
  return value
}

/** 2 artanh(z) = 2 (z + z³/3 + z⁵/5 ...), `z` and the result in units of 1/`unit`. */
function twiceArtanh(z: bigint, unit: bigint): bigint {
  const square = (z * z) / unit
  let power = z
  let sum = 0n
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n
    power = (power * square) / unit
  }
  return sum * 2n
}

/** @see `estimate_ln_dweight`: the decimal weight of ln(value). */
function logarithmWeight(value: FiniteDecimal): number {
  const isNearOne = compare(value, decimal(9n, 1)) >= 0 && compare(value, decimal(11n, 1)) <= 0
  if (isNearOne) {
    const difference = digitsAt(value, value.scale) - powerOfTen(value.scale)
    if (difference === 0n) return 0
    return magnitudeOf(decimal(difference, value.scale)) - 1
  }
  const text = value.digits.toString()
  const weight = weightOf(value)
  const digitsInFirst = magnitudeOf(value) - weight * 4
  const head = Number(text.slice(0, digitsInFirst + 4).padEnd(digitsInFirst + 4, '0'))
  const logarithmValue = Math.log(head) + (weight - 1) * 9.210340371976184
  return Math.trunc(Math.log10(Math.abs(logarithmValue)))
}

function displayScale(decimalWeight: number, minimum: number): number {
  const scale = Math.max(minSignificantDigits - decimalWeight, minimum, 0)
  return Math.min(scale, maxDisplayScale)
}

/** The value in units of 10^-`precision`, truncated. */
function scaledTo(value: FiniteDecimal, precision: number): bigint {
  if (value.scale <= precision) return digitsAt(value, precision)
  return value.digits / powerOfTen(value.scale - precision)
}

/** Computing more digits than this takes too long. */
function requireFeasible(decimalWeight: number): void {
  if (decimalWeight > 131_072) throw overflow()
  if (decimalWeight > 5000) throw sqlError('54000', 'the result of power has too many digits')
}

/** The largest integer whose square is not greater than `value`. */
function integerRoot(value: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

function requirePositive(value: Decimal): void {
  const sign = value.special === 'NaN' ? 1 : signOf(value)
  if (sign === 0) throw sqlError('2201E', 'cannot take logarithm of zero')
  if (sign < 0) throw sqlError('2201E', 'cannot take logarithm of a negative number')
}

function doubleOf(value: Decimal): number {
  if (value.special !== undefined) return Number(value.special)
  return Number(`${value.digits}e${-value.scale}`)
}
