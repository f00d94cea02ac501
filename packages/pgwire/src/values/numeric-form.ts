/** @module numeric: in binary, digits of base 10 000 and the number of displayed decimals. */
import { wireError } from '../errors/wire-error.ts'
import type { ValueForm } from './value-form.ts'

const pattern = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/

const specialSigns: ReadonlyMap<string, number> = new Map([
  ['NaN', 0xc000],
  ['Infinity', 0xd000],
  ['-Infinity', 0xf000],
])
const specialTexts: ReadonlyMap<number, string> = new Map(
  [...specialSigns].map(([text, sign]) => [sign, text]),
)

const negative = 0x4000
const digitsPerGroup = 4
const headerLength = 8

/** PostgreSQL has no negative zero. */
export const numericForm: ValueForm = {
  isCanonical: (text) =>
    (pattern.test(text) && (text.charCodeAt(1) !== 0x30 || !/^-[0.]+$/.test(text))) ||
    specialSigns.has(text),
  toBinary: (text) => {
    const special = specialSigns.get(text)
    if (special !== undefined) return numericBytes([], 0, special, specialScale(text))
    const match = pattern.exec(text)
    if (match === null) return undefined
    const [, sign, whole = '', fraction = ''] = match
    return fraction.length > 0x3fff ? undefined : finiteBytes(sign === '-', whole, fraction)
  },
  fromBinary: textOf,
}

/** The flag has no meaning, but PostgreSQL sends it. */
function specialScale(text: string): number {
  return text === 'NaN' ? 0 : 0x20
}

function finiteBytes(isNegative: boolean, whole: string, fraction: string): Buffer {
  const wholeLength = Math.ceil(whole.length / digitsPerGroup) * digitsPerGroup
  const digits = whole.padStart(wholeLength, '0') + fraction
  const groups: number[] = []
  for (let i = 0; i < digits.length; i += digitsPerGroup) {
    groups.push(Number(digits.slice(i, i + digitsPerGroup).padEnd(digitsPerGroup, '0')))
  }
  const first = groups.findIndex((group) => group !== 0)
  if (first < 0) return numericBytes([], 0, 0, fraction.length)
  const last = groups.findLastIndex((group) => group !== 0)
  const weight = wholeLength / digitsPerGroup - 1 - first
  const sign = isNegative ? negative : 0
  return numericBytes(groups.slice(first, last + 1), weight, sign, fraction.length)
}

/** `weight`: the first group counts 10000^weight. `scale`: displayed decimals. */
function numericBytes(
  groups: readonly number[],
  weight: number,
  sign: number,
  scale: number,
): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength + groups.length * 2)
  bytes.writeUInt16BE(groups.length, 0)
  bytes.writeInt16BE(weight, 2)
  bytes.writeUInt16BE(sign, 4)
  bytes.writeUInt16BE(scale, 6)
  for (const [i, group] of groups.entries()) bytes.writeUInt16BE(group, headerLength + i * 2)
  return bytes
}

function textOf(bytes: Buffer): string | undefined {
  if (bytes.length < headerLength) return undefined
  const count = bytes.readUInt16BE(0)
  if (bytes.length !== headerLength + count * 2) return undefined
  const sign = bytes.readUInt16BE(4)
  const special = specialTexts.get(sign)
  if (special !== undefined) return special
  const scale = bytes.readUInt16BE(6)
  if ((sign !== 0 && sign !== negative) || scale > 0x3fff) return undefined
  const groups = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(headerLength + i * 2))
  if (groups.some((group) => group > 9999)) return undefined
  return finiteText(groups, bytes.readInt16BE(2), sign === negative, scale)
}

/** More zeros than this at the point are written as an exponent. */
const mostZeros = 400

/** Of zeros that an exponent cannot stand for, since they belong to the scale. */
const mostPadding = 1_000

/**
 * Decimals beyond the scale are cut off. The text is not much longer than the bytes: a few of them could stand for 131 072 digits, and
 * an array in one message for gigabytes.
 *
 * @throws {GatewayError} 54000 for zeros that would have to be written out.
 */
function finiteText(
  groups: readonly number[],
  weight: number,
  isNegative: boolean,
  scale: number,
): string {
  const digits = groups.map((group) => String(group).padStart(digitsPerGroup, '0')).join('')
  const wholeLength = (weight + 1) * digitsPerGroup
  const zeros = wholeLength - digits.length
  if (scale === 0 && zeros > mostZeros) return withExponent(digits, zeros, isNegative)
  // Those before the point, and those after the last decimal.
  const padding = Math.max(zeros, 0) + scale - Math.max(-zeros, 0)
  if (padding > mostPadding) throw tooManyZeros()
  if (wholeLength < -mostZeros) {
    const length = Math.max(scale + wholeLength, 0)
    return withExponent(digits.slice(0, length).padEnd(length, '0'), -scale, isNegative)
  }
  const whole = wholeLength <= 0 ? '' : digits.slice(0, wholeLength).padEnd(wholeLength, '0')
  const fraction =
    wholeLength >= 0
      ? digits.slice(wholeLength)
      : '0'.repeat(Math.min(-wholeLength, scale)) + digits
  const shown = fraction.slice(0, scale).padEnd(scale, '0')
  const text = (whole.replace(/^0+/, '') || '0') + (scale === 0 ? '' : `.${shown}`)
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text
}

/** `5e-16383` has 16383 decimals: the scale is kept. */
function withExponent(digits: string, exponent: number, isNegative: boolean): string {
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return exponent < 0 ? `0e${exponent}` : '0'
  return `${isNegative ? '-' : ''}${significant}e${exponent}`
}

function tooManyZeros(): Error {
  const message = `a numeric in binary has more than ${mostPadding} zeros that its digits do not contain: send it as text`
  return wireError('54000', message, 'limitExceeded')
}
