import { type Expression, type RelationId, visitExpression } from '@engine/core/tree'

/** Does an expression, or a subquery in it, read one of these columns of a relation? */
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

/** Does a subquery refer to a relation in the condition of a join? There RETURNING cannot resolve the returned row. */
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
