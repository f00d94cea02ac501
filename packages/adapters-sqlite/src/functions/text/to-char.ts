/** @module to_char, to_date and to_timestamp for dates, for the patterns with one meaning. */
import { dateOfDay, dayNumber } from '@engine/core/values'
import {
  dayText,
  isoWeek,
  type Moment,
  modulo,
  momentOf,
  timestampText,
  zonedText,
} from '../dates/moment.ts'
import { sqlError } from '../register/sql-error.ts'
import { strict, textOf, type UdfDefinition } from '../register/udf.ts'

const months: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const days: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]

/** One piece of a template: a pattern by name, or literal text. */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly name: string; readonly isBare: boolean }

/** Longest first, so that HH24 is not read as HH. Case matters only for names. */
const patterns: readonly string[] = [
  'HH24',
  'HH12',
  'YYYY',
  'IYYY',
  'MONTH',
  'Month',
  'month',
  'DAY',
  'Day',
  'day',
  'MON',
  'Mon',
  'mon',
  'DDD',
  'DY',
  'Dy',
  'dy',
  'YYY',
  'HH',
  'MI',
  'SS',
  'MS',
  'US',
  'YY',
  'MM',
  'DD',
  'ID',
  'IW',
  'WW',
  'CC',
  'AM',
  'PM',
  'am',
  'pm',
  'D',
  'Q',
  'W',
]

const namePatterns: ReadonlySet<string> = new Set([
  'MONTH',
  'Month',
  'month',
  'DAY',
  'Day',
  'day',
  'MON',
  'Mon',
  'mon',
  'DY',
  'Dy',
  'dy',
  'AM',
  'PM',
  'am',
  'pm',
])

const templates = new Map<string, readonly Token[]>()

/** The most cached templates. */
const maxTemplates = 200

function tokensOf(template: string): readonly Token[] {
  const known = templates.get(template)
  if (known !== undefined) return known
  const tokens = tokenize(template)
  if (templates.size >= maxTemplates) templates.clear()
  templates.set(template, tokens)
  return tokens
}

function tokenize(template: string): readonly Token[] {
  const tokens: Token[] = []
  let rest = template
  while (rest !== '') {
    if (rest.startsWith('"')) {
      const end = rest.indexOf('"', 1)
      if (end < 0 || rest.slice(0, end).includes('\\')) throw unsupported(template)
      tokens.push({ kind: 'text', text: rest.slice(1, end) })
      rest = rest.slice(end + 1)
      continue
    }
    const isBare = /^FM/i.test(rest)
    const body = isBare ? rest.slice(2) : rest
    const name = patterns.find((pattern) =>
      namePatterns.has(pattern)
        ? body.startsWith(pattern)
        : body.slice(0, pattern.length).toUpperCase() === pattern,
    )
    if (name !== undefined) {
      tokens.push({ kind: 'pattern', name, isBare })
      rest = body.slice(name.length)
      if (/^TH/i.test(rest)) throw unsupported(template)
    } else if (isBare || /^[\p{L}\p{N}\\]/u.test(rest)) {
      throw unsupported(template)
    } else {
      const [character = ''] = rest
      tokens.push({ kind: 'text', text: character })
      rest = rest.slice(character.length)
    }
  }
  return tokens
}

function unsupported(template: string): Error {
  return sqlError('0A000', `the format "${template}" is not supported on this connection`)
}

function spell(name: string, isBare: boolean, { day, microseconds }: Moment): string {
  const date = dateOfDay(day)
  const number = (value: number, width: number) =>
    isBare ? String(value) : String(value).padStart(width, '0')
  const padded = (text: string) => (isBare ? text : text.padEnd(9, ' '))
  const hour = Math.floor(microseconds / 3_600_000_000)
  const shownYear = date.year > 0 ? date.year : 1 - date.year
  const month = months[date.month - 1] ?? ''
  const weekday = days[modulo(day + 4, 7)] ?? ''
  switch (name) {
    case 'YYYY':
      return number(shownYear, 4)
    case 'YYY':
      return number(shownYear % 1000, 3)
    case 'YY':
      return number(shownYear % 100, 2)
    case 'IYYY':
      return number(isoWeek(day).year, 4)
    case 'IW':
      return number(isoWeek(day).week, 2)
    case 'ID':
      return String(isoWeek(day).weekday)
    case 'WW':
      return number(Math.floor((dayOfYear(day) - 1) / 7) + 1, 2)
    case 'W':
      return String(Math.floor((date.day - 1) / 7) + 1)
    case 'CC':
      return number(Math.ceil(shownYear / 100), 2)
    case 'Q':
      return String(Math.floor((date.month - 1) / 3) + 1)
    case 'MM':
      return number(date.month, 2)
    case 'DD':
      return number(date.day, 2)
    case 'DDD':
      return number(dayOfYear(day), 3)
    case 'D':
      return String(modulo(day + 4, 7) + 1)
    case 'HH24':
      return number(hour, 2)
    case 'HH':
    case 'HH12':
      return number(hour % 12 === 0 ? 12 : hour % 12, 2)
    case 'MI':
      return number(Math.floor(microseconds / 60_000_000) % 60, 2)
    case 'SS':
      return number(Math.floor(microseconds / 1_000_000) % 60, 2)
    case 'MS':
      return String(Math.floor(microseconds / 1_000) % 1_000).padStart(3, '0')
    case 'US':
      return String(microseconds % 1_000_000).padStart(6, '0')
    case 'AM':
    case 'PM':
      return hour < 12 ? 'AM' : 'PM'
    case 'am':
    case 'pm':
      return hour < 12 ? 'am' : 'pm'
    case 'Month':
      return padded(month)
    case 'MONTH':
      return padded(month.toUpperCase())
    case 'month':
      return padded(month.toLowerCase())
    case 'Mon':
      return month.slice(0, 3)
    case 'MON':
      return month.slice(0, 3).toUpperCase()
    case 'mon':
      return month.slice(0, 3).toLowerCase()
    case 'Day':
      return padded(weekday)
    case 'DAY':
      return padded(weekday.toUpperCase())
    case 'day':
      return padded(weekday.toLowerCase())
    case 'Dy':
      return weekday.slice(0, 3)
    case 'DY':
      return weekday.slice(0, 3).toUpperCase()
    case 'dy':
      return weekday.slice(0, 3).toLowerCase()
    default:
      throw unsupported(name)
  }
}

function dayOfYear(day: number): number {
  return day - dayNumber({ year: dateOfDay(day).year, month: 1, day: 1 }) + 1
}

function toChar(value: string, template: string): string | null {
  const moment = momentOf(value)
  // PostgreSQL returns NULL for infinity.
  if (moment === undefined) return null
  return tokensOf(template)
    .map((token) => (token.kind === 'text' ? token.text : spell(token.name, token.isBare, moment)))
    .join('')
}

/** The digits that each numeric pattern reads; only texts with exactly these digits have one meaning. */
const widths: Readonly<Record<string, number>> = {
  YYYY: 4,
  MM: 2,
  DD: 2,
  HH24: 2,
  MI: 2,
  SS: 2,
  MS: 3,
  US: 6,
}

/** Reads a text that matches the template exactly. */
function fromText(text: string, template: string): Moment {
  const fields: Record<string, number> = {}
  let position = 0
  for (const token of tokensOf(template)) {
    if (token.kind === 'text') {
      if (!text.startsWith(token.text, position)) throw unsupported(template)
      position += token.text.length
      continue
    }
    const width = Object.hasOwn(widths, token.name) ? widths[token.name] : undefined
    if (width === undefined || token.isBare) throw unsupported(template)
    const digits = text.slice(position, position + width)
    if (!/^\d+$/.test(digits) || digits.length !== width) throw unsupported(template)
    fields[token.name] = Number(digits)
    position += width
  }
  if (position !== text.length) throw unsupported(template)
  return momentFrom(fields)
}

function momentFrom(fields: Readonly<Record<string, number>>): Moment {
  // Without a year PostgreSQL uses the year 1 BC.
  if (fields['YYYY'] === undefined) throw unsupported('a template without YYYY')
  const { YYYY: year = 1, MM: month = 1, DD: day = 1 } = fields
  const { HH24: hour = 0, MI: minute = 0, SS: second = 0, MS: milli = 0, US: micro = 0 } = fields
  const number = dayNumber({ year, month, day })
  const back = dateOfDay(number)
  const isDate = year > 0 && back.month === month && back.day === day
  if (!isDate || hour > 23 || minute > 59 || second > 59) {
    throw sqlError('22008', 'date/time field value out of range')
  }
  const seconds = hour * 3600 + minute * 60 + second
  return { day: number, microseconds: seconds * 1_000_000 + milli * 1_000 + micro }
}

export const toCharFunctions: readonly UdfDefinition[] = [
  strict('pg_to_char', 2, (value, template) => toChar(textOf(value), textOf(template))),
  strict('pg_to_date', 2, (text, template) =>
    dayText(fromText(textOf(text), textOf(template)).day),
  ),
  strict('pg_to_timestamp', 2, (text, template) => {
    const { day, microseconds } = fromText(textOf(text), textOf(template))
    return zonedText(timestampText(day, microseconds))
  }),
]
