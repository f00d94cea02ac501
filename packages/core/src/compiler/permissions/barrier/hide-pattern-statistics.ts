/**
 * @module A planner estimates `name like $1` by matching the pattern with the values in its statistics, hidden ones included,
 * with or without a barrier. This fails where a value matches up to a pattern's trailing escape character, which would reveal how
 * a hidden value begins. There are no statistics on an expression.
 */
import type { RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { FlowOf } from './column-flow.ts'

/** LIKE, ILIKE and their negations. */
const patternOperators: ReadonlySet<string> = new Set(['~~', '!~~', '~~*', '!~~*'])

/** The same value in a form without statistics, where a cell of a guarded table is compared with a pattern. */
export function hidePatternStatistics(
  expression: Expression,
  guarded: ReadonlySet<RelationId>,
  flowOf: FlowOf,
): Expression {
  const isHidden = (subject: Expression) =>
    isCell(subject) && !flowOf(subject).tables.isDisjointFrom(guarded)
  if (expression.kind === 'operator') {
    const { operator, left } = expression
    return left !== undefined && patternOperators.has(operator.name) && isHidden(left)
      ? { ...expression, left: withoutStatistics(left) }
      : expression
  }
  if (expression.kind === 'quantifiedArray') {
    const { operator, operand } = expression
    return patternOperators.has(operator.name) && isHidden(operand)
      ? { ...expression, operand: withoutStatistics(operand) }
      : expression
  }
  return expression
}

/** A column, or a cast or collation of one: planners treat these as the column. */
function isCell(expression: Expression): boolean {
  if (expression.kind === 'column') return true
  if (expression.kind === 'collate') return isCell(expression.operand)
  return expression.kind === 'cast' && expression.method === 'binary' && isCell(expression.operand)
}

function withoutStatistics(subject: Expression): Expression {
  return { kind: 'coalesce', args: [subject, subject], type: subject.type }
}
