import type { RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { mapExpression } from '../../bind/tree/map-query.ts'
import { filterExpression } from '../filter/filter-expression.ts'
import type { PolicyFilter } from '../filter/policy-filter.ts'

/** Replaces the cells of a raw row by the masked cells that the caller sees. */
export function maskWith(
  cells: ReadonlyMap<number, PolicyFilter>,
  row: RelationId,
  nextId: () => number,
): (expression: Expression) => Expression {
  if (cells.size === 0) return (expression) => expression
  return (expression) =>
    mapExpression(expression, {
      expression: (part) => {
        const cell =
          part.kind === 'column' && part.relation === row ? cells.get(part.column) : undefined
        if (cell === undefined) return part
        const condition = filterExpression(cell, row, nextId)
        return {
          kind: 'case',
          whens: [{ condition, result: part }],
          otherwise: undefined,
          type: part.type,
        }
      },
    })
}
