/** @module One form for expressions that a database does not distinguish once it has stored them. */
import { oids } from '../../sql-types/oids.ts'
import type { Expression, QuantifiedArray } from '../tree/expression.ts'
import { mapExpression } from '../tree/map-query.ts'

/**
 * For comparisons only; it is never printed.
 *
 * `(status)::text = any (array['a'::text, 'b'::text])` → `status in ('a', 'b')`, `active = false` → `not active`
 */
export function canonicalExpression(expression: Expression): Expression {
  return mapExpression(expression, { expression: canonicalNode })
}

function canonicalNode(expression: Expression): Expression {
  switch (expression.kind) {
    case 'cast':
      // The same bytes: varchar as text.
      return expression.method === 'binary'
        ? expression.operand
        : { ...expression, isExplicit: true }
    case 'quantifiedArray':
      return listOf(expression) ?? expression
    case 'operator':
      return booleanOf(expression)
    default:
      return expression
  }
}

/** `x = any (array[a, b])` → `x in (a, b)` */
function listOf(expression: QuantifiedArray): Expression | undefined {
  const { quantifier, operator, array, operand, type } = expression
  if (quantifier !== 'any' || operator.name !== '=' || array.kind !== 'array') return undefined
  return { kind: 'inList', operator, operand, items: array.elements, negated: false, type }
}

/** `x = true` → `x`, `x = false` → `not x` */
function booleanOf(expression: Extract<Expression, { kind: 'operator' }>): Expression {
  const { operator, left, right, type } = expression
  if (operator.name !== '=' || left?.type.oid !== oids.bool || right.kind !== 'constant') {
    return expression
  }
  if (right.value === 'true') return left
  return right.value === 'false' ? { kind: 'not', operand: left, type } : expression
}
