/** @module Aggregates and window functions whose result is numeric. */

import { boundToLevel, type Sql, sql } from '@engine/core/print'
import type { Aggregate, Expression, WindowCall } from '@engine/core/tree'
import { classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import { isInteger } from '../../type-class.ts'
import { propertiesOf } from '../../value-properties.ts'
import { canBind } from '../binding/can-bind.ts'
import { type AggregateCall, aggregateCall } from '../comparison/aggregate-call.ts'
import { type PickingFunction, pickedValue } from '../comparison/window-count.ts'
import { type Decimal, decimal, decimalInText, decimalOfText } from '../decimal/decimal.ts'
import { quotientOf } from '../decimal/quotient.ts'

type DecimalOf = (expression: Expression, context: PrintContext) => Decimal

/** The number of additional digits of a sum compared with its summands. */
const sumDigits = 10

export function decimalAggregate(
  expression: Aggregate | WindowCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const { function: called, args, position } = expression
  const [argument] = args
  if (argument === undefined) return refuse(`the aggregate ${called.signature}`, position)
  const make = aggregateCall(expression, context)
  switch (called.name) {
    case 'sum':
      return sumOfAll(argument, make, context, decimalOf)
    case 'avg':
      return average(expression, argument, make, context, decimalOf)
    case 'min':
    case 'max':
      return extreme(called.name, expression, argument, make, context, decimalOf)
    case 'lag':
    case 'lead':
    case 'first_value':
    case 'last_value':
    case 'nth_value':
      return pickedRow(called.name, expression, argument, make, context, decimalOf)
    default:
      return refuse(`the aggregate ${called.signature}`, position)
  }
}

function sumOfAll(
  argument: Expression,
  make: AggregateCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  if (isInteger(classOfType(argument.type, context))) {
    return decimal(() => make('sum', print(argument, context)), 0, 29, 0)
  }
  const of = decimalOf(argument, context)
  const { scale } = of
  return decimal(
    () => make('sum', of.value()),
    typeof scale === 'number' ? scale : () => make('max', scale()),
    of.digits + sumDigits,
    of.maxScale,
  )
}

function average(
  expression: Aggregate | WindowCall,
  argument: Expression,
  make: AggregateCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const total = sumOfAll(argument, make, context, decimalOf)
  const counted = decimal(
    () => decimalOfText(make('count', print(argument, context)), 19, 0),
    0,
    19,
    0,
  )
  return quotientOf(total, counted, context, {
    zeroIsNull: true,
    canBeNamed: canBind(expression),
  })
}

function extreme(
  name: 'min' | 'max',
  expression: Aggregate | WindowCall,
  argument: Expression,
  make: AggregateCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const of = decimalOf(argument, context)
  const value = () => make(name, of.value())
  if (propertiesOf(argument, context).scale !== undefined) {
    return decimal(value, of.scale, of.digits, of.maxScale)
  }
  if (expression.kind === 'window') {
    return refuse(`${name} of numerics with different scales`, expression.position)
  }
  const order = name === 'max' ? sql`${of.value()} desc` : of.value()
  const text = () =>
    boundToLevel(
      sql`substring_index(group_concat(${of.text()} order by ${order} separator ','), ',', 1)`,
    )
  return { ...decimalInText(text, context, true), value }
}

function pickedRow(
  name: PickingFunction,
  expression: Aggregate | WindowCall,
  argument: Expression,
  make: AggregateCall,
  context: PrintContext,
  decimalOf: DecimalOf,
): Decimal {
  const of = decimalOf(argument, context)
  const [, count, otherwise] = expression.args
  const pick = (value: Sql, other?: Sql) => pickedValue(name, value, count, other, make, context)
  if (otherwise !== undefined) {
    const other = decimalOf(otherwise, context)
    return decimalInText(() => pick(of.text(), other.text()), context, false)
  }
  if (propertiesOf(argument, context).scale === undefined) {
    return decimalInText(() => pick(of.text()), context, false)
  }
  return decimal(() => pick(of.value()), of.scale, of.digits, of.maxScale)
}
