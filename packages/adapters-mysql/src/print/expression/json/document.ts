/** @module Documents for the server's JSON functions. */

import { parameter, type Sql } from '@engine/core/print'
import type { Expression, OperatorCall } from '@engine/core/tree'
import { isHeldJson } from '../../../values/held-json.ts'
import { documentForm } from '../../../values/parameter-kind.ts'
import {
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../../print-context.ts'
import { nativeOf } from '../../read-stored.ts'
import { isInteger } from '../../type-class.ts'
import { elementsOf } from '../array/array-elements.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { namedValue } from '../binding/named-kind.ts'
import type { NamedValue } from '../binding/named-value.ts'
import { heldJson } from './json-numbers.ts'
import { itemOf, memberOf, stepFrom } from './json-step.ts'
import { ofServer } from './server-json.ts'

/** A json or jsonb whose numbers the server's JSON functions do not change: other documents are refused, here or at run time. */
export function documentOf(expression: Expression, context: PrintContext): Sql {
  if (!context.traits.hasJsonType) return print(expression, context)
  const part = expression.kind === 'operator' ? partOf(expression, context) : undefined
  if (part !== undefined) return part
  const stored = storedDocument(expression, context)
  if (stored !== undefined) return stored
  if (expression.kind === 'parameter') {
    const { index, type } = expression
    return ofServer(parameter({ from: 'request', index, type, form: documentForm }), context)
  }
  const value = print(expression, context)
  if (isHeld(expression, context)) return value
  if (expression.kind === 'constant') {
    return refuse('JSON with a number like this', expression.position)
  }
  return heldJson(value, context, canBind(expression))
}

export function namedDocument(expression: Expression, context: PrintContext): NamedValue {
  return { value: documentOf(expression, context), kind: 'document' }
}

/** `document -> 'key'`, `document #> '{a,1}'` and the same as text, in the server's own form; undefined for any other operator. */
export function partOf(expression: OperatorCall, context: PrintContext): Sql | undefined {
  const { operator, left, right } = expression
  if (left === undefined || !isDocument(left, context)) return undefined
  const canBeNamed = canBind(left) && canBind(right)
  if (operator.name === '#>' || operator.name === '#>>') {
    return pathOf(right, context)?.reduce(
      (from, step) => stepFrom(from, step, context, canBeNamed),
      documentOf(left, context),
    )
  }
  if (operator.name !== '->' && operator.name !== '->>') return undefined
  const isIndex = isInteger(classOfType(right.type, context))
  const values = [namedDocument(left, context), namedValue(right, context)]
  return letValues(values, context, canBeNamed, (name = nullSql, step = nullSql) =>
    isIndex
      ? itemOf(name, step, classOfType(left.type, context) === 'jsonb', context)
      : memberOf(name, step, context),
  )
}

/** Undefined where the steps are not constant. */
function pathOf(path: Expression, context: PrintContext): readonly Sql[] | undefined {
  return elementsOf(path, context)?.map((each) => print(each, context))
}

/** A column in the server's binary form of documents. */
function storedDocument(expression: Expression, context: PrintContext): Sql | undefined {
  if (expression.kind !== 'column') return undefined
  const column = relationOf(expression.relation, context).column(expression.column)
  const isStored = column.stored !== undefined && nativeOf(column.stored).dataType === 'json'
  return isStored ? column.sql : undefined
}

/** Is it checked when it is printed or sent? */
function isHeld(expression: Expression, context: PrintContext): boolean {
  switch (expression.kind) {
    case 'constant':
      return typeof expression.value !== 'string' || isHeldJson(expression.value)
    case 'parameter':
      return true
    case 'cast':
      return isDocument(expression.operand, context) && isHeld(expression.operand, context)
    default:
      return false
  }
}

function isDocument(expression: Expression | undefined, context: PrintContext): boolean {
  if (expression === undefined) return false
  const typeClass = classOfType(expression.type, context)
  return typeClass === 'json' || typeClass === 'jsonb'
}
