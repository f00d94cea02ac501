/**
 * @module Prints equal subqueries with the same text. GROUP BY, DISTINCT ON and aggregates
 * recognise an expression only by its text, and every copy of a secured table has its own names.
 */
import { type FromItem, freeRelationsOf, type Sql, sameExpression } from '@engine/core/adapter'
import type { PrintContext } from './print-context.ts'
import type { SubqueryExpression } from './printed-subquery.ts'

/** The text of a subquery: that of `print`, or the earlier text of the same subquery. */
export function printOnce(
  expression: SubqueryExpression,
  context: PrintContext,
  print: () => Sql,
): Sql {
  const shape = shapeOf(expression)
  const known = context.subqueries.find(
    (other) =>
      other.shape === shape &&
      [...other.around].every(([id, columns]) => context.relations.get(id) === columns) &&
      sameExpression(other.expression, expression),
  )
  if (known !== undefined) return known.sql
  const around = new Map(
    [...freeRelationsOf(expression)].map((id) => [id, context.relations.get(id)]),
  )
  const printed = print()
  context.subqueries.push({ expression, shape, around, sql: printed })
  return printed
}

function shapeOf({ kind, query }: SubqueryExpression): string {
  const tables = query.kind === 'select' ? query.from.flatMap(tableNames) : []
  return [kind, query.kind, query.columns.length, ...tables].join(' ')
}

function tableNames(item: FromItem): readonly string[] {
  if (item.kind === 'join') return [...tableNames(item.left), ...tableNames(item.right)]
  return [item.kind === 'securedTable' ? item.table.name : item.kind]
}
