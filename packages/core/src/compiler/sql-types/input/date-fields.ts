/**
 * @module Reads the text of dates and times as PostgreSQL does, with the settings `ISO, MDY`: in any spelling that its own input
 * functions take, except zones whose rules only PostgreSQL knows.
 *
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import {
  changingAbbreviations,
  summerAbbreviations,
  zoneAbbreviations,
} from '../time-zone/zone-abbreviations.ts'
import { type DateFields, dayNumber } from './calendar.ts'
import {
  type DateFault,
  type DateOrder,
  DateRefusal,
  type DateState,
  fieldBits,
  integerAt,
  newDateState,
  refuse,
  wholeDate,
  wholeTime,
} from './date-state.ts'
import { type DateToken, dateTokens } from './date-tokens.ts'
import { dateWord } from './date-words.ts'
import { decodeDate, validateDate } from './decode-date.ts'
import { labelledNumber, takeJulianDay } from './decode-label.ts'
import { decodeNumber, decodeRunTogether } from './decode-number.ts'
import { decodeTime, microsecondsOfDay, overflowsDay } from './decode-time.ts'
import { takeWord } from './decode-word.ts'
import { decodeOffset, zoneOfName } from './decode-zone.ts'

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
    return createDecoder(tokens, expected === 'time', nowMs, newDateState(order)).decode()
  } catch (error) {
    if (error instanceof DateRefusal) return error.fault
    throw error
  }
}

const { month, day, zone, summerTime, summerZone } = fieldBits

function createDecoder(
  tokens: readonly DateToken[],
  isTime: boolean,
  nowMs: number | undefined,
  state: DateState,
): { readonly decode: () => DateTimeFields } {
  /** Returns the fields that the token filled. */
  const decodeDateToken = (text: string, index: number): number => {
    const hasDayAndMonth = (state.known & (month | day)) === (month | day)
    if (!isTime && state.expected === 'julian') return julianWithZone(text)
    const isDate = isTime
      ? index === 0 &&
        (tokens.at(-1)?.kind === 'date' || tokens[1]?.kind === 'time') &&
        tokens.length > 1
      : state.expected === undefined && !hasDayAndMonth
    if (isDate) return decodeDate(text, state.known, state)
    const isTimeExpected = !isTime && state.expected !== undefined
    if (/^\d/.test(text) || isTimeExpected) {
      if (isTimeExpected && state.expected !== 'time') refuse('syntax')
      state.expected = undefined
      return timeWithZone(text)
    }
    state.namedZone = zoneOfName(text) ?? refuse('unknownZone')
    return zone
  }

  const julianWithZone = (text: string): number => {
    const { value, end } = integerAt(text, 0)
    if (value === undefined || value < 0) return refuse('field')
    takeJulianDay(value, state)
    state.offsetSeconds = decodeOffset(text.slice(end))
    state.expected = undefined
    return wholeDate | wholeTime | zone
  }

  /** `040506-08` */
  const timeWithZone = (text: string): number => {
    if ((state.known & wholeTime) === wholeTime) refuse('syntax')
    const minus = text.indexOf('-')
    if (minus < 0) refuse('syntax')
    state.offsetSeconds = decodeOffset(text.slice(minus))
    const before = isTime ? state.known | wholeDate : state.known
    return decodeRunTogether(text.slice(0, minus), before, state) | zone
  }

  const decodeTimeToken = (text: string): number => {
    if (!isTime && state.expected !== undefined) {
      if (state.expected !== 'time') refuse('syntax')
      state.expected = undefined
    }
    decodeTime(text, state)
    if (!isTime && overflowsDay(state)) refuse('field')
    return wholeTime
  }

  const decodeNumberToken = (text: string, index: number): number => {
    if (state.expected !== undefined) {
      const filled = labelledNumber(text, state.expected, state)
      state.expected = undefined
      return filled
    }
    const point = text.indexOf('.')
    const before = isTime ? state.known | wholeDate : state.known
    if (isTime) {
      if (point >= 0) {
        const isDate = index === 0 && tokens.length > 1 && tokens.at(-1)?.kind === 'date'
        if (isDate) return decodeDate(text, state.known, state)
        return point > 2 ? decodeRunTogether(text, before, state) : refuse('syntax')
      }
      if (text.length > 4) return decodeRunTogether(text, before, state)
      return decodeNumber(text, false, before, state)
    }
    if (point >= 0 && (state.known & wholeDate) === 0) return decodeDate(text, state.known, state)
    const isRunTogether =
      point > 2 ||
      (text.length >= 6 && ((state.known & wholeDate) === 0 || (state.known & wholeTime) === 0))
    return isRunTogether
      ? decodeRunTogether(text, state.known, state)
      : decodeNumber(text, state.hasTextMonth, state.known, state)
  }

  /** Undefined for a word without meaning. */
  const decodeWordToken = (text: string, index: number): number | undefined => {
    const abbreviated = zoneAbbreviations.get(text)
    if (abbreviated !== undefined) {
      state.offsetSeconds = abbreviated
      return summerAbbreviations.has(text) ? zone | summerZone : zone
    }
    if (changingAbbreviations.has(text)) return refuse('unknownZone')
    const found = dateWord(text)
    if (found === undefined) {
      state.namedZone = zoneOfName(text) ?? refuse('syntax')
      return zone
    }
    return takeWord(found, tokens[index + 1]?.kind, state, { isTime, nowMs })
  }

  const filledBy = ({ kind, text }: DateToken, index: number): number | undefined => {
    switch (kind) {
      case 'date':
        return decodeDateToken(text, index)
      case 'time':
        return decodeTimeToken(text)
      case 'zone':
        state.offsetSeconds = decodeOffset(text)
        return zone
      case 'number':
        return decodeNumberToken(text, index)
      case 'word':
      case 'special':
        return decodeWordToken(text, index)
    }
  }

  const applyMeridiem = () => {
    if (state.isAfternoon === undefined) return
    if (state.hour > 12) refuse('field')
    if (!state.isAfternoon && state.hour === 12) state.hour = 0
    else if (state.isAfternoon && state.hour !== 12) state.hour += 12
  }

  const zoneOffset = (clock: DateFields, microseconds: number): number => {
    if (state.namedZone === undefined) return state.offsetSeconds
    if ((state.known & summerTime) !== 0) refuse('syntax')
    // PostgreSQL does not ask the zone about days that it cannot count.
    const isAsked = !isTime || !state.namedZone.isFixed
    if (isAsked && (clock.year < -4713 || clock.year > 5_874_898)) return 0
    return state.namedZone.offsetOfClock(
      dayNumber(clock) * 86_400 + Math.floor(microseconds / 1_000_000),
    )
  }

  const decode = (): DateTimeFields => {
    for (const [index, token] of tokens.entries()) {
      const filled = filledBy(token, index)
      if (filled === undefined) continue
      if ((state.known & filled) !== 0) refuse('syntax')
      state.known |= filled
    }
    validateDate(state.known, state)
    applyMeridiem()
    if (state.special !== undefined) return { special: state.special, microseconds: 0 }
    if (isTime && overflowsDay(state)) refuse('field')
    const hasDate = (state.known & wholeDate) === wholeDate
    if (isTime ? (state.known & wholeTime) !== wholeTime : !hasDate) refuse('syntax')
    if ((state.known & zone) === 0 && (state.known & summerTime) !== 0) refuse('syntax')
    const microseconds = microsecondsOfDay(state)
    const date = { year: state.year, month: state.month, day: state.day }
    if (isTime && state.namedZone !== undefined && !state.namedZone.isFixed && !hasDate)
      refuse('syntax')
    const hasAnyDate = (state.known & wholeDate) !== 0
    if (isTime && hasAnyDate && !hasDate && (state.known & zone) === 0) refuse('syntax')
    return {
      ...(hasDate ? { date } : {}),
      microseconds,
      ...((state.known & zone) === 0 ? {} : { offsetSeconds: zoneOffset(date, microseconds) }),
    }
  }

  return { decode }
}
