/**
 * @module Dates with separators, and the last checks of a date.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */
import { dateOfDay, dayNumber, daysIn } from './calendar.ts'
import { type DateState, fieldBits, refuse, wholeDate } from './date-state.ts'
import { dateWord } from './date-words.ts'
import { decodeNumber } from './decode-number.ts'

const { month, year, day, dayOfYear } = fieldBits

/** `1999-01-08`, `1/8/99`, `8-jan-1999`: a whole date. Returns the fields that it filled. */
export function decodeDate(text: string, known: number, state: DateState): number {
  let found = 0
  const take = (filled: number) => {
    if (((known | found) & filled) !== 0) refuse('syntax')
    found |= filled
  }
  const parts = partsOf(text)
  let hasTextMonth = false
  const numbers = parts.filter((part) => {
    if (!/^[a-z]/.test(part)) return true
    const word = dateWord(part)
    if (word?.kind === 'ignored') return false
    if (word?.kind !== 'month') return refuse('syntax')
    state.month = word.number
    hasTextMonth = true
    take(month)
    return false
  })
  for (const part of numbers) {
    if (part === '') refuse('syntax')
    take(decodeNumber(part, hasTextMonth, known | found, state))
  }
  const all = (known | found) & ~(dayOfYear | fieldBits.zone)
  return all === wholeDate ? found : refuse('syntax')
}

/** One character after each part is skipped, whatever it is. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let rest = text
  while (rest !== '') {
    rest = rest.replace(/^[^a-z\d]+/, '')
    if (rest === '') refuse('syntax')
    const [part = ''] = /^(?:\d+|[a-z]+)/.exec(rest) ?? []
    parts.push(part)
    rest = rest.slice(part.length + 1)
  }
  return parts
}

/** Completes the year, and checks month and day. */
export function validateDate(known: number, state: DateState): void {
  if ((known & year) !== 0 && !state.isJulian) {
    if (state.year < 0 || (state.year === 0 && (state.isBeforeChrist || !state.hasShortYear))) {
      refuse('field')
    }
    if (state.isBeforeChrist) state.year = 1 - state.year
    else if (state.hasShortYear && state.year < 100) state.year += state.year < 70 ? 2000 : 1900
  }
  if ((known & dayOfYear) !== 0) {
    const first = dayNumber({ year: state.year, month: 1, day: 1 })
    Object.assign(state, dateOfDay(first + state.dayOfYear - 1))
  }
  if ((known & month) !== 0 && (state.month < 1 || state.month > 12)) refuse('field')
  if ((known & day) !== 0 && (state.day < 1 || state.day > 31)) refuse('field')
  const isWhole = (known & wholeDate) === wholeDate
  if (isWhole && state.day > daysIn(state.year, state.month)) refuse('field')
}
