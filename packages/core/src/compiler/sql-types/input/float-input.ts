/** @module float4 and float8. */
import { accept, fail, failSyntax, type InputResult } from './input-value.ts'
import { trimSpace } from './trim-space.ts'

/** For messages. */
interface FloatType {
  readonly name: string
}

export const floatTypes: Readonly<Record<'float4' | 'float8', FloatType>> = {
  float4: { name: 'real' },
  float8: { name: 'double precision' },
}

const specials: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ...['infinity', '+infinity', 'inf', '+inf'].map((word) => [word, Infinity] as const),
  ...['-infinity', '-inf'].map((word) => [word, -Infinity] as const),
])

/** Decimal digits with an optional fraction and exponent; too large or too small is an error. */
export function readFloat(text: string, type: FloatType): InputResult {
  const trimmed = trimSpace(text)
  const special = specials.get(trimmed.toLowerCase())
  if (special !== undefined) return accept(special)
  const match = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.exec(trimmed)
  const mantissa = match?.[1]
  if (mantissa === undefined) return failSyntax(type.name, text)
  const value = type === floatTypes.float4 ? nearestSingle(trimmed) : Number(trimmed)
  const isTooSmall = value === 0 && /[1-9]/.test(mantissa)
  if (isTooSmall || !Number.isFinite(value)) {
    return fail('22003', `"${trimmed.slice(0, 60)}" is out of range for type ${type.name}`)
  }
  return accept(value)
}

/** Beyond this number of characters the second rounding is accepted, instead of endless arithmetic. */
const maxExactLength = 400

/** Rounds once: a conversion through double precision may end halfway between two singles. */
function nearestSingle(text: string): number {
  const double = Number(text)
  if (text.length > maxExactLength) return Math.fround(double)
  const single = Math.fround(double)
  const other = neighbourSingle(single, double > single)
  if (double === single || double - single !== other - double) return single
  const difference = compareDecimal(text, double)
  if (difference === 0) return single
  return difference > 0 ? Math.max(single, other) : Math.min(single, other)
}

function neighbourSingle(single: number, isAbove: boolean): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, single)
  const awayFromZero = single === 0 || single > 0 === isAbove
  view.setInt32(0, view.getInt32(0) + (awayFromZero ? 1 : -1))
  return single === 0 && !isAbove ? -view.getFloat32(0) : view.getFloat32(0)
}

/** The sign of (decimal text - double), exactly. */
function compareDecimal(text: string, double: number): number {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}`)
  const tens = Number(exponent) - fraction.length
  const { mantissa, twos } = partsOfDouble(Math.abs(double))
  const left = digits * 10n ** BigInt(Math.max(tens, 0)) * 2n ** BigInt(Math.max(-twos, 0))
  const right = mantissa * 10n ** BigInt(Math.max(-tens, 0)) * 2n ** BigInt(Math.max(twos, 0))
  const difference = left > right ? 1 : left < right ? -1 : 0
  return sign === '-' ? -difference : difference
}

/** A positive double is mantissa * 2^twos. */
function partsOfDouble(double: number): { readonly mantissa: bigint; readonly twos: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, double)
  const bits = view.getBigUint64(0)
  const exponent = Number(bits >> 52n)
  const fraction = bits & (2n ** 52n - 1n)
  return exponent === 0
    ? { mantissa: fraction, twos: -1074 }
    : { mantissa: fraction + 2n ** 52n, twos: exponent - 1075 }
}
