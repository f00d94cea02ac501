/** @module Numbers after a word that says what they are: `y 2026 m 1 d 5`, `J2451187`, `T103015`. */
import { dateOfDay } from './calendar.ts'
import {
  type DateState,
  fieldBits,
  integerAt,
  refuse,
  requireFraction,
  wholeDate,
  wholeSecond,
  wholeTime,
} from './date-state.ts'
import type { DateUnit } from './date-words.ts'
import { decodeRunTogether } from './decode-number.ts'
import { microsecondsPerDay } from './decode-time.ts'

const { year, month, day, hour, minute } = fieldBits

/** Returns the fields that it filled. */
export function labelledNumber(text: string, unit: DateUnit | 'time', state: DateState): number {
  const { value, end } = integerAt(text, 0)
  if (value === undefined) return refuse('field')
  const hasFraction = text.charAt(end) === '.'
  const mayHaveFraction = unit === 'julian' || unit === 'time' || unit === 'second'
  if (end < text.length && !(hasFraction && mayHaveFraction)) refuse('syntax')
  switch (unit) {
    case 'year':
      state.year = value
      return year
    case 'month':
      if ((state.known & month) !== 0 && (state.known & hour) !== 0) {
        state.minute = value
        return minute
      }
      state.month = value
      return month
    case 'day':
      state.day = value
      return day
    case 'hour':
      state.hour = value
      return hour
    case 'minute':
      state.minute = value
      return minute
    case 'second':
      state.second = value
      if (!hasFraction) return fieldBits.second
      state.microseconds = requireFraction(text, end)
      return wholeSecond
    case 'julian':
      if (value < 0) refuse('field')
      takeJulianDay(value, state)
      return hasFraction ? wholeDate | timeOfFraction(text.slice(end), state) : wholeDate
    case 'time': {
      const filled = decodeRunTogether(text, state.known | wholeDate, state)
      return filled === wholeTime ? filled : refuse('syntax')
    }
    case 'other':
      return refuse('syntax')
  }
}

function timeOfFraction(text: string, state: DateState): number {
  if (!/^\.\d*$/.test(text)) refuse('syntax')
  const microseconds = Math.trunc(Number(`0${text}`) * microsecondsPerDay)
  const seconds = Math.floor(microseconds / 1_000_000)
  Object.assign(state, {
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    microseconds: microseconds % 1_000_000,
  })
  return wholeTime
}

/** The date with this number. */
export function takeJulianDay(value: number, state: DateState): void {
  // Day 0 is 4714-11-24 BC; later days are those of a 32-bit number.
  Object.assign(state, dateOfDay(value - julianDayOf1970))
  state.isJulian = true
}

/** Julian days count from 4714-11-24 BC. */
const julianDayOf1970 = 2_440_588
