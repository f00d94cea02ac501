/**
 * @module Time zones in dates and times: offsets, abbreviations and names.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */

import { posixOffset } from '../time-zone/posix-offset.ts'
import { fixedZone, type TimeZone, timeZoneNamed } from '../time-zone/time-zone.ts'
import { zoneNames } from '../time-zone/zone-names.ts'
import { integerAt, refuse } from './date-state.ts'

const maxOffsetHours = 15

/** `+05:30`, `-0800`: seconds east of Greenwich. */
export function decodeOffset(text: string): number {
  const sign = text.charAt(0)
  if (sign !== '+' && sign !== '-') return refuse('syntax')
  const hours = integerAt(text, 1)
  let { value: hour, end } = hours
  let minute: number | undefined = 0
  let second: number | undefined = 0
  if (text.charAt(end) === ':') {
    const minutes = integerAt(text, end + 1)
    minute = minutes.value
    end = minutes.end
    if (text.charAt(end) === ':') {
      const seconds = integerAt(text, end + 1)
      second = seconds.value
      end = seconds.end
    }
  } else if (end === text.length && text.length > 3 && hour !== undefined) {
    minute = hour % 100
    hour = Math.trunc(hour / 100)
  }
  if (hour === undefined || hour < 0 || hour > maxOffsetHours) return refuse('zone')
  if (minute === undefined || minute < 0 || minute > 59) return refuse('zone')
  if (second === undefined || second < 0 || second > 59) return refuse('zone')
  if (end < text.length) return refuse('syntax')
  const seconds = (hour * 60 + minute) * 60 + second
  return sign === '-' ? 0 - seconds : seconds
}

/**
 * `europe/berlin`, and `gmt+1`, which is west of Greenwich as POSIX has it. Zones with rules of their own (`est5edt,m3.2.0`) are
 * unknown.
 *
 * @param text in lower case
 */
export function zoneOfName(text: string): TimeZone | undefined {
  const name = zoneNames.get(text)
  if (name !== undefined) return timeZoneNamed(name)
  const offset = posixOffset(text, true)
  return offset === undefined ? undefined : fixedZone(offset)
}
