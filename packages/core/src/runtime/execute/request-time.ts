import { offsetText } from '../../compiler/sql-types/input/calendar.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import { timeZoneNamed } from '../../compiler/sql-types/time-zone/time-zone.ts'
import type { CalendarOffset, ValueSource } from '../../compiler/sql-types/value-source.ts'

/** The text of the request time, shifted as the source says. */
export function requestTimeText(
  { type, offsetMs, calendar, zone }: Extract<ValueSource, { readonly from: 'requestTime' }>,
  timeMs: number,
): string {
  if (zone === undefined)
    return timestampText(shiftTimestamp(timeMs, calendar) + offsetMs, type.oid)
  const { offsetAt, offsetOfClock } = timeZoneNamed(zone)
  const offset = offsetAt(Math.floor(timeMs / 1000))
  const clockMs = shiftTimestamp(timeMs + offset * 1000, calendar) + offsetMs
  if (type.oid === oids.timetz) return timestampText(clockMs, oids.time) + offsetText(offset)
  if (type.oid !== oids.timestamptz) return timestampText(clockMs, type.oid)
  // A moment without a shift is the same in every zone, also while a clock repeats an hour.
  const isShifted = calendar !== undefined || offsetMs !== 0
  const since = isShifted ? offsetOfClock(Math.floor(clockMs / 1000)) : offset
  return timestampText(clockMs - since * 1000, type.oid)
}

/**
 * A timestamp in PostgreSQL's text for a date or time type, in UTC, fraction trimmed: `2024-01-15 10:30:00.25+00`.
 *
 * @param timeMs milliseconds since 1970.
 */
export function timestampText(timeMs: number, oid: number): string {
  const iso = new Date(timeMs).toISOString()
  const date = iso.slice(0, 10)
  const clock = iso.slice(11, 19) + iso.slice(19, 23).replace(/\.?0+$/, '')
  switch (oid) {
    case oids.date:
      return date
    case oids.time:
      return clock
    case oids.timetz:
      return `${clock}+00`
    case oids.timestamp:
      return `${date} ${clock}`
    case oids.timestamptz:
      return `${date} ${clock}+00`
    default:
      throw new Error(`a moment has no text in type ${oid}`)
  }
}

const dayMs = 86_400_000

/**
 * Shifts a timestamp as PostgreSQL does in UTC: one month before the 31st is the 30th in a month without a 31st.
 *
 * @param timeMs milliseconds since 1970; so is the result.
 */
export function shiftTimestamp(timeMs: number, calendar: CalendarOffset | undefined): number {
  if (calendar === undefined) return timeMs
  const start = calendar.startOfDay ? Math.floor(timeMs / dayMs) * dayMs : timeMs
  if (calendar.months === 0) return start
  const moment = new Date(start)
  const day = moment.getUTCDate()
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() + calendar.months)
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0))
  moment.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return moment.getTime()
}
