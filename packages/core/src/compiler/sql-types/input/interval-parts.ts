/** @module Converts the text of an interval to months, days and microseconds. */
import { microsecondsOf } from './date-state.ts'
import type { IntervalParts } from './interval-text.ts'
import { type IntervalUnit, intervalUnit } from './interval-units.ts'

export type IntervalFault = 'syntax' | 'range'

/** Each part has its own limits: 32 bits for months and days, 64 bits for microseconds. */
export function parseInterval(text: string): IntervalParts | IntervalFault {
  const sum: Sum = { months: 0n, days: 0n, microseconds: 0n, seen: new Set() }
  const fault = text.startsWith('P') ? readDesignators(sum, text) : readWords(sum, text)
  if (fault !== undefined) return fault
  const { months, days, microseconds } = sum
  const fits = fitsIn(months, 32n) && fitsIn(days, 32n) && fitsIn(microseconds, 64n)
  if (!fits) return 'range'
  return { months: Number(months), days: Number(days), microseconds }
}

function fitsIn(value: bigint, bits: bigint): boolean {
  const limit = 2n ** (bits - 1n)
  return value >= -limit && value < limit
}

interface Sum {
  months: bigint
  days: bigint
  microseconds: bigint
  /** Units that occurred: none may occur twice. */
  readonly seen: Set<string>
}

const numberPattern = /^([+-]?)(\d*)(\.\d*)?$/
const clockPattern = /^([+-]?)(\d+):(\d{1,2})(?::(\d{1,2})(\.\d*)?|(\.\d*))?$/
const yearMonthPattern = /^([+-]?)(\d+)-(\d+)$/

/** `1 year 2 mons -3 days 04:05:06`, with `@` before and `ago` after it; a space may follow a sign: `1 month - 1 day`. */
function readWords(sum: Sum, text: string): IntervalFault | undefined {
  const signed = text.replace(/(^|[ \t\n\r\v\f])([+-])[ \t\n\r\v\f]+(?=[\d.])/g, '$1$2')
  const words = signed.split(/[ \t\n\r\v\f]+/).filter((word) => word !== '@')
  const isAgo = words.at(-1)?.toLowerCase() === 'ago'
  if (isAgo) words.pop()
  const tokens = words.flatMap(splitUnit)
  if (tokens.length === 0) return 'syntax'
  for (let i = 0; i < tokens.length; ) {
    const read = readToken(sum, tokens[i] ?? '', tokens[i + 1])
    if (typeof read === 'string') return read
    i += read
  }
  if (isAgo) {
    sum.months = -sum.months
    sum.days = -sum.days
    sum.microseconds = -sum.microseconds
  }
  return undefined
}

/** `3days` is `3 days`. */
function splitUnit(word: string): readonly string[] {
  const match = /^([+-]?[\d.]+)([a-z]+)$/i.exec(word)
  return match === null ? [word] : match.slice(1)
}

/** Adds the part that begins at `token`. @returns the number of its tokens. */
function readToken(sum: Sum, token: string, next: string | undefined): number | IntervalFault {
  const clock = clockPattern.exec(token)
  if (clock !== null) return addClock(sum, clock) ?? 1
  const yearMonth = yearMonthPattern.exec(token)
  if (yearMonth !== null) return addYearMonth(sum, yearMonth) ?? 1
  const number = numberPattern.exec(token)
  if (number === null || !/\d/.test(token)) return 'syntax'
  const unit = next === undefined ? undefined : intervalUnit(next)
  if (unit !== undefined) return addNumber(sum, number, unit) ?? 2
  const implied = next === undefined ? 'second' : clockPattern.test(next) ? 'day' : ''
  const impliedUnit = intervalUnit(implied)
  return impliedUnit === undefined ? 'syntax' : (addNumber(sum, number, impliedUnit) ?? 1)
}

function addNumber(
  sum: Sum,
  [, sign, whole = '', fraction = '']: RegExpExecArray,
  unit: IntervalUnit,
): IntervalFault | undefined {
  const isSecondFraction = unit.name === 'second' && fraction !== ''
  const names = isSecondFraction ? ['second', 'millisecond', 'microsecond'] : [unit.name]
  if (!markSeen(sum, names)) return 'syntax'
  if (whole.length > maxNumberDigits) return 'range'
  const direction = sign === '-' ? -1n : 1n
  sum[unit.part] += direction * BigInt(whole) * unit.factor
  addFraction(sum, fraction.length > 1 ? Number(`0${fraction}`) : 0, unit, direction)
  return undefined
}

const maxNumberDigits = 19

/** A fraction of years is converted to months, one of months and weeks to days, then to time. */
function addFraction(sum: Sum, fraction: number, unit: IntervalUnit, direction: bigint): void {
  if (unit.part === 'months' && unit.name !== 'month') {
    sum.months += direction * BigInt(roundHalfEven(fraction * Number(unit.factor)))
  } else if (unit.part === 'microseconds') {
    addMicroseconds(sum, fraction * Number(unit.factor), direction)
  } else {
    const days = fraction * (unit.name === 'month' ? daysPerMonth : Number(unit.factor))
    sum.days += direction * BigInt(Math.trunc(days))
    addMicroseconds(sum, (days - Math.trunc(days)) * microsecondsPerDay, direction)
  }
}

const daysPerMonth = 30
const microsecondsPerDay = 86_400_000_000

function addMicroseconds(sum: Sum, exact: number, direction: bigint): void {
  const whole = Math.trunc(exact)
  sum.microseconds += direction * BigInt(exact - whole > 0.5 ? whole + 1 : whole)
}

function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

/** `04:05:06.7`, `04:05` (hours, minutes) or `05:06.7` (minutes, seconds). */
function addClock(sum: Sum, match: RegExpExecArray): IntervalFault | undefined {
  const [, sign, first = '0', middle = '0', last = '0', fraction, shortFraction] = match
  if (!markSeen(sum, ['hour', 'minute', 'second', 'millisecond', 'microsecond'])) return 'syntax'
  if (first.length > maxNumberDigits) return 'range'
  const isShort = shortFraction !== undefined
  const [hours, minutes, seconds] = (isShort ? ['0', first, middle] : [first, middle, last]).map(
    BigInt,
  )
  if (hours === undefined || minutes === undefined || seconds === undefined) return 'syntax'
  if (minutes > 59n || seconds > 60n) return 'range'
  const wholeSeconds = (hours * 60n + minutes) * 60n + seconds
  const fractional = BigInt(microsecondsOf(fraction ?? shortFraction ?? ''))
  const microseconds = wholeSeconds * 1_000_000n + fractional
  sum.microseconds += sign === '-' ? -microseconds : microseconds
  return undefined
}

/** `1-2`: years and months. */
function addYearMonth(sum: Sum, match: RegExpExecArray): IntervalFault | undefined {
  const [, sign, years = '', months = ''] = match
  if (!markSeen(sum, ['month'])) return 'syntax'
  if (years.length > maxNumberDigits || Number(months) > 11) return 'range'
  const total = BigInt(years) * 12n + BigInt(months)
  sum.months += sign === '-' ? -total : total
  return undefined
}

function markSeen(sum: Sum, names: readonly string[]): boolean {
  if (names.some((name) => sum.seen.has(name))) return false
  for (const name of names) sum.seen.add(name)
  return true
}

const datePartUnits: Readonly<Record<string, string>> = {
  Y: 'year',
  M: 'month',
  W: 'week',
  D: 'day',
}
const timePartUnits: Readonly<Record<string, string>> = { H: 'hour', M: 'minute', S: 'second' }

/** ISO 8601 with designators: `P1Y2M3W4DT5H6M7.8S`. */
function readDesignators(sum: Sum, text: string): IntervalFault | undefined {
  const match = /^P((?:[+-]?[\d.]+[YMWD])*)(?:T((?:[+-]?[\d.]+[HMS])*))?$/.exec(text)
  if (match === null || text === 'P') return 'syntax'
  return (
    addDesignated(sum, match[1] ?? '', datePartUnits) ??
    addDesignated(sum, match[2] ?? '', timePartUnits)
  )
}

function addDesignated(
  sum: Sum,
  text: string,
  unitOf: Readonly<Record<string, string>>,
): IntervalFault | undefined {
  for (const [, number = '', designator = ''] of text.matchAll(/([+-]?[\d.]+)([A-Z])/g)) {
    const parts = numberPattern.exec(number)
    const unit = intervalUnit(unitOf[designator] ?? '')
    if (parts === null || unit === undefined || !/\d/.test(number)) return 'syntax'
    const fault = addNumber(sum, parts, unit)
    if (fault !== undefined) return fault
  }
  return undefined
}
