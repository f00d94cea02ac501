/** @module Is the answer of a query a part of what is stored? */

import type { TypeSystem } from '@engine/core/catalog'
import type { Expression, Query, SecuredTable } from '@engine/core/tree'
import { isSimpleQuery, isTextOfText } from './simple.ts'

/**
 * A simple SELECT of different stored columns of one table. Each of its rows is read once, so that its large values are no larger
 * than the database. The values of a generated column are not stored, nor is the default of a column in rows that were there
 * before the column: that has to be short.
 */
export function returnsStoredRows(query: Query, types: TypeSystem): boolean {
  if (!isSimpleQuery(query, types) || query.isAggregated) return false
  const [item] = query.from
  if (item?.kind !== 'securedTable' || item.table.kind !== 'table') return false
  const columns = query.outputs.map((output) => storedColumn(output, item, types))
  return !columns.includes(undefined) && new Set(columns).size === columns.length
}

/** The column's ordinal; undefined for anything that is not a stored cell of the table. */
function storedColumn(
  output: Expression,
  { id, table }: SecuredTable,
  types: TypeSystem,
): number | undefined {
  const value = output.kind === 'cast' && isTextOfText(output, types) ? output.operand : output
  if (value.kind !== 'column' || value.relation !== id) return undefined
  const column = table.columns[value.column]
  const isStored =
    column !== undefined &&
    column.generated !== 'always' &&
    (column.nativeDefault ?? '').length <= shortDefault
  return isStored ? value.column : undefined
}

/** Characters of a default that may be in every row without being stored. It is a literal, which is no shorter than its value. */
const shortDefault = 100
