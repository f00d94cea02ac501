/** @module Infers the type of a column from all its values. */
import {
  booleanPattern,
  type ColumnKind,
  type ColumnType,
  decimalPattern,
  floatPattern,
  integerPattern,
  isDate,
  isJson,
  mostExactDigits,
  storedText,
  timestampPattern,
  timestamptzPattern,
} from './column-type.ts'

export interface ColumnObserver {
  see(cell: string): void
  /** Facts that are true for all values so far. Empty values are NULL and are ignored. */
  result(): ObservedColumn
}

export interface ObservedColumn {
  readonly type: ColumnType
  readonly hasNull: boolean
  readonly hasValue: boolean
}

/** A bit for each type that is still possible. */
const kindBits = {
  boolean: 1,
  integer: 2,
  decimal: 4,
  float: 8,
  date: 16,
  timestamp: 32,
  timestamptz: 64,
  json: 128,
} as const

const anyKind = 255

const { boolean, integer, decimal, float, date, timestamp, timestamptz, json } = kindBits

export function observeColumn(): ColumnObserver {
  let kinds = anyKind
  let hasNull = false
  let hasValue = false
  let wholeDigits = 0
  let scale = 0
  let smallestScale = Number.POSITIVE_INFINITY
  let isBig = false
  let isHuge = false

  const seeNumber = (cell: string): number => {
    const sign = cell.startsWith('-') ? 1 : 0
    const point = cell.indexOf('.')
    const whole = (point < 0 ? cell.length : point) - sign
    const digits = point < 0 ? 0 : cell.length - point - 1
    if (whole > wholeDigits) wholeDigits = whole
    if (digits > scale) scale = digits
    if (digits < smallestScale) smallestScale = digits
    if (point >= 0) return decimal | float
    if (whole >= 10) {
      isBig ||= storedText(cell, { kind: 'integer', digits: undefined }) === undefined
      isHuge ||= storedText(cell, { kind: 'bigint', digits: undefined }) === undefined
    }
    return integer | decimal | float
  }

  const kindsOf = (cell: string): number => {
    const first = cell.charCodeAt(0)
    const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2d
    if (!isNumeric) {
      if (booleanPattern.test(cell)) return boolean
      return (first === 0x7b || first === 0x5b) && isJson(cell) ? json : 0
    }
    if (integerPattern.test(cell) || decimalPattern.test(cell)) return seeNumber(cell)
    if (floatPattern.test(cell)) return float
    return momentKinds(cell)
  }

  return {
    see: (cell) => {
      if (cell === '') {
        hasNull = true
        return
      }
      hasValue = true
      if (kinds !== 0) kinds &= kindsOf(cell)
    },
    result: () => {
      const kind = hasValue ? kindOf(kinds, isBig, isHuge) : 'text'
      const isUniform = scale === smallestScale
      const precision = Math.max(wholeDigits + scale, mostExactDigits)
      const digits = kind === 'decimal' && isUniform ? { precision, scale } : undefined
      return { type: { kind, digits }, hasNull, hasValue }
    },
  }
}

function momentKinds(cell: string): number {
  if (isDate(cell)) return date | timestamp
  const kind: ColumnKind | undefined = timestampPattern.test(cell)
    ? 'timestamp'
    : timestamptzPattern.test(cell)
      ? 'timestamptz'
      : undefined
  // The thirtieth of February is a text.
  if (kind === undefined || storedText(cell, { kind, digits: undefined }) === undefined) return 0
  return kind === 'timestamp' ? timestamp : timestamptz
}

function kindOf(kinds: number, isBig: boolean, isHuge: boolean): ColumnKind {
  if (kinds & boolean) return 'boolean'
  if (kinds & integer && !isHuge) return isBig ? 'bigint' : 'integer'
  if (kinds & decimal) return 'decimal'
  if (kinds & float) return 'float'
  if (kinds & date) return 'date'
  if (kinds & timestamp) return 'timestamp'
  if (kinds & timestamptz) return 'timestamptz'
  return kinds & json ? 'json' : 'text'
}
