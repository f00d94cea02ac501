/** @module Dates and times as PostgreSQL prints them ↔ numbers. */
import { dateOfDay, dateText, dayNumber, eraText, offsetText, timeText } from '@engine/core/values'

/** A date, or a date and a time, in the proleptic Gregorian calendar. */
export interface Timestamp {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Microseconds since midnight. */
  readonly microseconds: number
}

const date = String.raw`(\d{4,7})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`
const time = String.raw`([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{0,5}[1-9]))?`
const datePattern = new RegExp(`^${date}( BC)?$`)
const timePattern = new RegExp(`^${time}$`)
const timestampPattern = new RegExp(`^${date} ${time}( BC)?$`)
const utcTimestampPattern = new RegExp(`^${date} ${time}\\+00( BC)?$`)
const zonedTimestampPattern = /^(.*)([+-])(\d\d)(?::([0-5]\d)(?::([0-5]\d))?)?( BC)?$/
const offsetPattern = /^(.*)([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?$/

/** Undefined for a text that is not a date, or not in PostgreSQL's form. */
export function dayIn(text: string): number | undefined {
  const match = datePattern.exec(text)
  return match === null ? undefined : dayOf(match, match[4])
}

/** Reads `2024-01-31 10:30:00.25`, also with ` BC` at the end. */
export function timestampIn(text: string): Timestamp | undefined {
  return timestampOf(timestampPattern.exec(text))
}

/** Reads `2024-01-31 10:30:00.25+00`, also with ` BC` at the end. */
export function utcTimestampIn(text: string): Timestamp | undefined {
  return timestampOf(utcTimestampPattern.exec(text))
}

/** The same with any offset: `2024-01-31 12:30:00.25+02` comes from another zone. */
export function zonedTimestampIn(text: string): Timestamp | undefined {
  return utcTimestampIn(text) ?? otherTimestampIn(text)
}

function otherTimestampIn(text: string): Timestamp | undefined {
  const match = zonedTimestampPattern.exec(text)
  if (match === null) return undefined
  const [, clock = '', sign, hours, minutes = '0', seconds = '0', era = ''] = match
  const timestamp = timestampIn(clock + era)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return timestamp && later(timestamp, sign === '-' ? offset : -offset)
}

/** Microseconds since midnight; 24:00:00 is a whole day. */
export function microsecondsIn(text: string): number | undefined {
  if (text === '24:00:00') return microsecondsPerDay
  const match = timePattern.exec(text)
  return match === null ? undefined : microsecondsOf(match, 1)
}

/** `10:30:00-08`: microseconds since midnight, seconds east of Greenwich. */
export function zonedTimeIn(
  text: string,
): { readonly microseconds: number; readonly offset: number } | undefined {
  const match = offsetPattern.exec(text)
  const microseconds = microsecondsIn(match?.[1] ?? '')
  if (match === null || microseconds === undefined) return undefined
  const [, , sign, hours, minutes = '0', seconds = '0'] = match
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  if (Number(minutes) > 59 || Number(seconds) > 59 || size >= maxOffset) return undefined
  return { microseconds, offset: sign === '-' ? -size : size }
}

/** PostgreSQL accepts only offsets of less than 16 hours. */
export const maxOffset: number = 16 * 3600
export const microsecondsPerDay = 86_400_000_000

function timestampOf(match: RegExpExecArray | null): Timestamp | undefined {
  if (match === null) return undefined
  const day = dayOf(match, match[8])
  return day === undefined ? undefined : { day, microseconds: microsecondsOf(match, 4) }
}

function dayOf(match: RegExpExecArray, era: string | undefined): number | undefined {
  const shownYear = Number(match[1])
  if (shownYear === 0) return undefined
  const year = era === undefined ? shownYear : 1 - shownYear
  const month = Number(match[2])
  const dayOfMonth = Number(match[3])
  const day = dayNumber({ year, month, day: dayOfMonth })
  return dayOfMonth < 29 || dateOfDay(day).month === month ? day : undefined
}

function microsecondsOf(match: RegExpExecArray, group: number): number {
  const hour = Number(match[group])
  const minute = Number(match[group + 1])
  const second = Number(match[group + 2])
  const fraction = match[group + 3]
  const microseconds = fraction === undefined ? 0 : Number(fraction.padEnd(6, '0'))
  return ((hour * 60 + minute) * 60 + second) * 1_000_000 + microseconds
}

export function textOfDay(day: number): string {
  const fields = dateOfDay(day)
  return dateText(fields) + eraText(fields)
}

/** `offset`: seconds east of Greenwich of the clock that the timestamp shows; undefined prints none. */
export function textOfTimestamp(
  { day, microseconds }: Timestamp,
  offset: number | undefined,
): string {
  const fields = dateOfDay(day)
  const zone = offset === undefined ? '' : offsetText(offset)
  return `${dateText(fields)} ${timeText(microseconds)}${zone}${eraText(fields)}`
}

/** Seconds since 1970, fractions cut off. */
export function secondsOf({ day, microseconds }: Timestamp): number {
  return day * 86_400 + Math.floor(microseconds / 1_000_000)
}

/** Adds this number of seconds. */
export function later({ day, microseconds }: Timestamp, seconds: number): Timestamp {
  const moved = microseconds + seconds * 1_000_000
  const days = Math.floor(moved / microsecondsPerDay)
  return { day: day + days, microseconds: moved - days * microsecondsPerDay }
}
