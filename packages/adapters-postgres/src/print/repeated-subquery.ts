/**
 * @module Prints equal subqueries with the same text. GROUP BY, DISTINCT ON and aggregates
 * recognise an expression only by its text, and every copy of a secured table has its own names.
 */

import type { Sql } from '@engine/core/print'
import {
  type Expression,
  freeRelationsOf,
  sameExpression,
  visitExpression,
} from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import type { SubqueryExpression } from './printed-subquery.ts'

/** The text of a subquery: that of `print`, or the earlier text of the same subquery. */
export function printOnce(
  expression: SubqueryExpression,
  context: PrintContext,
  print: () => Sql,
): Sql {
  const shape = shapeOf(expression)
  const alike = context.subqueries.get(shape) ?? []
  const known = alike.find(
    (other) =>
      [...other.around].every(([id, columns]) => context.relations.get(id) === columns) &&
      sameExpression(other.expression, expression),
  )
  if (known !== undefined) return known.sql
  const around = new Map(
    [...freeRelationsOf(expression)].map((id) => [id, context.relations.get(id)]),
  )
  const printed = print()
  // Printing its parts may have added others.
  const printedAlike = context.subqueries.get(shape) ?? []
  printedAlike.push({ expression, around, sql: printed })
  context.subqueries.set(shape, printedAlike)
  return printed
}

/** Equal for equal subqueries, and different for most others: its nodes, without the identities of its relations. */
function shapeOf(expression: SubqueryExpression): string {
  let shape = ''
  visitExpression(expression, {
    expression: (part) => {
      shape += ` ${part.kind}${detailOf(part)}`
    },
    fromItem: (item) => {
      shape += ` ${item.kind}${'table' in item ? `:${item.table.name}` : ''}`
    },
    query: (query) => {
      shape += ` ${query.kind}:${query.columns.length}`
    },
  })
  return shape
}

/** What differs most often between expressions of the same kind. */
function detailOf(part: Expression): string {
  switch (part.kind) {
    case 'column':
      return `:${part.column}`
    case 'constant':
      return `:${part.value}`
    case 'parameter':
      return `:${part.index}`
    case 'operator':
      return `:${part.operator.oid}`
    case 'call':
      return `:${part.function.oid}${part.isVariadic ? ':variadic' : ''}`
    default:
      return ''
  }
}
