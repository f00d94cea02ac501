/**
 * @module Time zones whose rules stand in their name: `CST6CDT,M4.1.0,M10.5.0/3` is daylight-saving time from the first Sunday of April,
 * 2:00, to the last Sunday of October, 3:00 on the clock of daylight-saving time.
 * @see https://www.postgresql.org/docs/15/datetime-posix-timezone-specs.html
 */

/** When daylight-saving time begins and ends each year. Offsets are seconds east of Greenwich. */
export interface PosixRules {
  readonly standardOffset: number
  readonly savingOffset: number
  readonly begins: YearlyTime
  readonly ends: YearlyTime
}

/** A local clock time of each year. */
interface YearlyTime {
  /** Days since 1 January. */
  readonly dayOf: (year: number) => number
  /** After midnight; may be negative, or more than a day. */
  readonly seconds: number
}

const secondsPerDay = 86_400
/** Local clock times are found by offsets of less than a day, and changes that are further apart than two days. */
const maxOffset = 86_399
const leastPauseDays = 14
const maxHours = 167

const name = String.raw`(?:<[\w+:-]+>|[A-Za-z]+)`
const offset = String.raw`[+-]?\d{1,3}(?::\d\d?)?`
const date = String.raw`(?:M\d\d?\.\d\.\d|J\d{1,3}|\d{1,3})`
const time = String.raw`[+-]?\d{1,3}(?::\d\d?(?::\d\d?)?)?`
const rulesPattern = new RegExp(
  `^${name}(${offset})${name}(${offset})?,(${date})(?:/(${time}))?,(${date})(?:/(${time}))?$`,
  'i',
)

/** The rules of a zone; undefined for any other name, and for changes that follow each other within two weeks. */
export function posixRules(text: string): PosixRules | undefined {
  const fields = rulesPattern.exec(text)
  if (fields === null) return undefined
  const [, west = '', savingWest, beginDate = '', beginTime, endDate = '', endTime] = fields
  const standard = secondsOf(west)
  const saving = savingWest === undefined ? undefined : secondsOf(savingWest)
  const begins = yearlyTime(beginDate, beginTime)
  const ends = yearlyTime(endDate, endTime)
  if (standard === undefined || begins === undefined || ends === undefined) return undefined
  if (savingWest !== undefined && saving === undefined) return undefined
  const rules: PosixRules = {
    standardOffset: 0 - standard,
    savingOffset: saving === undefined ? 3600 - standard : 0 - saving,
    begins,
    ends,
  }
  const { standardOffset, savingOffset } = rules
  const isNear = Math.max(Math.abs(standardOffset), Math.abs(savingOffset)) <= maxOffset
  return isNear && isSpread(rules) ? rules : undefined
}

/** Seconds east of Greenwich at a time in seconds since 1970. The rules hold for every year. */
export function offsetByRules(rules: PosixRules, seconds: number): number {
  const year = new Date(seconds * 1000).getUTCFullYear()
  let found: { readonly at: number; readonly offset: number } | undefined
  for (const each of [year - 1, year, year + 1]) {
    for (const change of changesOf(rules, each)) {
      if (change.at <= seconds && (found === undefined || change.at > found.at)) found = change
    }
  }
  return found?.offset ?? rules.standardOffset
}

function changesOf({ standardOffset, savingOffset, begins, ends }: PosixRules, year: number) {
  const first = firstDay(year)
  const at = ({ dayOf, seconds }: YearlyTime, offsetBefore: number) =>
    (first + dayOf(year)) * secondsPerDay + seconds - offsetBefore
  return [
    { at: at(begins, standardOffset), offset: savingOffset },
    { at: at(ends, savingOffset), offset: standardOffset },
  ]
}

/** The calendar repeats after 28 years, except around centuries, where a day of the week moves by six days at most. */
function isSpread(rules: PosixRules): boolean {
  const years = Array.from({ length: 30 }, (_, i) => 2000 + i)
  const times = years
    .flatMap((year) => changesOf(rules, year).map(({ at }) => at))
    .toSorted((left, right) => left - right)
  return times.every(
    (at, i) => i === 0 || at - (times[i - 1] ?? at) >= leastPauseDays * secondsPerDay,
  )
}

/** `-3:30` and `26`; undefined beyond a week. */
function secondsOf(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number)
  if (hours > maxHours || minutes > 59 || seconds > 59) return undefined
  return sign * ((hours * 60 + minutes) * 60 + seconds)
}

function yearlyTime(day: string, clock = '2'): YearlyTime | undefined {
  const seconds = secondsOf(clock)
  const dayOf = dayRule(day)
  return seconds === undefined || dayOf === undefined ? undefined : { dayOf, seconds }
}

function dayRule(text: string): YearlyTime['dayOf'] | undefined {
  const kind = text.charAt(0).toUpperCase()
  if (kind === 'M') {
    const [month = 0, week = 0, weekday = 0] = text.slice(1).split('.').map(Number)
    const isValid = month >= 1 && month <= 12 && week >= 1 && week <= 5 && weekday <= 6
    return isValid ? (year) => dayOfWeek(year, month, week, weekday) : undefined
  }
  const number = Number(kind === 'J' ? text.slice(1) : text)
  if (kind !== 'J') return number <= 365 ? () => number : undefined
  // 29 February has no number: J60 is 1 March always.
  if (number < 1 || number > 365) return undefined
  return (year) => number - 1 + (number >= 60 && isLeapYear(year) ? 1 : 0)
}

/** @param week 5 is the last one */
function dayOfWeek(year: number, month: number, week: number, weekday: number): number {
  const first = firstDay(year, month)
  const next = firstDay(year, month + 1)
  const day = first + ((weekday - weekdayOf(first) + 7) % 7) + (week - 1) * 7
  return (day >= next ? day - 7 : day) - firstDay(year)
}

/** 1 January 1970 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Days since 1970 of the first day of a month. */
function firstDay(year: number, month = 1): number {
  return new Date(0).setUTCFullYear(year, month - 1, 1) / 1000 / secondsPerDay
}

function isLeapYear(year: number): boolean {
  return firstDay(year, 3) - firstDay(year, 2) === 29
}
