import { expect, test } from 'vitest'
import { ago, duration } from './ago.ts'

const now = 1_000 * 86_400_000

test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [-60_000, '1 min ago'],
  [-7_200_000, '2 h ago'],
  [-3 * 86_400_000, '3 d ago'],
  [-70 * 86_400_000, '2 mo ago'],
  [-800 * 86_400_000, '2 y ago'],
  [30_000, 'in a moment'],
  [5 * 60_000, 'in 5 min'],
])('a moment %i ms from now is %s', (distance, text) => {
  expect(ago(now + distance, now)).toBe(text)
})

test.each([
  [0, '0 s'],
  [12, '12 s'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [187_200, '2 d 4 h'],
])('%i seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
