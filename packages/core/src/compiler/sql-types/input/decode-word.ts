/** @module Words in dates and times: months, `now`, `BC`, `PM` and the like. */
import { dateOfDay } from './calendar.ts'
import { type DateState, fieldBits, refuse, wholeDate, wholeTime } from './date-state.ts'
import type { DateTokenKind } from './date-tokens.ts'
import type { DateWord } from './date-words.ts'

export interface WordOptions {
  readonly isTime: boolean
  /** See `DateOptions`. */
  readonly nowMs: number | undefined
}

const { month, day, zone, summerTime, summerZone, meridiem, weekday, era, reserved } = fieldBits

/**
 * Returns the fields that it filled; undefined for a word without meaning.
 *
 * @param next the kind of the token after the word
 */
export function takeWord(
  found: DateWord,
  next: DateTokenKind | undefined,
  state: DateState,
  { isTime, nowMs }: WordOptions,
): number | undefined {
  switch (found.kind) {
    case 'ignored':
      return undefined
    case 'infinity':
    case 'epoch':
      if (isTime) refuse('syntax')
      state.special = found.kind === 'epoch' ? 'epoch' : found.text
      return reserved
    case 'now':
      return takeNow(state, { isTime, nowMs })
    case 'day':
      if (isTime || nowMs === undefined) return refuse('syntax')
      Object.assign(state, dateOfDay(Math.floor(nowMs / dayMs) + found.fromToday))
      state.isJulian = true
      return wholeDate
    case 'midnightUtc':
      Object.assign(state, { hour: 0, minute: 0, second: 0 })
      state.offsetSeconds = 0
      return wholeTime | zone
    case 'month': {
      if (isTime) refuse('syntax')
      const isDayBefore =
        (state.known & month) !== 0 &&
        !state.hasTextMonth &&
        (state.known & day) === 0 &&
        state.month >= 1 &&
        state.month <= 31
      if (isDayBefore) state.day = state.month
      state.hasTextMonth = true
      state.month = found.number
      return isDayBefore ? day : month
    }
    case 'summerTime':
      state.offsetSeconds += 3600
      return summerTime | summerZone
    case 'meridiem':
      state.isAfternoon = found.isAfternoon
      return meridiem
    case 'era':
      state.isBeforeChrist = found.isBeforeChrist
      return era
    case 'weekday':
      return isTime ? refuse('syntax') : weekday
    case 'unit':
      state.expected = found.unit
      return 0
    case 'timeFollows': {
      if (!isTime && (state.known & wholeDate) !== wholeDate) refuse('syntax')
      if (next !== 'number' && next !== 'time' && next !== 'date') refuse('syntax')
      state.expected = 'time'
      return 0
    }
  }
}

function takeNow(state: DateState, { isTime, nowMs }: WordOptions): number {
  if (nowMs === undefined) return refuse('syntax')
  const ofDay = ((nowMs % dayMs) + dayMs) % dayMs
  const seconds = Math.floor(ofDay / 1000)
  Object.assign(state, dateOfDay(Math.floor(nowMs / dayMs)), {
    isJulian: true,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    microseconds: Math.round((ofDay % 1000) * 1000),
  })
  if (isTime) return wholeTime
  state.offsetSeconds = 0
  return wholeDate | wholeTime | zone
}

const dayMs = 86_400_000
