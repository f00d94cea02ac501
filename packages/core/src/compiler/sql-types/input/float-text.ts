/** @module float4 and float8 as PostgreSQL prints them: the fewest digits that read back as the same value. */

/** Exponents from here on are written with an `e`. */
const largeExponent = { float4: 6, float8: 15 } as const
const smallExponent = -5

/** The shortest text that reads as the same number, as PostgreSQL writes it. */
export function floatText(value: number, type: 'float4' | 'float8'): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const sign = value < 0 ? '-' : ''
  if (!Number.isFinite(value)) return `${sign}Infinity`
  const { digits, exponent } =
    type === 'float4' ? shortestSingle(Math.abs(value)) : shortestDouble(Math.abs(value))
  return sign + layOut(digits, exponent, largeExponent[type])
}

/**
 * At most this many digits, as PostgreSQL writes it where `extra_float_digits` is 0 or less: `0.30000000000000004` with 15 → `0.3`. For a
 * float4 `value` has the precision of one.
 */
export function roundedFloatText(value: number, precision: number): string {
  if (value === 0 || !Number.isFinite(value)) return floatText(value, 'float8')
  const [rounded] = decimalsAround(Math.abs(value), precision)
  const { digits, exponent } = withoutTrailingZeros(rounded)
  return (value < 0 ? '-' : '') + layOut(digits, exponent, precision)
}

/** digits[0].digits[1...] * 10^exponent */
interface Scientific {
  readonly digits: string
  readonly exponent: number
}

function layOut(digits: string, exponent: number, large: number): string {
  if (exponent <= smallExponent || exponent >= large) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    const power = String(Math.abs(exponent)).padStart(2, '0')
    return `${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${power}`
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/**
 * The two neighbours of a value among the decimals with `precision` digits, the nearer one first; of two equally near ones the
 * even one first.
 */
function decimalsAround(value: number, precision: number): readonly [Scientific, Scientific] {
  const [mantissa = '', power = '0'] = value.toExponential(100).split('e')
  const exact = mantissa.replace('.', '')
  const exponent = Number(power)
  const lower = exact.slice(0, precision)
  const rest = exact.slice(precision).replace(/0+$/, '')
  const isUpNearer = rest === '5' ? /[13579]$/.test(lower) : rest >= '5'
  const upper = String(BigInt(lower) + 1n)
  const down = { digits: lower, exponent }
  const up = { digits: upper.slice(0, precision), exponent: exponent + upper.length - precision }
  return isUpNearer ? [up, down] : [down, up]
}

function numberOf({ digits, exponent }: Scientific): number {
  return Number(`${digits}e${exponent - digits.length + 1}`)
}

function withoutTrailingZeros({ digits, exponent }: Scientific): Scientific {
  return { digits: digits.replace(/0+$/, ''), exponent }
}

/**
 * JavaScript's shortest digits, except where they are exactly the middle between two doubles: PostgreSQL requires a text that
 * rounds to the value under every rounding rule. Only integers beyond 2^53 can have such digits.
 */
function shortestDouble(value: number): Scientific {
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  const shortest = { digits: mantissa.replace('.', ''), exponent: Number(power) }
  if (value <= 2 ** 53 || value >= 1e41 || isInsideDouble(shortest, value)) return shortest
  for (let precision = shortest.digits.length; precision < 17; precision++) {
    const inside = decimalsAround(value, precision).find((decimal) =>
      isInsideDouble(decimal, value),
    )
    if (inside !== undefined) return withoutTrailingZeros(inside)
  }
  return decimalsAround(value, 17)[0]
}

/** For integers only: is the decimal nearer to the value than half the gap to the next double? */
function isInsideDouble({ digits, exponent }: Scientific, value: number): boolean {
  if (digits.length > exponent + 1) return false
  const distance = BigInt(digits.padEnd(exponent + 1, '0')) - BigInt(value)
  const gap = BigInt(neighbourDouble(value, distance > 0n)) - BigInt(value)
  return 2n * size(distance) < size(gap)
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value
}

function neighbourDouble(value: number, isAbove: boolean): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (isAbove ? 1n : -1n))
  return view.getFloat64(0)
}

/** Nine digits are always enough for a single. */
function shortestSingle(value: number): Scientific {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  const bits = view.getUint32(0)
  view.setUint32(0, bits + 1)
  const above = (value + (Number.isFinite(view.getFloat32(0)) ? view.getFloat32(0) : 2 ** 128)) / 2
  view.setUint32(0, bits - 1)
  const below = (value + view.getFloat32(0)) / 2
  const isInside = (decimal: Scientific) => {
    const named = numberOf(decimal)
    return named > below && named < above
  }
  for (let precision = 1; precision < 9; precision++) {
    const inside = decimalsAround(value, precision).find(isInside)
    if (inside !== undefined) return withoutTrailingZeros(inside)
  }
  return withoutTrailingZeros(decimalsAround(value, 9)[0])
}
