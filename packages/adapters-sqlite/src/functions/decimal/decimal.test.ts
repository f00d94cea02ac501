import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  compare,
  type Decimal,
  decimal,
  decimalOf,
  decimalText,
  divide,
  type FiniteDecimal,
  multiply,
  negate,
  readDecimal,
  remainder,
  round,
  subtract,
  truncate,
} from './decimal.ts'
import { exponential, naturalLogarithm, power, squareRoot } from './decimal-math.ts'

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => decimal(digits, scale))

/** numerator / denominator */
type Rational = readonly [bigint, bigint]

function rational(value: Decimal): Rational {
  if (value.special !== undefined) throw new Error('not finite')
  return [value.digits, 10n ** BigInt(value.scale)]
}

function equalRationals([a, b]: Rational, [c, d]: Rational): boolean {
  return a * d === c * b
}

test('sums, differences and products are exact, with the scale PostgreSQL shows', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => {
      const [[a, b], [c, d]] = [rational(left), rational(right)]
      expect(equalRationals(rational(add(left, right)), [a * d + c * b, b * d])).toBe(true)
      expect(equalRationals(rational(subtract(left, right)), [a * d - c * b, b * d])).toBe(true)
      expect(equalRationals(rational(multiply(left, right)), [a * c, b * d])).toBe(true)
      const sum = add(left, right) as FiniteDecimal
      expect(sum.scale).toBe(Math.max(left.scale, right.scale))
    }),
  )
})

test('a quotient is at most half a unit of its last place away', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => {
      if (right.digits === 0n) return
      const quotient = divide(left, right) as FiniteDecimal
      const [[a, b], [c, d], [e, f]] = [rational(left), rational(right), rational(quotient)]
      // |a/b : c/d - e/f| <= 1/(2f)
      const [numerator, denominator] = [a * d * f - e * b * c, b * c * f]
      const size = (value: bigint) => (value < 0n ? -value : value)
      expect(size(numerator) * 2n * f <= size(denominator)).toBe(true)
    }),
  )
})

test('a remainder is what truncated division leaves', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => {
      if (right.digits === 0n) return
      const rest = remainder(left, right)
      const difference = subtract(left, rest) as FiniteDecimal
      expect(compare(remainder(difference, right), decimal(0n, 0))).toBe(0)
      const isSmaller = compare(absolute(rest), absolute(right)) < 0
      expect(isSmaller).toBe(true)
    }),
  )
})

function absolute(value: Decimal): Decimal {
  return compare(value, decimal(0n, 0)) < 0 ? negate(value) : value
}

test('texts are read back, and comparison is that of the numbers', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => {
      expect(decimalOf(decimalText(left))).toEqual(left)
      expect(readDecimal(decimalText(left))).toEqual(left)
      const [[a, b], [c, d]] = [rational(left), rational(right)]
      const order = a * d < c * b ? -1 : a * d > c * b ? 1 : 0
      expect(Math.sign(compare(left, right))).toBe(order)
    }),
  )
})

test('rounding goes half away from zero, truncation towards it', () => {
  const rounded = (text: string, places: number) => decimalText(round(decimalOf(text), places))
  expect(rounded('2.5', 0)).toBe('3')
  expect(rounded('-2.5', 0)).toBe('-3')
  expect(rounded('1.005', 2)).toBe('1.01')
  expect(rounded('1234.5', -2)).toBe('1200')
  expect(rounded('1.5', 4)).toBe('1.5000')
  expect(decimalText(truncate(decimalOf('-1.999'), 1))).toBe('-1.9')
})

test.each([
  ['1', '3', '0.33333333333333333333'],
  ['10.00', '3', '3.3333333333333333'],
  ['2', '3', '0.66666666666666666667'],
  ['1000000', '7', '142857.142857142857'],
  ['0', '5', '0.00000000000000000000'],
])('%s / %s is %s', (left, right, quotient) => {
  expect(decimalText(divide(decimalOf(left), decimalOf(right)))).toBe(quotient)
})

test('division by zero says so', () => {
  expect(() => divide(decimalOf('1'), decimalOf('0.00'))).toThrow(
    expect.objectContaining({ code: 'E22012' }),
  )
})

test('roots, logarithms and powers have the digits of PostgreSQL 15', () => {
  expect(decimalText(squareRoot(decimalOf('2')))).toBe('1.414213562373095')
  expect(decimalText(exponential(decimalOf('1')))).toBe('2.7182818284590452')
  expect(decimalText(naturalLogarithm(decimalOf('10')))).toBe('2.3025850929940457')
  expect(decimalText(power(decimalOf('2'), decimalOf('0.5')))).toBe('1.4142135623730950')
  expect(decimalText(power(decimalOf('1.1'), decimalOf('-2')))).toBe('0.8264462809917355')
})

test('NaN equals itself and is above everything; infinities behave', () => {
  expect(compare(decimalOf('NaN'), decimalOf('NaN'))).toBe(0)
  expect(compare(decimalOf('NaN'), decimalOf('Infinity'))).toBeGreaterThan(0)
  expect(decimalText(add(decimalOf('Infinity'), decimalOf('-Infinity')))).toBe('NaN')
})

test('blanks around a number do not count, and many of them within it are read once', () => {
  expect(readDecimal(' \t1.50\r\n')).toEqual(decimalOf('1.50'))
  for (let last = 0; last < 20; last += 1) {
    expect(readDecimal(`1${' '.repeat(131_000)}${last}`)).toBeUndefined()
  }
})
