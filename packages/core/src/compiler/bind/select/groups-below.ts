import { unsupported } from '../../sql/bind-error.ts'
import type { RelationId, SelectQuery } from '../tree/bound-query.ts'
import { columnsBelow } from '../tree/columns-below.ts'
import type { Expression } from '../tree/expression.ts'
import { relationsIn } from '../tree/from-items.ts'

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
  query: SelectQuery,
  id: RelationId,
  needed: Expression[],
): (expression: Expression) => Expression {
  const own = relationsIn(query.from)
  const isCall = ({ kind }: Expression) => kind === 'aggregate' || kind === 'grouping'
  const isOwn = (part: Expression) => {
    if (part.kind === 'wholeRow' && own.has(part.relation)) {
      throw unsupported('a whole row beside an aggregate in a subquery', part.position)
    }
    return part.kind === 'column' && own.has(part.relation)
  }
  return columnsBelow(query, { id, needed, isCall, isOwn })
}
