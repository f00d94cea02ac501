import { oids } from '@engine/core/values'
import { expect, test } from 'vitest'
import { dateInOrder, timeInUtcOffset, timeOfNow, timestampInUtc } from './session-zone.ts'

const timestampInOrder = dateInOrder(oids.timestamp)
const settings = { timeZone: 'UTC', byteaOutput: 'hex', clock: () => 0 } as const

test.each([
  ['MDY', '01/02/2026', '01/02/2026'],
  ['DMY', '01/02/2026', '2026-02-01 00:00:00'],
  ['DMY', '13.01.26 10:30', '2026-01-13 10:30:00'],
  ['DMY', 'Jan 2 2026', '2026-01-02 00:00:00'],
  ['DMY', '2026-01-02', '2026-01-02 00:00:00'],
  ['DMY', 'infinity', 'infinity'],
  ['YMD', '26/01/02', '2026-01-02 00:00:00'],
  ['YMD', 'January 8, 1999', '1999-01-08 00:00:00'],
  ['YMD', '08 Jan 1999', '1999-01-08 00:00:00'],
  ['YMD', '99 Jan 08', '1999-01-08 00:00:00'],
] as const)('%s %s is %s', (dateOrder, text, expected) => {
  expect(timestampInOrder({ ...settings, dateOrder })?.(text) ?? text).toBe(expected)
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
  ['Europe/Berlin', 'MDY', 'nope', 'nope'],
] as const)('in %s, %s: %s is %s', (timeZone, dateOrder, text, expected) => {
  expect(timestampInUtc({ ...settings, timeZone, dateOrder })(text)).toBe(expected)
})

test.each([
  [timestampInOrder, '01/13/2026', '22008'],
  [timestampInOrder, '01/02/2026/03', '22007'],
  [timestampInUtc, '07/13/2026', '22008'],
] as const)('%o: %s is refused with %s in the order DMY', (respell, text, sqlState) => {
  const read = respell({ ...settings, dateOrder: 'DMY' })
  expect(() => read?.(text)).toThrow(expect.objectContaining({ sqlState }))
})

/** 23:30 of the day before in UTC, and the clock of Berlin repeats this hour. */
const clock = () => Date.UTC(2024, 9, 26, 22, 30)

test.each([
  [timestampInOrder, 'today', '2024-10-27 00:00:00'],
  [timestampInOrder, ' Tomorrow 10:00 ', '2024-10-28 10:00:00'],
  [timestampInOrder, '2024-01-31', '2024-01-31'],
  [timestampInUtc, 'now', '2024-10-26 22:30:00+00'],
  [timestampInUtc, 'today', '2024-10-27 00:00:00+02'],
  [timestampInUtc, 'tomorrow', '2024-10-28 00:00:00+01'],
  [timeOfNow, 'now', '00:30:00'],
  [timeInUtcOffset, 'now', '00:30:00+02'],
] as const)('%o: %s is %s on the clock of the session', (respell, text, expected) => {
  const zoned = { ...settings, timeZone: 'Europe/Berlin', clock }
  expect(respell(zoned)?.(text)).toBe(expected)
  const kept = respell({ ...zoned, keepsWords: true })?.('today') ?? 'today'
  expect(kept).toBe('today')
})
