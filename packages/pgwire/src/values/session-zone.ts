/** @module Timestamps in the engine's spelling, in UTC ↔ in the spelling of a session in another time zone. */
import { GatewayError } from '@engine/core'
import {
  type DateFault,
  dateFailure,
  dayNumber,
  type Oid,
  offsetText,
  oids,
  parseDateTime,
  timeText,
  timeZoneNamed,
} from '@engine/core/values'
import type { ValueSettings } from './cell-format.ts'
import { type DateStyle, fixedAbbreviation, styledDate, styledTimestamp } from './date-style.ts'
import {
  dayIn,
  later,
  secondsOf,
  type Timestamp,
  textOfTimestamp,
  timestampIn,
  zonedTimestampIn,
} from './timestamp.ts'
import type { Respell } from './value-form.ts'

/** `2024-01-31` → `31.01.2024` in the style of the session. */
export function dateInStyle(settings: ValueSettings): Respell | undefined {
  const style = styleOf(settings)
  if (style === undefined) return undefined
  return (text) => {
    const day = dayIn(text)
    return day === undefined ? text : styledDate(day, style)
  }
}

export function timestampInStyle(settings: ValueSettings): Respell | undefined {
  const style = styleOf(settings)
  if (style === undefined) return undefined
  return (text) => {
    const timestamp = timestampIn(text)
    return timestamp === undefined ? text : styledTimestamp(timestamp, style, undefined)
  }
}

/**
 * `2024-01-31 10:30:00+00` → `2024-01-31 16:00:00+05:30`.
 *
 * @throws {GatewayError} 0A000 from the function, for a timestamp in another style than ISO, in a zone whose abbreviations are not known.
 */
export function timestampInSessionZone(settings: ValueSettings): Respell | undefined {
  const zone = timeZoneNamed(settings.timeZone)
  const style = styleOf(settings)
  if ((zone.isUtc && style === undefined) || settings.isWritten === true) return undefined
  return (text) => {
    const timestamp = zonedTimestampIn(text)
    if (timestamp === undefined) return text
    const offset = zone.offsetAt(secondsOf(timestamp))
    const clock = later(timestamp, offset)
    if (style === undefined) return textOfTimestamp(clock, offset)
    return styledTimestamp(clock, style, abbreviationOf(settings.timeZone))
  }
}

function abbreviationOf(timeZone: string): string {
  const abbreviation = fixedAbbreviation(timeZone)
  if (abbreviation !== undefined) return abbreviation
  const message = `the abbreviations of time zone "${timeZone}" are not known here, which a timestamp in this DateStyle needs`
  throw new GatewayError('unsupported', message, {
    sqlState: '0A000',
    details: { hint: "SET DateStyle TO ISO, or SET TIME ZONE 'UTC'." },
  })
}

/** Undefined where values stay as they are. */
function styleOf({ dateOutput = 'ISO', dateOrder = 'MDY', isWritten }: ValueSettings) {
  if (dateOutput === 'ISO' || isWritten === true) return undefined
  return { style: dateOutput, order: dateOrder } satisfies DateStyle
}

/**
 * Adds the offset to a text that has none. A text that is not a timestamp stays unchanged: the engine refuses it.
 */
export function timestampInUtc(settings: ValueSettings): Respell {
  const { dateOrder = 'MDY' } = settings
  const zone = timeZoneNamed(settings.timeZone)
  const isUsual = dateOrder === 'MDY'
  if (zone.isUtc && isUsual && settings.keepsWords === true) return (text) => text
  return (text) => {
    const word = meaningOf(text, settings)
    if (word?.isNow === true) return textOfTimestamp(later(word, -word.offset), 0)
    if (word === undefined && zone.isUtc && isUsual) return text
    const fields = word?.fields ?? parseDateTime(text, { expected: 'date', order: dateOrder })
    if (typeof fields === 'string') {
      return isUsual ? text : refuseText(fields, oids.timestamptz, text)
    }
    const { date, offsetSeconds, microseconds } = fields
    if (date === undefined || (offsetSeconds !== undefined && isUsual)) return text
    const clock: Timestamp = { day: dayNumber(date), microseconds }
    return textOfTimestamp(later(clock, 0), offsetSeconds ?? zone.offsetOfClock(secondsOf(clock)))
  }
}

/** A date or timestamp that the session reads in another order than MDY, or on the clock of its zone: `today`. */
export function dateInOrder(oid: Oid): (settings: ValueSettings) => Respell | undefined {
  return (settings) => dateOfSession(settings, oid)
}

function dateOfSession(settings: ValueSettings, oid: Oid): Respell | undefined {
  const { dateOrder = 'MDY' } = settings
  const isUsual = dateOrder === 'MDY'
  if (isUsual && settings.keepsWords === true) return undefined
  return (text) => {
    const word = meaningOf(text, settings)
    if (word === undefined && isUsual) return text
    const fields = word?.fields ?? parseDateTime(text, { expected: 'date', order: dateOrder })
    if (typeof fields === 'string') return isUsual ? text : refuseText(fields, oid, text)
    const { date, microseconds } = fields
    if (date === undefined) return text
    return textOfTimestamp(later({ day: dayNumber(date), microseconds }, 0), undefined)
  }
}

/** The engine could read the text in the order MDY. */
function refuseText(fault: DateFault, oid: Oid, text: string): never {
  const { sqlState, message } = dateFailure(fault, oid, text)
  throw new GatewayError('dataError', message, { sqlState })
}

interface WordMeaning extends Timestamp {
  /** It means the moment itself, not a time of a day. */
  readonly isNow: boolean
  /** Seconds east of Greenwich now. */
  readonly offset: number
  readonly fields: Exclude<ReturnType<typeof parseDateTime>, string>
}

/** `now`, `tomorrow`, `today 10:00` on the clock of the session; undefined for every other text. */
function meaningOf(
  text: string,
  { timeZone, dateOrder, clock, keepsWords = false }: ValueSettings,
): WordMeaning | undefined {
  const word = keepsWords ? undefined : /\b(now|today|tomorrow|yesterday)\b/i.exec(text)?.[1]
  if (word === undefined) return undefined
  const nowMs = clock()
  const offset = timeZoneNamed(timeZone).offsetAt(Math.floor(nowMs / 1000))
  const localMs = nowMs + offset * 1000
  const fields = parseDateTime(text, {
    expected: 'date',
    nowMs: localMs,
    order: dateOrder ?? 'MDY',
  })
  if (typeof fields === 'string' || fields.date === undefined) return undefined
  const { date, microseconds } = fields
  const isNow = word.toLowerCase() === 'now'
  return { day: dayNumber(date), microseconds, isNow, offset, fields }
}

/** `now` as the time of day of the session's zone. */
export function timeOfNow(settings: ValueSettings): Respell | undefined {
  if (settings.keepsWords === true) return undefined
  return (text) => {
    const word = meaningOf(text, settings)
    return word?.isNow === true ? timeText(word.microseconds) : text
  }
}

/** Adds the offset that the zone has today to a time of day without an offset. */
export function timeInUtcOffset(settings: ValueSettings): Respell | undefined {
  const zone = timeZoneNamed(settings.timeZone)
  if (zone.isUtc && settings.keepsWords === true) return undefined
  return (text) => {
    const word = meaningOf(text, settings)
    if (word?.isNow === true) return timeText(word.microseconds) + offsetText(word.offset)
    if (zone.isUtc) return text
    const fields = parseDateTime(text, { expected: 'time' })
    if (typeof fields === 'string') return text
    if (fields.date !== undefined || fields.offsetSeconds !== undefined) return text
    const now = Math.floor(settings.clock() / 1000)
    const local = now + zone.offsetAt(now)
    const midnight = local - (((local % 86_400) + 86_400) % 86_400)
    const offset = zone.offsetOfClock(midnight + Math.floor(fields.microseconds / 1_000_000))
    return timeText(fields.microseconds) + offsetText(offset)
  }
}
