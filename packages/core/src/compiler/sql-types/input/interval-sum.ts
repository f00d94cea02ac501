/** @module The parts of an interval while it is read: each has its own limits. */

/** Not an interval; a part that is out of its limits; years and months that are too many together. */
export type IntervalFault = 'syntax' | 'field' | 'range'

/** Thrown by the functions that read intervals; `parseInterval` returns its fault. */
export class IntervalRefusal extends Error {
  override readonly name = 'IntervalRefusal'
  readonly fault: IntervalFault

  constructor(fault: IntervalFault) {
    super(fault)
    this.fault = fault
  }
}

export function refuseInterval(fault: IntervalFault): never {
  throw new IntervalRefusal(fault)
}

/** Years, months and days have 32 bits, microseconds 64. */
export interface IntervalSum {
  years: bigint
  months: bigint
  days: bigint
  microseconds: bigint
}

export type IntervalPart = keyof IntervalSum

const bitsOf: Readonly<Record<IntervalPart, bigint>> = {
  years: 32n,
  months: 32n,
  days: 32n,
  microseconds: 64n,
}

/** A number with its sign in both parts: -1.5 is -1n and -0.5. */
export interface IntervalNumber {
  readonly whole: bigint
  /** Less than 1. */
  readonly fraction: number
}

export function newIntervalSum(): IntervalSum {
  return { years: 0n, months: 0n, days: 0n, microseconds: 0n }
}

/** @throws {IntervalRefusal} `field` */
export function addPart(sum: IntervalSum, part: IntervalPart, value: bigint, factor: bigint): void {
  const bits = bitsOf[part]
  const product = fitting(fitting(value, bits) * factor, bits)
  sum[part] = fitting(sum[part] + product, bits)
}

function fitting(value: bigint, bits: bigint): bigint {
  return BigInt.asIntN(Number(bits), value) === value ? value : refuseInterval('field')
}

/** A fraction of days, rounded to microseconds: more than a half away from zero. */
export function addMicroseconds(sum: IntervalSum, fraction: number, scale: number): void {
  const exact = fraction * scale
  const whole = Math.trunc(exact)
  const rest = exact - whole
  const rounded = rest > 0.5 ? whole + 1 : rest < -0.5 ? whole - 1 : whole
  addPart(sum, 'microseconds', BigInt(rounded), 1n)
}

/** A fraction of weeks or months is converted to days, then to time. */
export function addFractionOfDays(sum: IntervalSum, fraction: number, days: number): void {
  const exact = fraction * days
  const whole = Math.trunc(exact)
  addPart(sum, 'days', BigInt(whole), 1n)
  addMicroseconds(sum, exact - whole, microsecondsPerDay)
}

/** A fraction of years becomes whole months. */
export function addFractionOfYears(sum: IntervalSum, fraction: number, years: number): void {
  addPart(sum, 'months', BigInt(roundHalfEven(fraction * years * 12)), 1n)
}

function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

export const microsecondsPerDay = 86_400_000_000
