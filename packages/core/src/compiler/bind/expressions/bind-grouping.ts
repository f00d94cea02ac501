import type { GroupingFunc } from '@pgsql/types'
import { bindError, positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { levelOf, liftTo } from '../scope/aggregate-level.ts'
import { requireAggregates } from '../scope/clause-rules.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields } from '../scope/syntax-node.ts'
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
  if (args.length > maxArguments) {
    const message = 'GROUPING must have fewer than 32 arguments'
    throw bindError(message, { sqlState: '54023', position })
  }
  const bounds = args.map((arg) => bind(arg, environment))
  const relations = bounds.flatMap((bound) => [...freeRelationsOf(bound)])
  const level = levelOf(new Set(relations), environment, position)
  requireAggregates(level, position, 'grouping operations')
  const expressions = bounds.map((bound) => {
    const index = level.groupExpressions.findIndex((group) => sameExpression(group, bound))
    if (index >= 0) return index
    throw bindError(
      'arguments to GROUPING must be grouping expressions of the associated query level',
      { sqlState: '42803', position: bound.position },
    )
  })
  level.found.aggregates += 1
  const grouping: Expression = {
    kind: 'grouping',
    expressions,
    type: { oid: oids.int4, typmod: -1 },
    ...positioned(position),
  }
  return level === environment ? grouping : liftTo(level, grouping)
}
