/**
 * @module Intervals of ISO 8601: with designators, `P1Y2M3DT4H5M6S`, and in the alternative format, `P0001-02-03T04:05:06`.
 * @see https://www.postgresql.org/docs/15/datatype-datetime.html#DATATYPE-INTERVAL-INPUT
 */
import { type IntervalNumber, type IntervalSum, refuseInterval } from './interval-sum.ts'
import { addUnits, type IntervalUnit } from './interval-units.ts'

const dateUnits: ReadonlyMap<string, IntervalUnit> = new Map([
  ['Y', 'year'],
  ['M', 'month'],
  ['W', 'week'],
  ['D', 'day'],
])
const timeUnits: ReadonlyMap<string, IntervalUnit> = new Map([
  ['H', 'hour'],
  ['M', 'minute'],
  ['S', 'second'],
])

/** @throws {IntervalRefusal} */
export function readDesignators(sum: IntervalSum, text: string): void {
  if (!text.startsWith('P') || text.length < 2) refuseInterval('syntax')
  const scanner: Scanner = { text, position: 1 }
  if (!readDate(sum, scanner)) return
  readTime(sum, scanner)
}

interface Scanner {
  readonly text: string
  position: number
}

/** Returns whether a time follows. */
function readDate(sum: IntervalSum, scanner: Scanner): boolean {
  for (let isFirst = true; ; isFirst = false) {
    const next = scanner.text.charAt(scanner.position)
    if (next === '') return false
    if (next === 'T') {
      scanner.position += 1
      return true
    }
    const number = numberAt(scanner)
    const unit = dateUnits.get(scanner.text.charAt(scanner.position))
    if (unit === undefined) {
      readPlainDate(sum, scanner, number, isFirst)
      return followedByTime(scanner)
    }
    scanner.position += 1
    addUnits(sum, number, unit)
  }
}

/** `00010203` or `1-2-3`: the end may be missing. */
function readPlainDate(
  sum: IntervalSum,
  scanner: Scanner,
  number: IsoNumber,
  isFirst: boolean,
): void {
  const next = scanner.text.charAt(scanner.position)
  if (!isFirst || !['', 'T', '-'].includes(next)) refuseInterval('syntax')
  if (number.digits === 8 && next !== '-') {
    addUnits(sum, { whole: number.whole / 10_000n, fraction: 0 }, 'year')
    addUnits(sum, { whole: (number.whole / 100n) % 100n, fraction: 0 }, 'month')
    addUnits(sum, { whole: number.whole % 100n, fraction: number.fraction }, 'day')
    return
  }
  addUnits(sum, number, 'year')
  for (const unit of ['month', 'day'] as const) {
    if (!skip(scanner, '-')) return
    addUnits(sum, numberAt(scanner), unit)
  }
}

function followedByTime(scanner: Scanner): boolean {
  if (skip(scanner, 'T')) return true
  return scanner.position === scanner.text.length ? false : refuseInterval('syntax')
}

function readTime(sum: IntervalSum, scanner: Scanner): void {
  for (let isFirst = true; scanner.position < scanner.text.length; ) {
    if (skip(scanner, 'T')) {
      isFirst = true
      continue
    }
    const number = numberAt(scanner)
    const unit = timeUnits.get(scanner.text.charAt(scanner.position))
    if (unit === undefined) {
      readPlainTime(sum, scanner, number, isFirst)
      return
    }
    scanner.position += 1
    addUnits(sum, number, unit)
    isFirst = false
  }
}

/** `040506` or `4:05:06`: the end may be missing. */
function readPlainTime(
  sum: IntervalSum,
  scanner: Scanner,
  number: IsoNumber,
  isFirst: boolean,
): void {
  const next = scanner.text.charAt(scanner.position)
  if (!isFirst || !['', ':'].includes(next)) refuseInterval('syntax')
  if (number.digits === 6 && next === '') {
    addUnits(sum, { whole: number.whole / 10_000n, fraction: 0 }, 'hour')
    addUnits(sum, { whole: (number.whole / 100n) % 100n, fraction: 0 }, 'minute')
    addUnits(sum, { whole: number.whole % 100n, fraction: 0 }, 'second')
    addUnits(sum, { whole: 0n, fraction: number.fraction }, 'microsecond')
    return
  }
  addUnits(sum, number, 'hour')
  for (const unit of ['minute', 'second'] as const) {
    if (!skip(scanner, ':')) break
    addUnits(sum, numberAt(scanner), unit)
  }
  if (scanner.position < scanner.text.length) refuseInterval('syntax')
}

interface IsoNumber extends IntervalNumber {
  /** Digits before the point. */
  readonly digits: number
}

const number = /-?(\d*)(\.\d*)?(?:e[+-]?\d+)?/iy

/** Larger numbers have no exact fraction. */
const mostWhole = 1e15

/** A number as C reads it, with an exponent. */
function numberAt(scanner: Scanner): IsoNumber {
  number.lastIndex = scanner.position
  const [text = '', digits = '', fraction = ''] = number.exec(scanner.text) ?? []
  if (digits === '' && fraction.length < 2) refuseInterval('syntax')
  scanner.position += text.length
  const value = Number(text)
  if (!Number.isFinite(value)) refuseInterval('syntax')
  if (Math.abs(value) > mostWhole) refuseInterval('field')
  const whole = Math.trunc(value)
  return { whole: BigInt(whole), fraction: value - whole, digits: digits.length }
}

function skip(scanner: Scanner, character: string): boolean {
  if (scanner.text.charAt(scanner.position) !== character) return false
  scanner.position += 1
  return true
}
