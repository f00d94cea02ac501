/** @module `array(select a from t order by b)` as `coalesce((select array_agg(a order by b) from t), '{}')`. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Query, SelectQuery, SortKey } from '../bind/tree/bound-query.ts'
import type { Aggregate, ArraySubquery, Expression } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { freeRelationsOf } from '../bind/tree/visit-query.ts'
import { noTail, shownKeys } from './derived-table.ts'
import { columnOf, derived, type LowerContext, select } from './expression-builders.ts'
import { callsSets } from './row-bounds.ts'

/** `expression` itself unless it is an array of a subquery's rows. */
export function lowerArraySubquery(expression: Expression, context: LowerContext): Expression {
  if (context.dialect.hasArraySubquery || expression.kind !== 'arraySubquery') return expression
  const none: Expression = { kind: 'constant', value: [], type: expression.type }
  const list: Expression = {
    kind: 'subquery',
    query: listQuery(expression, context),
    type: expression.type,
  }
  return { kind: 'coalesce', args: [list, none], type: expression.type }
}

function listQuery({ query, type }: ArraySubquery, context: LowerContext): Query {
  if (isPlain(query)) {
    const [value] = query.outputs
    if (value !== undefined) {
      const orderBy = query.orderBy.map((key) => ({ ...key, expression: shown(key, query) }))
      const outputs = [aggregate(value, type, orderBy, context)]
      return { ...query, ...noTail, outputs, columns: [{ name: '', type }], isAggregated: true }
    }
  }
  const id = context.nextId()
  const rows = shownKeys(query, id)
  const column = query.columns[0]
  if (column === undefined) throw new GatewayError('internal', 'an array of no column')
  const value = columnOf(id, 0, column.type)
  return select({
    outputs: [aggregate(value, type, rows.orderBy, context)],
    from: [derived(id, rows.query)],
    isAggregated: true,
  })
}

/** Rows that can be aggregated where they are read. */
function isPlain(query: Query): query is SelectQuery {
  return (
    query.kind === 'select' &&
    query.distinct === 'none' &&
    !query.isAggregated &&
    query.ctes.length === 0 &&
    query.limit === undefined &&
    query.offset === undefined &&
    query.locking.length === 0 &&
    !query.outputs.some((each) => callsSets(each) || hasPart(each, isWindow)) &&
    query.outputs.every((each) => isInside(each, query))
  )
}

/** An aggregate over outer columns alone would belong to the outer query. */
function isInside(output: Expression, { from }: SelectQuery): boolean {
  const used = freeRelationsOf(output)
  return used.size === 0 || !used.isDisjointFrom(relationsIn(from))
}

function isWindow({ kind }: Expression): boolean {
  return kind === 'window'
}

function shown({ expression }: SortKey, { outputs }: SelectQuery): Expression {
  if (expression.kind !== 'output') return expression
  const output = outputs[expression.index]
  if (output === undefined) throw new GatewayError('internal', 'a sort key is missing')
  return output
}

function aggregate(
  value: Expression,
  type: Aggregate['type'],
  orderBy: readonly SortKey[],
  { types }: LowerContext,
): Aggregate {
  const found = types.resolveFunction('array_agg', [value.type.oid])
  if (!found.ok || !('function' in found)) throw new GatewayError('internal', 'no array_agg')
  return {
    kind: 'aggregate',
    function: found.function,
    args: [value],
    distinct: false,
    orderBy,
    filter: undefined,
    withinGroup: false,
    type,
  }
}
