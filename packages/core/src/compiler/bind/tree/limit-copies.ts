import { GatewayError } from '../../../foundation/errors.ts'
import { located, positioned } from '../../sql/bind-error.ts'
import type { Expression } from './expression.ts'
import { visitExpression } from './visit-query.ts'

/**
 * For constructs that contain an operand several times: without a bound, nesting them would grow the tree exponentially.
 *
 * @throws {GatewayError} `limitExceeded` when `times` copies have more than `most` nodes.
 */
export function limitCopies(
  operands: readonly Expression[],
  times: number,
  most: number,
  position: number | undefined,
): void {
  const size = operands.reduce((sum, operand) => sum + expressionSize(operand), 0)
  if (size * times <= most) return
  throw new GatewayError('limitExceeded', located('this operand is too large', position), {
    sqlState: '54001',
    ...positioned(position),
  })
}

/** Nodes of an expression, subqueries included. */
function expressionSize(expression: Expression): number {
  let size = 0
  const count = () => {
    size += 1
  }
  visitExpression(expression, { expression: count, fromItem: count, query: count })
  return size
}
