/**
 * @module Numbers in dates and times, whose meaning depends on their length and on what is known.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import {
  type DateState,
  fieldBits,
  integerAt,
  microsecondsOf,
  refuse,
  requireFraction,
  wholeDate,
  wholeTime,
} from './date-state.ts'

const { month, year, day, dayOfYear } = fieldBits

/** Returns the fields that it filled. */
export function decodeNumber(
  text: string,
  hasTextMonth: boolean,
  known: number,
  state: DateState,
): number {
  const { value, end } = integerAt(text, 0)
  if (value === undefined) return refuse('field')
  if (end === 0) return refuse('syntax')
  if (text.charAt(end) === '.') {
    if (end > 2) return decodeRunTogether(text, known | wholeDate, state)
    state.microseconds = requireFraction(text, end)
  } else if (end < text.length) return refuse('syntax')
  if (text.length === 3 && (known & wholeDate) === year && value >= 1 && value <= 366) {
    state.dayOfYear = value
    return dayOfYear | month | day
  }
  if ((known & wholeDate) === wholeDate) return decodeRunTogether(text, known, state)
  if (
    hasTextMonth &&
    (known & wholeDate) === (year | month) &&
    text.length >= 3 &&
    state.hasShortYear
  ) {
    // The first number was the day after all: `8 Jan 1999`.
    state.day = state.year
    state.year = value
    state.hasShortYear = false
    return day
  }
  const filled = fieldOf(text, hasTextMonth, known & wholeDate, state)
  if (filled === month) state.month = value
  else if (filled === day) state.day = value
  else {
    state.year = value
    state.hasShortYear = text.length <= 2
  }
  return filled
}

function fieldOf(text: string, hasTextMonth: boolean, known: number, state: DateState): number {
  const isYear = text.length >= 3 || state.order === 'YMD'
  switch (known) {
    case 0:
      if (isYear) return year
      return state.order === 'DMY' ? day : month
    case month:
      return hasTextMonth && isYear ? year : day
    case year | month:
      return day
    case month | day:
      return year
    default:
      return month
  }
}

/** `20011225`, `040506`, `0405` and the like, with a fraction of a second. */
export function decodeRunTogether(text: string, known: number, state: DateState): number {
  const point = text.indexOf('.')
  const digits = point < 0 ? text : text.slice(0, point)
  const { length } = digits
  if (point >= 0) {
    const rest = /^\.\d*/.exec(text.slice(point))?.[0] ?? ''
    state.microseconds = microsecondsOf(rest)
  } else if ((known & wholeDate) !== wholeDate && length >= 6) {
    state.day = Number(digits.slice(-2))
    state.month = Number(digits.slice(-4, -2))
    state.year = integerOf32Bits(digits.slice(0, -4))
    if (length === 6) state.hasShortYear = true
    return wholeDate
  }
  if ((known & wholeTime) === wholeTime || (length !== 6 && length !== 4)) return refuse('syntax')
  state.hour = Number(digits.slice(0, 2))
  state.minute = Number(digits.slice(2, 4))
  state.second = Number(digits.slice(4))
  return wholeTime
}

/** As in C: 64 bits, of which 32 are kept. */
function integerOf32Bits(digits: string): number {
  const most = 2n ** 63n - 1n
  const value = BigInt(digits)
  return Number(BigInt.asIntN(32, value > most ? most : value))
}
