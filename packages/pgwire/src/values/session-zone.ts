/** @module Timestamps in the engine's spelling, in UTC ↔ in the spelling of a session in another time zone. */
import { dayNumber, offsetText, parseDateTime, timeText } from '@engine/core/values'
import type { ValueSettings } from './cell-format.ts'
import { type TimeZone, timeZoneNamed } from './time-zone/time-zone.ts'
import { zoneNames } from './time-zone/zone-names.ts'
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
 * Adds the offset to a text that has none, and to one that names a zone of the IANA database. A text that is not a
 * timestamp stays unchanged: the engine refuses it.
 */
export function timestampInUtc(settings: ValueSettings): Respell {
  const zone = timeZoneNamed(settings.timeZone)
  return (text) => {
    const named = text.length > maxLength ? null : /^(.*\d)\s*([a-z][\w/+-]*)$/i.exec(text)
    const name = zoneNames.get(named?.[2]?.toLowerCase() ?? '')
    if (named?.[1] !== undefined && name !== undefined) {
      return withOffset(named[1], timeZoneNamed(name), text)
    }
    return zone.isUtc ? text : withOffset(text, zone, text)
  }
}

/** Maximum length of a timestamp in any spelling; it also limits texts from clients. */
const maxLength = 128

function withOffset(clockText: string, zone: TimeZone, otherwise: string): string {
  const fields = parseDateTime(clockText.trim())
  if (typeof fields === 'string' || fields.date === undefined) return otherwise
  if (fields.offsetSeconds !== undefined) return otherwise
  const clock: Timestamp = { day: dayNumber(fields.date), microseconds: fields.microseconds ?? 0 }
  return textOfTimestamp(later(clock, 0), zone.offsetOfClock(secondsOf(clock)))
}

/** Adds the offset that the zone has today to a time of day without an offset. */
export function timeInUtcOffset(settings: ValueSettings): Respell | undefined {
  const zone = timeZoneNamed(settings.timeZone)
  if (zone.isUtc) return undefined
  return (text) => {
    const fields = parseDateTime(text.trim(), 'time')
    if (typeof fields === 'string' || fields.microseconds === undefined) return text
    if (fields.date !== undefined || fields.offsetSeconds !== undefined) return text
    const now = Math.floor(settings.clock() / 1000)
    const local = now + zone.offsetAt(now)
    const midnight = local - (((local % 86_400) + 86_400) % 86_400)
    const offset = zone.offsetOfClock(midnight + Math.floor(fields.microseconds / 1_000_000))
    return timeText(fields.microseconds) + offsetText(offset)
  }
}
