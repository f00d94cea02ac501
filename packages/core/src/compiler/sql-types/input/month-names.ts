/** @module Dates with the name of a month: `January 8, 1999`, `8-Jan-1999`, `1999 Jan 8`. */

/** In the order of the year; PostgreSQL accepts the whole name and these prefixes. */
const months = [
  'january|jan',
  'february|feb',
  'march|mar',
  'april|apr',
  'may',
  'june|jun',
  'july|jul',
  'august|aug',
  'september|sept|sep',
  'october|oct',
  'november|nov',
  'december|dec',
]
const monthNames: readonly (readonly string[])[] = months.map((names) => names.split('|'))

const weekday = String.raw`(?:(?:monday|mon|tuesday|tues|tue|wednesday|weds|wed|thursday|thurs|thur|thu|friday|fri|saturday|sat|sunday|sun)[\s,]+)?`
const month = `(?<month>${months.join('|')})`
const day = String.raw`(?<day>\d{1,2})`
const year = String.raw`(?<year>\d{4})`
const gap = String.raw`(?:[\s,]+|-)`

/** A date at the start of the text; the rest is unchanged. The meaning of two-digit years would depend on a setting. */
const forms: readonly RegExp[] = [
  `^${weekday}${month}${gap}${day}${gap}${year}(?!\\d)`,
  `^${weekday}${day}${gap}${month}${gap}${year}(?!\\d)`,
  `^${year}${gap}${month}${gap}${day}(?!\\d)`,
].map((form) => new RegExp(form, 'i'))

/** The date with its month as a number: `1999-01-8`; any other text is unchanged. */
export function withMonthNumber(text: string): string {
  if (!/[a-z]{3}/i.test(text)) return text
  for (const form of forms) {
    const match = form.exec(text)
    const groups = match?.groups
    if (match === null || groups === undefined) continue
    const name = groups['month']?.toLowerCase() ?? ''
    const number = monthNames.findIndex((names) => names.includes(name)) + 1
    return `${groups['year']}-${number}-${groups['day']}${text.slice(match[0].length)}`
  }
  return text
}
