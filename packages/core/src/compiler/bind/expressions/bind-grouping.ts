import type { GroupingFunc } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { requireAggregates } from '../scope/clause-rules.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields } from '../scope/syntax-node.ts'
import type { RelationId } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { sameExpression } from '../tree/same-expression.ts'
import { freeRelationsOf } from '../tree/visit-query.ts'

/** GROUPING() returns an int4, which has room for 31 bits. */
const maxArguments = 31

/** `GROUPING(a, b)`: each argument is one of the GROUP BY expressions of this level. */
export function bindGrouping(
  node: GroupingFunc,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'GROUPING', ['args', 'location'])
  const { args = [], location: position } = node
  requireAggregates(environment, position, 'grouping operations')
  if (args.length > maxArguments) {
    const message = 'GROUPING must have fewer than 32 arguments'
    throw bindError(message, { sqlState: '54023', position })
  }
  const relations = new Set<RelationId>()
  const expressions = args.map((arg) => {
    const bound = bind(arg, environment)
    for (const relation of freeRelationsOf(bound)) relations.add(relation)
    const index = environment.groupExpressions.findIndex((group) => sameExpression(group, bound))
    if (index >= 0) return index
    throw bindError(
      'arguments to GROUPING must be grouping expressions of the associated query level',
      { sqlState: '42803', position: bound.position },
    )
  })
  // In PostgreSQL a GROUPING() over outer columns alone belongs to the outer query, which has other keys.
  if (relations.size > 0 && ![...relations].some((id) => environment.scope.isLocal(id))) {
    throw unsupported('GROUPING over columns of an outer query', position)
  }
  environment.found.aggregates += 1
  return {
    kind: 'grouping',
    expressions,
    type: { oid: oids.int4, typmod: -1 },
    ...positioned(position),
  }
}
