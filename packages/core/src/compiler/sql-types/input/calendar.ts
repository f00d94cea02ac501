/** @module Days and microseconds ↔ the text of dates, in the proleptic Gregorian calendar. */

/** A day of the Gregorian calendar. */
export interface DateFields {
  /** Astronomical: 0 is 1 BC. */
  readonly year: number
  readonly month: number
  readonly day: number
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Days since 1970-01-01. */
export function dayNumber({ year, month, day }: DateFields): number {
  const shiftedYear = month > 2 ? year : year - 1
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The day with a number: 0 is 1 January 1970. */
export function dateOfDay(dayNumberSinceEpoch: number): DateFields {
  const shifted = dayNumberSinceEpoch + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** `2024-01-31`; a year before 1 is written without its era, see `eraText`. */
export function dateText({ year, month, day }: DateFields): string {
  const shown = year > 0 ? year : 1 - year
  return `${String(shown).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/** ` BC` for years before 1. */
export function eraText({ year }: DateFields): string {
  return year > 0 ? '' : ' BC'
}

/** `10:30:00.25`: trailing zeros of the fraction are left out. */
export function timeText(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000)
  const fraction = String(microseconds % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return clock.map(twoDigits).join(':') + (fraction === '' ? '' : `.${fraction}`)
}

/** `+05:30`, `-08`, `+00`. */
export function offsetText(offsetSeconds: number): string {
  const size = Math.abs(offsetSeconds)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  return (offsetSeconds < 0 ? '-' : '+') + parts.map(twoDigits).join(':')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
