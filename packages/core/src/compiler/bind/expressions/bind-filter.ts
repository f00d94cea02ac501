import type { Node } from '@pgsql/types'
import { coerceTo } from '../coercion/coerce.ts'
import { boolType } from '../coercion/null-test.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'

/** `FILTER (WHERE condition)` of an aggregate: it is evaluated for single rows, so it may contain no aggregate. */
export function bindFilter(
  condition: Node,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const inner: ExpressionEnvironment = {
    ...environment,
    clause: 'FILTER',
    aggregates: 'forbidden',
    windows: 'forbidden',
  }
  return coerceTo(bind(condition, inner), boolType, 'implicit', inner, 'argument of FILTER')
}
