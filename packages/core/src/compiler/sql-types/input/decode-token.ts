/** @module One token of the text of a date or time: which fields it fills, given those that are known. */
import {
  changingAbbreviations,
  summerAbbreviations,
  zoneAbbreviations,
} from '../time-zone/zone-abbreviations.ts'
import { type DateState, fieldBits, integerAt, refuse, wholeDate, wholeTime } from './date-state.ts'
import type { DateToken } from './date-tokens.ts'
import { dateWord } from './date-words.ts'
import { decodeDate } from './decode-date.ts'
import { labelledNumber, takeJulianDay } from './decode-label.ts'
import { decodeNumber, decodeRunTogether } from './decode-number.ts'
import { decodeTime, overflowsDay } from './decode-time.ts'
import { takeWord } from './decode-word.ts'
import { decodeOffset, zoneOfName } from './decode-zone.ts'

/** A text that is read: its tokens, and the fields that they have filled so far. */
export interface DateReading {
  readonly tokens: readonly DateToken[]
  /** A time of day, not a date or timestamp. */
  readonly isTime: boolean
  /** See `DateOptions.nowMs`. */
  readonly nowMs: number | undefined
  readonly state: DateState
}

const { month, day, zone, summerZone } = fieldBits

/**
 * Returns the fields that the token filled, of `fieldBits`; undefined for a word without meaning.
 *
 * @throws {DateRefusal}
 */
export function fieldsOfToken(
  reading: DateReading,
  { kind, text }: DateToken,
  index: number,
): number | undefined {
  switch (kind) {
    case 'date':
      return decodeDateToken(reading, text, index)
    case 'time':
      return decodeTimeToken(reading, text)
    case 'zone':
      reading.state.offsetSeconds = decodeOffset(text)
      return zone
    case 'number':
      return decodeNumberToken(reading, text, index)
    case 'word':
    case 'special':
      return decodeWordToken(reading, text, index)
  }
}

function decodeDateToken(reading: DateReading, text: string, index: number): number {
  const { isTime, state } = reading
  if (!isTime && state.expected === 'julian') return julianWithZone(text, state)
  if (isDateAt(reading, index)) return decodeDate(text, state.known, state)
  const isTimeExpected = !isTime && state.expected !== undefined
  if (/^\d/.test(text) || isTimeExpected) {
    if (isTimeExpected && state.expected !== 'time') refuse('syntax')
    state.expected = undefined
    return timeWithZone(reading, text)
  }
  state.namedZone = zoneOfName(text) ?? refuse('unknownZone')
  return zone
}

function isDateAt({ tokens, isTime, state }: DateReading, index: number): boolean {
  if (isTime) {
    const isBesideTime = tokens.at(-1)?.kind === 'date' || tokens[1]?.kind === 'time'
    return index === 0 && isBesideTime && tokens.length > 1
  }
  const hasDayAndMonth = (state.known & (month | day)) === (month | day)
  return state.expected === undefined && !hasDayAndMonth
}

function julianWithZone(text: string, state: DateState): number {
  const { value, end } = integerAt(text, 0)
  if (value === undefined || value < 0) return refuse('field')
  takeJulianDay(value, state)
  state.offsetSeconds = decodeOffset(text.slice(end))
  state.expected = undefined
  return wholeDate | wholeTime | zone
}

/** `040506-08` */
function timeWithZone({ isTime, state }: DateReading, text: string): number {
  if ((state.known & wholeTime) === wholeTime) refuse('syntax')
  const minus = text.indexOf('-')
  if (minus < 0) refuse('syntax')
  state.offsetSeconds = decodeOffset(text.slice(minus))
  const before = isTime ? state.known | wholeDate : state.known
  return decodeRunTogether(text.slice(0, minus), before, state) | zone
}

function decodeTimeToken({ isTime, state }: DateReading, text: string): number {
  if (!isTime && state.expected !== undefined) {
    if (state.expected !== 'time') refuse('syntax')
    state.expected = undefined
  }
  decodeTime(text, state)
  if (!isTime && overflowsDay(state)) refuse('field')
  return wholeTime
}

function decodeNumberToken(reading: DateReading, text: string, index: number): number {
  const { isTime, state } = reading
  if (state.expected !== undefined) {
    const filled = labelledNumber(text, state.expected, state)
    state.expected = undefined
    return filled
  }
  return isTime ? numberOfTime(reading, text, index) : numberOfDate(text, state)
}

function numberOfTime({ tokens, state }: DateReading, text: string, index: number): number {
  const point = text.indexOf('.')
  const before = state.known | wholeDate
  if (point >= 0) {
    const isDate = index === 0 && tokens.length > 1 && tokens.at(-1)?.kind === 'date'
    if (isDate) return decodeDate(text, state.known, state)
    return point > 2 ? decodeRunTogether(text, before, state) : refuse('syntax')
  }
  if (text.length > 4) return decodeRunTogether(text, before, state)
  return decodeNumber(text, false, before, state)
}

function numberOfDate(text: string, state: DateState): number {
  const point = text.indexOf('.')
  if (point >= 0 && (state.known & wholeDate) === 0) return decodeDate(text, state.known, state)
  const isRunTogether =
    point > 2 ||
    (text.length >= 6 && ((state.known & wholeDate) === 0 || (state.known & wholeTime) === 0))
  return isRunTogether
    ? decodeRunTogether(text, state.known, state)
    : decodeNumber(text, state.hasTextMonth, state.known, state)
}

function decodeWordToken(
  { tokens, isTime, nowMs, state }: DateReading,
  text: string,
  index: number,
): number | undefined {
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
