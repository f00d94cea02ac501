/**
 * @module Reads the text of dates and times as PostgreSQL does, with the settings `ISO, MDY`: in any spelling that its own input
 * functions take, except zones whose rules only PostgreSQL knows.
 *
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import { type DateFields, dayNumber } from './calendar.ts'
import {
  type DateFault,
  type DateOrder,
  DateRefusal,
  type DateState,
  fieldBits,
  newDateState,
  refuse,
  wholeDate,
  wholeTime,
} from './date-state.ts'
import { dateTokens } from './date-tokens.ts'
import { validateDate } from './decode-date.ts'
import { microsecondsOfDay, overflowsDay } from './decode-time.ts'
import { type DateReading, fieldsOfToken } from './decode-token.ts'

export type { DateFault, DateOrder } from './date-state.ts'

/** The parts of a date or timestamp. */
export interface DateTimeFields {
  readonly date?: DateFields
  /** Since midnight; a whole day in 24:00:00 and 23:59:60. */
  readonly microseconds: number
  /** East of Greenwich. Absent when the text names no zone. */
  readonly offsetSeconds?: number
  /** The value has no fields. */
  readonly special?: 'infinity' | '-infinity' | 'epoch'
}

export interface DateOptions {
  /** `date`: of a date or timestamp; `time`: of a time of day. */
  readonly expected: 'date' | 'time'
  /**
   * What `now` and `today` mean, in milliseconds since 1970; the date is that of UTC. Undefined: these words are refused, since a
   * value would depend on when it is read.
   */
  readonly nowMs?: number | undefined
  /** Characters of the text without blanks. */
  readonly maxLength?: number
  /** MDY unless a session has another one. */
  readonly order?: DateOrder
}

/** The lengths of PostgreSQL's buffers. */
export const maxDateLength = { date: 128, timestamp: 152 } as const

/** Reads the text of a date or timestamp as PostgreSQL does. */
export function parseDateTime(
  text: string,
  { expected, nowMs, maxLength = maxDateLength.timestamp, order = 'MDY' }: DateOptions = {
    expected: 'date',
  },
): DateTimeFields | DateFault {
  const tokens = dateTokens(text, maxLength)
  if (tokens === undefined) return 'syntax'
  try {
    return decode({ tokens, isTime: expected === 'time', nowMs, state: newDateState(order) })
  } catch (error) {
    if (error instanceof DateRefusal) return error.fault
    throw error
  }
}

const { zone, summerTime } = fieldBits

function decode(reading: DateReading): DateTimeFields {
  const { tokens, isTime, state } = reading
  for (const [index, token] of tokens.entries()) {
    const filled = fieldsOfToken(reading, token, index)
    if (filled === undefined) continue
    if ((state.known & filled) !== 0) refuse('syntax')
    state.known |= filled
  }
  validateDate(state.known, state)
  applyMeridiem(state)
  if (state.special !== undefined) return { special: state.special, microseconds: 0 }
  if (isTime && overflowsDay(state)) refuse('field')
  requireWhole(isTime, state)
  const microseconds = microsecondsOfDay(state)
  const date = { year: state.year, month: state.month, day: state.day }
  return {
    ...(hasWholeDate(state) ? { date } : {}),
    microseconds,
    ...((state.known & zone) === 0
      ? {}
      : { offsetSeconds: zoneOffset(reading, date, microseconds) }),
  }
}

function applyMeridiem(state: DateState): void {
  if (state.isAfternoon === undefined) return
  if (state.hour > 12) refuse('field')
  if (!state.isAfternoon && state.hour === 12) state.hour = 0
  else if (state.isAfternoon && state.hour !== 12) state.hour += 12
}

/** @throws {DateRefusal} where a field is missing, or a zone has no date that it needs. */
function requireWhole(isTime: boolean, state: DateState): void {
  const hasDate = hasWholeDate(state)
  if (isTime ? (state.known & wholeTime) !== wholeTime : !hasDate) refuse('syntax')
  if ((state.known & zone) === 0 && (state.known & summerTime) !== 0) refuse('syntax')
  if (!isTime || hasDate) return
  if (state.namedZone !== undefined && !state.namedZone.isFixed) refuse('syntax')
  if ((state.known & wholeDate) !== 0 && (state.known & zone) === 0) refuse('syntax')
}

function hasWholeDate({ known }: DateState): boolean {
  return (known & wholeDate) === wholeDate
}

function zoneOffset(
  { isTime, state }: DateReading,
  clock: DateFields,
  microseconds: number,
): number {
  if (state.namedZone === undefined) return state.offsetSeconds
  if ((state.known & summerTime) !== 0) refuse('syntax')
  // PostgreSQL does not ask the zone about days that it cannot count.
  const isAsked = !isTime || !state.namedZone.isFixed
  if (isAsked && (clock.year < -4713 || clock.year > 5_874_898)) return 0
  return state.namedZone.offsetOfClock(
    dayNumber(clock) * 86_400 + Math.floor(microseconds / 1_000_000),
  )
}
