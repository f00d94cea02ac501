import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, decimal, decimalOf, decimalText } from './decimal.ts'
import {
  ceilingEdge,
  decimalKey,
  equalEdge,
  fitDecimal,
  floorEdge,
  packDecimal,
  storableNumber,
  unpackDecimal,
} from './decimal-key.ts'

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 20 }))
  .map(([digits, scale]) => decimal(digits, scale))

test('keys sort as the numbers do', () => {
  fc.assert(
    fc.property(decimals, decimals, (left, right) => {
      const [one, other] = [decimalKey(left), decimalKey(right)]
      const order = one < other ? -1 : one > other ? 1 : 0
      expect(order).toBe(Math.sign(compare(left, right)))
    }),
  )
})

test('many zeros between other digits are read once', () => {
  for (let last = 1; last < 10; last += 1) {
    const spelled = `1${'0'.repeat(131_000)}${last}`
    expect(decimalKey(decimalOf(spelled))).toBe(`p0631002${spelled}`)
  }
})

test('specials have their place, and 1.5 is 1.50', () => {
  const sorted = ['-Infinity', '-1', '0', '0.00', '1', 'Infinity', 'NaN'].map((each) =>
    decimalKey(decimalOf(each)),
  )
  expect(sorted.toSorted()).toEqual(sorted)
  expect(decimalKey(decimalOf('1.5'))).toBe(decimalKey(decimalOf('1.50')))
  expect(unpackDecimal(packDecimal('-1.50'))).toBe('-1.50')
})

test('bounds for stored numbers decide as exact comparison does, whatever the scale of the value', () => {
  const stored = fc.tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 })).map(([units]) => units)
  fc.assert(
    fc.property(stored, decimals, (units, value) => {
      const exact = decimal(BigInt(units), 2)
      const double = Number(decimalText(exact))
      const order = compare(exact, value)
      expect(double < ceilingEdge(value, 2)).toBe(order < 0)
      expect(double > floorEdge(value, 2)).toBe(order > 0)
      const isEqual = double > equalEdge(value, 2, false) && double < equalEdge(value, 2, true)
      expect(isEqual).toBe(order === 0)
    }),
  )
})

test('the noise of doubles does not count', () => {
  const noisy = 0.1 + 0.2
  const value = decimalOf('0.30')
  expect(noisy > equalEdge(value, 2, false) && noisy < equalEdge(value, 2, true)).toBe(true)
})

test('what a double cannot hold is not stored', () => {
  expect(storableNumber('12.30')).toBe(12.3)
  expect(storableNumber('12.00')).toBe(12n)
  expect(() => storableNumber('1234567890123.4567')).toThrow(
    expect.objectContaining({ code: 'E22003' }),
  )
})

test('numeric(p, s) rounds, and refuses too many digits', () => {
  expect(decimalText(fitDecimal(decimalOf('1.239'), 4, 2))).toBe('1.24')
  expect(() => fitDecimal(decimalOf('99.995'), 4, 2)).toThrow(
    expect.objectContaining({ code: 'E22003' }),
  )
})
