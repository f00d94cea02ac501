/** @module Casts between dates, times and texts, and arithmetic with intervals. */
import {
  dateOfDay,
  dayNumber,
  oids,
  parseInterval,
  readDateTime,
  timeText,
} from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'
import {
  accepted,
  countOf,
  floatOf,
  strict,
  textOf,
  type UdfDefinition,
  type UdfValue,
} from '../register/udf.ts'
import { toCharFunctions } from '../text/to-char.ts'
import { dateFieldFunctions } from './date-fields.ts'
import {
  dayText,
  finiteMoment,
  likeText,
  microsecondsPerDay,
  momentOf,
  sortableMoment,
  timestampText,
  zonedText,
} from './moment.ts'

/** Adds months first (the day is lowered to the last day of the month if necessary), then days, then the time. */
export function addInterval(text: string, interval: string, sign: 1 | -1): string {
  const moment = momentOf(text)
  if (moment === undefined) return text
  const parts = parseInterval(interval)
  if (typeof parts === 'string') throw sqlError('22007', 'invalid interval')
  const months = sign * parts.months
  const days = sign * parts.days
  const clock = BigInt(sign) * parts.microseconds
  const wholeDays = clock / BigInt(microsecondsPerDay)
  const rest = Number(clock % BigInt(microsecondsPerDay))
  return likeText(
    text,
    addMonths(moment.day, months) + days + Number(wholeDays),
    moment.microseconds + rest,
  )
}

function addMonths(day: number, months: number): number {
  if (months === 0) return day
  const { year, month, day: dayOfMonth } = dateOfDay(day)
  const index = year * 12 + (month - 1) + months
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 }
  return dayNumber({ ...target, day: Math.min(dayOfMonth, daysIn(target.year, target.month)) })
}

function daysIn(year: number, month: number): number {
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }
  return dayNumber({ ...next, day: 1 }) - dayNumber({ year, month, day: 1 })
}

function signOf(value: UdfValue | undefined): 1 | -1 {
  return Number(value) < 0 ? -1 : 1
}

/** From text by the type's input function. */
function parse(oid: number, value: UdfValue | undefined): string {
  return sortableMoment(String(accepted(readDateTime(oid, -1, textOf(value)))))
}

function withPrecision(oid: number, value: UdfValue | undefined, digits: number): string {
  return String(accepted(readDateTime(oid, digits, textOf(value))))
}

function makeDate(year: number, month: number, day: number): number {
  if (year === 0 || month < 1 || month > 12) {
    throw sqlError('22008', 'date field value out of range')
  }
  const astronomical = year > 0 ? year : year + 1
  if (day < 1 || day > daysIn(astronomical, month)) {
    throw sqlError('22008', 'date field value out of range')
  }
  return dayNumber({ year: astronomical, month, day })
}

function clockOf(hour: number, minute: number, second: number): number {
  const isValid =
    hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60
  const microseconds = (hour * 3600 + minute * 60) * 1_000_000 + Math.round(second * 1_000_000)
  if (!isValid || microseconds > microsecondsPerDay) {
    throw sqlError('22008', 'time field value out of range')
  }
  return microseconds
}

export const dateTimeFunctions: readonly UdfDefinition[] = [
  ...dateFieldFunctions,
  ...toCharFunctions,
  strict('pg_ts_add', 3, (value, interval, sign) =>
    addInterval(textOf(value), textOf(interval), signOf(sign)),
  ),
  strict('pg_time_add', 3, (value, interval, sign) => {
    const { microseconds } = finiteMoment(textOf(value))
    const parts = parseInterval(textOf(interval))
    if (typeof parts === 'string') throw sqlError('22007', 'invalid interval')
    const day = BigInt(microsecondsPerDay)
    const sum = BigInt(microseconds) + BigInt(signOf(sign)) * parts.microseconds
    return timeText(Number(((sum % day) + day) % day))
  }),
  strict('pg_to_timestamp_cast', 1, (date) => {
    const moment = momentOf(textOf(date))
    return moment === undefined ? textOf(date) : timestampText(moment.day, 0)
  }),
  strict('pg_to_date_cast', 1, (timestamp) => {
    const moment = momentOf(textOf(timestamp))
    return moment === undefined ? textOf(timestamp) : dayText(moment.day)
  }),
  strict('pg_to_time_cast', 1, (timestamp) => {
    const moment = momentOf(textOf(timestamp))
    if (moment === undefined) throw sqlError('22008', 'no time in infinity')
    return timeText(moment.microseconds)
  }),
  strict('pg_ts_precision', 2, (value, digits) => {
    const oid = /\+00( BC)?$/.test(textOf(value)) ? oids.timestamptz : oids.timestamp
    return withPrecision(oid, value, countOf(digits))
  }),
  strict('pg_time_precision', 2, (value, digits) =>
    withPrecision(oids.time, value, countOf(digits)),
  ),
  strict('pg_to_timestamp_epoch', 1, (seconds) => {
    const value = floatOf(seconds)
    if (!Number.isFinite(value)) throw sqlError('22008', 'timestamp out of range')
    const days = Math.floor(value / 86_400)
    return zonedText(timestampText(days, Math.round((value - days * 86_400) * 1_000_000)))
  }),
  strict('pg_make_date', 3, (year, month, day) =>
    dayText(makeDate(countOf(year), countOf(month), countOf(day))),
  ),
  strict('pg_make_time', 3, (hour, minute, second) =>
    timeText(clockOf(countOf(hour), countOf(minute), floatOf(second))),
  ),
  strict('pg_make_timestamp', 6, (year, month, day, hour, minute, second) =>
    timestampText(
      makeDate(countOf(year), countOf(month), countOf(day)),
      clockOf(countOf(hour), countOf(minute), floatOf(second)),
    ),
  ),
  strict('moment_value', 1, (text) => sortableMoment(textOf(text))),
  strict('pg_parse_date', 1, (text) => parse(oids.date, text)),
  strict('pg_parse_time', 1, (text) => parse(oids.time, text)),
  strict('pg_parse_timestamp', 1, (text) => parse(oids.timestamp, text)),
  strict('pg_parse_timestamptz', 1, (text) => parse(oids.timestamptz, text)),
]
