/** @module extract() and date_part(). */

import { type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { fieldOf, fieldScale } from '../../extract-field.ts'
import { classOfType, nullSql, type PrintContext, refuse } from '../../print-context.ts'
import { canBind } from '../binding/can-bind.ts'
import { mostDoubled } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { type Decimal, decimal } from '../decimal/decimal.ts'
import {
  filled,
  type IntervalParts,
  microsecondsOfTime,
  onceParts,
  withInterval,
} from '../time/interval.ts'

/** As a number with the digits that PostgreSQL shows. */
export function extractDecimal(expression: FunctionCall, context: PrintContext): Decimal {
  const [field, source] = expression.args
  const name = fieldOf(field)
  if (field === undefined || source === undefined || name === undefined) {
    return refuse('extract of a field that is not constant', expression.position)
  }
  const scale = fieldScale(field, source.type) ?? 0
  const value = () => fieldValue(name, source, context, expression.position)
  return decimal(() => sql`cast(${value()} as decimal(30, 6))`, scale, 24, 6)
}

/** A number of any type. */
export function fieldValue(
  name: string,
  source: Expression,
  context: PrintContext,
  position: number | undefined,
): Sql {
  if (classOfType(source.type, context) === 'interval') {
    return withInterval(source, context, (parts) =>
      onceParts(
        parts,
        context,
        canBind(source),
        (named) => intervalField(name, named) ?? refuseField(name, position),
      ),
    )
  }
  return letExpressions(
    [source],
    context,
    (value = nullSql) => momentField(name, value, source, context) ?? refuseField(name, position),
    mostDoubled,
  )
}

function refuseField(name: string, position: number | undefined): never {
  return refuse(`extract of ${shown(name)} from this type`, position)
}

/** `value` is that of `source`. */
function momentField(
  name: string,
  value: Sql,
  source: Expression,
  context: PrintContext,
): Sql | undefined {
  switch (classOfType(source.type, context)) {
    case 'time':
      return lengthField(name, value, context)
    case 'date':
      return name === 'epoch'
        ? sql`(datediff(${value}, '1970-01-01') * 86400)`
        : dateField(name, value)
    case 'timestamptz':
      if (name.startsWith('timezone')) return sql`0`
      break
    default:
  }
  return dateField(name, value) ?? timeField(name, value)
}

function shown(name: string): string {
  return /^[a-z]{1,20}$/.test(name) ? name : 'such a field'
}

/** For years after Christ only. */
function dateField(name: string, value: Sql): Sql | undefined {
  switch (name) {
    case 'year':
      return sql`year(${value})`
    case 'month':
      return sql`month(${value})`
    case 'day':
      return sql`dayofmonth(${value})`
    case 'quarter':
      return sql`quarter(${value})`
    case 'dow':
      return sql`(dayofweek(${value}) - 1)`
    case 'isodow':
      return sql`(weekday(${value}) + 1)`
    case 'doy':
      return sql`dayofyear(${value})`
    case 'week':
      return sql`week(${value}, 3)`
    case 'isoyear':
      return sql`(yearweek(${value}, 3) div 100)`
    case 'decade':
      return sql`(year(${value}) div 10)`
    case 'century':
      return sql`((year(${value}) + 99) div 100)`
    case 'millennium':
      return sql`((year(${value}) + 999) div 1000)`
    case 'epoch':
      return sql`(cast(timestampdiff(microsecond, '1970-01-01', ${value}) as decimal(20, 0)) * 0.000001)`
    default:
      return undefined
  }
}

function timeField(name: string, value: Sql): Sql | undefined {
  switch (name) {
    case 'hour':
      return sql`hour(${value})`
    case 'minute':
      return sql`minute(${value})`
    case 'second':
    case 'seconds':
      return sql`(second(${value}) + cast(microsecond(${value}) as decimal(6, 0)) * 0.000001)`
    case 'millisecond':
    case 'milliseconds':
      return sql`(second(${value}) * 1000 + cast(microsecond(${value}) as decimal(6, 0)) * 0.001)`
    case 'microsecond':
    case 'microseconds':
      return sql`(second(${value}) * 1000000 + microsecond(${value}))`
    default:
      return undefined
  }
}

/** For a TIME, which the server also has below 0. */
function lengthField(name: string, value: Sql, context: PrintContext): Sql | undefined {
  const size = microsecondsOfTime(value, context)
  switch (name) {
    case 'hour':
      return sql`(${size} div 3600000000)`
    case 'minute':
      return sql`(${size} div 60000000 % 60)`
    case 'second':
    case 'seconds':
      return sql`(cast(${size} % 60000000 as decimal(20, 0)) * 0.000001)`
    case 'millisecond':
    case 'milliseconds':
      return sql`(cast(${size} % 60000000 as decimal(20, 0)) * 0.001)`
    case 'microsecond':
    case 'microseconds':
      return sql`(${size} % 60000000)`
    case 'epoch':
      return sql`(cast(${size} as decimal(20, 0)) * 0.000001)`
    default:
      return timeField(name, value)
  }
}

function intervalField(name: string, parts: IntervalParts): Sql | undefined {
  const { months, days, microseconds } = filled(parts)
  const wide = sql`cast(${microseconds} as decimal(20, 0))`
  switch (name) {
    case 'year':
      return sql`(${months} div 12)`
    case 'month':
      return sql`(${months} % 12)`
    case 'day':
      return days
    case 'hour':
      return sql`(${microseconds} div 3600000000)`
    case 'minute':
      return sql`(${microseconds} div 60000000 % 60)`
    case 'second':
      return sql`(${wide} % 60000000 * 0.000001)`
    case 'epoch':
      return sql`((${months} div 12) * 31557600 + (${months} % 12) * 2592000 + ${days} * 86400 + ${wide} * 0.000001)`
    default:
      return undefined
  }
}
