import type { Node } from '@pgsql/types'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, positionOf } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { limitCopies } from '../tree/limit-copies.ts'

/** The most nodes that the copies of one construct's operand may have. */
const maxCopiedNodes = 10_000

/**
 * Some constructs (BETWEEN, simple CASE) contain an operand several times. Each call of the returned function binds it again, so
 * that every copy of a subquery in it has relations of its own.
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
  return () => {
    const expression = bind(node, environment)
    if (times > 1) limitCopies([expression], times, maxCopiedNodes, positionOf(node))
    return expression
  }
}
