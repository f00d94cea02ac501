/** @module One query level: the parts of an expression outside its subqueries, and those inside. */
import type { Expression } from './expression.ts'
import { mapExpression, mapQuery } from './map-query.ts'

/** Does the expression itself, outside its subqueries, contain such a part? */
export function hasPart(expression: Expression, isWanted: (part: Expression) => boolean): boolean {
  let isFound = false
  visitLevel(expression, (part) => {
    isFound ||= isWanted(part)
  })
  return isFound
}

/** Parents before their parts; each subquery counts as one part. */
function visitLevel(expression: Expression, visit: (part: Expression) => void): void {
  mapExpression(expression, {
    before: (part) => {
      visit(part)
      if (!('query' in part)) return undefined
      if (part.kind === 'quantifiedSubquery') {
        for (const operand of part.operands) visitLevel(operand, visit)
      }
      return part
    },
  })
}

type Replace = (part: Expression) => Expression | undefined

/** Replaces parts by the results of `here`, and parts of subqueries by the results of `inside`. */
export function replaceParts(expression: Expression, here: Replace, inside: Replace): Expression {
  const before = (part: Expression): Expression | undefined => {
    const replaced = here(part)
    if (replaced !== undefined || !('query' in part)) return replaced
    const query = mapQuery(part.query, { before: inside })
    if (part.kind !== 'quantifiedSubquery') return { ...part, query }
    const operands = part.operands.map((operand) => mapExpression(operand, { before }))
    return { ...part, query, operands }
  }
  return mapExpression(expression, { before })
}
