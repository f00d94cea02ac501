import { unreachable } from '../../../foundation/unreachable.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { visitExpression } from '../../bind/tree/visit-query.ts'
import type { PolicyFilter } from './policy-filter.ts'

/** An id that no statement uses for a relation. */
const row = -1

/** Ordinals of the columns of a filter's own table that it reads, including those that its relations start from. */
export function columnsOf(filter: PolicyFilter): ReadonlySet<number> {
  switch (filter.kind) {
    case 'true':
    case 'false':
    case 'unknown':
      return new Set()
    case 'and':
    case 'or':
      return filter.operands.reduce<ReadonlySet<number>>(
        (all, operand) => all.union(columnsOf(operand)),
        new Set(),
      )
    case 'not':
      return columnsOf(filter.operand)
    case 'leaf':
      return columnsIn([filter.build(row, undefined)])
    case 'relation': {
      const [first] = filter.path
      const outer = outerColumns(filter.filter)
      return columnsIn(first?.join(row, row - 1) ?? []).union(outer)
    }
    default:
      return unreachable(filter)
  }
}

/** The columns that `$outer` refers to inside `$exists`. */
function outerColumns(filter: PolicyFilter): ReadonlySet<number> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce<ReadonlySet<number>>(
        (all, operand) => all.union(outerColumns(operand)),
        new Set(),
      )
    case 'not':
      return outerColumns(filter.operand)
    case 'leaf':
      return columnsIn([filter.build(row - 1, row)])
    default:
      return new Set()
  }
}

function columnsIn(expressions: readonly Expression[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const expression of expressions) {
    visitExpression(expression, {
      expression: (part) => {
        if (part.kind === 'column' && part.relation === row) found.add(part.column)
      },
    })
  }
  return found
}
