/**
 * @module Arithmetic of dates and times. Outside of the years 1 to 9999, which PostgreSQL supports and the server does not, it
 * returns NULL and a warning: this is refused at run time.
 */

import { type Sql, sql } from '@engine/core/print'
import type { Expression, OperatorCall } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, print } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { isInteger } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues, mostDoubled } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { filled, type IntervalParts, onceParts, withInterval } from './interval.ts'

/** Undefined where the operands are not dates or times. */
export function printMoments(expression: OperatorCall, context: PrintContext): Sql | undefined {
  const { operator, left, right } = expression
  if (left === undefined || (operator.name !== '+' && operator.name !== '-')) return undefined
  const [leftClass, rightClass] = [left, right].map((each) => classOfType(each.type, context))
  if (leftClass === undefined || rightClass === undefined) return undefined
  const isAddend = leftClass === 'interval' || isInteger(leftClass)
  if (operator.name === '+' && isAddend && rightClass !== 'interval' && !isInteger(rightClass)) {
    return printMoments({ ...expression, left: right, right: left }, context)
  }
  const sign = operator.name
  if (leftClass === 'date' && isInteger(rightClass)) {
    return letExpressions(
      [left, right],
      context,
      (date = nullSql, days = nullSql) => datePlusDays(date, days, sign, context),
      mostDoubled,
    )
  }
  if (rightClass === 'interval') {
    switch (leftClass) {
      case 'date':
      case 'timestamp':
      case 'timestamptz':
        return momentPlus(left, right, sign, context)
      case 'time':
        return withInterval(right, context, (parts) => timePlus(print(left, context), parts, sign))
      default:
        return undefined
    }
  }
  switch (`${leftClass} ${rightClass}`) {
    case 'date date':
      return sql`datediff(${print(left, context)}, ${print(right, context)})`
    case 'date time':
      return sign === '+' ? momentOf(print(left, context), print(right, context)) : undefined
    case 'time date':
      return sign === '+' ? momentOf(print(right, context), print(left, context)) : undefined
    default:
      return undefined
  }
}

function momentOf(date: Sql, time: Sql): Sql {
  return sql`cast(timestamp(${date}, ${time}) as datetime(6))`
}

function datePlusDays(date: Sql, days: Sql, sign: '+' | '-', context: PrintContext): Sql {
  const sum =
    sign === '+'
      ? sql`date_add(${date}, interval ${days} day)`
      : sql`date_sub(${date}, interval ${days} day)`
  const overflow = sql`if(isnull(${date}) or isnull(${days}), null, cast(${raiseState('0A000')} as date))`
  return sql`cast(coalesce(${withoutYearZero(sum, 'date', context)}, ${overflow}) as date)`
}

/** A date or timestamp and an interval. */
export function momentPlus(
  left: Expression,
  interval: Expression,
  sign: '+' | '-',
  context: PrintContext,
): Sql {
  const value = print(left, context)
  const isDate = classOfType(left.type, context) === 'date'
  const start = isDate ? sql`cast(${value} as datetime(6))` : value
  const canBeNamed = canBind(left) && canBind(interval)
  return letValues(
    [{ value: start, kind: 'timestamp' }],
    context,
    canBeNamed,
    (moment = nullSql) =>
      withInterval(interval, context, (parts) =>
        onceParts(parts, context, canBeNamed, (named) => plusParts(moment, named, sign, context)),
      ),
    mostDoubled,
  )
}

/** Months first, which may move the day to the last of the month, then days, then the rest. */
function plusParts(moment: Sql, parts: IntervalParts, sign: '+' | '-', context: PrintContext): Sql {
  const step = (value: Sql, amount: Sql | undefined, unit: Sql) => {
    if (amount === undefined) return value
    return sign === '+'
      ? sql`date_add(${value}, interval ${amount} ${unit})`
      : sql`date_sub(${value}, interval ${amount} ${unit})`
  }
  const sum0 = step(moment, parts.months, sql`month`)
  // Only adding months can give the year 0; every further step then gives NULL.
  const months = parts.months === undefined ? sum0 : sql`date_add(${sum0}, interval 0 day)`
  const days = step(months, parts.days, sql`day`)
  const sum = step(days, parts.microseconds, sql`microsecond`)
  const amounts = filled(parts)
  const isNull = sql`(isnull(${moment}) or isnull(${amounts.months} + ${amounts.days} + ${amounts.microseconds}))`
  const overflow = sql`if(${isNull}, null, cast(${raiseState('0A000')} as datetime(6)))`
  return sql`cast(coalesce(${withoutYearZero(sum, 'timestamp', context)}, ${overflow}) as datetime(6))`
}

const lastOfYearZero: Readonly<Record<'date' | 'timestamp', Sql>> = {
  date: sql`cast('0000-12-31' as date)`,
  timestamp: sql`cast('0000-12-31 23:59:59.999999' as datetime(6))`,
}

/** A sum of dates, but NULL in the year 0, which some servers calculate with. */
export function withoutYearZero(
  sum: Sql,
  type: 'date' | 'timestamp',
  { traits }: PrintContext,
): Sql {
  const last = lastOfYearZero[type]
  return traits.faults.yearZero ? sql`nullif(greatest(${sum}, ${last}), ${last})` : sum
}

/** The time of day alone: it wraps around at midnight. */
function timePlus(time: Sql, { microseconds }: IntervalParts, sign: '+' | '-'): Sql {
  if (microseconds === undefined) return time
  const start = sql`timestamp(cast('2000-01-01' as date), ${time})`
  const sum =
    sign === '+'
      ? sql`date_add(${start}, interval ${microseconds} % 86400000000 microsecond)`
      : sql`date_sub(${start}, interval ${microseconds} % 86400000000 microsecond)`
  return sql`cast(${sum} as time(6))`
}
