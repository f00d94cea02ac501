/** @module interval in the styles of `IntervalStyle`. */
import { parseInterval, readableInterval } from '@engine/core/values'

export type IntervalStyle = 'postgres' | 'postgres_verbose' | 'sql_standard' | 'iso_8601'

/** Each with its own sign: months, days, time of day. */
interface Fields {
  readonly years: bigint
  readonly months: bigint
  readonly days: bigint
  readonly hours: bigint
  readonly minutes: bigint
  readonly seconds: bigint
  readonly microseconds: bigint
}

/**
 * `1 year 00:00:01` → `P1YT1S`. Infinite intervals have the same spelling in all styles.
 *
 * @see EncodeInterval of PostgreSQL
 */
export function respellInterval(text: string, style: Exclude<IntervalStyle, 'postgres'>): string {
  const parts = parseInterval(readableInterval(text))
  if (typeof parts === 'string') return text
  const months = BigInt(parts.months)
  const microseconds = BigInt(parts.microseconds)
  const fields: Fields = {
    years: months / 12n,
    months: months % 12n,
    days: BigInt(parts.days),
    hours: microseconds / 3_600_000_000n,
    minutes: (microseconds / 60_000_000n) % 60n,
    seconds: (microseconds / 1_000_000n) % 60n,
    microseconds: microseconds % 1_000_000n,
  }
  switch (style) {
    case 'iso_8601':
      return isoInterval(fields)
    case 'postgres_verbose':
      return verboseInterval(fields)
    case 'sql_standard':
      return standardInterval(fields)
  }
}

function isoInterval(fields: Fields): string {
  const part = (value: bigint, unit: string) => (value === 0n ? '' : `${value}${unit}`)
  const date = part(fields.years, 'Y') + part(fields.months, 'M') + part(fields.days, 'D')
  const seconds = hasSeconds(fields) ? `${signOf(fields)}${secondsText(fields)}S` : ''
  const time = part(fields.hours, 'H') + part(fields.minutes, 'M') + seconds
  return `P${date}${time === '' ? '' : `T${time}`}`.replace(/^P$/, 'PT0S')
}

/** The first part is always positive, and `ago` marks a negative one; the signs of the others are relative to it. */
function verboseInterval(fields: Fields): string {
  let text = '@'
  let isAgo: boolean | undefined
  const units = [
    [fields.years, 'year'],
    [fields.months, 'mon'],
    [fields.days, 'day'],
    [fields.hours, 'hour'],
    [fields.minutes, 'min'],
  ] as const
  for (const [value, unit] of units) {
    if (value === 0n) continue
    isAgo ??= value < 0n
    const shown = isAgo ? -value : value
    text += ` ${shown} ${unit}${shown === 1n ? '' : 's'}`
  }
  if (hasSeconds(fields)) {
    const isNegative = signOf(fields) === '-'
    isAgo ??= isNegative
    const isOne = absolute(fields.seconds) === 1n && fields.microseconds === 0n
    text += ` ${isNegative === isAgo ? '' : '-'}${secondsText(fields)} sec${isOne ? '' : 's'}`
  }
  return isAgo === undefined ? '@ 0' : `${text}${isAgo ? ' ago' : ''}`
}

function standardInterval(fields: Fields): string {
  const { years, months, days, hours, minutes } = fields
  const values = Object.values(fields) as bigint[]
  const hasNegative = values.some((value) => value < 0n)
  const hasPositive = values.some((value) => value > 0n)
  if (!hasNegative && !hasPositive) return '0'
  const hasMonths = years !== 0n || months !== 0n
  const hasTime = days !== 0n || hours !== 0n || minutes !== 0n || hasSeconds(fields)
  const clock = `${absolute(hours)}:${twoDigits(minutes)}:${secondsText(fields).replace(/^\d(?!\d)/, '0$&')}`
  const date = `${absolute(years)}-${absolute(months)}`
  if ((hasNegative && hasPositive) || (hasMonths && hasTime)) {
    const dateSign = years < 0n || months < 0n ? '-' : '+'
    const clockSign = hours < 0n || minutes < 0n || signOf(fields) === '-' ? '-' : '+'
    return `${dateSign}${date} ${days < 0n ? '-' : '+'}${absolute(days)} ${clockSign}${clock}`
  }
  const sign = hasNegative ? '-' : ''
  if (hasMonths) return sign + date
  return sign + (days === 0n ? clock : `${absolute(days)} ${clock}`)
}

function hasSeconds({ seconds, microseconds }: Fields): boolean {
  return seconds !== 0n || microseconds !== 0n
}

/** Fraction of the seconds. */
function signOf({ seconds, microseconds }: Fields): '-' | '' {
  return seconds < 0n || microseconds < 0n ? '-' : ''
}

/** Without a sign, and without zeros at the end of the fraction. */
function secondsText({ seconds, microseconds }: Fields): string {
  const fraction = String(absolute(microseconds)).padStart(6, '0').replace(/0+$/, '')
  return `${absolute(seconds)}${fraction === '' ? '' : `.${fraction}`}`
}

function twoDigits(value: bigint): string {
  return String(absolute(value)).padStart(2, '0')
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
