/**
 * @module Columns next to a grouped primary key. The binder groups by them too, except for json, which cannot be
 * grouped. Only PostgreSQL itself could infer that they depend on the key, and it does not do so for a derived table.
 */
import {
  type ColumnReference,
  type Expression,
  type FromItem,
  partsOf,
  type SecuredTable,
  type SelectQuery,
  sameExpression,
  unsupportedConstruct,
  visitQuery,
} from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { isWholeTable } from './print-secured-table.ts'

/** @throws {GatewayError} `unsupported` for a query that needs such a column of a table printed as a derived one. */
export function refuseUngroupedColumns(query: SelectQuery, { types }: PrintContext): void {
  const { groupBy } = query
  if (groupBy === undefined) return
  const hidden = query.from
    .flatMap(securedTables)
    .filter((item) => !isWholeTable(item))
    .filter(({ table }) =>
      table.columns.some(({ type }) => types.comparison(type.oid) === undefined),
    )
  if (hidden.length === 0) return

  const checkColumn = (column: ColumnReference) => {
    if (types.comparison(column.type.oid) !== undefined) return
    if (!hidden.some(({ id }) => id === column.relation)) return
    const construct = `an ungrouped column of type ${types.formatType(column.type.oid)} of a table of which not everything is readable`
    throw unsupportedConstruct(construct, 'PostgreSQL', column.position)
  }
  const check = (expression: Expression) => {
    if (groupBy.expressions.some((group) => sameExpression(group, expression))) return
    if (expression.kind === 'column') return checkColumn(expression)
    const { expressions: parts, query: inner } = partsOf(expression)
    if (expression.kind !== 'aggregate') parts.forEach(check)
    else if (expression.withinGroup) expression.args.forEach(check)
    if (inner === undefined) return
    visitQuery(inner, {
      expression: (part) => {
        if (part.kind === 'column') checkColumn(part)
      },
    })
  }
  query.outputs.forEach(check)
  if (query.having !== undefined) check(query.having)
  for (const { expression } of query.orderBy) check(expression)
}

function securedTables(item: FromItem): readonly SecuredTable[] {
  if (item.kind === 'join') return [...securedTables(item.left), ...securedTables(item.right)]
  return item.kind === 'securedTable' ? [item] : []
}
