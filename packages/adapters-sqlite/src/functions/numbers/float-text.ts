/** @module Floats as PostgreSQL writes and reads them. */
import { withoutBlanksAround } from '../decimal/decimal.ts'
import { sqlError } from '../register/sql-error.ts'

/** The shortest digits that read back the same, with an exponent outside 10^-5 ... 10^15. */
export function float8Text(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Object.is(value, -0)) return '-0'
  // Only for numbers this large can the bounds of the interval that reads back the same be decimals with as few digits.
  if (Math.abs(value) < 2 ** 53) return positional(value, String(value), 15)
  const [low, high] = [neighbour(value, -1), neighbour(value, 1)].map((each) => BigInt(each))
  const exact = BigInt(value)
  const isInside = (text: string): boolean => {
    const twice = BigInt(Number(text) === value ? exactInteger(text) : (low ?? 0n)) * 2n
    return twice > exact + (low ?? 0n) && twice < exact + (high ?? 0n)
  }
  return positional(value, shortest(value, 17, isInside), 15)
}

export function float4Text(value: number): string {
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return String(single)
  if (Object.is(single, -0)) return '-0'
  const step = singleStep(single)
  const [low, high] = [single - step / 2, single + step / 2]
  const isInside = (text: string): boolean => Number(text) > low && Number(text) < high
  const found = shortest(
    single,
    9,
    (text) => Math.fround(Number(text)) === single && isInside(text),
  )
  return positional(single, found, 6)
}

/** The fewest digits for which `isInside` holds. PostgreSQL leaves out the bounds themselves. */
function shortest(value: number, most: number, isInside: (text: string) => boolean): string {
  for (let digits = 1; digits < most; digits += 1) {
    const text = roundedText(value, digits)
    if (isInside(text)) return text
  }
  return roundedText(value, most)
}

/** `digits` significant digits as `printf("%.*e")` rounds: exactly half goes to the even digit. */
export function roundedText(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(100).split('e')
  const all = mantissa.replace(/[-.]/g, '')
  const [kept, rest] = [BigInt(all.slice(0, digits)), all.slice(digits)]
  const half = `5${'0'.repeat(rest.length - 1)}`
  const isUp = rest > half || (rest === half && kept % 2n === 1n)
  const size = Number(exponent) - digits + 1
  return `${value < 0 ? '-' : ''}${isUp ? kept + 1n : kept}e${size}`
}

function exactInteger(text: string): bigint {
  const [digits = '', exponent = '0'] = text.split('e')
  return Number(exponent) < 0
    ? BigInt(digits) / 10n ** BigInt(-Number(exponent))
    : BigInt(digits) * 10n ** BigInt(exponent)
}

const bits = new DataView(new ArrayBuffer(8))

/** The next double towards zero (`-1`, of a positive value) or away from it, by sign of the value. */
function neighbour(value: number, direction: 1 | -1): number {
  bits.setFloat64(0, value)
  const step = value > 0 ? BigInt(direction) : BigInt(-direction)
  bits.setBigInt64(0, bits.getBigInt64(0) + step)
  const next = bits.getFloat64(0)
  return Number.isFinite(next) ? next : value
}

/** Distance to the next float4 away from zero. */
function singleStep(value: number): number {
  bits.setFloat32(0, Math.abs(value))
  const here = bits.getFloat32(0)
  bits.setInt32(0, bits.getInt32(0) + 1)
  const next = bits.getFloat32(0)
  return Number.isFinite(next) ? next - here : 2 ** 104
}

/** `found`: the digits, in any spelling; `limit`: from 10^limit on, an exponent is written. */
function positional(value: number, found: string, limit: number): string {
  const [mantissa = '', exponentText = '0'] = found.replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const leading = (whole + fraction).length - (whole + fraction).replace(/^0+/, '').length
  const exponent = Number(exponentText) + whole.length - 1 - leading
  const digits = (whole + fraction).replace(/^0+|0+$/g, '') || '0'
  const sign = value < 0 ? '-' : ''
  if (value !== 0 && (exponent < -4 || exponent >= limit)) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${sign}${digits.charAt(0)}${rest}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (value === 0) return '0'
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const integer = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const decimals = digits.slice(exponent + 1)
  return decimals === '' ? sign + integer : `${sign}${integer}.${decimals}`
}

const floatPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** @throws an `sqlError` 22P02 or 22003, as PostgreSQL's input function does. */
export function readFloat(input: string, isSingle: boolean): number {
  const text = withoutBlanksAround(input)
  const special = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text)
  if (special !== null) {
    if (special[2]?.toLowerCase() === 'nan') throw sqlError('0A000', 'SQLite cannot hold NaN')
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const typeName = isSingle ? 'real' : 'double precision'
  if (!floatPattern.test(text)) {
    throw sqlError('22P02', `invalid input syntax for type ${typeName}`)
  }
  const value = isSingle ? Math.fround(Number(text)) : Number(text)
  const isLost = value === 0 && /[1-9]/.test(text.replace(/e.*$/i, ''))
  if (!Number.isFinite(value) || isLost) {
    throw sqlError('22003', `value is out of range for type ${typeName}`)
  }
  return value
}
