import { expect, test } from 'vitest'
import { respellInterval } from './interval-style.ts'

/** As PostgreSQL prints them: verbose, standard, ISO 8601. */
test.each([
  ['00:00:00', '@ 0', '0', 'PT0S'],
  ['1 year', '@ 1 year', '1-0', 'P1Y'],
  ['-1 years -2 mons', '@ 1 year 2 mons ago', '-1-2', 'P-1Y-2M'],
  ['1 day 04:05:06.7', '@ 1 day 4 hours 5 mins 6.7 secs', '1 4:05:06.7', 'P1DT4H5M6.7S'],
  ['00:00:01', '@ 1 sec', '0:00:01', 'PT1S'],
  ['-00:00:00.5', '@ 0.5 secs ago', '-0:00:00.5', 'PT-0.5S'],
  ['-01:30:00', '@ 1 hour 30 mins ago', '-1:30:00', 'PT-1H-30M'],
  ['-1 days +02:03:04', '@ 1 day -2 hours -3 mins -4 secs ago', '+0-0 -1 +2:03:04', 'P-1DT2H3M4S'],
  [
    '1 year 2 mons -3 days +04:05:06',
    '@ 1 year 2 mons -3 days 4 hours 5 mins 6 secs',
    '+1-2 -3 +4:05:06',
    'P1Y2M-3DT4H5M6S',
  ],
  [
    '-2562047788:00:54.775808',
    '@ 2562047788 hours 54.775808 secs ago',
    '-2562047788:00:54.775808',
    'PT-2562047788H-54.775808S',
  ],
  ['infinity', 'infinity', 'infinity', 'infinity'],
])('%s', (text, verbose, standard, iso) => {
  expect(respellInterval(text, 'postgres_verbose')).toBe(verbose)
  expect(respellInterval(text, 'sql_standard')).toBe(standard)
  expect(respellInterval(text, 'iso_8601')).toBe(iso)
})
