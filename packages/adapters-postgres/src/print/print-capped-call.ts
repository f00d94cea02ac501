/**
 * @module Calls whose arguments decide the size of the result: `repeat`, `lpad`, `rpad`, `polygon`, `generate_series` and `ts_rewrite`. The binder
 * has checked constants, except for `ts_rewrite`. For other arguments PostgreSQL itself refuses a result that is too large, before it computes it, with
 * SQLSTATE 54000, the error of `repeat` for a result beyond all bounds:
 * `repeat(note, n)` → `repeat(note, case when length(note)::int8 * n > 10000000 then 2147483647 else n end)`.
 */

import { GatewayError } from '@engine/core/adapter'
import { type Oid, oids } from '@engine/core/catalog'
import { commaList, integer, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  type FunctionCall,
  hasPart,
  isVolatile,
  unsupportedConstruct,
} from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/** Maximum characters of one text. */
const maxCharacters = 10_000_000
/** Maximum points of a polygon that is made of a circle. */
const maxPoints = 100_000
/** Maximum words and operators of a search query that `ts_rewrite` makes: each call may multiply them. */
const maxNodes = 100_000
/** Maximum rows of one call. */
const maxRows = 1_000_000
/** Maximum pieces of SQL that one guard repeats: nested guards would multiply without end. */
const maxCopiedPieces = 1_000
/** A count that exceeds the length of every text. */
const tooMany = 2_147_483_647

/** The arguments with a guard around one of them; undefined for a call that needs none. */
export function cappedArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  if (call.function.schema !== undefined) return undefined
  switch (call.function.name) {
    case 'repeat':
      return repeatArguments(call, context)
    case 'lpad':
    case 'rpad':
      return padArguments(call, context)
    case 'polygon':
      return pointArguments(call, context)
    case 'generate_series':
      return seriesArguments(call, context)
    case 'ts_rewrite':
      return rewriteArguments(call, context)
    default:
      return undefined
  }
}

function repeatArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  const [value, count] = call.args
  if (value === undefined || count === undefined) return undefined
  if (isConstant(value) && isConstant(count)) return undefined
  requireStable(call, count)
  const text = copy(value, call, context)
  const times = copy(count, call, context)
  const size = sql`pg_catalog.length(${text})::pg_catalog.int8 * ${times}`
  const isSet = givesRows(value) || givesRows(count)
  return sql`${text}, ${limited(times, size, maxCharacters, isSet)}`
}

/** `polygon(n, circle)`: the other forms have one argument. */
function pointArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  const [count, circle] = call.args
  if (count === undefined || circle === undefined || isConstant(count)) return undefined
  requireStable(call, count)
  const points = copy(count, call, context)
  const most = limited(points, points, maxPoints, givesRows(count))
  return sql`${most}, ${context.printExpression(circle, context)}`
}

function padArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  const [value, length, ...fill] = call.args
  if (value === undefined || length === undefined || isConstant(length)) return undefined
  requireStable(call, length)
  const size = copy(length, call, context)
  const print = (expression: Expression) => context.printExpression(expression, context)
  const most = limited(size, size, maxCharacters, givesRows(length))
  return commaList([print(value), most, ...fill.map(print)])
}

/**
 * `count`, or a number that PostgreSQL refuses when the result would have more parts than `most`.
 *
 * @param parts how many characters or points the result has
 * @param isSet an operand is a set-returning function, which is not allowed in a CASE
 */
function limited(count: Sql, parts: Sql, most: number, isSet: boolean): Sql {
  if (isSet) {
    const least = sql`greatest(${count}, 0)`
    const isTooMuch = sql`(${parts} > ${integer(most)})::pg_catalog.int4`
    return sql`(${least} + (${integer(tooMany)} - ${least}) * ${isTooMuch})`
  }
  return sql`(case when ${parts} > ${integer(most)} then ${integer(tooMany)} else ${count} end)`
}

function seriesArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  const isMoment = call.args.some(({ type }) => momentTypes.has(type.oid))
  if (!isMoment && call.args.every(isConstant)) return undefined
  requireStable(call, ...call.args)
  if (call.args.some(givesRows)) {
    const construct = `${call.function.name}() of a set-returning function`
    throw unsupportedConstruct(construct, 'PostgreSQL', call.position)
  }
  const [first, last, step] = call.args.map((argument) => copy(argument, call, context))
  if (first === undefined || last === undefined) return undefined
  const rows =
    isMoment && step !== undefined
      ? sql`${secondsBetween(first, last, call.args.slice(0, 2).every(isFiniteTime))} / nullif(${seconds(step)}, 0)`
      : sql`(${last}::pg_catalog.numeric - ${first}) / nullif(${step ?? integer(1)}, 0)`
  // PostgreSQL itself refuses NaN and the infinities.
  const isNumber = call.args.some(({ type }) => type.oid === oids.numeric)
    ? sql` and (${rows})::pg_catalog.text ~ '[0-9]'`
    : sql``
  const guarded = unless(sql`${rows} >= ${integer(maxRows)}${isNumber}`, last)
  return commaList([first, guarded, ...(step === undefined ? [] : [step])])
}

/** Every word of the query may become the whole substitute. */
function rewriteArguments(call: FunctionCall, context: PrintContext): Sql | undefined {
  requireStable(call, ...call.args)
  if (call.args.some(givesRows)) {
    throw unsupportedConstruct(
      'ts_rewrite() of a set-returning function',
      'PostgreSQL',
      call.position,
    )
  }
  const [query, target, substitute] = call.args.map((argument) => copy(argument, call, context))
  if (query === undefined || target === undefined || substitute === undefined) return undefined
  const nodes = sql`pg_catalog.numnode(${query})::pg_catalog.int8 * pg_catalog.numnode(${substitute})`
  return commaList([query, target, unless(sql`${nodes} > ${integer(maxNodes)}`, substitute)])
}

/** `value`, or an error where `isTooMuch`. */
function unless(isTooMuch: Sql, value: Sql): Sql {
  const times = sql`case when ${isTooMuch} then ${integer(tooMany)} else 0 end`
  return sql`(case when pg_catalog.repeat('x', ${times}) = '' then ${value} end)`
}

const momentTypes: ReadonlySet<Oid> = new Set<Oid>([oids.timestamp, oids.timestamptz])

function seconds(interval: Sql): Sql {
  return sql`pg_catalog.date_part('epoch', ${interval})`
}

function isFiniteTime(expression: Expression): boolean {
  if (expression.kind === 'requestTime') return true
  return expression.kind === 'constant' && !/inf/i.test(String(expression.value))
}

/** Of timestamps. A series from or to an infinity has no end; before version 17 the difference is an error there. */
function secondsBetween(first: Sql, last: Sql, isKnownFinite: boolean): Sql {
  const difference = seconds(sql`${last} - ${first}`)
  if (isKnownFinite) return difference
  const areFinite = sql`pg_catalog.isfinite(${first}) and pg_catalog.isfinite(${last})`
  const isLater = sql`when ${last} > ${first} then 'Infinity'::pg_catalog.float8`
  const isEarlier = sql`when ${last} < ${first} then '-Infinity'::pg_catalog.float8`
  const isSame = sql`when ${last} = ${first} then 'NaN'::pg_catalog.float8`
  return sql`(case when ${areFinite} then ${difference} ${isLater} ${isEarlier} ${isSame} end)`
}

function isConstant(expression: Expression): boolean {
  return expression.kind === 'constant'
}

/** Returns whether the expression contains a set-returning function. */
function givesRows(expression: Expression): boolean {
  return hasPart(expression, (part) => part.kind === 'call' && part.function.returnsSet)
}

/** An expression that is evaluated twice must give the same value both times. */
function requireStable(call: FunctionCall, ...expressions: readonly Expression[]): void {
  if (!expressions.some(isVolatile)) return
  const construct = `a volatile argument of ${call.function.name}()`
  throw unsupportedConstruct(construct, 'PostgreSQL', call.position)
}

/** An operand that appears several times in the guard. */
function copy(expression: Expression, call: FunctionCall, context: PrintContext): Sql {
  const printed = context.printExpression(expression, context)
  if (printed.size <= maxCopiedPieces) return printed
  throw new GatewayError('limitExceeded', `An argument of ${call.function.name}() is too large.`, {
    sqlState: '54001',
    ...(call.position === undefined ? {} : { position: call.position }),
  })
}
