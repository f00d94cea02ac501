/**
 * @module Intervals. The server has no such type: an interval exists only inside an expression, as three integers, and its result
 * form is text.
 */

import { oids } from '@engine/core/catalog'
import { parameter, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall, OperatorCall } from '@engine/core/tree'
import { withFromClause } from '../../force-from-clause.ts'
import {
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../../print-context.ts'
import { isInteger } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues, mostDoubled } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'

/** Whole numbers; undefined is 0. All of them NULL for NULL. */
export interface IntervalParts {
  readonly months: Sql | undefined
  readonly days: Sql | undefined
  readonly microseconds: Sql | undefined
}

/** Uses the parts of an interval. */
export type PartsBody = (parts: IntervalParts) => Sql

/** Calls `body` with the parts; an operand used by several parts is named, unless it is short. */
export function withInterval(expression: Expression, context: PrintContext, body: PartsBody): Sql {
  switch (expression.kind) {
    case 'constant':
      return body(
        typeof expression.value === 'string'
          ? constantParts(expression.value, expression.position)
          : { months: nullSql, days: nullSql, microseconds: nullSql },
      )
    case 'operator':
      return withOperator(expression, context, body)
    case 'call':
      return body(callParts(expression, context))
    case 'cast':
      if (classOfType(expression.operand.type, context) === 'time') {
        return letExpressions([expression.operand], context, (time = nullSql) =>
          body(onlyMicroseconds(microsecondsOfTime(time, context))),
        )
      }
      if (classOfType(expression.operand.type, context) === 'interval') {
        if (expression.type.typmod >= 0)
          return refuse('an interval of some fields', expression.position)
        return withInterval(expression.operand, context, body)
      }
      return refuse('a cast to interval', expression.position)
    default:
      return refuse('an interval as a value', expression.position)
  }
}

/** Parts that can be used several times. */
export function onceParts(
  { months, days, microseconds }: IntervalParts,
  context: PrintContext,
  canBeNamed: boolean,
  body: PartsBody,
): Sql {
  const parts = [months, days, microseconds]
  const values = parts.filter((each) => each !== undefined)
  return letValues(
    values.map((value) => ({ value, kind: 'integer' })),
    context,
    canBeNamed,
    (...names) => {
      const rest = names.values()
      const next = (part: Sql | undefined) =>
        part === undefined ? undefined : (rest.next().value ?? nullSql)
      return body({ months: next(months), days: next(days), microseconds: next(microseconds) })
    },
    mostDoubled,
  )
}

function onlyMicroseconds(microseconds: Sql): IntervalParts {
  return { months: undefined, days: undefined, microseconds }
}

/** PostgreSQL's canonical text: `1 year 2 mons -3 days +04:05:06.7`. */
function constantParts(text: string, position: number | undefined): IntervalParts {
  const pattern =
    /^(?:([-+]?\d+) years? ?)?(?:([-+]?\d+) mons? ?)?(?:([-+]?\d+) days? ?)?(?:([-+])?(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/
  const match = pattern.exec(text)
  if (match === null) return refuse('an interval like this', position)
  const [, years = '0', months = '0', days = '0', sign, hours = '0', minutes = '0', seconds = '0'] =
    match
  const fraction = (match[8] ?? '').padEnd(6, '0')
  const clock = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  const microseconds = clock * 1_000_000n + BigInt(fraction)
  return {
    months: whole(BigInt(years) * 12n + BigInt(months)),
    days: whole(BigInt(days)),
    microseconds: whole(sign === '-' ? -microseconds : microseconds),
  }
}

function whole(value: bigint): Sql | undefined {
  if (value === 0n) return undefined
  const type = { oid: oids.int8, typmod: -1 }
  return sql`cast(${parameter({ from: 'constant', value: String(value), type })} as signed)`
}

function withOperator(expression: OperatorCall, context: PrintContext, body: PartsBody): Sql {
  const { operator, left, right, position } = expression
  const isInterval = (each: Expression) => classOfType(each.type, context) === 'interval'
  if (left === undefined) {
    return withInterval(right, context, (parts) =>
      body(operator.name === '-' ? each(parts, (value) => sql`(- ${value})`) : parts),
    )
  }
  switch (operator.name) {
    case '+':
    case '-': {
      const { name } = operator
      if (isInterval(left) && isInterval(right)) {
        return withInterval(left, context, (one) =>
          withInterval(right, context, (other) => body(combined(name, one, other))),
        )
      }
      return name === '-'
        ? withDifference(left, right, context, body)
        : refuse(`the operator ${operator.signature}`, position)
    }
    case '*': {
      const [interval, factor] = isInterval(left) ? [left, right] : [right, left]
      const count = wholeFactor(factor, context)
      if (count === undefined) return refuse('an interval times a fraction', position)
      const value = [{ value: count, kind: 'integer' }] as const
      return letValues(value, context, canBind(expression), (times = nullSql) =>
        withInterval(interval, context, (parts) =>
          body(each(parts, (part) => sql`(${part} * ${times})`)),
        ),
      )
    }
    default:
      return refuse(`the operator ${operator.signature}`, position)
  }
}

function each(parts: IntervalParts, change: (value: Sql) => Sql): IntervalParts {
  const changed = (value: Sql | undefined) => (value === undefined ? undefined : change(value))
  return {
    months: changed(parts.months),
    days: changed(parts.days),
    microseconds: changed(parts.microseconds),
  }
}

function combined(sign: '+' | '-', one: IntervalParts, other: IntervalParts): IntervalParts {
  const join = (left: Sql | undefined, right: Sql | undefined): Sql | undefined => {
    if (right === undefined) return left
    if (left === undefined) return sign === '+' ? right : sql`(- ${right})`
    return sign === '+' ? sql`(${left} + ${right})` : sql`(${left} - ${right})`
  }
  return {
    months: join(one.months, other.months),
    days: join(one.days, other.days),
    microseconds: join(one.microseconds, other.microseconds),
  }
}

/** The integer value of a double: fractions would move from months into days. */
function wholeFactor(factor: Expression, context: PrintContext): Sql | undefined {
  if (factor.kind === 'cast' && isInteger(classOfType(factor.operand.type, context))) {
    return print(factor.operand, context)
  }
  if (factor.kind !== 'constant' || typeof factor.value !== 'string') return undefined
  return /^-?\d{1,15}$/.test(factor.value) ? (whole(BigInt(factor.value)) ?? sql`0`) : undefined
}

/** The difference of two timestamps, in days and the remaining time; or of two times of day. */
function withDifference(
  left: Expression,
  right: Expression,
  context: PrintContext,
  body: PartsBody,
): Sql {
  return letExpressions([left, right], context, (one = nullSql, other = nullSql) => {
    if (classOfType(left.type, context) === 'time') {
      const size = sql`(${microsecondsOfTime(one, context)} - ${microsecondsOfTime(other, context)})`
      return body(onlyMicroseconds(size))
    }
    const between = sql`timestampdiff(microsecond, ${other}, ${one})`
    const day = sql`86400000000`
    return body({
      months: undefined,
      days: sql`(${between} div ${day})`,
      microseconds: sql`(${between} % ${day})`,
    })
  })
}

/** The microseconds since midnight; negative before. */
export function microsecondsOfTime(time: Sql, { traits }: PrintContext): Sql {
  if (traits.hasFractionInSeconds) {
    return sql`cast(time_to_sec(cast(${time} as time(6))) * 1000000 as signed)`
  }
  const midnight = sql`timestamp'2000-01-01 00:00:00'`
  return sql`timestampdiff(microsecond, ${midnight}, addtime(${midnight}, ${time}))`
}

function callParts(expression: FunctionCall, context: PrintContext): IntervalParts {
  const { function: called, args, position } = expression
  if (called.name !== 'make_interval') return refuse(`the function ${called.signature}`, position)
  const [years, months, weeks, days, hours, minutes, seconds] = args
  const part = (of: Expression | undefined): Sql | undefined =>
    of === undefined || isZero(of) ? undefined : print(of, context)
  const clock = (of: Expression | undefined, factor: Sql): Sql | undefined => {
    const value = part(of)
    return value === undefined ? undefined : sql`(${value} * ${factor})`
  }
  const secondsPart = part(seconds)
  const micros =
    secondsPart === undefined ? undefined : sql`cast(round(${secondsPart} * 1e6) as signed)`
  return {
    months: added(clock(years, sql`12`), part(months)),
    days: added(clock(weeks, sql`7`), part(days)),
    microseconds: added(
      added(clock(hours, sql`3600000000`), clock(minutes, sql`60000000`)),
      micros,
    ),
  }
}

function isZero(expression: Expression): boolean {
  return expression.kind === 'constant' && Number(expression.value ?? Number.NaN) === 0
}

function added(one: Sql | undefined, other: Sql | undefined): Sql | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return sql`(${one} + ${other})`
}

/** One number that orders intervals as PostgreSQL does: months have 30 days, days 24 hours. */
export function intervalKey(expression: Expression, context: PrintContext): Sql {
  return withInterval(expression, context, (parts) => {
    const { months, days, microseconds } = filled(parts)
    return sql`((${months} * 30 + ${days}) * 86400000000 + ${microseconds})`
  })
}

export function filled({
  months,
  days,
  microseconds,
}: IntervalParts): Readonly<Record<keyof IntervalParts, Sql>> {
  return { months: months ?? sql`0`, days: days ?? sql`0`, microseconds: microseconds ?? sql`0` }
}

/** As PostgreSQL writes it. */
export function intervalText(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'column') {
    return relationOf(expression.relation, context).column(expression.column).sql
  }
  if (expression.kind === 'subquery') {
    return sql`(${context.printQuery(withFromClause(expression.query, context), context, 'value').sql})`
  }
  return withInterval(expression, context, (given) => {
    const parts = filled(given)
    const values = [
      { value: parts.months, kind: 'integer' },
      { value: parts.days, kind: 'integer' },
      { value: parts.microseconds, kind: 'integer' },
    ] as const
    return letValues(values, context, canBind(expression), partsText)
  })
}

function partsText(months: Sql = nullSql, days: Sql = nullSql, micros: Sql = nullSql): Sql {
  const [years, rest] = [sql`(${months} div 12)`, sql`(${months} % 12)`]
  const yearText = field(years, sql`''`, sql`'year'`)
  const monthText = field(rest, sql`if(${years} < 0 and ${rest} > 0, '+', '')`, sql`'mon'`)
  const last = sql`if(${rest} <> 0, ${rest}, ${years})`
  const dayText = field(days, sql`if(${last} < 0 and ${days} > 0, '+', '')`, sql`'day'`)
  const before = sql`if(${days} <> 0, ${days}, ${last})`
  const size = sql`abs(${micros})`
  const clock = sql`concat(${timeSign(micros, before)}, lpad(${size} div 3600000000, greatest(2, char_length(${size} div 3600000000)), '0'), ':', lpad(${size} div 60000000 % 60, 2, '0'), ':', lpad(${size} div 1000000 % 60, 2, '0'), if(${size} % 1000000 = 0, '', concat('.', trim(trailing '0' from lpad(${size} % 1000000, 6, '0')))))`
  const isEmpty = sql`(${months} = 0 and ${days} = 0)`
  const isNull = sql`(isnull(${months}) or isnull(${days}) or isnull(${micros}))`
  return sql`if(${isNull}, null, concat_ws(' ', ${yearText}, ${monthText}, ${dayText}, if(${micros} <> 0 or ${isEmpty}, ${clock}, null)))`
}

function field(value: Sql, sign: Sql, unit: Sql): Sql {
  return sql`if(${value} = 0, null, concat(${sign}, ${value}, ' ', ${unit}, if(${value} = 1, '', 's')))`
}

function timeSign(micros: Sql, before: Sql): Sql {
  return sql`if(${micros} < 0, '-', if(${before} < 0, '+', ''))`
}
