import type { Expression } from '../bind/tree/expression.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { classOf, type TypeClass } from './type-class.ts'

/**
 * Both operands of a comparison as one type. PostgreSQL compares a date with a timestamp; printers compare equal types only, so
 * the narrower operand is cast: `date < timestamptz` becomes `date::timestamptz < timestamptz`.
 */
export function sameType(
  left: Expression,
  right: Expression,
  { types }: { readonly types: TypeSystem },
): readonly [Expression, Expression] {
  const [leftRank, rightRank] = [rankOf(left, types), rankOf(right, types)]
  if (leftRank === rightRank) return [left, right]
  return leftRank < rightRank ? [castTo(left, right), right] : [left, castTo(right, left)]
}

const ranks: Partial<Readonly<Record<TypeClass, number>>> = {
  date: 1,
  timestamp: 2,
  timestamptz: 3,
}

function rankOf(expression: Expression, types: TypeSystem): number {
  return ranks[classOf(types, expression.type.oid)] ?? 0
}

function castTo(operand: Expression, target: Expression): Expression {
  const type = { oid: target.type.oid, typmod: -1 }
  return { kind: 'cast', operand, type, method: 'function', isExplicit: false }
}
