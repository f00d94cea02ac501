/** @module Functions whose result is numeric. */

import { integer, keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { call, nullSql, type PrintContext, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { type Decimal, decimal, decimalOfText, exact, formatted, lazy } from '../decimal/decimal.ts'
import { absolute } from '../decimal/decimal-arithmetic.ts'
import { zeroGuard } from '../decimal/division.ts'
import { divisionOf } from '../decimal/raw-quotient.ts'
import { remainderOf } from '../decimal/remainder.ts'
import { extractDecimal } from './extract.ts'

type DecimalOf = (expression: Expression, context: PrintContext) => Decimal

/** The most places after the point in a client's round(). */
const mostPlaces = 30

export function decimalCall(
  expression: FunctionCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const { function: called, args, position } = expression
  const [first, second] = args
  if (first === undefined) return refuse(`the function ${called.signature}`, position)
  switch (called.name) {
    case 'round':
    case 'trunc':
      return rounded(called.name, expression, context, decimalOf)
    case 'ceil':
    case 'ceiling': {
      const of = decimalOf(first, context)
      return decimal(() => call('ceiling', of.value()), 0, of.digits + 1, 0)
    }
    case 'floor': {
      const of = decimalOf(first, context)
      return decimal(() => call('floor', of.value()), 0, of.digits + 1, 0)
    }
    case 'sign': {
      const of = decimalOf(first, context)
      return decimal(() => decimalOfText(call('sign', of.value()), 1, 0), 0, 1, 0)
    }
    case 'abs':
      return absolute(decimalOf(first, context), {
        context,
        canBeNamed: canBind(expression),
      })
    case 'mod':
      if (second === undefined) break
      return remainderOf(
        decimalOf(first, context),
        decimalOf(second, context),
        context,
        canBind(expression),
      )
    case 'div':
      if (second === undefined) break
      return wholeQuotient(
        decimalOf(first, context),
        decimalOf(second, context),
        expression,
        context,
      )
    case 'extract':
      return extractDecimal(expression, context)
    default:
  }
  return refuse(`the function ${called.signature}`, position)
}

function rounded(
  name: 'round' | 'trunc',
  { args, position }: FunctionCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const [first, second] = args
  if (first === undefined) return refuse(name, position)
  const of = decimalOf(first, context)
  const places = second === undefined ? '0' : second.kind === 'constant' ? second.value : undefined
  const make = (count: Sql) =>
    name === 'round' ? call('round', of.value(), count) : call('truncate', of.value(), count)
  if (typeof places === 'string') {
    const count = Number(places)
    if (Math.abs(count) > mostPlaces) return refuse(`${name} to this many digits`, position)
    const scale = Math.max(count, 0)
    return decimal(() => make(keyword(`${count}`)), scale, of.digits + 1, scale)
  }
  if (second === undefined || places === null) return refuse(`${name} of NULL places`, position)
  const checked = (n: Sql) =>
    sql`case when abs(${n}) > ${integer(mostPlaces)} then ${raiseState('0A000')} else ${n} end`
  const counted = (use: (n: Sql) => Sql) =>
    letExpressions([second], context, (n = nullSql) => use(n))
  const rest = decimal(
    () => make(counted(checked)),
    () => sql`greatest(${counted(checked)}, 0)`,
    of.digits + 1,
    mostPlaces,
  )
  const text = lazy(() => counted((n) => formatted(make(checked(n)), sql`greatest(${n}, 0)`)))
  return { ...rest, text }
}

function wholeQuotient(
  left: Decimal,
  right: Decimal,
  expression: FunctionCall,
  context: PrintContext,
): Decimal {
  const values = () => [
    { value: left.value(), kind: left.maxScale },
    { value: right.value(), kind: right.maxScale },
  ]
  const value = () =>
    letValues(values(), context, canBind(expression), (one = nullSql, other = nullSql) =>
      zeroGuard(one, other, divisionOf(context).truncate(one, other)),
    )
  return exact(decimal(value, 0, left.digits + right.maxScale, 0), context)
}
