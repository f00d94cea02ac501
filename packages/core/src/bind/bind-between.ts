import type { A_Expr, A_Expr_Kind } from '@pgsql/types'
import { unsupported } from './bind-error.ts'
import { bindRepeatedly } from './bind-repeatedly.ts'
import type { ExpressionEnvironment } from './context.ts'
import type { Expression } from './expression.ts'
import { joinLogical } from './join-logical.ts'
import { comparisonCall } from './operator-call.ts'
import { type BindNode, listItems, required } from './syntax-node.ts'

/** `x [NOT] BETWEEN [SYMMETRIC] low AND high`, which PostgreSQL too takes for comparisons with AND and OR. */
export function bindBetween(
  node: A_Expr,
  kind: Extract<A_Expr_Kind, `${string}BETWEEN${string}`>,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position } = node
  const [low, high, ...others] = listItems(node.rexpr, 'this BETWEEN', position)
  if (low === undefined || high === undefined || others.length > 0) {
    throw unsupported('this BETWEEN', position)
  }
  const operand = required(node.lexpr, 'BETWEEN', position)
  const isSymmetric = kind === 'AEXPR_BETWEEN_SYM' || kind === 'AEXPR_NOT_BETWEEN_SYM'
  const isNegated = kind === 'AEXPR_NOT_BETWEEN' || kind === 'AEXPR_NOT_BETWEEN_SYM'
  const operator = isNegated ? 'or' : 'and'
  const nextOperand = bindRepeatedly(operand, isSymmetric ? 4 : 2, environment, bind)
  const nextLow = bindRepeatedly(low, isSymmetric ? 2 : 1, environment, bind)
  const nextHigh = bindRepeatedly(high, isSymmetric ? 2 : 1, environment, bind)
  const compare = (name: string, next: () => Expression) =>
    comparisonCall(name, nextOperand(), next(), 'BETWEEN', position, environment)

  const [above, below] = isNegated ? ['<', '>'] : ['>=', '<=']
  const within = (from: () => Expression, to: () => Expression) =>
    joinLogical(operator, [compare(above, from), compare(below, to)], position)
  if (!isSymmetric) return within(nextLow, nextHigh)
  const both = [within(nextLow, nextHigh), within(nextHigh, nextLow)]
  return joinLogical(isNegated ? 'and' : 'or', both, position)
}
