/** @module Questions that a printer asks about a query. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Query, SelectQuery, SortKey } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { columnName } from './names.ts'
import { commaList, type Sql, sql } from './sql-writer.ts'

/** Does the query have ORDER BY, LIMIT or OFFSET? */
export function hasTail(query: Query): boolean {
  return query.orderBy.length > 0 || query.limit !== undefined || query.offset !== undefined
}

/** The expressions of GROUP BY, which has one set after lowering; undefined without GROUP BY. */
export function groupingKeys({ groupBy }: SelectQuery): readonly Expression[] | undefined {
  if (groupBy === undefined) return undefined
  const [set, ...others] = groupBy.sets
  if (set === undefined || others.length > 0) {
    throw new GatewayError('internal', 'grouping sets were not lowered')
  }
  return set.map((index) => {
    const expression = groupBy.expressions[index]
    if (expression === undefined) throw new GatewayError('internal', 'a grouping key is missing')
    return expression
  })
}

/** A key of ORDER BY with the expression it sorts by. */
export interface SortedExpression {
  readonly key: SortKey
  readonly expression: Expression
  /** Set where the key names a result column. */
  readonly output: number | undefined
}

/** The expressions of ORDER BY; a key that names an output stands for its expression. */
export function sortedExpressions(query: SelectQuery): readonly SortedExpression[] {
  return query.orderBy.map((key) => {
    const output = key.expression.kind === 'output' ? key.expression.index : undefined
    const expression = output === undefined ? key.expression : query.outputs[output]
    if (expression === undefined) throw new GatewayError('internal', 'a sort key is missing')
    return { key, expression, output }
  })
}

/** The result column that a key of a set operation names. */
export function sortedColumn({ expression }: SortKey): number {
  if (expression.kind !== 'output') {
    throw new GatewayError('internal', 'a set operation is sorted by what is no result column')
  }
  return expression.index
}

/** `t1.c1 as c1, t1.c2 as c2` */
export function columnsOf(alias: Sql, columns: readonly unknown[]): readonly Sql[] {
  return columns.map((_, index) => sql`${alias}.${columnName(index)} as ${columnName(index)}`)
}

/** `c1, c2` */
export function columnNames(columns: readonly unknown[]): Sql {
  return commaList(columns.map((_, index) => columnName(index)))
}
