/**
 * @module Intervals of numbers and units, `1 year 2 mons -3 days 04:05:06 ago`, and of the SQL standard, `1-2 3 4:05`.
 * @see https://www.postgresql.org/docs/15/datatype-datetime.html#DATATYPE-INTERVAL-INPUT
 */
import { microsecondsOf } from './date-state.ts'
import { type DateToken, dateTokens } from './date-tokens.ts'
import {
  addPart,
  type IntervalNumber,
  IntervalRefusal,
  type IntervalSum,
  refuseInterval,
} from './interval-sum.ts'
import { addUnits, type IntervalUnit, intervalUnit } from './interval-units.ts'

/** Characters of the text without blanks: the length of PostgreSQL's buffer. */
const maxLength = 256

/** `ago`, and units that no interval has. */
const wordsWithoutNumber: ReadonlySet<string> = new Set(['ago', 'qtr', 'quarter', 'timezone'])

const clockUnits: readonly IntervalUnit[] = [
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
]

/** Tokens are read backwards, so that a unit is known before its number. @throws {IntervalRefusal} */
export function readWords(sum: IntervalSum, text: string): void {
  const tokens = dateTokens(text, maxLength) ?? refuseInterval('syntax')
  const seen = new Set<IntervalUnit>()
  const take = (units: readonly IntervalUnit[]): void => {
    if (units.some((unit) => seen.has(unit))) refuseInterval('syntax')
    for (const unit of units) seen.add(unit)
  }
  /** Of the next number; `none` after `ago`. */
  let unit: IntervalUnit | 'none' = 'second'
  let isAgo = false
  for (const token of tokens.toReversed()) {
    if (token.kind === 'word' || token.kind === 'special') {
      isAgo ||= token.text === 'ago'
      const isNone = wordsWithoutNumber.has(token.text)
      unit = isNone ? 'none' : (intervalUnit(token.text) ?? refuseInterval('syntax'))
    } else if (readsClock(sum, token)) {
      take(clockUnits)
      unit = 'day'
    } else {
      const amount = amountOf(token.text, unit)
      addUnits(sum, amount, amount.unit)
      take(unitsOf(amount))
      unit = amount.unit === 'hour' ? 'day' : amount.unit
    }
  }
  if (seen.size === 0) refuseInterval('syntax')
  if (isAgo) negate(sum)
}

/** Returns whether the token is a time: with a sign, it may as well be a wrong number. */
function readsClock(sum: IntervalSum, { kind, text }: DateToken): boolean {
  if (kind !== 'time' && !(kind === 'zone' && text.includes(':'))) return false
  try {
    readClock(sum, text)
    return true
  } catch (error) {
    if (kind === 'zone' && error instanceof IntervalRefusal) return false
    throw error
  }
}

interface Amount extends IntervalNumber {
  readonly unit: IntervalUnit
}

/** `1.5` of a unit; `1-2` is years and months. */
function amountOf(text: string, unit: IntervalUnit | 'none'): Amount {
  const [, sign, digits = '', rest = ''] = /^([+-]?)(\d*)(.*)$/s.exec(text) ?? []
  const size = BigInt(digits)
  const whole = sign === '-' ? -size : size
  if (BigInt.asIntN(64, whole) !== whole) refuseInterval('field')
  if (rest.startsWith('-')) return yearsAndMonths(whole, sign === '-', rest.slice(1))
  if (!/^(?:\.\d*)?$/.test(rest) || unit === 'none') return refuseInterval('syntax')
  const fraction = rest.length > 1 ? Number(`0${rest}`) : 0
  return { whole, fraction: sign === '-' ? 0 - fraction : fraction, unit }
}

function yearsAndMonths(years: bigint, isNegative: boolean, text: string): Amount {
  const [digits = '0'] = /^[+-]?\d+/.exec(text) ?? []
  const months = BigInt(digits)
  if (months < 0n || months > 11n) refuseInterval('field')
  if (!/^\d*$/.test(text)) refuseInterval('syntax')
  const whole = years * 12n + (isNegative ? -months : months)
  if (BigInt.asIntN(64, whole) !== whole) refuseInterval('field')
  return { whole, fraction: 0, unit: 'month' }
}

/** A fraction of seconds counts as milliseconds and microseconds too. */
function unitsOf({ unit, fraction }: Amount): readonly IntervalUnit[] {
  return unit === 'second' && fraction !== 0 ? ['second', 'millisecond', 'microsecond'] : [unit]
}

/** `04:05:06.7`, `04:05` (hours, minutes) or `05:06.7` (minutes, seconds). It replaces the time that was read before. */
function readClock(sum: IntervalSum, text: string): void {
  const [, sign, first = '', middle = '', last, fraction = '', rest = ''] =
    /^([+-]?)(\d+):(\d*)(?::(\d*))?(\.\d*)?(.*)$/s.exec(text) ?? refuseInterval('syntax')
  if (rest !== '') refuseInterval('syntax')
  const isShort = last === undefined && fraction !== ''
  const [hours, minutes, seconds] = isShort ? ['', first, middle] : [first, middle, last ?? '']
  if (BigInt(minutes) > 59n || BigInt(seconds) > 60n) refuseInterval('field')
  sum.microseconds = BigInt(microsecondsOf(fraction))
  addPart(sum, 'microseconds', BigInt(hours), 3_600_000_000n)
  addPart(sum, 'microseconds', BigInt(minutes), 60_000_000n)
  addPart(sum, 'microseconds', BigInt(seconds), 1_000_000n)
  if (sign === '-') sum.microseconds = -sum.microseconds
}

function negate(sum: IntervalSum): void {
  for (const part of ['years', 'months', 'days', 'microseconds'] as const) {
    const value = sum[part]
    sum[part] = 0n
    addPart(sum, part, -value, 1n)
  }
}
