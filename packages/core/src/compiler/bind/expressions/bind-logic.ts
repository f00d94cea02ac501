/** @module AND, OR, NOT, IS NULL, IS TRUE and similar tests. */
import type { BoolExpr, BooleanTest, NullTest } from '@pgsql/types'
import { positioned, unsupported } from '../../sql/bind-error.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { joinLogical } from '../coercion/join-logical.ts'
import { boolType, nullTest } from '../coercion/null-test.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields, required, rowFields } from '../scope/syntax-node.ts'
import type { BooleanTest as BoundBooleanTest, Expression } from '../tree/expression.ts'
import { bindFields } from './bind-row.ts'

export function bindBoolExpr(
  node: BoolExpr,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a logical expression', ['boolop', 'args', 'location'])
  const { boolop, location: position } = node
  const word = boolop === 'AND_EXPR' ? 'AND' : boolop === 'OR_EXPR' ? 'OR' : 'NOT'
  const operands = (node.args ?? []).map((arg) =>
    coerceTo(bind(arg, environment), boolType, 'implicit', environment, `argument of ${word}`),
  )
  const [operand] = operands
  switch (boolop) {
    case 'AND_EXPR':
    case 'OR_EXPR':
      return joinLogical(boolop === 'AND_EXPR' ? 'and' : 'or', operands, position)
    case 'NOT_EXPR':
      if (operand === undefined) throw unsupported('NOT without an operand', position)
      return { kind: 'not', operand, type: boolType, ...positioned(position) }
    default:
      throw unsupported('this logical expression', position)
  }
}

export function bindNullTest(
  node: NullTest,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a NULL test', ['arg', 'nulltesttype', 'location'])
  const { location: position } = node
  const negated = isNegated(node, position)
  const arg = required(node.arg, 'IS NULL', position)
  const row = rowFields(arg)
  if (row === undefined) return nullTest(bind(arg, environment), negated, position, environment)
  const tests = bindFields(row, environment, bind).map((field) =>
    nullTest(field, negated, position, environment),
  )
  return joinLogical('and', tests, position)
}

function isNegated(node: NullTest, position: number | undefined): boolean {
  switch (node.nulltesttype) {
    case 'IS_NULL':
      return false
    case 'IS_NOT_NULL':
      return true
    default:
      throw unsupported('this NULL test', position)
  }
}

const booleanTests: Readonly<
  Record<
    NonNullable<BooleanTest['booltesttype']>,
    Pick<BoundBooleanTest, 'test' | 'negated'> & { readonly text: string }
  >
> = {
  IS_TRUE: { test: 'true', negated: false, text: 'IS TRUE' },
  IS_NOT_TRUE: { test: 'true', negated: true, text: 'IS NOT TRUE' },
  IS_FALSE: { test: 'false', negated: false, text: 'IS FALSE' },
  IS_NOT_FALSE: { test: 'false', negated: true, text: 'IS NOT FALSE' },
  IS_UNKNOWN: { test: 'unknown', negated: false, text: 'IS UNKNOWN' },
  IS_NOT_UNKNOWN: { test: 'unknown', negated: true, text: 'IS NOT UNKNOWN' },
}

export function bindBooleanTest(
  node: BooleanTest,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a boolean test', ['arg', 'booltesttype', 'location'])
  const { booltesttype = 'IS_TRUE', location: position } = node
  const { text, test, negated } = booleanTests[booltesttype]
  const arg = bind(required(node.arg, text, position), environment)
  const operand = coerceTo(arg, boolType, 'implicit', environment, `argument of ${text}`)
  return { kind: 'booleanTest', operand, test, negated, type: boolType, ...positioned(position) }
}
