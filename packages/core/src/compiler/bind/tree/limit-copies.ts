import { GatewayError } from '../../../foundation/errors.ts'
import { located, positioned } from '../../sql/bind-error.ts'
import type { Query } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { partsOf } from './expression-parts.ts'
import { visitQuery } from './visit-query.ts'

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

/** Operands of operands are measured again and again: each is counted once. */
const sizes = new WeakMap<Expression, number>()

/** Nodes of an expression, subqueries included. */
function expressionSize(expression: Expression): number {
  const known = sizes.get(expression)
  if (known !== undefined) return known
  const { expressions, query } = partsOf(expression)
  const inner = query === undefined ? 0 : querySize(query)
  const size = expressions.reduce((sum, part) => sum + expressionSize(part), 1 + inner)
  sizes.set(expression, size)
  return size
}

function querySize(query: Query): number {
  let size = 0
  const count = () => {
    size += 1
  }
  visitQuery(query, { expression: count, fromItem: count, query: count })
  return size
}
