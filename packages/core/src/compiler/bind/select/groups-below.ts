import { unsupported } from '../../sql/bind-error.ts'
import { relationsOf } from '../scope/from-item.ts'
import type { RelationId, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { replaceParts } from '../tree/query-level.ts'
import { sameExpression } from '../tree/same-expression.ts'
import { isVolatile } from '../tree/volatility.ts'

/**
 * Calculates groups in a subquery in FROM, so that subqueries can use their aggregates as columns:
 * `select k, (select i.y from i where i.x = max(o.x)) from o group by k having count(*) > 1` becomes
 * `select d.c2, (select i.y from i where i.x = d.c1) from (select max(o.x), o.k, count(*) from o group by o.k) d where d.c3 > 1`.
 *
 * @param id of the subquery; `calls` are its first columns.
 */
export function withGroupsBelow(
  query: SelectQuery,
  id: RelationId,
  calls: readonly Expression[],
): SelectQuery {
  const needed = [...calls]
  const over = overGroups(query, id, needed)
  const { outputs, orderBy, distinct, having } = query
  const rows: SelectQuery = {
    ...query,
    outputs: outputs.map(over),
    orderBy: orderBy.map((key) => ({ ...key, expression: over(key.expression) })),
    distinct: typeof distinct === 'object' ? { on: distinct.on.map(over) } : distinct,
    where: having && over(having),
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
  }
  const groups: SelectQuery = {
    ...query,
    outputs: needed,
    columns: needed.map(({ type }) => ({ name: '?column?', type })),
    orderBy: [],
    distinct: 'none',
    having: undefined,
    limit: undefined,
    offset: undefined,
  }
  return { ...rows, from: [{ kind: 'subquery', id, query: groups, lateral: false }] }
}

/** Replaces aggregates, grouping keys and columns of the query by columns of relation `id`. */
function overGroups(
  { from, groupBy }: SelectQuery,
  id: RelationId,
  needed: Expression[],
): (expression: Expression) => Expression {
  const own = relationsOf(from)
  const column = (expression: Expression): Expression => {
    const known = isVolatile(expression)
      ? -1
      : needed.findIndex((each) => sameExpression(each, expression))
    const index = known >= 0 ? known : needed.push(expression) - 1
    return { kind: 'column', relation: id, column: index, type: expression.type }
  }
  const isGrouped = (part: Expression) =>
    groupBy?.expressions.some((each) => each.kind !== 'constant' && sameExpression(each, part)) ===
    true
  // A call inside a subquery belongs to that subquery.
  const inside = (part: Expression) => {
    if (part.kind === 'wholeRow' && own.has(part.relation)) {
      throw unsupported('a whole row beside an aggregate in a subquery', part.position)
    }
    const isOwn = part.kind === 'column' && own.has(part.relation)
    return isOwn || isGrouped(part) ? column(part) : undefined
  }
  const here = (part: Expression) =>
    part.kind === 'aggregate' || part.kind === 'grouping' ? column(part) : inside(part)
  return (expression) => replaceParts(expression, here, inside)
}
