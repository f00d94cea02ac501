/**
 * @module Operations that could reveal something about a row other than by their result: above all by an error. Only operations
 * that PostgreSQL marks as leakproof are trusted; a cast that applies a length or a domain's CHECK never is.
 */

import { unreachable } from '../../../foundation/unreachable.ts'
import { isRequestTime, isShiftedRequestTime } from '../../bind/coercion/fold-request-time.ts'
import type { Cast, Expression } from '../../bind/tree/expression.ts'
import { visitExpression } from '../../bind/tree/visit-query.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/** Can evaluating this on a row reveal nothing about the row except its result? */
export function isLeakproof(expression: Expression, types: TypeSystem): boolean {
  let result = true
  visitExpression(expression, {
    expression: (part) => {
      if (isLeakyOperation(part, types)) result = false
    },
  })
  return result
}

/** Is this one operation leaky, apart from its operands? */
export function isLeakyOperation(expression: Expression, types: TypeSystem): boolean {
  switch (expression.kind) {
    case 'operator':
      return !expression.operator.isLeakproof && !isShiftedRequestTime(expression)
    case 'distinctTest':
    case 'nullIf':
    case 'inList':
    case 'quantifiedArray':
      return !expression.operator.isLeakproof
    case 'rowComparison':
      return expression.operators.some((operator) => !operator.isLeakproof)
    case 'quantifiedSubquery':
      // A second row is an error, as it is for a scalar subquery.
      if (expression.quantifier === 'one') return true
      return expression.operators.some((operator) => !operator.isLeakproof)
    case 'call':
      return !expression.function.isLeakproof
    case 'cast':
      return isLeakyCast(expression, types) && !isRequestTime(expression)
    case 'extremum':
      return !(types.comparison(expression.type.oid)?.less?.isLeakproof ?? false)
    case 'array':
      // Arrays of arrays must have equal lengths.
      return expression.elements.some(({ type }) => types.elementTypeOid(type.oid) !== undefined)
    case 'subscript':
    case 'arraySection':
    case 'subquery':
    case 'arraySubquery':
    case 'wholeRow':
      return true
    case 'column':
    case 'output':
    case 'oldCondition':
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
    case 'row':
    case 'field':
    case 'logical':
    case 'not':
    case 'nullTest':
    case 'booleanTest':
    case 'case':
    case 'coalesce':
    case 'exists':
    case 'aggregate':
    case 'window':
    case 'grouping':
    case 'collate':
      return false
    default:
      return unreachable(expression)
  }
}

function isLeakyCast({ operand, method, type }: Cast, types: TypeSystem): boolean {
  if (method === 'length') return true
  return !(types.coercion(operand.type.oid, type.oid, 'explicit')?.isLeakproof ?? false)
}
