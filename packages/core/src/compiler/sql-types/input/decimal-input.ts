/** @module numeric. */
import { numericOfTypmod } from '../typmod.ts'
import { accept, fail, failSyntax, type InputResult } from './input-value.ts'
import { trimSpace } from './trim-space.ts'

const maxDigitsBeforePoint = 131_072
const maxDigitsAfterPoint = 16_383

/** A number with more zeros gets an exponent: a few characters would stand for a huge number of digits. Without exponents it is refused. */
const mostZeros = 400

/** Beyond this no number is in range, and its digits need not be counted. */
const mostExponent = 1_000_000_000

const specials: ReadonlyMap<string, string> = new Map([
  ['nan', 'NaN'],
  ...['infinity', '+infinity', 'inf', '+inf'].map((word) => [word, 'Infinity'] as const),
  ...['-infinity', '-inf'].map((word) => [word, '-Infinity'] as const),
])

/** `digits` without leading zeros; the value is digits / 10^scale. A negative scale stands for zeros that are not written. */
interface Decimal {
  readonly isNegative: boolean
  readonly digits: string
  readonly scale: number
}

/**
 * Digits with an optional fraction and exponent; keeps the scale unless the typmod has one.
 *
 * @param hasExponents a number with many zeros is `9e131071`; otherwise it is out of range.
 */
export function readDecimal(text: string, typmod: number, hasExponents = false): InputResult {
  const trimmed = trimSpace(text)
  const limits = numericOfTypmod(typmod)
  const special = specials.get(trimmed.toLowerCase())
  if (special !== undefined) {
    return special === 'NaN' || limits === undefined ? accept(special) : fieldOverflow
  }
  const decimal = parseDecimal(trimmed, hasExponents ? mostExponent : mostZeros)
  if (decimal === undefined) return failSyntax('numeric', text)
  if (decimal === 'overflow') return formatOverflow
  if (limits === undefined) {
    return accept(hasExponents ? shortText(decimal) : decimalText(decimal))
  }
  const most = limits.precision - limits.scale
  if (wholeDigits(decimal) > most) return fieldOverflow
  const rounded = roundDecimal(decimal, limits.scale)
  return wholeDigits(rounded) > most ? fieldOverflow : accept(decimalText(rounded))
}

/** Of a number other than zero: the digits before the point. Negative for zeros after the point. */
function wholeDigits({ digits, scale }: Decimal): number {
  return digits === '' ? Number.NEGATIVE_INFINITY : digits.length - scale
}

/** With an exponent instead of many zeros, so that equal numbers of the same scale have the same text. */
function shortText(decimal: Decimal): string {
  const { isNegative, digits, scale } = decimal
  const ending = scale > 0 ? 0 : zerosAtEnd(digits)
  const exponent = ending - scale
  if (scale > 0 ? scale - digits.length <= mostZeros : exponent <= mostZeros) {
    return decimalText(decimal)
  }
  const kept = digits.slice(0, digits.length - ending)
  return `${isNegative && digits !== '' ? '-' : ''}${kept || '0'}e${exponent}`
}

/** Not by a pattern, which would try each zero before the end as a start: a hundred thousand of them would take seconds. */
function zerosAtEnd(digits: string): number {
  let start = digits.length
  while (start > 0 && digits.charAt(start - 1) === '0') start--
  return digits.length - start
}

/** The shortest text of a number, without an exponent; rounded half away from zero where there is a scale. */
export function decimalTextOfNumber(value: number, scale: number | undefined): string {
  const decimal = parseDecimal(String(value), mostZeros)
  if (decimal === undefined || decimal === 'overflow') return String(value)
  return decimalText(scale === undefined ? decimal : roundDecimal(decimal, scale))
}

const fieldOverflow = fail('22003', 'numeric field overflow')
const formatOverflow = fail('22003', 'value overflows numeric format')

/** @param most the largest exponent. */
function parseDecimal(text: string, most: number): Decimal | 'overflow' | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > most) return 'overflow'
  const digits = (whole + fraction).replace(/^0+/, '')
  const shifted = fraction.length - exponent
  const scale = digits === '' ? Math.max(shifted, 0) : shifted
  if (scale > maxDigitsAfterPoint || digits.length - scale > maxDigitsBeforePoint) return 'overflow'
  return { isNegative: sign === '-', digits, scale }
}

/** Rounds to `scale` digits after the point, or before it when negative; half away from zero. */
function roundDecimal(decimal: Decimal, scale: number): Decimal {
  const { isNegative, digits } = decimal
  const dropped = decimal.scale - scale
  const zeros = '0'.repeat(Math.max(-scale, 0))
  if (dropped <= 0) {
    return { isNegative, digits: digits === '' ? '' : digits + '0'.repeat(-dropped), scale }
  }
  const kept = digits.slice(0, Math.max(digits.length - dropped, 0))
  const firstDropped = digits.length < dropped ? '0' : digits.charAt(digits.length - dropped)
  const rounded = firstDropped >= '5' ? increment(kept) : kept
  return {
    isNegative,
    digits: rounded === '' ? '' : rounded + zeros,
    scale: Math.max(scale, 0),
  }
}

/** Adds one to a string of digits. */
function increment(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charAt(end - 1) === '9') end--
  const rest =
    end === 0 ? '1' : digits.slice(0, end - 1) + String(Number(digits.charAt(end - 1)) + 1)
  return rest + '0'.repeat(digits.length - end)
}

function decimalText({ isNegative, digits: written, scale: shift }: Decimal): string {
  const digits = written + '0'.repeat(Math.max(-shift, 0))
  const scale = Math.max(shift, 0)
  const padded = digits.padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = scale === 0 ? '' : `.${padded.slice(-scale)}`
  return (isNegative && digits !== '' ? '-' : '') + whole + fraction
}
