import type { A_Expr, A_Expr_Kind, Node } from '@pgsql/types'
import { unsupported } from '../../sql/bind-error.ts'
import { compareRows } from '../coercion/compare-rows.ts'
import { joinLogical } from '../coercion/join-logical.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, listItems, positionOf, required, rowFields } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindRepeatedly } from './bind-repeatedly.ts'

/** `x [NOT] BETWEEN [SYMMETRIC] low AND high`, which becomes comparisons with AND and OR, as in PostgreSQL. */
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
  const isRow = [operand, low, high].some((each) => 'RowExpr' in each)
  const repeat = (part: Node, times: number): NextFields => {
    const fields = isRow ? fieldsOf(part) : [part]
    const repeatedFields = fields.map((field) => bindRepeatedly(field, times, environment, bind))
    return () => repeatedFields.map((next) => next())
  }
  const nextOperand = repeat(operand, isSymmetric ? 4 : 2)
  const nextLow = repeat(low, isSymmetric ? 2 : 1)
  const nextHigh = repeat(high, isSymmetric ? 2 : 1)
  const compare = (name: string, next: NextFields) =>
    compareRows(name, nextOperand(), next(), position, environment)

  const [above, below] = isNegated ? ['<', '>'] : ['>=', '<=']
  const within = (from: NextFields, to: NextFields) =>
    joinLogical(operator, [compare(above, from), compare(below, to)], position)
  if (!isSymmetric) return within(nextLow, nextHigh)
  const both = [within(nextLow, nextHigh), within(nextHigh, nextLow)]
  return joinLogical(isNegated ? 'and' : 'or', both, position)
}

/** A fresh copy of the fields of an operand; a value is a row of one field. */
type NextFields = () => readonly Expression[]

function fieldsOf(node: Node): readonly Node[] {
  const fields = rowFields(node)
  if (fields !== undefined) return fields
  throw unsupported('a row compared with something else', positionOf(node))
}
