/** @module Functions of dates and times. */

import { oids } from '@engine/core/catalog'
import { integer, parameter, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { call, classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = sql`null`

/** `extract(epoch from a - b)` needs no interval; fields of intervals have a function of their own. */
const extract =
  (isFloat: boolean): CallPrinter =>
  ([field = nothing, value = nothing], expression, context) => {
    const [, source] = expression.args
    if (source === undefined) return refuse('extract', expression.position)
    const typeClass = classOfType(source.type, context)
    const between = isFloat ? undefined : epochBetween(expression, source, context)
    if (between !== undefined) return between
    if (typeClass === 'interval') {
      const part = call('interval_part', field, value)
      return isFloat ? call('dec_to_float', part) : part
    }
    const kind = kindOf(typeClass, expression)
    return isFloat
      ? call('pg_date_part', field, value, kind)
      : call('pg_extract', field, value, kind)
  }

function kindOf(typeClass: string, expression: FunctionCall): Sql {
  switch (typeClass) {
    case 'date':
      return sql`'date'`
    case 'time':
      return sql`'time'`
    case 'timestamp':
      return sql`'timestamp'`
    case 'timestamptz':
      return sql`'timestamptz'`
    default:
      return refuse('extract from this type', expression.position)
  }
}

function epochBetween(
  expression: FunctionCall,
  source: Expression,
  context: PrintContext,
): Sql | undefined {
  const [field] = expression.args
  const isEpoch = field?.kind === 'constant' && field.value === 'epoch'
  if (!isEpoch || source.kind !== 'operator' || source.operator.name !== '-') return undefined
  const { left, right } = source
  if (left === undefined || classOfType(left.type, context) === 'interval') return undefined
  if (classOfType(right.type, context) === 'interval') return undefined
  return call('pg_epoch_between', print(left, context), print(right, context))
}

const truncate: CallPrinter = (args) => call('pg_date_trunc', ...args)

/** Only UTC is supported here: other zones change with the tables of time zones. */
const inZone = (convert: (value: Sql) => Sql): CallPrinter => {
  return ([, value = nothing], expression) => {
    return isUtc(expression.args[0])
      ? convert(value)
      : refuse('a time zone other than UTC', expression.position)
  }
}

function isUtc(zone: Expression | undefined): boolean {
  const name = zone?.kind === 'constant' && typeof zone.value === 'string' ? zone.value : ''
  return /^(utc|gmt|z|zulu|etc\/utc|universal|uct)$/i.test(name)
}

const age: CallPrinter = (args) => call('interval_age', ...args)

/** With one timestamp: its distance to the last midnight. */
const ageOfToday: CallPrinter = ([value = nothing]) => {
  const type = { oid: oids.date, typmod: -1 }
  const moment = { offsetMs: 0, calendar: undefined, ofTransaction: true }
  const today = parameter({ from: 'requestTime', type, ...moment })
  return call('interval_age', call('pg_to_timestamp_cast', today), value)
}

/** Ends are timestamps, or intervals after the starts. */
const overlaps: CallPrinter = (args, expression, context) => {
  const [first = nothing, firstEnd = nothing, second = nothing, secondEnd = nothing] = args
  const isSpan = (index: number) => {
    const type = expression.args[index]?.type
    return type !== undefined && classOfType(type, context) === 'interval'
  }
  const kind = expression.args[0]?.type
  if (kind === undefined || classOfType(kind, context) === 'time') {
    return refuse('OVERLAPS of times', expression.position)
  }
  const endOf = (start: Sql, end: Sql, index: number) =>
    isSpan(index) ? call('pg_ts_add', start, end, integer(1)) : end
  return call(
    'periods_overlap',
    first,
    endOf(first, firstEnd, 1),
    second,
    endOf(second, secondEnd, 3),
  )
}

export const dateFunctions: CallPrinters = {
  extract: extract(false),
  date_part: extract(true),
  'date_trunc(text,timestamp)': truncate,
  'date_trunc(text,timestamptz)': truncate,
  'date_trunc(text,timestamptz,text)': ([field = nothing, value = nothing], expression) =>
    isUtc(expression.args[2])
      ? call('pg_date_trunc', field, value)
      : refuse('a time zone other than UTC', expression.position),
  'to_char(timestamp,text)': (args) => call('pg_to_char', ...args),
  'to_char(timestamptz,text)': (args) => call('pg_to_char', ...args),
  'to_date(text,text)': (args) => call('pg_to_date', ...args),
  'to_timestamp(text,text)': (args) => call('pg_to_timestamp', ...args),
  'to_timestamp(float8)': (args) => call('pg_to_timestamp_epoch', ...args),
  'make_date(int4,int4,int4)': (args) => call('pg_make_date', ...args),
  'make_time(int4,int4,float8)': (args) => call('pg_make_time', ...args),
  'make_timestamp(int4,int4,int4,int4,int4,float8)': (args) => call('pg_make_timestamp', ...args),
  'make_timestamptz(int4,int4,int4,int4,int4,float8)': (args) =>
    call('zoned', call('pg_make_timestamp', ...args)),
  overlaps,
  'age(timestamp)': ageOfToday,
  'age(timestamptz)': ageOfToday,
  'age(timestamp,timestamp)': age,
  'age(timestamptz,timestamptz)': age,
  'date_bin(interval,timestamp,timestamp)': (args) => call('interval_bin', ...args),
  'date_bin(interval,timestamptz,timestamptz)': (args) => call('interval_bin', ...args),
  'justify_days(interval)': (args) => call('interval_justify_days', ...args),
  'justify_hours(interval)': (args) => call('interval_justify_hours', ...args),
  'justify_interval(interval)': (args) => call('interval_justify', ...args),
  make_interval: (args) => call('interval_make', ...padded(args)),
  'isfinite(interval)': ([value = nothing]) => sql`iif(${value} is null, null, true)`,
  'isfinite(date)': (args) => call('is_finite', ...args),
  'isfinite(timestamp)': (args) => call('is_finite', ...args),
  'isfinite(timestamptz)': (args) => call('is_finite', ...args),
  'timezone(text,timestamp)': inZone((value) => call('zoned', value)),
  'timezone(text,timestamptz)': inZone((value) => call('unzoned', value)),
  'date(timestamp)': (args) => call('pg_to_date_cast', ...args),
  'date(timestamptz)': (args) => call('pg_to_date_cast', ...args),
}

/** Years, months, weeks, days, hours, minutes and seconds; omitted ones are 0. */
function padded(args: readonly Sql[]): readonly Sql[] {
  return [...args, ...Array.from({ length: 7 - args.length }, () => integer(0))]
}
