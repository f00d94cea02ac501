/** @module The offset of a zone from UTC, at a timestamp or at a local clock time. */
import { posixOffset } from './posix-offset.ts'
import { offsetByRules, posixRules } from './posix-rules.ts'
import { zoneNames } from './zone-names.ts'
import { offsetsOf, type ZoneRules } from './zone-rules.ts'

/** The offsets of a time zone. */
export interface TimeZone {
  /** Always the same as UTC. */
  readonly isUtc: boolean
  /** Always the same offset. */
  readonly isFixed: boolean
  /**
   * Seconds east of Greenwich.
   *
   * @param seconds since 1970, UTC.
   */
  offsetAt(seconds: number): number
  /**
   * Seconds east of Greenwich for a local clock time. A skipped time uses the offset before the change, a repeated time
   * the offset after it, as PostgreSQL does.
   *
   * @param seconds since 1970, as if the clock showed UTC.
   */
  offsetOfClock(seconds: number): number
}

/** Forgotten all at once: the number of zones that are in use is small. */
const zones = new Map<string, TimeZone>()
const maxZones = 64

/**
 * The time zone of that name.
 *
 * @param name a result of `normalizeTimeZone`; any other name counts as UTC.
 */
export function timeZoneNamed(name: string): TimeZone {
  const known = adopted.get(name) ?? zones.get(name)
  if (known !== undefined) return known
  const zone = zoneNames.has(name.toLowerCase()) ? namedZone(name) : posixZone(name)
  if (zones.size >= maxZones) zones.clear()
  zones.set(name, zone)
  return zone
}

/** Zones with the rules of a database, for the whole process. */
const adopted = new Map<string, TimeZone>()

/** The zone has these rules from now on. */
export function adoptZoneRules(name: string, rules: ZoneRules): void {
  const own = timeZoneNamed(name)
  if (own.isUtc) return
  const offsetAt = offsetsOf(rules, own.offsetAt)
  const offsetOf = (clock: number) => offsetOfClock(offsetAt, clock)
  adopted.set(name, { ...own, offsetAt, offsetOfClock: offsetOf })
}

/** @param offset seconds east of Greenwich */
export function fixedZone(offset: number): TimeZone {
  return { isUtc: offset === 0, isFixed: true, offsetAt: () => offset, offsetOfClock: () => offset }
}

function posixZone(name: string): TimeZone {
  const rules = posixRules(name)
  if (rules === undefined) return fixedZone(posixOffset(name) ?? 0)
  const offsetAt = (seconds: number) => offsetByRules(rules, withinRules(seconds))
  return {
    isUtc: false,
    isFixed: false,
    offsetAt,
    offsetOfClock: (seconds) => offsetOfClock(offsetAt, seconds),
  }
}

const secondsPerDay = 86_400

const fixedNames = /^(?:Etc\/|GMT)/i

function namedZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  if (format.resolvedOptions().timeZone === 'UTC') return fixedZone(0)
  const offsetAt = rememberDays((seconds) => offsetIn(format.format(seconds * 1000)))
  return {
    isUtc: false,
    isFixed: fixedNames.test(name),
    offsetAt,
    offsetOfClock: (seconds) => offsetOfClock(offsetAt, seconds),
  }
}

/** `7/1/2024, GMT-04:56:02` */
function offsetIn(formatted: string): number {
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(formatted) ?? []
  if (sign === undefined) return 0
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

/** Answers of `Intl` are cached by the day: no zone changes its offset twice in one day. */
function rememberDays(exactly: (seconds: number) => number): (seconds: number) => number {
  const days = new Map<number, number | 'changes'>()
  const offsetOfDay = (day: number): number | 'changes' => {
    const first = exactly(day * secondsPerDay)
    return first === exactly((day + 1) * secondsPerDay - 1) ? first : 'changes'
  }
  return (timestamp) => {
    const seconds = withinRules(timestamp)
    const day = Math.floor(seconds / secondsPerDay)
    let offset = days.get(day)
    if (offset === undefined) {
      offset = offsetOfDay(day)
      if (days.size >= maxDays) days.clear()
      days.set(day, offset)
    }
    return offset === 'changes' ? exactly(seconds) : offset
  }
}

const maxDays = 4096

/** The calendar repeats after 400 years, and rules do not change after 2100. */
const secondsPerCycle = 146_097 * secondsPerDay
const lastSecond = Date.UTC(2500, 0, 1) / 1000

function withinRules(seconds: number): number {
  if (seconds < lastSecond) return seconds
  return seconds - Math.ceil((seconds - lastSecond + 1) / secondsPerCycle) * secondsPerCycle
}

/** Every offset is less than a day, and no zone changes twice in two days. */
function offsetOfClock(offsetAt: (seconds: number) => number, clock: number): number {
  const before = offsetAt(clock - secondsPerDay)
  const after = offsetAt(clock + secondsPerDay)
  if (before === after) return before
  if (offsetAt(clock - after) === after) return after
  if (offsetAt(clock - before) === before) return before
  // The clocks were set forward and skipped this time.
  return Math.min(before, after)
}
