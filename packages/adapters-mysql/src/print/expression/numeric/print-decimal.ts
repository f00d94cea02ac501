/** @module Expressions of the type numeric. */

import type { ValueSource } from '@engine/core/adapter'
import { numericOfTypmod } from '@engine/core/catalog'
import { joinSql, parameter, type Sql, sql } from '@engine/core/print'
import type { Case, Coalesce, Expression, Extremum, OperatorCall } from '@engine/core/tree'
import { withFromClause } from '../../force-from-clause.ts'
import { createMemo } from '../../memo.ts'
import {
  binaryCollation,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { readStored } from '../../read-stored.ts'
import { propertiesOf } from '../../value-properties.ts'
import { arrayItemText } from '../array/array-element.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import type { NamedValue } from '../binding/named-value.ts'
import {
  type Decimal,
  decimal,
  decimalColumn,
  decimalInText,
  decimalOfText,
  lazy,
  nullDecimal,
  scaleOfDigits,
  scaleSql,
  textDigits,
  textScale,
  widest,
} from '../decimal/decimal.ts'
import { absolute, negative, productOf, sumOf } from '../decimal/decimal-arithmetic.ts'
import { onceDecimals } from '../decimal/decimal-operands.ts'
import { greatestOf } from '../decimal/greatest.ts'
import { quotientOf } from '../decimal/quotient.ts'
import { remainderOf } from '../decimal/remainder.ts'
import { decimalAggregate } from './decimal-aggregate.ts'
import { decimalCall } from './decimal-call.ts'
import { decimalCast } from './decimal-cast.ts'
import { decimalNullIf } from './decimal-null-if.ts'

const decimals = createMemo<Decimal>()

export function decimalOf(expression: Expression, context: PrintContext): Decimal {
  return decimals(expression, context, () => findDecimal(expression, context))
}

function findDecimal(expression: Expression, context: PrintContext): Decimal {
  const found = shapeOf(expression, context)
  if (context.traits.mostScale <= textScale && found.maxScale > textScale) {
    return refuse('a numeric with this many digits', expression.position)
  }
  const { scale } = propertiesOf(expression, context)
  return scale === undefined ? found : { ...found, scale, calculation: undefined }
}

/** The result of an expression: a DECIMAL when every row has the same scale, text otherwise. */
export function decimalText(expression: Expression, context: PrintContext): Sql {
  return decimalOf(expression, context).text()
}

function shapeOf(expression: Expression, context: PrintContext): Decimal {
  const { position } = expression
  switch (expression.kind) {
    case 'column': {
      const column = relationOf(expression.relation, context).column(expression.column)
      if (column.stored !== undefined) {
        const { precision, scale } = numericOfTypmod(column.stored.type.typmod) ?? {
          precision: 65,
          scale: 30,
        }
        const stored = column.stored
        const value = lazy(() => readStored(stored, column.sql, context))
        return decimalColumn(value, precision - scale, scale)
      }
      const { scale } = column
      if (scale === undefined) return decimalInText(() => column.sql, context, true)
      return decimalColumn(() => column.sql, Math.min(65 - scale, textDigits), scale)
    }
    case 'constant':
      return constantOf(expression.value, expression, context)
    case 'parameter':
      return decimalInText(
        () =>
          sentDigits({ from: 'request', index: expression.index, type: expression.type }, context),
        context,
        true,
      )
    case 'caller':
      return decimalInText(
        () => sentDigits({ from: 'caller', slot: expression.slot }, context),
        context,
        true,
      )
    case 'operator':
      return operatorOf(expression, context)
    case 'cast':
      return decimalCast(expression, context, decimalOf)
    case 'call':
      return decimalCall(expression, context, decimalOf)
    case 'aggregate':
    case 'window':
      return decimalAggregate(expression, context, decimalOf)
    case 'case':
      return caseOf(expression, context)
    case 'coalesce':
      return coalesceOf(expression, context)
    case 'extremum':
      return extremumOf(expression, context)
    case 'nullIf':
      return decimalNullIf(expression, context, decimalOf)
    case 'subquery': {
      const printed = context.printQuery(
        withFromClause(expression.query, context),
        context,
        'value',
      )
      const value = sql`(${printed.sql})`
      const scale = printed.columns[0]?.scale
      if (scale === undefined) {
        return decimalInText(() => value, context, canBind(expression))
      }
      return decimal(() => value, scale, Math.min(65 - scale, textDigits), scale)
    }
    case 'subscript':
      return decimalInText(() => arrayItemText(expression, context), context, canBind(expression))
    default:
      return refuse('a numeric expression of this kind', position)
  }
}

/** A text, whatever the arms beside it are. */
function sentDigits(source: ValueSource, context: PrintContext): Sql {
  const value = parameter(source)
  return context.traits.faults.parametersOfOtherArms
    ? sql`(${value} collate ${binaryCollation(context)})`
    : value
}

function constantOf(
  value: unknown,
  expression: Extract<Expression, { kind: 'constant' }>,
  _context: PrintContext,
): Decimal {
  if (value === null) return nullDecimal
  const digits = /^-?(\d+)(?:\.(\d+))?$/.exec(typeof value === 'string' ? value : '')
  if (digits === null) return refuse('NaN or infinity as a numeric', expression.position)
  const [whole, scale] = [digits[1]?.length ?? 1, digits[2]?.length ?? 0]
  if (whole + scale > 65 || scale > 38) {
    return refuse('a number of this many digits', expression.position)
  }
  const { type } = expression
  const source: ValueSource = { from: 'constant', value: String(value), type }
  return decimal(() => decimalOfText(parameter(source), whole, scale), scale, whole, scale)
}

function operatorOf(expression: OperatorCall, context: PrintContext): Decimal {
  const { operator, left, right, position } = expression
  const second = decimalOf(right, context)
  const canBeNamed = canBind(expression)
  const arithmetic = { context, canBeNamed }
  if (left === undefined) {
    if (operator.name === '+') return second
    if (operator.name === '-') return negative(second, arithmetic)
    if (operator.name === '@') return absolute(second, arithmetic)
    return refuse(`the operator ${operator.signature}`, position)
  }
  const first = decimalOf(left, context)
  switch (operator.name) {
    case '+':
    case '-':
      return sumOf(operator.name, first, second, arithmetic)
    case '*':
      return productOf(first, second, arithmetic)
    case '/':
      return quotientOf(first, second, context, { zeroIsNull: false, canBeNamed })
    case '%':
      return remainderOf(first, second, context, canBeNamed)
    default:
      return refuse(`the operator ${operator.signature}`, position)
  }
}

function caseOf(expression: Case, context: PrintContext): Decimal {
  const results = expression.whens.map(({ result }) => decimalOf(result, context))
  const otherwise =
    expression.otherwise === undefined ? nullDecimal : decimalOf(expression.otherwise, context)
  const choose = (part: (of: Decimal) => Sql) => {
    const whens = expression.whens.map(({ condition }, index) => {
      const result = results[index] ?? nullDecimal
      return sql`when ${print(condition, context)} then ${part(result)}`
    })
    return sql`case ${joinSql(whens, ' ')} else ${part(otherwise)} end`
  }
  return {
    ...widest(
      [...results, otherwise],
      lazy(() => choose(({ scale }) => scaleSql(scale))),
    ),
    value: lazy(() => choose(({ value }) => value())),
    text: lazy(() => choose(({ text }) => text())),
  }
}

function coalesceOf(expression: Coalesce, context: PrintContext): Decimal {
  const all = expression.args.map((each) => decimalOf(each, context))
  const values = (part: (of: Decimal) => Sql) => sql`coalesce(${joinSql(all.map(part), ', ')})`
  const text = lazy(() => values((each) => each.text()))
  const scale = () => {
    if (all.some((each) => typeof each.scale !== 'number')) {
      const shown = { value: text(), kind: 'text' } as const
      return letValues([shown], context, canBind(expression), (name = nullSql) =>
        scaleOfDigits(name),
      )
    }
    const whens = all.map(
      (each) => sql`when ${each.value()} is not null then ${scaleSql(each.scale)}`,
    )
    return sql`case ${joinSql(whens, ' ')} end`
  }
  return { ...widest(all, lazy(scale)), value: lazy(() => values((each) => each.value())), text }
}

/** Of equal values the first one is shown. */
function extremumOf(expression: Extremum, context: PrintContext): Decimal {
  const all = expression.args.map((each) => decimalOf(each, context))
  const isGreatest = expression.function === 'greatest'
  const canBeNamed = expression.args.every(canBind)
  const greatest = (of: readonly Decimal[]): NamedValue => {
    const { digits, maxScale } = widest(of, 0)
    const kind = Math.min(maxScale, Math.max(textScale, 65 - digits), context.traits.mostScale)
    const values = of.map((each) => ({ value: each.value(), kind: each.maxScale }))
    return { value: greatestOf(values, isGreatest, context, canBeNamed), kind }
  }
  const value = lazy(() => greatest(all).value)
  const [scale, ...others] = new Set(all.map((each) => each.scale))
  if (typeof scale === 'number' && others.length === 0) {
    const { digits, maxScale } = widest(all, scale)
    return decimal(value, scale, digits, maxScale)
  }
  const choose = (part: (of: Decimal) => Sql) =>
    lazy(() =>
      onceDecimals(all, context, canBeNamed, (...bound) =>
        letValues([greatest(bound)], context, canBeNamed, (name = nullSql) => {
          const whens = bound.map((each) => sql`when ${each.value()} = ${name} then ${part(each)}`)
          // The server cuts digits of the name that do not fit beside those before the point.
          return sql`case ${joinSql(whens, ' ')} when ${name} is not null then ${raiseState('0A000')} end`
        }),
      ),
    )
  return {
    ...widest(
      all,
      choose((each) => scaleSql(each.scale)),
    ),
    value,
    text: choose((each) => each.text()),
  }
}
