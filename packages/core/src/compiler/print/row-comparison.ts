/** @module Comparisons of rows: `(a, b) < (c, d)`. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Expression, RowComparison } from '../bind/tree/expression.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { sameType } from './same-type.ts'
import { commaList, operatorSymbol, type Sql, sql } from './sql-writer.ts'

/** The keys that a dialect compares instead of the values. */
export interface ComparisonKeys<Context> {
  /** Refuses a type whose keys have no order. */
  requireOrder(expression: Expression, context: Context): void
  keyOf(expression: Expression, context: Context): Sql
}

/** Prints `(a, b) < (c, d)` with the keys of the values. */
export function printRowComparison<Context extends { readonly types: TypeSystem }>(
  { comparison, left, right }: RowComparison,
  context: Context,
  { requireOrder, keyOf }: ComparisonKeys<Context>,
): Sql {
  const pairs = left.map((one, index) => {
    const other = right[index]
    if (other === undefined) throw new GatewayError('internal', 'rows of different lengths')
    return sameType(one, other, context)
  })
  if (comparison !== '=' && comparison !== '<>') {
    for (const [one] of pairs) requireOrder(one, context)
  }
  const side = (which: 0 | 1) => commaList(pairs.map((pair) => keyOf(pair[which], context)))
  return sql`((${side(0)}) ${operatorSymbol(comparison)} (${side(1)}))`
}
