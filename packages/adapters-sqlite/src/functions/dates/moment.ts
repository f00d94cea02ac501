/** @module Converts canonical texts of dates and times to days and microseconds, and back. */
import { dateOfDay, dateText, dayNumber, eraText, timeText } from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'

/** A point on the calendar; its zone has already been removed. */
export interface Moment {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Microseconds since midnight, less than a day. */
  readonly microseconds: number
}

export const microsecondsPerDay = 86_400_000_000

const pattern =
  /^(?:(\d{4,})-(\d\d)-(\d\d))?(?: ?(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?(?:\+00)?( BC)?$/

/**
 * Reads `2024-01-15`, `2024-01-15 10:30:00.25` or `10:30:00`.
 *
 * @returns undefined for infinity and its negation.
 * @throws 22007 for any other text.
 */
export function momentOf(text: string): Moment | undefined {
  if (text === 'infinity' || text === '-infinity') return undefined
  const match = pattern.exec(text)
  if (match === null || text === '') {
    throw sqlError('22007', 'a stored date or time is not in its canonical form')
  }
  const [, year, month, day, hour, minute, second, fraction = '', era] = match
  const shownYear = Number(year ?? 1970)
  const date = {
    year: era === undefined ? shownYear : 1 - shownYear,
    month: Number(month ?? 1),
    day: Number(day ?? 1),
  }
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Number(second ?? 0)
  return {
    day: dayNumber(date),
    microseconds: seconds * 1_000_000 + Number(fraction.padEnd(6, '0')),
  }
}

/** Reads a timestamp that must be finite. */
export function finiteMoment(text: string): Moment {
  const moment = momentOf(text)
  if (moment === undefined) throw sqlError('22008', 'not possible for infinity')
  return moment
}

/** Only in these years texts sort in the order of their timestamps. */
const firstDay = dayNumber({ year: 1, month: 1, day: 1 })
const lastDay = dayNumber({ year: 9999, month: 12, day: 31 })

/**
 * `2024-01-15 10:30:00.25`; converts whole days of `microseconds` to days.
 *
 * @throws 22008 outside of the years 1 to 9999.
 */
export function timestampText(day: number, microseconds: number): string {
  const days = Math.floor(microseconds / microsecondsPerDay)
  const moved = day + days
  if (moved < firstDay || moved > lastDay) throw sqlError('22008', 'timestamp out of range')
  const date = dateOfDay(moved)
  const clock = timeText(microseconds - days * microsecondsPerDay)
  return `${dateText(date)} ${clock}${eraText(date)}`
}

/** The same text as a timestamptz, which is always shown in UTC. */
export function zonedText(text: string): string {
  return text.endsWith(' BC') ? `${text.slice(0, -3)}+00 BC` : `${text}+00`
}

/** A timestamp in the form of the value that it was computed from: with a zone where that had one. */
export function likeText(source: string, day: number, microseconds: number): string {
  const text = timestampText(day, microseconds)
  return /\+00( BC)?$/.test(source) ? zonedText(text) : text
}

export function dayText(day: number): string {
  if (day < firstDay || day > lastDay) throw sqlError('22008', 'date out of range')
  const date = dateOfDay(day)
  return dateText(date) + eraText(date)
}

/** The year's day number in ISO 8601's count of weeks: year, week (1 to 53), weekday (1 = Monday). */
export function isoWeek(day: number): {
  readonly year: number
  readonly week: number
  readonly weekday: number
} {
  const weekday = modulo(day + 3, 7) + 1
  const thursday = day - weekday + 4
  const { year } = dateOfDay(thursday)
  const firstThursdayYearStart = dayNumber({ year, month: 1, day: 1 })
  return { year, week: Math.floor((thursday - firstThursdayYearStart) / 7) + 1, weekday }
}

/**
 * The text itself.
 *
 * @throws 22008 where its year is not in 1 to 9999.
 */
export function sortableMoment(text: string): string {
  if (/^\d{5}| BC$/.test(text)) throw sqlError('22008', 'date/time out of range: years 1 to 9999')
  return text
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
