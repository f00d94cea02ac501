import { type Expression, type RelationId, visitExpression } from '@engine/core/adapter'

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

/**
 * Does a subquery name a relation in the condition of a join? There RETURNING finds nothing of the row that it returns.
 */
export function readsInJoin(expression: Expression, relation: RelationId): boolean {
  let isFound = false
  visitExpression(expression, {
    fromItem: (item) => {
      if (item.kind !== 'join' || item.on === undefined) return
      if (readsColumn(item.on, relation, () => true)) isFound = true
    },
  })
  return isFound
}
