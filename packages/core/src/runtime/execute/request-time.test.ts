import { expect, test } from 'vitest'
import { oids } from '../../compiler/sql-types/oids.ts'
import { requestTimeText, timestampText } from './request-time.ts'

const moment = Date.UTC(2024, 0, 15, 10, 30, 0, 250)

test('a moment is spelled as PostgreSQL prints it in UTC', () => {
  expect(timestampText(moment, oids.timestamptz)).toBe('2024-01-15 10:30:00.25+00')
  expect(timestampText(moment, oids.timestamp)).toBe('2024-01-15 10:30:00.25')
  expect(timestampText(moment, oids.date)).toBe('2024-01-15')
  expect(timestampText(moment, oids.time)).toBe('10:30:00.25')
})

test('a whole second has no fraction and keeps its zeros', () => {
  expect(timestampText(Date.UTC(2024, 0, 15, 10, 30, 0), oids.timestamp)).toBe(
    '2024-01-15 10:30:00',
  )
})

test('a type that is no moment is a bug', () => {
  expect(() => timestampText(moment, oids.int4)).toThrow()
})

/** 27 October 2024, the second 02:30 of the night in Berlin, when a clock was set back. */
const repeated = Date.UTC(2024, 9, 27, 1, 30)

test.each([
  [oids.timestamptz, 0, undefined, '2024-10-27 01:30:00+00'],
  [oids.timestamp, 0, undefined, '2024-10-27 02:30:00'],
  [oids.time, 0, undefined, '02:30:00'],
  [oids.timetz, 0, undefined, '02:30:00+01'],
  [oids.date, 86_400_000, undefined, '2024-10-28'],
  [oids.timestamptz, 0, { startOfDay: true, months: 0 }, '2024-10-26 22:00:00+00'],
  [oids.timestamptz, 86_400_000, { startOfDay: true, months: 0 }, '2024-10-27 23:00:00+00'],
  [oids.timestamp, -86_400_000, { startOfDay: true, months: 0 }, '2024-10-26 00:00:00'],
] as const)('a word is read on the clock of a zone: %s %s %o', (oid, offsetMs, calendar, text) => {
  const type = { oid, typmod: -1 }
  const source = { from: 'requestTime', type, offsetMs, calendar, zone: 'Europe/Berlin' } as const
  expect(requestTimeText(source, repeated)).toBe(text)
})
