/**
 * @module PostgreSQL's `numeric`: exact decimals with a display scale.
 * @see PostgreSQL source, `numeric.c`, for the scales of results
 */
import { sqlError } from '../register/sql-error.ts'

/** `digits` × 10^-`scale`; the scale is the number of digits shown after the point. */
export interface FiniteDecimal {
  readonly special: undefined
  readonly digits: bigint
  readonly scale: number
}

interface SpecialDecimal {
  readonly special: 'NaN' | 'Infinity' | '-Infinity'
}

export type Decimal = FiniteDecimal | SpecialDecimal

/** The most digits that PostgreSQL keeps before and after the point, and the most that a quotient shows. */
const maxIntegerDigits = 131_072
const maxScale = 16_383
export const maxDisplayScale = 1000
export const minSignificantDigits = 16

export const zero: FiniteDecimal = { special: undefined, digits: 0n, scale: 0 }
const nan: Decimal = { special: 'NaN' }

const powers: bigint[] = [1n]

/** 10^`exponent`, not negative. */
export function powerOfTen(exponent: number): bigint {
  if (exponent > 400) return 10n ** BigInt(exponent)
  for (let known = powers.length; known <= exponent; known += 1) {
    powers.push((powers[known - 1] ?? 1n) * 10n)
  }
  return powers[exponent] ?? 1n
}

export function decimal(digits: bigint, scale: number): FiniteDecimal {
  return { special: undefined, digits, scale }
}

/** Reads the canonical text of a numeric, as every function here returns it. */
export function decimalOf(text: string): Decimal {
  const point = text.indexOf('.')
  if (point >= 0) {
    return decimal(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1)
  }
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return { special: text }
  return decimal(BigInt(text), 0)
}

export function decimalText(value: Decimal): string {
  if (value.special !== undefined) return value.special
  const { digits, scale } = value
  if (scale === 0) return digits.toString()
  const isNegative = digits < 0n
  const text = (isNegative ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  return `${isNegative ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`
}

const inputPattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,9}))?$/

/** Reads any text that PostgreSQL accepts as a numeric; undefined for any other. */
export function readDecimal(input: string): Decimal | undefined {
  const text = withoutBlanksAround(input)
  const parts = inputPattern.exec(text)
  if (parts === null) {
    const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text)
    if (special === null) return undefined
    if (special[2]?.toLowerCase() === 'nan') return special[1] === '' ? nan : undefined
    return { special: special[1] === '-' ? '-Infinity' : 'Infinity' }
  }
  const [, sign, mantissa = '', exponentText = '0'] = parts
  const point = mantissa.indexOf('.')
  const fraction = point < 0 ? '' : mantissa.slice(point + 1)
  const exponent = Number(exponentText)
  const magnitude = BigInt((point < 0 ? mantissa : mantissa.slice(0, point)) + fraction)
  const digits = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent
  if (scale < -maxIntegerDigits || scale > maxScale * 2) throw overflow()
  return checked(scale < 0 ? decimal(digits * powerOfTen(-scale), 0) : decimal(digits, scale))
}

/** The decimal of the shortest text of a double. */
export function decimalOfDouble(value: number): Decimal {
  return readDecimal(String(value)) ?? nan
}

export function add(left: Decimal, right: Decimal): Decimal {
  if (left.special !== undefined || right.special !== undefined) {
    return ofSpecials(proxy(left) + proxy(right))
  }
  if (left.scale === right.scale) return checked(decimal(left.digits + right.digits, left.scale))
  const scale = Math.max(left.scale, right.scale)
  return checked(decimal(digitsAt(left, scale) + digitsAt(right, scale), scale))
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right))
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  if (left.special !== undefined || right.special !== undefined) {
    return ofSpecials(proxy(left) * proxy(right))
  }
  const product = checked(decimal(left.digits * right.digits, left.scale + right.scale))
  return product.scale > maxScale ? round(product, maxScale) : product
}

export function divide(left: Decimal, right: Decimal): Decimal {
  if (left.special === 'NaN' || right.special === 'NaN') return nan
  if (isZero(right)) throw divisionByZero()
  if (left.special !== undefined || right.special !== undefined) {
    return ofSpecials(proxy(left) / proxy(right))
  }
  return divideAt(left, right, quotientScale(left, right))
}

/** The quotient rounded half away from zero to `scale` digits after the point. */
export function divideAt(left: FiniteDecimal, right: FiniteDecimal, scale: number): FiniteDecimal {
  const shift = scale + right.scale - left.scale
  const dividend = shift >= 0 ? left.digits * powerOfTen(shift) : left.digits
  const divisor = shift >= 0 ? right.digits : right.digits * powerOfTen(-shift)
  return checked(decimal(roundedQuotient(dividend, divisor), scale))
}

/** The integer part of the quotient. */
export function divideToInteger(left: Decimal, right: Decimal): Decimal {
  if (left.special === 'NaN' || right.special === 'NaN') return nan
  if (isZero(right)) throw divisionByZero()
  if (left.special !== undefined || right.special !== undefined) {
    return ofSpecials(proxy(left) / proxy(right))
  }
  const scale = Math.max(left.scale, right.scale)
  return decimal(digitsAt(left, scale) / digitsAt(right, scale), 0)
}

/** The remainder, with the sign of the dividend. */
export function remainder(left: Decimal, right: Decimal): Decimal {
  if (left.special === 'NaN' || right.special === 'NaN') return nan
  if (isZero(right)) throw divisionByZero()
  if (left.special !== undefined) return nan
  if (right.special !== undefined) return left
  const scale = Math.max(left.scale, right.scale)
  return decimal(digitsAt(left, scale) % digitsAt(right, scale), scale)
}

export function negate(value: Decimal): Decimal {
  if (value.special !== undefined) return ofSpecials(-proxy(value))
  return decimal(-value.digits, value.scale)
}

export function absolute(value: Decimal): Decimal {
  return signOf(value) < 0 ? negate(value) : value
}

/** -1, 0 or 1; NaN for NaN. */
export function signOf(value: Decimal): number {
  return Math.sign(proxy(value))
}

export function isZero(value: Decimal): boolean {
  return value.special === undefined && value.digits === 0n
}

/** Half away from zero; `places` may be negative. */
export function round(value: Decimal, places: number): Decimal {
  return withPlaces(value, places, roundedQuotient)
}

/** Towards zero; `places` may be negative. */
export function truncate(value: Decimal, places: number): Decimal {
  return withPlaces(value, places, (dividend, divisor) => dividend / divisor)
}

/** The largest multiple of 10^-`places` that is not above the value. */
export function floorAt(value: FiniteDecimal, places: number): FiniteDecimal {
  if (value.scale <= places) return decimal(digitsAt(value, places), places)
  const divisor = powerOfTen(value.scale - places)
  const quotient = value.digits / divisor
  const isExact = quotient * divisor === value.digits
  return decimal(isExact || value.digits >= 0n ? quotient : quotient - 1n, places)
}

export function floor(value: Decimal): Decimal {
  return value.special === undefined ? floorAt(value, 0) : value
}

export function ceiling(value: Decimal): Decimal {
  return negate(floor(negate(value)))
}

/** Negative, zero or positive. NaN equals itself and is greater than all other values. */
export function compare(left: Decimal, right: Decimal): number {
  if (left.special !== undefined || right.special !== undefined) {
    if (left.special === 'NaN') return right.special === 'NaN' ? 0 : 1
    if (right.special === 'NaN') return -1
    const [a, b] = [proxy(left), proxy(right)]
    if (Number.isFinite(a) || Number.isFinite(b)) return Number.isFinite(a) ? -b : a
    return a === b ? 0 : a
  }
  const scale = Math.max(left.scale, right.scale)
  const difference = digitsAt(left, scale) - digitsAt(right, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** `value.digits` as if the scale were `scale`, which is not below the value's own. */
export function digitsAt(value: FiniteDecimal, scale: number): bigint {
  return scale === value.scale ? value.digits : value.digits * powerOfTen(scale - value.scale)
}

/** The n for which the value is in [10^(n-1), 10^n); 0 for zero. */
export function magnitudeOf(value: FiniteDecimal): number {
  return value.digits === 0n ? 0 : digitCount(value.digits) - value.scale
}

/** The same value without zeros at the end of its fraction. */
export function trimScale(value: FiniteDecimal): FiniteDecimal {
  if (value.digits === 0n) return zero
  const text = value.digits.toString()
  let scale = value.scale
  let end = text.length
  for (; scale > 0 && text.charAt(end - 1) === '0'; scale -= 1) end -= 1
  return decimal(BigInt(text.slice(0, end)), scale)
}

/** Blanks as PostgreSQL's input functions know them. Not by a pattern, for the same reason as zeros below. */
export function withoutBlanksAround(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && blanks.includes(text.charAt(start))) start += 1
  while (end > start && blanks.includes(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const blanks = ' \t\n\v\f\r'

/** Not by a pattern, which would try each zero before the end as a start: a hundred thousand of them would take seconds. */
export function withoutZerosAtEnd(text: string): string {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === '0') end -= 1
  return text.slice(0, end)
}

/** Position of the first base-10000 digit, as PostgreSQL stores numbers; 0 for zero. */
export function weightOf(value: FiniteDecimal): number {
  return value.digits === 0n ? 0 : Math.floor((magnitudeOf(value) - 1) / 4)
}

/** @see `select_div_scale` in PostgreSQL's numeric.c */
function quotientScale(left: FiniteDecimal, right: FiniteDecimal): number {
  const isLower = firstDigitOf(left) <= firstDigitOf(right)
  const weight = weightOf(left) - weightOf(right) - (isLower ? 1 : 0)
  const scale = Math.max(minSignificantDigits - weight * 4, left.scale, right.scale, 0)
  return Math.min(scale, maxDisplayScale)
}

/** The first base-10000 digit. */
function firstDigitOf(value: FiniteDecimal): number {
  if (value.digits === 0n) return 0
  const text = (value.digits < 0n ? -value.digits : value.digits).toString()
  const length = (((text.length - value.scale - 1) % 4) + 4) % 4
  return Number(text.slice(0, length + 1).padEnd(length + 1, '0'))
}

function withPlaces(
  value: Decimal,
  places: number,
  quotientOf: (dividend: bigint, divisor: bigint) => bigint,
): Decimal {
  if (value.special !== undefined) return value
  const wanted = Math.max(-maxIntegerDigits, Math.min(maxScale, places))
  const scale = Math.max(wanted, 0)
  if (value.scale <= wanted) return decimal(digitsAt(value, wanted), wanted)
  const quotient = quotientOf(value.digits, powerOfTen(value.scale - wanted))
  return checked(decimal(wanted < 0 ? quotient * powerOfTen(-wanted) : quotient, scale))
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const rest = (dividend - quotient * divisor) * 2n
  const isUp = (rest < 0n ? -rest : rest) >= (divisor < 0n ? -divisor : divisor)
  if (!isUp) return quotient
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n
}

function digitCount(digits: bigint): number {
  return digits.toString().length - (digits < 0n ? 1 : 0)
}

/** A double with the value's role among infinities: its sign, an infinity or NaN. */
function proxy(value: Decimal): number {
  if (value.special !== undefined) return Number(value.special)
  return value.digits > 0n ? 1 : value.digits < 0n ? -1 : 0
}

function ofSpecials(result: number): Decimal {
  if (Number.isNaN(result)) return nan
  if (result === Number.POSITIVE_INFINITY) return { special: 'Infinity' }
  return result === Number.NEGATIVE_INFINITY ? { special: '-Infinity' } : zero
}

/** Numbers below it never have too many digits. */
const harmless = 1n << 400_000n

/** Refuses numbers that PostgreSQL cannot store. */
function checked(value: FiniteDecimal): FiniteDecimal {
  if (value.digits < harmless && value.digits > -harmless) return value
  if (magnitudeOf(value) > maxIntegerDigits) throw overflow()
  return value
}

export function overflow(): Error {
  return sqlError('22003', 'value overflows numeric format')
}

export function divisionByZero(): Error {
  return sqlError('22012', 'division by zero')
}
