/**
 * @module ORDER BY of a subquery in FROM: PostgreSQL keeps its order, and aggregates receive the rows in that order. Where a
 * database drops the order, the outer query sorts.
 */
import type {
  FromItem,
  JoinItem,
  SelectQuery,
  SortKey,
  SubqueryItem,
} from '../bind/tree/bound-query.ts'
import type { Aggregate, Expression } from '../bind/tree/expression.ts'
import { mapExpression } from '../bind/tree/map-query.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { shownKeys } from './derived-table.ts'
import type { LowerContext } from './expression-builders.ts'
import { type Place, replaceAt } from './from-tree.ts'

/** `select ... from (select ... order by k) d` with the order in the outer query. */
export function keepInnerOrder(query: SelectQuery, { dialect }: LowerContext): SelectQuery {
  if (dialect.keepsInnerOrder || query.from.length !== 1) return query
  const found = leadingItem(query.from)
  if (found === undefined || found.item.query.orderBy.length === 0) return query
  const { item, place } = found
  const isWanted = query.isAggregated
    ? levelExpressions(query).some((each) => hasPart(each, isOpenAggregate))
    : query.orderBy.length === 0 && query.distinct === 'none' && !query.outputs.some(hasWindow)
  if (!isWanted) return query
  const rows = shownKeys(item.query, item.id)
  const from = replaceAt(query.from, place, [{ ...item, query: rows.query }])
  if (!query.isAggregated) return { ...query, from, orderBy: rows.orderBy }
  const map = (expression: Expression) => sorted(expression, rows.orderBy)
  return {
    ...query,
    from,
    outputs: query.outputs.map(map),
    having: query.having && map(query.having),
    orderBy: query.orderBy.map((key) => ({ ...key, expression: map(key.expression) })),
  }
}

/** The subquery whose row order decides the order of the result. */
function leadingItem(
  from: readonly FromItem[],
): { readonly item: SubqueryItem; readonly place: Place } | undefined {
  const path: { join: JoinItem; side: 'left' }[] = []
  let item = from[0]
  while (
    item?.kind === 'join' &&
    (item.type === 'left' || item.type === 'inner' || item.type === 'cross')
  ) {
    path.push({ join: item, side: 'left' })
    item = item.left
  }
  return item?.kind === 'subquery' ? { item, place: { index: 0, path } } : undefined
}

function levelExpressions({ outputs, having, orderBy }: SelectQuery): readonly Expression[] {
  return [...outputs, ...(having ? [having] : []), ...orderBy.map((key) => key.expression)]
}

function hasWindow(expression: Expression): boolean {
  return hasPart(expression, ({ kind }) => kind === 'window')
}

/** An aggregate whose result depends on the order of its input rows. */
function isOpenAggregate(part: Expression): part is Aggregate {
  if (part.kind !== 'aggregate' || part.distinct || part.orderBy.length > 0) return false
  return orderSensitive.has(part.function.name)
}

const orderSensitive: ReadonlySet<string> = new Set([
  ...['array_agg', 'string_agg', 'json_agg', 'jsonb_agg', 'json_object_agg', 'jsonb_object_agg'],
])

function sorted(expression: Expression, orderBy: readonly SortKey[]): Expression {
  return mapExpression(expression, {
    before: (part) => ('query' in part && part.kind !== 'quantifiedSubquery' ? part : undefined),
    expression: (part) => (isOpenAggregate(part) ? { ...part, orderBy } : part),
  })
}
