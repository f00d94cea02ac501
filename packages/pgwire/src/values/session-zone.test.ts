import { expect, test } from 'vitest'
import { dateInOrder, timestampInUtc } from './session-zone.ts'

const settings = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 } as const

test.each([
  ['MDY', '01/02/2026', '01/02/2026'],
  ['DMY', '01/02/2026', '2026-02-01 00:00:00'],
  ['DMY', '13.01.26 10:30', '2026-01-13 10:30:00'],
  ['DMY', 'Jan 2 2026', '2026-01-02 00:00:00'],
  ['DMY', '2026-01-02', '2026-01-02 00:00:00'],
  ['DMY', '01/13/2026', '01/13/2026 (DMY)'],
  ['DMY', 'infinity', 'infinity'],
  ['YMD', '26/01/02', '2026-01-02 00:00:00'],
] as const)('%s %s is %s', (dateOrder, text, expected) => {
  expect(dateInOrder({ ...settings, dateOrder })?.(text) ?? text).toBe(expected)
})

test.each([
  ['UTC', 'MDY', '01/02/2026 10:00', '01/02/2026 10:00'],
  ['UTC', 'DMY', '01/02/2026 10:00', '2026-02-01 10:00:00+00'],
  ['UTC', 'DMY', '01/02/2026 10:00+05', '2026-02-01 10:00:00+05'],
  ['Europe/Berlin', 'MDY', 'Jul 2, 2026 10:00', '2026-07-02 10:00:00+02'],
  [
    'Europe/Berlin',
    'MDY',
    '2026-07-02 10:00 America/New_York',
    '2026-07-02 10:00 America/New_York',
  ],
  ['Europe/Berlin', 'DMY', '02/07/2026', '2026-07-02 00:00:00+02'],
  ['Europe/Berlin', 'DMY', '07/13/2026', '07/13/2026 (DMY)'],
  ['Europe/Berlin', 'MDY', 'nope', 'nope'],
] as const)('in %s, %s: %s is %s', (timeZone, dateOrder, text, expected) => {
  expect(timestampInUtc({ ...settings, timeZone, dateOrder })(text)).toBe(expected)
})
