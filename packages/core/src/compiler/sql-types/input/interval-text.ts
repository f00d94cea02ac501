/** @module Intervals as PostgreSQL prints them (IntervalStyle postgres). */

/** Separate parts, since a month has no fixed number of days, and a day no fixed number of hours. */
export interface IntervalParts {
  readonly months: number
  readonly days: number
  readonly microseconds: bigint
}

/** `1 year 2 mons -3 days +04:05:06.7`; `00:00:00` if all are zero. */
export function intervalText({ months, days, microseconds }: IntervalParts): string {
  const parts = [
    { value: Math.trunc(months / 12), unit: 'year' },
    { value: months % 12, unit: 'mon' },
    { value: days, unit: 'day' },
  ].filter(({ value }) => value !== 0)
  const words = parts.map(({ value, unit }, i) => {
    const isAfterNegative = (parts[i - 1]?.value ?? 0) < 0
    return `${isAfterNegative && value > 0 ? '+' : ''}${value} ${unit}${value === 1 ? '' : 's'}`
  })
  if (microseconds !== 0n || words.length === 0) {
    const isAfterNegative = (parts.at(-1)?.value ?? 0) < 0
    const sign = microseconds < 0n ? '-' : isAfterNegative ? '+' : ''
    words.push(sign + clock(microseconds < 0n ? -microseconds : microseconds))
  }
  return words.join(' ')
}

/** The smallest time of day as PostgreSQL reads it: it cannot read what it prints, -2562047788:00:54.775808. */
export function readableInterval(text: string): string {
  return text.replace(/-2562047788:00:54\.775808$/, '-9223372036854775808 us')
}

function clock(microseconds: bigint): string {
  const seconds = microseconds / 1_000_000n
  const fraction = String(microseconds % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  const fields = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n]
  const digits = fields.map((field) => String(field).padStart(2, '0')).join(':')
  return fraction === '' ? digits : `${digits}.${fraction}`
}
