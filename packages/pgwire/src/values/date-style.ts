/**
 * @module Dates and timestamps in the styles of `DateStyle`.
 * @see EncodeDateOnly and EncodeDateTime of PostgreSQL
 */
import { type DateOrder, dateOfDay, eraText, timeText } from '@engine/core/values'
import type { Timestamp } from './timestamp.ts'

export type DateOutput = 'ISO' | 'SQL' | 'Postgres' | 'German'

export interface DateStyle {
  readonly style: Exclude<DateOutput, 'ISO'>
  /** Whether the day or the month comes first; German has the day first always. */
  readonly order: DateOrder
}

/** `31/01/2024`, `01-31-2024`, `31.01.2024` */
export function styledDate(day: number, { style, order }: DateStyle): string {
  const fields = dateOfDay(day)
  const parts = [twoDigits(fields.day), twoDigits(fields.month)]
  if (order !== 'DMY' && style !== 'German') parts.reverse()
  return [...parts, yearText(fields.year)].join(separators[style]) + eraText(fields)
}

/**
 * `01/31/2024 10:30:00`, `Wed Jan 31 10:30:00 2024`
 *
 * @param zone abbreviation of the zone whose clock the timestamp shows; undefined writes none
 */
export function styledTimestamp(
  { day, microseconds }: Timestamp,
  dateStyle: DateStyle,
  zone: string | undefined,
): string {
  const fields = dateOfDay(day)
  const suffix = `${zone === undefined ? '' : ` ${zone}`}${eraText(fields)}`
  const time = timeText(microseconds)
  if (dateStyle.style !== 'Postgres') {
    const date = styledDate(day, dateStyle)
    return `${date.replace(/ BC$/, '')} ${time}${suffix}`
  }
  const date = [months[fields.month - 1], twoDigits(fields.day)]
  if (dateStyle.order === 'DMY') date.reverse()
  // 1 January 1970 was a Thursday.
  const weekday = weekdays[(((day + 4) % 7) + 7) % 7]
  return `${weekday} ${date.join(' ')} ${time} ${yearText(fields.year)}${suffix}`
}

/** `UTC` and zones without a name, `<+05:30>-05:30`; undefined: only a database knows how the zone is called at a time. */
export function fixedAbbreviation(timeZone: string): string | undefined {
  if (timeZone === 'UTC') return timeZone
  return /^<([^>]+)>[+-]?[\d:]+$/.exec(timeZone)?.[1]
}

const separators = { SQL: '/', Postgres: '-', German: '.' } as const
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const weekdays = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')

/** A year before 1 without its era. */
function yearText(year: number): string {
  return String(year > 0 ? year : 1 - year).padStart(4, '0')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
