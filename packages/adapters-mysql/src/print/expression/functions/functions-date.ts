/** @module Functions of dates and times. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { fieldOf } from '../../extract-field.ts'
import { classOfType, nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { letColumns } from '../binding/let-columns.ts'
import { fieldValue } from '../numeric/extract.ts'
import { momentPlus } from '../time/moments.ts'
import { momentText } from '../time/to-char.ts'
import { readMoment } from '../time/to-date.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = nullSql

type Special = (expression: FunctionCall, context: PrintContext) => Sql

function datePart({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [field, source] = args
  const name = fieldOf(field)
  if (source === undefined || name === undefined) return refuse('date_part of this field', position)
  return sql`cast(${fieldValue(name, source, context, position)} as double)`
}

function truncated({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [field, source, zone] = args
  if (zone !== undefined && !isUtc(zone)) return refuse('a time zone other than UTC', position)
  const name = fieldOf(field)
  if (source === undefined || name === undefined)
    return refuse('date_trunc to this field', position)
  const value = [{ value: print(source, context), kind: 'timestamp' }] as const
  return letValues(value, context, canBind(source), (moment = nothing) => {
    const start = startOf(name, moment)
    if (start === undefined) return refuse('date_trunc to this field', position)
    return sql`cast(${start} as datetime(6))`
  })
}

/** The start of the field's period. */
function startOf(name: string, value: Sql): Sql | undefined {
  const date = sql`cast(${value} as date)`
  const formatted = (format: Sql) => sql`date_format(${value}, ${format})`
  switch (name.replace(/s$/, '')) {
    case 'microsecond':
      return value
    case 'millisecond':
      return sql`date_sub(${value}, interval microsecond(${value}) % 1000 microsecond)`
    case 'second':
      return formatted(sql`'%Y-%m-%d %H:%i:%s'`)
    case 'minute':
      return formatted(sql`'%Y-%m-%d %H:%i:00'`)
    case 'hour':
      return formatted(sql`'%Y-%m-%d %H:00:00'`)
    case 'day':
      return date
    case 'week':
      return sql`date_sub(${date}, interval weekday(${value}) day)`
    case 'month':
      return formatted(sql`'%Y-%m-01'`)
    case 'quarter':
      return sql`concat(date_format(${value}, '%Y-'), lpad(quarter(${value}) * 3 - 2, 2, '0'), '-01')`
    case 'year':
      return formatted(sql`'%Y-01-01'`)
    case 'decade':
      return sql`if(year(${value}) < 10, ${raiseDate}, concat(lpad(year(${value}) div 10 * 10, 4, '0'), '-01-01'))`
    case 'centurie':
    case 'century':
      return sql`concat(lpad((year(${value}) - 1) div 100 * 100 + 1, 4, '0'), '-01-01')`
    case 'millennium':
      return sql`concat(lpad((year(${value}) - 1) div 1000 * 1000 + 1, 4, '0'), '-01-01')`
    default:
      return undefined
  }
}

const raiseDate: Sql = sql`cast(${raiseState('0A000')} as char)`

/** Only UTC is supported here: other zones change with the tables of time zones. */
function inZone({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [zone, value] = args
  if (value === undefined || !isUtc(zone)) return refuse('a time zone other than UTC', position)
  return print(value, context)
}

function isUtc(zone: Expression | undefined): boolean {
  const name = zone?.kind === 'constant' && typeof zone.value === 'string' ? zone.value : ''
  return /^(utc|gmt|z|zulu|etc\/utc|universal|uct)$/i.test(name)
}

/** Ends are timestamps, or intervals after the starts. */
function overlaps({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [start, end, otherStart, otherEnd] = args
  if (
    start === undefined ||
    end === undefined ||
    otherStart === undefined ||
    otherEnd === undefined
  ) {
    return refuse('OVERLAPS', position)
  }
  if (classOfType(start.type, context) === 'time') return refuse('OVERLAPS of times', position)
  return letColumns([start, otherStart], context, (from = start, otherFrom = otherStart) => {
    const endOf = (begin: Expression, to: Expression) =>
      classOfType(to.type, context) === 'interval'
        ? momentPlus(begin, to, '+', context)
        : print(to, context)
    const values = [
      { value: print(from, context), kind: 'timestamp' },
      { value: endOf(from, end), kind: 'timestamp' },
      { value: print(otherFrom, context), kind: 'timestamp' },
      { value: endOf(otherFrom, otherEnd), kind: 'timestamp' },
    ] as const
    return letValues(values, context, args.every(canBind), (a, b, c, d) =>
      orderedPeriods(a, b, c, d, context, args.every(canBind)),
    )
  })
}

function orderedPeriods(
  a: Sql = nothing,
  b: Sql = nothing,
  c: Sql = nothing,
  d: Sql = nothing,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const ends = [
    { value: sql`coalesce(least(${a}, ${b}), ${a}, ${b})`, kind: 'timestamp' },
    { value: sql`greatest(${a}, ${b})`, kind: 'timestamp' },
    { value: sql`coalesce(least(${c}, ${d}), ${c}, ${d})`, kind: 'timestamp' },
    { value: sql`greatest(${c}, ${d})`, kind: 'timestamp' },
  ] as const
  return letValues(ends, context, canBeNamed, periodsOverlap)
}

/** Starts are known if either end of the period is; an end is NULL if either end was. */
function periodsOverlap(
  start: Sql = nothing,
  end: Sql = nothing,
  otherStart: Sql = nothing,
  otherEnd: Sql = nothing,
): Sql {
  const within = (later: Sql, laterEnd: Sql, earlierEnd: Sql) =>
    sql`case when isnull(${earlierEnd}) then null when ${later} < ${earlierEnd} then 1 when isnull(${laterEnd}) then null else 0 end`
  return sql`case when isnull(${start}) or isnull(${otherStart}) then null when ${start} > ${otherStart} then ${within(start, end, otherEnd)} when ${start} < ${otherStart} then ${within(otherStart, otherEnd, end)} when isnull(${end}) or isnull(${otherEnd}) then null else 1 end`
}

function toChar({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [value, template] = args
  const format = template?.kind === 'constant' ? template.value : undefined
  if (value === undefined || typeof format !== 'string') {
    return refuse('to_char with a template that is not constant', position)
  }
  return letValues(
    [{ value: print(value, context), kind: 'timestamp' }],
    context,
    canBind(value),
    (moment = nothing) => momentText(moment, format, position),
  )
}

/** Arguments are checked: the server accepts any numbers. */
const makeDate: CallPrinter = (
  [year = nothing, month = nothing, day = nothing],
  expression,
  context,
) => {
  const values = [
    { value: year, kind: 'integer' },
    { value: month, kind: 'integer' },
    { value: day, kind: 'integer' },
  ] as const
  return letValues(
    values,
    context,
    canBind(expression),
    (y = nothing, m = nothing, d = nothing) => {
      const text = sql`concat(lpad(${y}, 4, '0'), '-', lpad(${m}, 2, '0'), '-', lpad(${d}, 2, '0'))`
      return checkedMoment(
        dateRange(y, m, d),
        sql`cast(${text} as date)`,
        sql`date`,
        sql`${y} + ${m} + ${d}`,
      )
    },
  )
}

function dateRange(year: Sql, month: Sql, day: Sql): Sql {
  return sql`(${year} between 1 and 9999 and ${month} between 1 and 12 and ${day} between 1 and 31)`
}

/** NULL for NULL; 22008 for a value that is not a timestamp. */
function checkedMoment(isInRange: Sql, value: Sql, type: Sql, all: Sql): Sql {
  const wrong = sql`cast(${raiseState('22008')} as ${type})`
  return sql`if(isnull(${all}), null, coalesce(if(${isInRange}, ${value}, null), ${wrong}))`
}

const makeTimestamp: CallPrinter = (args, expression, context) => {
  const [
    year = nothing,
    month = nothing,
    day = nothing,
    hour = nothing,
    minute = nothing,
    second = nothing,
  ] = args
  const values = [
    { value: year, kind: 'integer' },
    { value: month, kind: 'integer' },
    { value: day, kind: 'integer' },
    { value: hour, kind: 'integer' },
    { value: minute, kind: 'integer' },
    { value: sql`cast(round(${second} * 1e6) as signed)`, kind: 'integer' },
  ] as const
  return letValues(
    values,
    context,
    canBind(expression),
    (y = nothing, m = nothing, d = nothing, h = nothing, i = nothing, us = nothing) => {
      const date = sql`concat(lpad(${y}, 4, '0'), '-', lpad(${m}, 2, '0'), '-', lpad(${d}, 2, '0'))`
      const rest = sql`(${h} * 3600000000 + ${i} * 60000000 + ${us})`
      const isClock = sql`${h} between 0 and 23 and ${i} between 0 and 59 and ${us} between 0 and 60000000`
      const value = sql`date_add(cast(${date} as datetime(6)), interval ${rest} microsecond)`
      return checkedMoment(
        sql`(${dateRange(y, m, d)} and ${isClock})`,
        value,
        sql`datetime(6)`,
        sql`${y} + ${m} + ${d} + ${h} + ${i} + ${us}`,
      )
    },
  )
}

const makeTime: CallPrinter = (
  [hour = nothing, minute = nothing, second = nothing],
  expression,
  context,
) => {
  const values = [
    { value: hour, kind: 'integer' },
    { value: minute, kind: 'integer' },
    { value: sql`cast(round(${second} * 1e6) as signed)`, kind: 'integer' },
  ] as const
  return letValues(
    values,
    context,
    canBind(expression),
    (h = nothing, i = nothing, us = nothing) => {
      const isClock = sql`(${h} between 0 and 23 and ${i} between 0 and 59 and ${us} between 0 and 59999999)`
      const text = sql`concat(lpad(${h}, 2, '0'), ':', lpad(${i}, 2, '0'), ':', lpad(${us} div 1000000, 2, '0'), '.', lpad(${us} % 1000000, 6, '0'))`
      return checkedMoment(
        isClock,
        sql`cast(${text} as time(6))`,
        sql`time(6)`,
        sql`${h} + ${i} + ${us}`,
      )
    },
  )
}

const fromEpoch: CallPrinter = ([seconds = nothing], expression, context) =>
  letValues(
    [{ value: seconds, kind: 'double' }],
    context,
    canBind(expression),
    (name = nothing) => {
      const micros = sql`cast(round(${name} * 1e6) as signed)`
      const moment = sql`date_add(cast('1970-01-01' as datetime(6)), interval ${micros} microsecond)`
      return checkedMoment(
        sql`(${name} between -62135596800 and 253402300799)`,
        moment,
        sql`datetime(6)`,
        name,
      )
    },
  )

const finite: CallPrinter = ([value = nothing]) => sql`if(isnull(${value}), null, 1)`

export const dateSpecials: Readonly<Record<string, Special>> = {
  date_part: datePart,
  date_trunc: truncated,
  timezone: inZone,
  overlaps,
  'to_char(timestamp,text)': toChar,
  'to_char(timestamptz,text)': toChar,
  'to_date(text,text)': (expression, context) =>
    sql`cast(${readMoment(expression, context)} as date)`,
  'to_timestamp(text,text)': readMoment,
}

export const dateFunctions: CallPrinters = {
  'make_date(int4,int4,int4)': makeDate,
  'make_time(int4,int4,float8)': makeTime,
  'make_timestamp(int4,int4,int4,int4,int4,float8)': makeTimestamp,
  'make_timestamptz(int4,int4,int4,int4,int4,float8)': makeTimestamp,
  'to_timestamp(float8)': fromEpoch,
  'isfinite(date)': finite,
  'isfinite(timestamp)': finite,
  'isfinite(timestamptz)': finite,
  'date(timestamp)': ([value = nothing]) => sql`cast(${value} as date)`,
  'date(timestamptz)': ([value = nothing]) => sql`cast(${value} as date)`,
}
