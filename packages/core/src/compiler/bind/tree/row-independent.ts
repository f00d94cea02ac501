/** @module Is an expression the same for every row? */
import type { Expression } from './expression.ts'
import { visitExpression } from './visit-query.ts'

/** Constants, parameters and expressions of these alone: a database may evaluate them once. */
export function isRowIndependent(expression: Expression): boolean {
  let isIndependent = true
  visitExpression(expression, {
    expression: (each) => {
      if (dependentKinds.has(each.kind)) isIndependent = false
      if (each.kind === 'call' && each.function.volatility === 'volatile') isIndependent = false
    },
  })
  return isIndependent
}

const dependentKinds: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  'column',
  'wholeRow',
  'output',
  'oldCondition',
  'aggregate',
  'window',
  'grouping',
  'subquery',
  'arraySubquery',
  'exists',
  'quantifiedSubquery',
])
