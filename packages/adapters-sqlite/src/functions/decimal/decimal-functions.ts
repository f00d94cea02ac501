/** @module `numeric` for SQL: values are canonical text, integers are accepted unchanged. */

import { float4Text, float8Text, roundedText } from '../numbers/float-text.ts'
import {
  countOf,
  integerOf,
  nullable,
  numberOf,
  type ScalarFunctions,
  type SqliteValue,
  strict,
  textOf,
} from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'
import {
  absolute,
  add,
  ceiling,
  compare,
  type Decimal,
  decimal,
  decimalOf,
  decimalOfDouble,
  decimalText,
  divide,
  divideToInteger,
  floor,
  isZero,
  multiply,
  negate,
  overflow,
  readDecimal,
  remainder,
  round,
  signOf,
  subtract,
  trimScale,
  truncate,
} from './decimal.ts'
import {
  ceilingEdge,
  decimalKey,
  equalEdge,
  fitDecimal,
  floorEdge,
  packDecimal,
  storableNumber,
  unitsOf,
  unpackDecimal,
} from './decimal-key.ts'
import { exponential, logarithm, naturalLogarithm, power, squareRoot } from './decimal-math.ts'

/** An argument: the text of a numeric, an integer, or a REAL from a DECIMAL column. */
export function decimalArgument(value: SqliteValue): Decimal {
  if (typeof value === 'string') return decimalOf(value)
  if (typeof value === 'bigint') return decimal(value, 0)
  return decimalOfDouble(numberOf(value))
}

const unary = (operation: (value: Decimal) => Decimal) =>
  strict((value) => decimalText(operation(decimalArgument(value))), 1)

const binary = (operation: (left: Decimal, right: Decimal) => Decimal) =>
  strict((left, right) => decimalText(operation(decimalArgument(left), decimalArgument(right))), 2)

const edgeFunction = (edge: (value: Decimal, scale: number) => number) =>
  strict((value, scale) => edge(decimalArgument(value), countOf(scale)), 2)

export const decimalFunctions: ScalarFunctions = {
  /** Converts a stored value of a DECIMAL column to text with `scale` places (-1: as many as it has). */
  dec_read: strict((value, scale) => readStored(value, countOf(scale))),
  dec_add: binary(add),
  dec_sub: binary(subtract),
  dec_mul: binary(multiply),
  dec_div: binary(divide),
  dec_mod: binary(remainder),
  dec_idiv: binary(divideToInteger),
  dec_neg: unary(negate),
  dec_abs: unary(absolute),
  dec_sign: unary((value) => (value.special === 'NaN' ? value : decimal(BigInt(signOf(value)), 0))),
  dec_ceil: unary(ceiling),
  dec_floor: unary(floor),
  dec_sqrt: unary(squareRoot),
  dec_exp: unary(exponential),
  dec_ln: unary(naturalLogarithm),
  dec_log10: unary((value) => logarithm(decimal(10n, 0), value)),
  dec_log: binary(logarithm),
  dec_pow: binary(power),
  dec_trim: unary((value) => (value.special === undefined ? trimScale(value) : value)),
  dec_gcd: binary(greatestDivisor),
  dec_lcm: binary(leastMultiple),
  dec_round: strict((value, places) => decimalText(round(decimalArgument(value), countOf(places)))),
  dec_trunc: strict((value, places) =>
    decimalText(truncate(decimalArgument(value), countOf(places))),
  ),
  dec_scale: strict((value) => scaleOf(decimalArgument(value))),
  dec_min_scale: strict((value) => {
    const argument = decimalArgument(value)
    return argument.special === undefined ? BigInt(trimScale(argument).scale) : null
  }),
  dec_factorial: strict((value) => factorial(BigInt(textOf(value)))),
  dec_bucket: strict((value, low, high, count) =>
    bucketOf(decimalArgument(value), decimalArgument(low), decimalArgument(high), count),
  ),
  /** -1, 0 or 1. */
  dec_cmp: strict((left, right) =>
    BigInt(Math.sign(compare(decimalArgument(left), decimalArgument(right)))),
  ),
  /** GREATEST and LEAST: NULL is ignored, of equal values the first is used. */
  dec_greatest: nullable((...values) => extreme(values, 1), -1),
  dec_least: nullable((...values) => extreme(values, -1), -1),
  dec_key: strict((value) => decimalKey(decimalArgument(value))),
  dec_pack: strict((value) => packDecimal(textOf(value))),
  dec_unpack: strict((packed) => unpackDecimal(textOf(packed))),
  /** Units of 10^-scale as INTEGER; an empty blob, equal to no number, where there is no such integer. */
  dec_units: strict(
    (value, scale) => unitsOf(decimalArgument(value), countOf(scale)) ?? new Uint8Array(0),
  ),
  dec_ceiling_edge: edgeFunction(ceilingEdge),
  dec_floor_edge: edgeFunction(floorEdge),
  dec_low_edge: edgeFunction((value, scale) => equalEdge(value, scale, false)),
  dec_high_edge: edgeFunction((value, scale) => equalEdge(value, scale, true)),
  dec_fit: strict((value, precision, scale) =>
    decimalText(fitDecimal(decimalArgument(value), countOf(precision), countOf(scale))),
  ),
  /** A sum of integers by SQLite itself as a decimal. It is REAL, and not exact, where some value was no integer. */
  int_total: strict((sum) => {
    if (typeof sum === 'number') throw sqlError('22003', 'a sum of integers is not exact')
    return decimalText(decimal(integerOf(sum), 0))
  }),
  /** The decimal of `units` × 10^-`scale`. */
  dec_of_units: strict((units, scale) =>
    decimalText(decimal(BigInt(textOf(units)), countOf(scale))),
  ),
  dec_store: strict((value) => storableNumber(textOf(value))),
  /** Rounded half away from zero; the caller checks the range. */
  dec_to_int: strict((value) => wholeNumber(decimalArgument(value))),
  dec_to_float: strict((value) => floatOf(decimalArgument(value))),
  dec_of_float: strict((value) => ofFloat(numberOf(value), 15)),
  dec_of_float4: strict((value) => ofFloat(numberOf(value), 6)),
  dec_of_text: strict((value) => decimalText(ofText(textOf(value)))),
}

function extreme(values: readonly SqliteValue[], direction: 1 | -1): string | null {
  let found: Decimal | undefined
  for (const value of values) {
    if (value === null) continue
    const argument = decimalArgument(value)
    const isBetter = found === undefined || compare(argument, found) * direction > 0
    if (isBetter) found = argument
  }
  return found === undefined ? null : decimalText(found)
}

function readStored(value: NonNullable<SqliteValue>, scale: number): string {
  const read = typeof value === 'string' ? ofText(value) : decimalArgument(value)
  return decimalText(scale < 0 ? read : round(read, scale))
}

function ofText(text: string): Decimal {
  const value = readDecimal(text)
  if (value === undefined) throw sqlError('22P02', 'invalid input syntax for type numeric')
  return value
}

function scaleOf(value: Decimal): bigint | null {
  return value.special === undefined ? BigInt(value.scale) : null
}

function wholeNumber(value: Decimal): bigint {
  if (value.special !== undefined) {
    throw sqlError(
      '0A000',
      `cannot convert ${value.special === 'NaN' ? 'NaN' : 'infinity'} to integer`,
    )
  }
  const { digits } = decimalOf(decimalText(round(value, 0))) as { digits: bigint }
  if (BigInt.asIntN(64, digits) !== digits) throw sqlError('22003', 'integer out of range')
  return digits
}

function floatOf(value: Decimal): number {
  const result = Number(decimalText(value))
  if (Number.isNaN(result)) throw sqlError('0A000', 'SQLite cannot hold NaN')
  if (value.special === undefined && !Number.isFinite(result)) {
    throw sqlError('22003', 'value is out of range for type double precision')
  }
  return result
}

/** As many significant digits as PostgreSQL trusts: 15 of a float8, 6 of a float4. */
function ofFloat(value: number, digits: number): string {
  if (!Number.isFinite(value)) return digits === 6 ? float4Text(value) : float8Text(value)
  const read = readDecimal(roundedText(value, digits))
  if (read === undefined || read.special !== undefined) throw overflow()
  return decimalText(trimScale(read))
}

function greatestDivisor(left: Decimal, right: Decimal): Decimal {
  if (left.special !== undefined || right.special !== undefined) return { special: 'NaN' }
  const scale = Math.max(left.scale, right.scale)
  let [a, b] = [absolute(round(left, scale)), absolute(round(right, scale))]
  while (!isZero(b)) [a, b] = [b, remainder(a, b)]
  return a
}

function leastMultiple(left: Decimal, right: Decimal): Decimal {
  if (left.special !== undefined || right.special !== undefined) return { special: 'NaN' }
  const scale = Math.max(left.scale, right.scale)
  if (isZero(left) || isZero(right)) return decimal(0n, scale)
  const factor = divideToInteger(left, greatestDivisor(left, right))
  return round(absolute(multiply(factor, right)), scale)
}

function factorial(count: bigint): string {
  if (count < 0n) throw sqlError('22003', 'factorial of a negative number is undefined')
  if (count > 5000n) throw sqlError('22003', 'value overflows numeric format')
  let product = 1n
  for (let factor = 2n; factor <= count; factor += 1n) product *= factor
  return product.toString()
}

function bucketOf(value: Decimal, low: Decimal, high: Decimal, count: SqliteValue): bigint {
  const buckets = BigInt(textOf(count))
  const bad = (message: string) => sqlError('2201G', message)
  if (buckets <= 0n) throw bad('count must be greater than zero')
  if ([value, low, high].some((each) => each.special === 'NaN')) {
    throw bad('operand, lower bound, and upper bound cannot be NaN')
  }
  if (low.special !== undefined || high.special !== undefined) {
    throw bad('lower and upper bounds must be finite')
  }
  const direction = compare(low, high)
  if (direction === 0) throw bad('lower bound cannot equal upper bound')
  const [first, last] = direction < 0 ? [1, -1] : [-1, 1]
  if (compare(value, low) * first < 0) return 0n
  if (compare(value, high) * last <= 0) return buckets + 1n
  const width = subtract(high, low)
  const share = divideToInteger(multiply(subtract(value, low), decimal(buckets, 0)), width)
  return BigInt(decimalText(share)) + 1n
}
