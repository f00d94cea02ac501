import type { Query, Write } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { readsTable } from '../../bind/tree/written-table.ts'
import type { Table } from '../../catalog/catalog.ts'

/**
 * Does the check of a write hold for a stored row if it holds for the proposed one? A policy that reads the written table sees it
 * before the write in the recheck, and after the write in the check itself. Rows that an INSERT adds can only make EXISTS true.
 */
export function holdsOnceWritten({ kind, security, target: { table } }: Write): boolean {
  const conditions = [security?.check, ...(security?.oldConditions ?? [])]
  return conditions.every(
    (condition) =>
      condition === undefined ||
      !readsTable(condition, table) ||
      (kind === 'insert' && growsWith(condition, table)),
  )
}

/** Can more rows of `table` only turn a condition from FALSE to TRUE? */
function growsWith(condition: Expression, table: Table): boolean {
  switch (condition.kind) {
    case 'logical':
      return condition.operands.every((operand) => growsWith(operand, table))
    case 'exists':
      return hasMoreRowsWith(condition.query, table)
    default:
      return !readsTable(condition, table)
  }
}

function hasMoreRowsWith(query: Query, table: Table): boolean {
  if (query.kind !== 'select' || query.ctes.length > 0) return false
  const { groupBy, isAggregated, having, limit, offset, outputs, from, where } = query
  if (groupBy !== undefined || isAggregated || having !== undefined || offset !== undefined) {
    return false
  }
  if (limit?.count !== undefined) return false
  if (outputs.some((output) => readsTable(output, table))) return false
  const arePlain = from.every(
    (item) =>
      item.kind === 'securedTable' && (item.filter === undefined || growsWith(item.filter, table)),
  )
  return arePlain && (where === undefined || growsWith(where, table))
}
