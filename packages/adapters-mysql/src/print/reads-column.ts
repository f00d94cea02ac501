import { type Expression, type RelationId, visitExpression } from '@engine/core'

/** Does an expression look at one of some columns of a relation, be it in a subquery? */
export function readsColumn(
  expression: Expression,
  relation: RelationId,
  test: (ordinal: number) => boolean,
): boolean {
  let isFound = false
  visitExpression(expression, {
    expression: (each) => {
      if (each.kind === 'column' && each.relation === relation && test(each.column)) isFound = true
    },
  })
  return isFound
}
