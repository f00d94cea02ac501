import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adoptZoneRules, timeZoneNamed } from './time-zone.ts'

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000

test.each([
  ['Europe/Berlin', '2024-03-31T00:59:59', 3600],
  ['Europe/Berlin', '2024-03-31T01:00:00', 7200],
  ['Europe/Berlin', '2024-10-27T00:59:59', 7200],
  ['Europe/Berlin', '2024-10-27T01:00:00', 3600],
  ['Australia/Lord_Howe', '2024-07-01T00:00:00', 37_800],
  ['America/New_York', '1800-01-01T00:00:00', -17_762],
  ['UTC-3', '2024-07-01T00:00:00', 10_800],
  ['<-03:30>+03:30', '2024-07-01T00:00:00', -12_600],
  ['CST6CDT,M4.1.0,M10.5.0', '2005-04-03T07:59:59', -21_600],
  ['CST6CDT,M4.1.0,M10.5.0', '2005-04-03T08:00:00', -18_000],
  ['CST6CDT,M4.1.0,M10.5.0', '9999-10-31T06:59:59', -18_000],
  ['<+10>-10<+1030>-10:30,J274/-1,J91/26', '1900-01-01T00:00:00', 37_800],
  ['no zone', '2024-07-01T00:00:00', 0],
])('in %s at %s UTC', (name, timestamp, offset) => {
  expect(timeZoneNamed(name).offsetAt(seconds(timestamp))).toBe(offset)
})

test.each([
  ['a clock that is skipped', '2024-03-31T02:30:00', 3600],
  ['a clock that is shown twice', '2024-10-27T02:30:00', 3600],
  ['just before what is skipped', '2024-03-31T01:59:59', 3600],
  ['just after it', '2024-03-31T03:00:00', 7200],
  ['just before what is shown twice', '2024-10-27T01:59:59', 7200],
])('%s', (_, clock, offset) => {
  expect(timeZoneNamed('Europe/Berlin').offsetOfClock(seconds(clock))).toBe(offset)
})

test('rules go on for ever', () => {
  const zone = timeZoneNamed('America/New_York')
  const july = seconds('2024-07-01T00:00:00')
  const cycle = 146_097 * 86_400
  for (const cycles of [1, 7, 700]) expect(zone.offsetAt(july + cycles * cycle)).toBe(-14_400)
})

test('a timestamp, shown and read again, is the same unless its clock is shown twice', () => {
  const zone = timeZoneNamed('America/St_Johns')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (timestamp) => {
      const clock = timestamp + zone.offsetAt(timestamp)
      const read = clock - zone.offsetOfClock(clock)
      expect(Math.abs(read - timestamp)).toBeLessThanOrEqual(7200)
      expect(read + zone.offsetAt(read)).toBe(clock)
    }),
  )
})

test('a zone has the rules that were read from a database', () => {
  const own = timeZoneNamed('Antarctica/Troll')
  const winter = Date.UTC(2024, 0, 1) / 1000
  const far = Date.UTC(2025, 6, 1) / 1000
  const changes = [
    { atSeconds: 0, offset: 3600 },
    { atSeconds: winter, offset: 18_000 },
  ]
  const later = own.offsetAt(far)
  adoptZoneRules('Antarctica/Troll', { first: -60, changes, endSeconds: far })
  const adopted = timeZoneNamed('Antarctica/Troll')
  expect([-1, 0, winter - 1, winter, far].map((at) => adopted.offsetAt(at))).toEqual([
    ...[-60, 3600, 3600, 18_000, later],
  ])
  expect(adopted.offsetOfClock(winter + 18_000)).toBe(18_000)
  adoptZoneRules('Etc/UTC', { first: 3600, changes: [], endSeconds: far })
  expect(timeZoneNamed('Etc/UTC').offsetAt(0)).toBe(0)
})
