/** @module The units of intervals, and what a number of them adds to an interval. */
import {
  addFractionOfDays,
  addFractionOfYears,
  addMicroseconds,
  addPart,
  type IntervalNumber,
  type IntervalPart,
  type IntervalSum,
  microsecondsPerDay,
} from './interval-sum.ts'

const second = 1_000_000

export type IntervalUnit =
  | 'microsecond'
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'decade'
  | 'century'
  | 'millennium'

/** Unit → the part that it adds to, and how many microseconds, days, months or years it has. */
const factors: Readonly<Record<IntervalUnit, readonly [IntervalPart, number]>> = {
  microsecond: ['microseconds', 1],
  millisecond: ['microseconds', 1000],
  second: ['microseconds', second],
  minute: ['microseconds', 60 * second],
  hour: ['microseconds', 3600 * second],
  day: ['days', 1],
  week: ['days', 7],
  month: ['months', 1],
  year: ['years', 1],
  decade: ['years', 10],
  century: ['years', 100],
  millennium: ['years', 1000],
}

const daysPerMonth = 30

/** @throws {IntervalRefusal} `field` */
export function addUnits(
  sum: IntervalSum,
  { whole, fraction }: IntervalNumber,
  unit: IntervalUnit,
): void {
  const [part, factor] = factors[unit]
  addPart(sum, part, whole, BigInt(factor))
  if (unit === 'month') addFractionOfDays(sum, fraction, daysPerMonth)
  else if (unit === 'day') addMicroseconds(sum, fraction, microsecondsPerDay)
  else if (part === 'microseconds') addMicroseconds(sum, fraction, factor)
  else if (part === 'days') addFractionOfDays(sum, fraction, factor)
  else addFractionOfYears(sum, fraction, factor)
}

const spellings: Readonly<Record<IntervalUnit, string>> = {
  microsecond: 'us usec usecs usecond useconds microsecond',
  millisecond: 'ms msec msecs msecond mseconds millisecond',
  second: 's sec secs second seconds',
  minute: 'm min mins minute minutes',
  hour: 'h hr hrs hour hours',
  day: 'd day days',
  week: 'w week weeks',
  month: 'mon mons month months',
  year: 'y yr yrs year years',
  decade: 'dec decs decade decades',
  century: 'c cent century centuries',
  millennium: 'mil mils millennia millennium',
}

const bySpelling: ReadonlyMap<string, IntervalUnit> = new Map(
  Object.entries(spellings).flatMap(([unit, words]) =>
    words
      .split(' ')
      .map((word): [string, IntervalUnit] => [significant(word), unit as IntervalUnit]),
  ),
)

export function intervalUnit(spelling: string): IntervalUnit | undefined {
  return bySpelling.get(significant(spelling))
}

/** Words are compared by their first ten characters. */
function significant(word: string): string {
  return word.slice(0, 10)
}
