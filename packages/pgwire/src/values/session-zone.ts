/** @module Timestamps in the engine's spelling, in UTC ↔ in the spelling of a session in another time zone. */
import {
  type DateOrder,
  dayNumber,
  offsetText,
  parseDateTime,
  timeText,
  timeZoneNamed,
} from '@engine/core/values'
import type { ValueSettings } from './cell-format.ts'
import { later, secondsOf, type Timestamp, textOfTimestamp, zonedTimestampIn } from './timestamp.ts'
import type { Respell } from './value-form.ts'

/** `2024-01-31 10:30:00+00` → `2024-01-31 16:00:00+05:30`. */
export function timestampInSessionZone(settings: ValueSettings): Respell | undefined {
  const zone = timeZoneNamed(settings.timeZone)
  if (zone.isUtc) return undefined
  return (text) => {
    const timestamp = zonedTimestampIn(text)
    if (timestamp === undefined) return text
    const offset = zone.offsetAt(secondsOf(timestamp))
    return textOfTimestamp(later(timestamp, offset), offset)
  }
}

/**
 * Adds the offset to a text that has none. A text that is not a timestamp stays unchanged: the engine refuses it.
 */
export function timestampInUtc(settings: ValueSettings): Respell {
  const { dateOrder = 'MDY' } = settings
  const zone = timeZoneNamed(settings.timeZone)
  const isUsual = dateOrder === 'MDY'
  if (zone.isUtc && isUsual) return (text) => text
  return (text) => {
    const fields = parseDateTime(text, { expected: 'date', order: dateOrder })
    if (typeof fields === 'string') return isUsual ? text : notInOrder(text, dateOrder)
    const { date, offsetSeconds, microseconds } = fields
    if (date === undefined || (offsetSeconds !== undefined && isUsual)) return text
    const clock: Timestamp = { day: dayNumber(date), microseconds }
    return textOfTimestamp(later(clock, 0), offsetSeconds ?? zone.offsetOfClock(secondsOf(clock)))
  }
}

/** A date or timestamp that the session reads in another order than MDY. */
export function dateInOrder({ dateOrder = 'MDY' }: ValueSettings): Respell | undefined {
  if (dateOrder === 'MDY') return undefined
  return (text) => {
    const fields = parseDateTime(text, { expected: 'date', order: dateOrder })
    if (typeof fields === 'string') return notInOrder(text, dateOrder)
    const { date, microseconds } = fields
    if (date === undefined) return text
    return textOfTimestamp(later({ day: dayNumber(date), microseconds }, 0), undefined)
  }
}

/** A text that the engine refuses, also if it could be read in the order MDY. */
function notInOrder(text: string, order: DateOrder): string {
  return `${text} (${order})`
}

/** Adds the offset that the zone has today to a time of day without an offset. */
export function timeInUtcOffset(settings: ValueSettings): Respell | undefined {
  const zone = timeZoneNamed(settings.timeZone)
  if (zone.isUtc) return undefined
  return (text) => {
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
