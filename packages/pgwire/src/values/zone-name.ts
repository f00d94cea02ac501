/** @module Names of time zones that PostgreSQL accepts: of the IANA database, hours, POSIX offsets, intervals. */
import { parseInterval, posixOffset, posixRules, zoneNames } from '@engine/core/values'

/**
 * The answer of `SHOW TimeZone` after a zone was set: `europe/berlin` → `Europe/Berlin`, `2` (hours east) → `<+02>-02`,
 * `utc-3` (POSIX: hours west) → `UTC-3`. Undefined for an unknown zone. A POSIX zone with daylight-saving time has to have its rules in its
 * name: `CST6CDT` is a zone of the IANA database, and `FOO6BAR` is unknown.
 *
 * @see https://www.postgresql.org/docs/current/datetime-posix-timezone-specs.html
 */
export function normalizeTimeZone(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const seconds = secondsOfHours(text) ?? secondsOfInterval(text)
  if (seconds !== undefined) return fixedZoneName(seconds)
  const name = zoneNames.get(text.toLowerCase())
  if (name !== undefined) return name
  return (posixOffset(text) ?? posixRules(text)) === undefined ? undefined : text.toUpperCase()
}

const maxLength = 100
const maxHours = 167
const secondsPerHour = 3600

/** A number is hours east of Greenwich, fractions included. */
function secondsOfHours(text: string): number | undefined {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  return withinLimits(Math.trunc(Number(text) * secondsPerHour))
}

/** `interval '-08:00'`: only hours, minutes and seconds. */
function secondsOfInterval(text: string): number | undefined {
  const spelled = /^interval\s*'([^']*)'$/i.exec(text)?.[1]
  const parts = spelled === undefined ? 'syntax' : parseInterval(spelled)
  if (typeof parts === 'string' || parts.months !== 0 || parts.days !== 0) return undefined
  return withinLimits(Number(parts.microseconds / 1_000_000n))
}

function withinLimits(seconds: number): number | undefined {
  return Math.abs(seconds) <= maxHours * secondsPerHour ? seconds : undefined
}

/** `<+05:30>-05:30`: shown as east, followed by POSIX's west. */
function fixedZoneName(east: number): string {
  const size = Math.abs(east)
  const fields = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  while (fields.length > 1 && fields.at(-1) === 0) fields.pop()
  const digits = fields.map((field) => String(field).padStart(2, '0')).join(':')
  return east >= 0 ? `<+${digits}>-${digits}` : `<-${digits}>+${digits}`
}
