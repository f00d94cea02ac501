/** @module Splits the text of dates and times into checked numbers. */

export interface DateFields {
  /** Astronomical: 0 is 1 BC. */
  readonly year: number
  readonly month: number
  readonly day: number
}

export interface DateTimeFields {
  readonly date?: DateFields
  /** Since midnight; a whole day in 24:00:00 and 23:59:60. */
  readonly microseconds?: number
  /** East of Greenwich. Absent when the text names no zone. */
  readonly offsetSeconds?: number
}

/** Not a date; a field out of its range; a zone out of its range. */
export type DateFault = 'syntax' | 'field' | 'zone'

const datePattern =
  /^(?:(\d{3,7})-(\d{1,2})-(\d{1,2})|(\d{3,7})\/(\d{1,2})\/(\d{1,2})|(\d{4})(\d\d)(\d\d))(?!\d)/
/** Digits alone would be taken as the time. */
const dateBeforeTimePattern =
  /^(?:(\d{3,7})-(\d{1,2})-(\d{1,2})|(\d{3,7})\/(\d{1,2})\/(\d{1,2}))(?=\s+\d)/
const timePattern =
  /^(?:(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d*)?)?|(\d\d)(\d\d)(?:(\d\d)(\.\d*)?)?)(?![\d:.])/
const meridiemPattern = /^\s*([ap]m)(?![a-z])/i
const zonePattern =
  /^\s*(?:(?:z|zulu|utc|gmt)(?![a-z\d+-])|([+-])(\d{1,2})(?::?(\d\d)(?::?(\d\d))?)?(?![\d:]))/i
/** Directly after a date, a minus begins one more field of the date; after a space it does not (pgjdbc's `2024-01-15 -05`). */
const dateZonePattern = new RegExp(zonePattern.source.replace('[+-]', String.raw`\+|(?<=\s)-`), 'i')
const eraPattern = /^\s*(bc|ad)(?![a-z])/i

/** The rest of the text, and the era once it was read. */
interface Scanner {
  rest: string
  era: string | undefined
}

/**
 * ISO 8601 and its relatives: `2024-01-15`, `20240115T103000.5Z`, `2024/1/5 10:30 PM +05:30`,
 * `0044-03-15 BC`, `10:30`. Month names, two-digit years and named zones are refused: their meaning depends on settings. For a
 * type with time only, a date must be separated from the time, as in PostgreSQL.
 */
export function parseDateTime(
  text: string,
  expected: 'date' | 'time' = 'date',
): DateTimeFields | DateFault {
  const scanner: Scanner = { rest: text, era: undefined }
  const dateParts = take(scanner, expected === 'date' ? datePattern : dateBeforeTimePattern)
  if (expected === 'date') takeEra(scanner)
  take(scanner, dateParts === undefined ? /^t(?=\d)/i : /^(?:\s*t|\s+)(?=\d)/i)
  const timeParts = take(scanner, timePattern)
  const meridiem = timeParts === undefined ? undefined : take(scanner, meridiemPattern)?.[1]
  const zoneParts = take(scanner, timeParts === undefined ? dateZonePattern : zonePattern)
  if (dateParts !== undefined) takeEra(scanner)
  if (scanner.rest !== '' || (dateParts === undefined && timeParts === undefined)) return 'syntax'

  const date = dateParts && dateOf(dateParts, scanner.era?.toLowerCase() === 'bc')
  const time = timeParts && timeOf(timeParts, meridiem?.toLowerCase())
  const offset = zoneParts && offsetOf(zoneParts)
  if (date === 'field' || time === 'field') return 'field'
  if (offset === 'zone') return 'zone'
  return {
    ...(date === undefined ? {} : { date }),
    ...(time === undefined ? {} : { microseconds: time }),
    ...(offset === undefined ? {} : { offsetSeconds: offset }),
  }
}

function take(scanner: Scanner, pattern: RegExp): RegExpExecArray | undefined {
  const match = pattern.exec(scanner.rest)
  if (match === null) return undefined
  scanner.rest = scanner.rest.slice(match[0].length)
  return match
}

function takeEra(scanner: Scanner): void {
  scanner.era ??= take(scanner, eraPattern)?.[1]
}

/** The groups of the alternative that matched. */
function groupsOf(match: RegExpExecArray, from: number, count: number): (string | undefined)[] {
  return match[from] === undefined
    ? groupsOf(match, from + count, count)
    : match.slice(from, from + count)
}

function dateOf(match: RegExpExecArray, isBeforeChrist: boolean): DateFields | 'field' {
  const [era = 0, month = 0, day = 0] = groupsOf(match, 1, 3).map(Number)
  const year = isBeforeChrist ? 1 - era : era
  const isValid = era > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  return isValid ? { year, month, day } : 'field'
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const microsecondsPerSecond = 1_000_000

/** Microseconds since midnight; a second 60 is the next minute's first, as in PostgreSQL. */
function timeOf(match: RegExpExecArray, meridiem: string | undefined): number | 'field' {
  const [hourText, minuteText, secondText, fraction = ''] = groupsOf(match, 1, 4)
  const hour = hourOf(Number(hourText), meridiem)
  const minute = Number(minuteText)
  const second = Number(secondText ?? 0)
  const fractional = microsecondsOf(fraction)
  if (hour === undefined || hour > 24 || minute > 59 || second > 60) return 'field'
  const total = ((hour * 60 + minute) * 60 + second) * microsecondsPerSecond + fractional
  return total > microsecondsPerDay ? 'field' : total
}

export const microsecondsPerDay: number = 86_400 * microsecondsPerSecond

function hourOf(hour: number, meridiem: string | undefined): number | undefined {
  if (meridiem === undefined) return hour
  if (hour > 12) return undefined
  return (hour % 12) + (meridiem === 'pm' ? 12 : 0)
}

/** `.25` → 250000; more digits are rounded half to even. */
export function microsecondsOf(fraction: string): number {
  if (fraction.length < 2) return 0
  const exact = Number(`0${fraction}`) * microsecondsPerSecond
  const rounded = Math.round(exact)
  return rounded - exact === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

const maxOffsetHours = 15

/** Seconds east of Greenwich. */
function offsetOf(match: RegExpExecArray): number | 'zone' {
  const [, sign, hourText, minuteText = '0', secondText = '0'] = match
  if (hourText === undefined) return 0
  const [hour, minute, second] = [hourText, minuteText, secondText].map(Number)
  if (hour === undefined || minute === undefined || second === undefined) return 'zone'
  if (hour > maxOffsetHours || minute > 59 || second > 59) return 'zone'
  const seconds = (hour * 60 + minute) * 60 + second
  return sign === '-' ? -seconds : seconds
}
