/** @module Intervals: months, days and microseconds, which do not convert into each other. */
import {
  dateOfDay,
  dayNumber,
  type IntervalParts,
  intervalText,
  parseInterval,
} from '@engine/core/values'
import { roundHalfEven } from '../numbers/number-functions.ts'
import {
  countOf,
  numberOf,
  type ScalarFunctions,
  type SqliteValue,
  strict,
  textOf,
} from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'
import { finiteMoment, likeText, type Moment, microsecondsPerDay, momentOf } from './moment.ts'

export type Interval = IntervalParts

const perDay = BigInt(microsecondsPerDay)

function interval(months: number, days: number, microseconds: bigint): Interval {
  const isInt4 = (value: number) => value >= -(2 ** 31) && value < 2 ** 31
  if (!isInt4(months) || !isInt4(days) || BigInt.asIntN(64, microseconds) !== microseconds) {
    throw sqlError('22008', 'interval out of range')
  }
  return { months: months + 0, days: days + 0, microseconds }
}

export function intervalOf(value: SqliteValue): Interval {
  const parts = parseInterval(textOf(value).trim())
  if (typeof parts === 'string') throw sqlError('22007', 'invalid input syntax for type interval')
  return parts
}

/** Microseconds, with 30 days a month: used for comparison. */
function spanOf({ months, days, microseconds }: Interval): bigint {
  return (BigInt(months) * 30n + BigInt(days)) * perDay + microseconds
}

/** Text whose byte order is the order of intervals. */
export function intervalKey(value: Interval): string {
  return (spanOf(value) + 10n ** 30n).toString().padStart(31, '0')
}

export function addIntervals(left: Interval, right: Interval): Interval {
  return interval(
    left.months + right.months,
    left.days + right.days,
    left.microseconds + right.microseconds,
  )
}

export function negateInterval(value: Interval): Interval {
  return interval(-value.months, -value.days, -value.microseconds)
}

function microsecondsOf({ day, microseconds }: Moment): bigint {
  return BigInt(day) * perDay + BigInt(microseconds)
}

/** Days and time between two timestamps or times, never months. */
function difference(left: string, right: string): Interval {
  const span = microsecondsOf(finiteMoment(left)) - microsecondsOf(finiteMoment(right))
  return interval(0, Number(span / perDay), span % perDay)
}

/** Years, months, days and time between two timestamps, as a calendar counts them. */
function age(left: Moment, right: Moment): Interval {
  if (microsecondsOf(left) < microsecondsOf(right)) return negateInterval(age(right, left))
  const [later, earlier] = [dateOfDay(left.day), dateOfDay(right.day)]
  let months = (later.year - earlier.year) * 12 + later.month - earlier.month
  let days = later.day - earlier.day
  let microseconds = left.microseconds - right.microseconds
  if (microseconds < 0) {
    microseconds += microsecondsPerDay
    days -= 1
  }
  if (days < 0) {
    days += monthLength(earlier.year, earlier.month)
    months -= 1
  }
  return interval(months, days, BigInt(microseconds))
}

function monthLength(year: number, month: number): number {
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }
  return dayNumber({ ...next, day: 1 }) - dayNumber({ year, month, day: 1 })
}

/**
 * Fractions of months become days, fractions of days to time.
 *
 * @see `interval_mul` in PostgreSQL's timestamp.c
 */
function scaled(value: Interval, scale: (part: number) => number): Interval {
  const [months, days] = [scale(value.months), scale(value.days)]
  if (!Number.isFinite(months) || !Number.isFinite(days)) {
    throw sqlError('22008', 'interval out of range')
  }
  const [wholeMonths, wholeDays] = [Math.trunc(months), Math.trunc(days)]
  const spareDays = toMicrosecond((months - wholeMonths) * 30)
  let seconds = toMicrosecond((days - wholeDays + spareDays - Math.trunc(spareDays)) * 86_400)
  let resultDays = wholeDays + Math.trunc(spareDays)
  if (Math.abs(seconds) >= 86_400) {
    resultDays += Math.trunc(seconds / 86_400)
    seconds -= Math.trunc(seconds / 86_400) * 86_400
  }
  const microseconds = roundHalfEven(scale(Number(value.microseconds)) + seconds * 1_000_000)
  if (!Number.isFinite(microseconds)) throw sqlError('22008', 'interval out of range')
  return interval(wholeMonths, resultDays, BigInt(microseconds))
}

function toMicrosecond(seconds: number): number {
  return roundHalfEven(seconds * 1_000_000) / 1_000_000
}

/** 24 hours become a day. */
function justifyHours({ months, days, microseconds }: Interval): Interval {
  let [total, rest] = [days + Number(microseconds / perDay), microseconds % perDay]
  if (total > 0 && rest < 0n) [total, rest] = [total - 1, rest + perDay]
  else if (total < 0 && rest > 0n) [total, rest] = [total + 1, rest - perDay]
  return interval(months, total, rest)
}

/** 30 days become a month. */
function justifyDays({ months, days, microseconds }: Interval): Interval {
  let [total, rest] = [months + Math.trunc(days / 30), days % 30]
  if (total > 0 && rest < 0) [total, rest] = [total - 1, rest + 30]
  else if (total < 0 && rest > 0) [total, rest] = [total + 1, rest - 30]
  return interval(total, rest, microseconds)
}

/** Both, so that all parts have one sign. */
function justify(value: Interval): Interval {
  const { months, days, microseconds } = justifyHours(value)
  let [totalMonths, totalDays, rest] = [months + Math.trunc(days / 30), days % 30, microseconds]
  const isBelow = totalDays < 0 || (totalDays === 0 && rest < 0n)
  const isAbove = totalDays > 0 || (totalDays === 0 && rest > 0n)
  if (totalMonths > 0 && isBelow) [totalMonths, totalDays] = [totalMonths - 1, totalDays + 30]
  else if (totalMonths < 0 && isAbove) [totalMonths, totalDays] = [totalMonths + 1, totalDays - 30]
  if (totalDays > 0 && rest < 0n) [totalDays, rest] = [totalDays - 1, rest + perDay]
  else if (totalDays < 0 && rest > 0n) [totalDays, rest] = [totalDays + 1, rest - perDay]
  return interval(totalMonths, totalDays, rest)
}

/** The start of the stride that contains `value`, counted from `origin`. */
function binned(stride: Interval, value: string, origin: string): string {
  if (stride.months !== 0) {
    throw sqlError('0A000', 'timestamps cannot be binned into intervals containing months or years')
  }
  const moment = momentOf(value)
  if (moment === undefined) return value
  const width = BigInt(stride.days) * perDay + stride.microseconds
  if (width <= 0n) throw sqlError('22008', 'stride must be greater than zero')
  const offset = microsecondsOf(moment) - microsecondsOf(finiteMoment(origin))
  const start = microsecondsOf(moment) - (((offset % width) + width) % width)
  const day = start >= 0n ? start / perDay : -((-start + perDay - 1n) / perDay)
  return likeText(value, Number(day), Number(start - day * perDay))
}

/** extract(field from interval), as numeric's text. */
function part(field: string, { months, days, microseconds }: Interval): string {
  const fraction = (unit: bigint, digits: number) => {
    const value = microseconds % 60_000_000n
    const size = value < 0n ? -value : value
    const text = (size / unit).toString()
    return `${value < 0n ? '-' : ''}${text}.${(size % unit).toString().padStart(digits, '0')}`
  }
  switch (field.toLowerCase().replace(/s$/, '')) {
    case 'year':
      return String(Math.trunc(months / 12))
    case 'month':
      return String(months % 12)
    case 'quarter':
      return String(Math.trunc((months % 12) / 3) + 1)
    case 'decade':
      return String(Math.trunc(Math.trunc(months / 12) / 10))
    case 'century':
      return String(Math.trunc(Math.trunc(months / 12) / 100))
    case 'millennium':
      return String(Math.trunc(Math.trunc(months / 12) / 1000))
    case 'day':
      return String(days)
    case 'hour':
      return (microseconds / 3_600_000_000n).toString()
    case 'minute':
      return ((microseconds / 60_000_000n) % 60n).toString()
    case 'second':
      return fraction(1_000_000n, 6)
    case 'millisecond':
      return fraction(1000n, 3)
    case 'microsecond':
      return (microseconds % 60_000_000n).toString()
    case 'epoch':
      return epoch(months, days, microseconds)
    default:
      throw sqlError('22023', `unit "${field}" not recognized for type interval`)
  }
}

/** Seconds: a year has 365.25 days, a month 30. */
function epoch(months: number, days: number, microseconds: bigint): string {
  const years = BigInt(Math.trunc(months / 12))
  const halfDays = years * 1461n * 2n + BigInt(months % 12) * 240n + BigInt(days) * 8n
  const total = (halfDays * perDay) / 8n + microseconds
  const size = total < 0n ? -total : total
  const fraction = (size % 1_000_000n).toString().padStart(6, '0')
  return `${total < 0n ? '-' : ''}${size / 1_000_000n}.${fraction}`
}

function made(args: readonly SqliteValue[]): string {
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0] = args
    .slice(0, 6)
    .map(countOf)
  const seconds = roundHalfEven(numberOf(args[6] ?? 0n) * 1_000_000)
  const clock = BigInt(hours * 3600 + minutes * 60) * 1_000_000n + BigInt(seconds)
  return intervalText(interval(years * 12 + months, weeks * 7 + days, clock))
}

const unary = (operation: (value: Interval) => Interval) =>
  strict((value) => intervalText(operation(intervalOf(value))), 1)

export const intervalFunctions: ScalarFunctions = {
  interval_of_text: strict((text) => intervalText(intervalOf(text))),
  interval_neg: unary(negateInterval),
  interval_justify_hours: unary(justifyHours),
  interval_justify_days: unary(justifyDays),
  interval_justify: unary(justify),
  /** The third argument is 1 or -1. */
  interval_add: strict((left, right, sign) => {
    const addend = intervalOf(right)
    const signed = sign === -1n ? negateInterval(addend) : addend
    return intervalText(addIntervals(intervalOf(left), signed))
  }),
  interval_mul: strict((value, factor) =>
    intervalText(scaled(intervalOf(value), (each) => each * numberOf(factor))),
  ),
  interval_div: strict((value, divisor) => {
    if (numberOf(divisor) === 0) throw sqlError('22012', 'division by zero')
    return intervalText(scaled(intervalOf(value), (each) => each / numberOf(divisor)))
  }),
  interval_between: strict((left, right) => intervalText(difference(textOf(left), textOf(right)))),
  interval_age: strict((left, right) =>
    intervalText(age(finiteMoment(textOf(left)), finiteMoment(textOf(right)))),
  ),
  interval_bin: strict((stride, value, origin) =>
    binned(intervalOf(stride), textOf(value), textOf(origin)),
  ),
  interval_part: strict((field, value) => part(textOf(field), intervalOf(value))),
  interval_make: strict((...args) => made(args), 7),
  interval_key: strict((value) => intervalKey(intervalOf(value))),
  /** The key, a blank and the text: the least or greatest of these contains the interval. */
  interval_pack: strict((value) => `${intervalKey(intervalOf(value))} ${textOf(value)}`),
  interval_unpack: strict((packed) => textOf(packed).slice(32)),
  interval_to_time: strict((value) => {
    const { microseconds } = intervalOf(value)
    const clock = ((microseconds % perDay) + perDay) % perDay
    return intervalText({ months: 0, days: 0, microseconds: clock })
  }),
}
