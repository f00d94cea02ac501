import fc from 'fast-check'
import { expect, test } from 'vitest'
import { float4Text, float8Text, readFloat, roundedText } from './float-text.ts'

test.each([
  [1e15, '1e+15'],
  [1e14, '100000000000000'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1e20, '1e+20'],
  [0.1 + 0.2, '0.30000000000000004'],
  [-1.5, '-1.5'],
  [61878568268460496, '6.1878568268460496e+16'],
])('%d is written %s', (value, text) => {
  expect(float8Text(value)).toBe(text)
})

test.each([
  [0.1, '0.1'],
  [1 / 3, '0.33333334'],
  [49655609.487, '4.9655608e+07'],
  [446171.62967, '446171.62'],
])('as a float4, %d is written %s', (value, text) => {
  expect(float4Text(value)).toBe(text)
})

test('every double is read back from its text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readFloat(float8Text(value), false)).toBe(value)
    }),
  )
})

test('exactly half goes to the even digit', () => {
  expect(roundedText(2643214337820745, 15)).toBe('264321433782074e1')
})

test.each(['', 'abc', '1e', '0x10', '1_0'])('%j is no float', (text) => {
  expect(() => readFloat(text, false)).toThrow(expect.objectContaining({ code: 'E22P02' }))
})
