/** @module date, time, timetz, timestamp and timestamptz; the session's zone is UTC. */
import { type Oid, oids } from '../oids.ts'
import { changingAbbreviations } from '../time-zone/zone-abbreviations.ts'
import { fractionDigitsOfTypmod } from '../typmod.ts'
import { dateOfDay, dateText, dayNumber, eraText, offsetText, timeText } from './calendar.ts'
import { type DateFault, type DateTimeFields, maxDateLength, parseDateTime } from './date-fields.ts'
import { microsecondsPerDay } from './decode-time.ts'
import { accept, fail, type InputFailure, type InputResult } from './input-value.ts'

const typeTexts: ReadonlyMap<Oid, string> = new Map<Oid, string>([
  [oids.date, 'date'],
  [oids.time, 'time'],
  [oids.timetz, 'time with time zone'],
  [oids.timestamp, 'timestamp'],
  [oids.timestamptz, 'timestamp with time zone'],
])

const epochTexts: Readonly<Record<number, string>> = {
  [oids.date]: '1970-01-01',
  [oids.timestamp]: '1970-01-01 00:00:00',
  [oids.timestamptz]: '1970-01-01 00:00:00+00',
}

const firstDay = dayNumber({ year: -4713, month: 11, day: 24 })
const lastDateDay = dayNumber({ year: 5_874_897, month: 12, day: 31 })
const lastTimestampDay = dayNumber({ year: 294_276, month: 12, day: 31 })

/**
 * Reads a date or a timestamp as PostgreSQL does.
 *
 * @param nowMs what `now`, `today` and similar words mean, in milliseconds since 1970; without it they are refused. The binder
 *   handles literals that consist of such a word.
 */
export function readDateTime(
  oid: Oid,
  typmod: number,
  text: string,
  nowMs: number | undefined = undefined,
): InputResult {
  const expected = isClock(oid) ? 'time' : 'date'
  const maxLength =
    oid === oids.date || expected === 'time' ? maxDateLength.date : maxDateLength.timestamp
  const fields = parseDateTime(text, { expected, nowMs, maxLength })
  if (typeof fields === 'string') return dateFailure(fields, oid, text)
  const { special } = fields
  if (special !== undefined) return accept(special === 'epoch' ? (epochTexts[oid] ?? '') : special)
  const digits = fractionDigitsOfTypmod(oid, typmod)
  const canonical = isClock(oid)
    ? clockText(oid, digits, fields)
    : calendarText(oid, digits, fields)
  return typeof canonical === 'object' ? accept(canonical.text) : dateFailure(canonical, oid, text)
}

/** Does a text of a date or time name a zone by an abbreviation that has had several offsets, as `MSK`? */
export function namesChangingZone(oid: Oid, text: string): boolean {
  if (!typeTexts.has(oid)) return false
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => changingAbbreviations.has(word))
}

type Outcome = { readonly text: string } | DateFault | 'range'

function isClock(oid: Oid): boolean {
  return oid === oids.time || oid === oids.timetz
}

function clockText(oid: Oid, digits: number, fields: DateTimeFields): Outcome {
  const microseconds = roundHalfUp(fields.microseconds, digits)
  const zone = oid === oids.timetz ? offsetText(fields.offsetSeconds ?? 0) : ''
  return { text: timeText(microseconds) + zone }
}

/** date ignores time and zone, timestamp ignores the zone, timestamptz is converted to UTC. */
function calendarText(oid: Oid, digits: number, fields: DateTimeFields): Outcome {
  if (fields.date === undefined) return 'syntax'
  if (oid === oids.date) {
    const day = dayNumber(fields.date)
    if (day < firstDay || day > lastDateDay) return 'range'
    return { text: dateText(fields.date) + eraText(fields.date) }
  }
  const isZoned = oid === oids.timestamptz
  const offset = isZoned ? (fields.offsetSeconds ?? 0) * 1_000_000 : 0
  const moment = normalize(dayNumber(fields.date), fields.microseconds - offset)
  if (moment.day < firstDay || moment.day > lastTimestampDay) return 'range'
  const rounded = roundMoment(moment, digits)
  const date = dateOfDay(rounded.day)
  const zone = isZoned ? '+00' : ''
  return { text: `${dateText(date)} ${timeText(rounded.microseconds)}${zone}${eraText(date)}` }
}

interface Moment {
  /** Since 1970-01-01. */
  readonly day: number
  /** Since midnight, less than a day. */
  readonly microseconds: number
}

function normalize(day: number, microseconds: number): Moment {
  const days = Math.floor(microseconds / microsecondsPerDay)
  return { day: day + days, microseconds: microseconds - days * microsecondsPerDay }
}

/** 2000-01-01, from which PostgreSQL counts: a half is rounded away from it. */
const postgresEpochDay = 10_957

function roundMoment({ day, microseconds }: Moment, digits: number): Moment {
  const unit = 10 ** (6 - digits)
  const isBeforeEpoch = day < postgresEpochDay
  const rounded = isBeforeEpoch
    ? Math.ceil((microseconds - unit / 2) / unit) * unit
    : roundHalfUp(microseconds, digits)
  return normalize(day, unit === 1 ? microseconds : rounded)
}

function roundHalfUp(microseconds: number, digits: number): number {
  const unit = 10 ** (6 - digits)
  return unit === 1 ? microseconds : Math.floor((microseconds + unit / 2) / unit) * unit
}

/** The error for a text that is none of the type. */
export function dateFailure(fault: DateFault | 'range', oid: Oid, text: string): InputFailure {
  const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text
  const typeText = typeTexts.get(oid) ?? 'date'
  switch (fault) {
    case 'syntax':
      return fail('22007', `invalid input syntax for type ${typeText}: "${shown}"`)
    case 'field':
      return fail('22008', `date/time field value out of range: "${shown}"`)
    case 'zone':
      return fail('22009', `time zone displacement out of range: "${shown}"`)
    case 'unknownZone':
      return fail('22023', `the time zone of "${shown}" is not known`)
    case 'range':
      return fail('22008', `${typeText} out of range: "${shown}"`)
  }
}
