import type { Node } from '@pgsql/types'
import { oids } from '../../sql-types/oids.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, positionOf } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { limitCopies } from '../tree/limit-copies.ts'
import { visitExpression } from '../tree/visit-query.ts'

/** The most nodes that the copies of one construct's operand may have. */
const maxCopiedNodes = 10_000

/**
 * Some constructs (BETWEEN, simple CASE) contain an operand several times. Each call of the returned function returns a copy. A
 * subquery is bound again for each, so that it has relations of its own, and so is an operand whose type its first use decides.
 * All others are bound once: constructs inside each other would double the work with every level.
 *
 * @param times the number of copies in the result.
 * @throws {GatewayError} `limitExceeded` for an operand that is too large to be copied.
 */
export function bindRepeatedly(
  node: Node,
  times: number,
  environment: ExpressionEnvironment,
  bind: BindNode,
): () => Expression {
  let shared: Expression | undefined
  return () => {
    if (shared !== undefined) return shared
    const expression = bind(node, environment)
    if (times > 1) {
      limitCopies([expression], times, maxCopiedNodes, positionOf(node))
      if (isAlwaysTheSame(expression)) shared = expression
    }
    return expression
  }
}

function isAlwaysTheSame(expression: Expression): boolean {
  if (expression.kind === 'parameter' || expression.type.oid === oids.unknown) return false
  let hasQuery = false
  visitExpression(expression, {
    query: () => {
      hasQuery = true
    },
  })
  return !hasQuery
}
