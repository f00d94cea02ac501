/** @module extract, date_part and date_trunc. */
import { dateOfDay, dayNumber } from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'
import { strict, textOf, type UdfDefinition, type UdfValue } from '../register/udf.ts'
import {
  dayText,
  finiteMoment,
  isoWeek,
  likeText,
  type Moment,
  microsecondsPerDay,
  modulo,
  momentOf,
} from './moment.ts'

type Kind = 'timestamp' | 'timestamptz' | 'date' | 'time'

const clockFields: ReadonlySet<string> = new Set([
  'hour',
  'minute',
  'second',
  'milliseconds',
  'microseconds',
])

/** The fields of a kind of value; all kinds have `epoch`. */
function hasField(kind: Kind, field: string): boolean {
  if (field === 'epoch') return true
  if (kind === 'time') return clockFields.has(field)
  return kind !== 'date' || !clockFields.has(field)
}

const plurals: ReadonlyMap<string, string> = new Map([
  ['years', 'year'],
  ['months', 'month'],
  ['mons', 'month'],
  ['mon', 'month'],
  ['days', 'day'],
  ['hours', 'hour'],
  ['minutes', 'minute'],
  ['mins', 'minute'],
  ['min', 'minute'],
  ['seconds', 'second'],
  ['secs', 'second'],
  ['sec', 'second'],
  ['millisecond', 'milliseconds'],
  ['microsecond', 'microseconds'],
  ['weeks', 'week'],
  ['decades', 'decade'],
  ['centuries', 'century'],
  ['quarters', 'quarter'],
])

function fieldOf(value: UdfValue | undefined): string {
  const name = textOf(value).toLowerCase()
  return plurals.get(name) ?? name
}

/** A field as numeric's text, with the scale PostgreSQL gives it. */
function extract(field: string, moment: Moment, kind: Kind): string {
  if (!hasField(kind, field)) throw sqlError('0A000', `unit "${field}" not supported for ${kind}`)
  const { microseconds } = moment
  switch (field) {
    case 'hour':
      return String(Math.floor(microseconds / 3_600_000_000))
    case 'minute':
      return String(Math.floor(microseconds / 60_000_000) % 60)
    case 'second':
      return fixed(microseconds % 60_000_000, 6)
    case 'milliseconds':
      return fixed(microseconds % 60_000_000, 3)
    case 'microseconds':
      return String(microseconds % 60_000_000)
    case 'epoch':
      return epochText(moment, kind)
    default:
      return String(calendarField(field, moment.day))
  }
}

function epochText({ day, microseconds }: Moment, kind: Kind): string {
  if (kind === 'date') return String(day * 86_400)
  return fixed(BigInt(day) * BigInt(microsecondsPerDay) + BigInt(microseconds), 6)
}

function calendarField(field: string, day: number): number {
  const { year, month, day: dayOfMonth } = dateOfDay(day)
  switch (field) {
    case 'year':
      return year > 0 ? year : year - 1
    case 'month':
      return month
    case 'day':
      return dayOfMonth
    case 'quarter':
      return Math.floor((month - 1) / 3) + 1
    case 'dow':
      return modulo(day + 4, 7)
    case 'isodow':
      return isoWeek(day).weekday
    case 'doy':
      return day - dayNumber({ year, month: 1, day: 1 }) + 1
    case 'week':
      return isoWeek(day).week
    case 'isoyear': {
      const iso = isoWeek(day).year
      return iso > 0 ? iso : iso - 1
    }
    case 'decade':
      return Math.floor(year / 10)
    case 'century':
      return year > 0 ? Math.ceil(year / 100) : -Math.ceil((1 - year) / 100)
    case 'millennium':
      return year > 0 ? Math.ceil(year / 1000) : -Math.ceil((1 - year) / 1000)
    case 'julian':
      return day + 2_440_588
    default:
      throw sqlError('22023', `unit "${field}" not recognized`)
  }
}

/** An integer with `scale` digits after the point. */
function fixed(units: number | bigint, scale: number): string {
  const value = BigInt(units)
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** The start of the unit that contains a timestamp. */
function truncate(field: string, { day, microseconds }: Moment): Moment {
  const units: Readonly<Record<string, number>> = {
    microseconds: 1,
    milliseconds: 1_000,
    second: 1_000_000,
    minute: 60_000_000,
    hour: 3_600_000_000,
    day: microsecondsPerDay,
  }
  const unit = Object.hasOwn(units, field) ? units[field] : undefined
  if (unit !== undefined) return { day, microseconds: microseconds - (microseconds % unit) }
  return { day: firstDay(field, day), microseconds: 0 }
}

function firstDay(field: string, day: number): number {
  const { year, month } = dateOfDay(day)
  switch (field) {
    case 'week':
      return day - isoWeek(day).weekday + 1
    case 'month':
      return dayNumber({ year, month, day: 1 })
    case 'quarter':
      return dayNumber({ year, month: month - ((month - 1) % 3), day: 1 })
    case 'year':
      return dayNumber({ year, month: 1, day: 1 })
    case 'decade':
      return dayNumber({ year: Math.floor(year / 10) * 10, month: 1, day: 1 })
    case 'century':
      return dayNumber({ year: Math.floor((year - 1) / 100) * 100 + 1, month: 1, day: 1 })
    case 'millennium':
      return dayNumber({ year: Math.floor((year - 1) / 1000) * 1000 + 1, month: 1, day: 1 })
    default:
      throw sqlError('22023', `unit "${field}" not recognized`)
  }
}

function extractValue(args: readonly UdfValue[]): string {
  const [field, value, kind] = args
  const name = fieldOf(field)
  if (name === 'timezone' && kind === 'timestamptz') return '0'
  if (name === 'julian' && kind !== 'date') throw sqlError('0A000', 'julian of a timestamp')
  const moment = momentOf(textOf(value))
  if (moment === undefined) throw sqlError('0A000', 'extract from infinity')
  return extract(name, moment, textOf(kind) as Kind)
}

/** `kind` is `timestamp`, `timestamptz`, `date` or `time`. */
export const dateFieldFunctions: readonly UdfDefinition[] = [
  strict('pg_extract', 3, (...args) => extractValue(args)),
  strict('pg_date_part', 3, (...args) => Number(extractValue(args))),
  strict('pg_date_trunc', 2, (field, value) => {
    const text = textOf(value)
    const moment = momentOf(text)
    if (moment === undefined) return text
    const { day, microseconds } = truncate(fieldOf(field), moment)
    return likeText(text, day, microseconds)
  }),
  strict('pg_date_diff', 2, (a, b) =>
    BigInt(finiteMoment(textOf(a)).day - finiteMoment(textOf(b)).day),
  ),
  strict('pg_date_add_days', 2, (date, days) => {
    const text = textOf(date)
    const moment = momentOf(text)
    return moment === undefined ? text : dayText(moment.day + Number(days))
  }),
  strict('pg_epoch_between', 2, (a, b) => {
    const [left, right] = [finiteMoment(textOf(a)), finiteMoment(textOf(b))]
    const days = BigInt(left.day - right.day) * BigInt(microsecondsPerDay)
    return fixed(days + BigInt(left.microseconds - right.microseconds), 6)
  }),
]
