/** @module `tableoid::regclass`: the name of the table that a row is stored in. */
import type { Case, Expression } from './expression.ts'

/** `case tableoid when 16384 then 'orders' … else tableoid::text end`, see `Case.isTableName`. */
export function isTableName(expression: Expression): expression is Case {
  return expression.kind === 'case' && expression.isTableName === true
}

/** The number that it is the name of. */
export function numberOfTable({ whens }: Case): Expression | undefined {
  const condition = whens[0]?.condition
  return condition?.kind === 'operator' ? condition.left : undefined
}
