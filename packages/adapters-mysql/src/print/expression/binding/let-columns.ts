/** @module Operands that a translation needs several times, as expressions: for translations that print expressions. */

import type { Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { anyValue, classOfType, nullSql, type PrintContext, print } from '../../print-context.ts'
import { propertiesOf } from '../../value-properties.ts'
import { canBind } from './can-bind.ts'
import { isLong, letValues, mostDoubled } from './let-binding.ts'
import { namedValue } from './named-kind.ts'
import type { NamedValue } from './named-value.ts'

/** The kind of a named operand. */
interface Named extends NamedValue {
  /** For a numeric that is not named as text. */
  readonly scale: number | undefined
}

/** Calls `body` with the operands; a long one is a column with its value. */
export function letColumns(
  operands: readonly Expression[],
  context: PrintContext,
  body: (...operands: readonly Expression[]) => Sql,
  mostPieces: number = mostDoubled,
): Sql {
  const values = operands.map((each) => named(each, context))
  const isOneLong = values.some((each) => each !== undefined && isLong(each.value, mostPieces))
  if (!isOneLong) return body(...operands)
  const isNamed = (each: Named | undefined): each is Named =>
    each !== undefined && (each.value.isBoundToLevel || isLong(each.value, mostPieces))
  const canBeNamed = operands.every(canBind)
  return letValues(
    values.filter(isNamed),
    context,
    canBeNamed,
    (...names) => {
      const rest = names.values()
      const bound = operands.map((operand, index) => {
        const value = values[index]
        return isNamed(value)
          ? columnOf(operand, rest.next().value ?? nullSql, value.scale, context)
          : operand
      })
      return body(...bound)
    },
    mostPieces,
  )
}

/** Undefined for an expression without a single value. */
function named(expression: Expression, context: PrintContext): Named | undefined {
  switch (classOfType(expression.type, context)) {
    case 'interval':
    case 'other':
    case 'record':
      return undefined
    case 'numeric': {
      const { scale } = propertiesOf(expression, context)
      return scale === undefined
        ? { value: context.printDecimalText(expression, context), kind: 'text', scale }
        : { value: print(expression, context), kind: scale, scale }
    }
    default:
      return { ...namedValue(expression, context), scale: undefined }
  }
}

function columnOf(
  expression: Expression,
  name: Sql,
  scale: number | undefined,
  context: PrintContext,
): Expression {
  const relation = context.nextId()
  const { isNullable } = propertiesOf(expression, context)
  const column = { ...anyValue, isNullable, scale, sql: name, isBare: false }
  context.relations.set(relation, { column: () => column })
  return { kind: 'column', relation, column: 0, type: expression.type }
}
