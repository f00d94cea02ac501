/** @module DISTINCT over values that are equal without being identical: groups compare by keys, DISTINCT cannot. */

import { GatewayError } from '../../foundation/errors.ts'
import type { RelationId, SelectQuery, SortKey } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'

/** `select distinct a, b from t` → `select a, b from t group by a, b`: for a query without groups and window functions. */
export function groupedByOutputs(query: SelectQuery): SelectQuery {
  const { outputs } = query
  return {
    ...query,
    distinct: 'none',
    groupBy: { expressions: outputs, sets: [outputs.map((_, index) => index)] },
    isAggregated: true,
  }
}

/** `select distinct a from t order by a limit 3` → `select c1 from (select a from t) order by c1 limit 3` */
export function overDerivedTable(query: SelectQuery, id: RelationId): SelectQuery {
  const inner: SelectQuery = {
    ...query,
    ctes: [],
    distinct: 'none',
    orderBy: [],
    limit: undefined,
    offset: undefined,
    locking: [],
  }
  return {
    ...query,
    distinct: 'none',
    outputs: query.columns.map(
      ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
    ),
    from: [{ kind: 'subquery', id, query: inner, lateral: false }],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    orderBy: query.orderBy.map((key) => ({ ...key, expression: sortedOutput(key, query) })),
    locking: [],
  }
}

function sortedOutput({ expression }: SortKey, { outputs }: SelectQuery): Expression {
  if (expression.kind === 'output') return expression
  const index = outputs.findIndex((each) => sameExpression(each, expression))
  if (index < 0) throw new GatewayError('internal', 'DISTINCT is sorted by what it does not give')
  return { kind: 'output', index, type: expression.type }
}
