import type { Node } from '@pgsql/types'
import { coerceTo } from './coerce.ts'
import type { ExpressionEnvironment } from './context.ts'
import type { Expression } from './expression.ts'
import { boolType } from './null-test.ts'
import type { BindNode } from './syntax-node.ts'

/** `FILTER (WHERE condition)` of an aggregate: sees single rows, so it holds no aggregate itself. */
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
