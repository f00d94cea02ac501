import { expect, test } from 'vitest'
import { normalizeTimeZone } from './zone-name.ts'

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['US/EASTERN', 'US/Eastern'],
  ['utc', 'UTC'],
  ['est5edt', 'EST5EDT'],
  ['2', '<+02>-02'],
  ['+02', '<+02>-02'],
  ['-3.5', '<-03:30>+03:30'],
  ['0', '<+00>-00'],
  ['utc-3', 'UTC-3'],
  ['GMT-02:00', 'GMT-02:00'],
  ['<+03>-03', '<+03>-03'],
  ["interval '-08:00'", '<-08>+08'],
])('%s is shown as %s', (text, expected) => {
  expect(normalizeTimeZone(text)).toBe(expected)
})

test.each([
  '',
  'FOO',
  'PST',
  'Mars/Olympus',
  '168',
  'ABC168',
  'UTC ',
  'A1:60',
  "interval '1 day'",
  'x'.repeat(200),
  'a\0b',
  '1e9',
])('%j is no zone', (text) => expect(normalizeTimeZone(text)).toBeUndefined())
