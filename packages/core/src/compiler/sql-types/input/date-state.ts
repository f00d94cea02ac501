/** @module The fields of a date and time while its tokens are read, and the reasons for refusing it. */

import type { TimeZone } from '../time-zone/time-zone.ts'
import type { DateUnit } from './date-words.ts'

/** Not a date; a field out of its range; a zone out of its range; not a zone that is known. */
export type DateFault = 'syntax' | 'field' | 'zone' | 'unknownZone'

/** Thrown by the functions that read tokens; `parseDateTime` returns its fault. */
export class DateRefusal extends Error {
  override readonly name = 'DateRefusal'
  readonly fault: DateFault

  constructor(fault: DateFault) {
    super(fault)
    this.fault = fault
  }
}

export function refuse(fault: DateFault): never {
  throw new DateRefusal(fault)
}

/** Sets of fields that are known, as PostgreSQL's masks: each may be given once. */
export const fieldBits = {
  month: 1,
  year: 2,
  day: 4,
  zone: 8,
  summerTime: 16,
  meridiem: 32,
  hour: 64,
  minute: 128,
  second: 256,
  fraction: 512,
  dayOfYear: 1024,
  weekday: 2048,
  era: 4096,
  summerZone: 8192,
  /** `infinity`, `epoch`. */
  reserved: 16_384,
} as const

const { month, year, day, hour, minute, second, fraction } = fieldBits
export const wholeDate: number = month | year | day
export const wholeSecond: number = second | fraction
export const wholeTime: number = hour | minute | wholeSecond

/** The order of the fields of an ambiguous date. */
export type DateOrder = 'MDY' | 'DMY' | 'YMD'

/** Mutable: each token fills some of the fields. */
export interface DateState {
  readonly order: DateOrder
  year: number
  month: number
  day: number
  dayOfYear: number
  hour: number
  minute: number
  second: number
  /** Less than a second, or exactly one. */
  microseconds: number
  /** The year was written with one or two digits. */
  hasShortYear: boolean
  isJulian: boolean
  isBeforeChrist: boolean
  /** The fields that tokens have filled so far. */
  known: number
  /** What the word before said about the next number. */
  expected: DateUnit | 'time' | undefined
  hasTextMonth: boolean
  isAfternoon: boolean | undefined
  /** East of Greenwich. */
  offsetSeconds: number
  namedZone: TimeZone | undefined
  special: 'infinity' | '-infinity' | 'epoch' | undefined
}

export function newDateState(order: DateOrder): DateState {
  return {
    order,
    year: 0,
    month: 0,
    day: 0,
    dayOfYear: 0,
    hour: 0,
    minute: 0,
    second: 0,
    microseconds: 0,
    hasShortYear: false,
    isJulian: false,
    isBeforeChrist: false,
    known: 0,
    expected: undefined,
    hasTextMonth: false,
    isAfternoon: undefined,
    offsetSeconds: 0,
    namedZone: undefined,
    special: undefined,
  }
}

/** The integer at `at`, as C reads it: 0 where there is none; undefined when it has more than 32 bits. */
export function integerAt(
  text: string,
  at: number,
): { readonly value: number | undefined; readonly end: number } {
  integer.lastIndex = at
  const [digits] = integer.exec(text) ?? []
  if (digits === undefined) return { value: 0, end: at }
  const value = Number(digits)
  const fits = value >= -(2 ** 31) && value < 2 ** 31
  return { value: fits ? value : undefined, end: at + digits.length }
}

const integer = /[+-]?\d+/y

/** `.25` → 250000; more digits are rounded half to even. */
export function microsecondsOf(fractionText: string): number {
  if (fractionText.length < 2) return 0
  const exact = Number(`0${fractionText}`) * 1_000_000
  const rounded = Math.round(exact)
  return rounded - exact === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

/** A fraction that must be the rest of the text. */
export function requireFraction(text: string, at: number): number {
  const rest = text.slice(at)
  return /^\.\d*$/.test(rest) ? microsecondsOf(rest) : refuse('syntax')
}
