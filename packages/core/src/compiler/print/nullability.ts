/** @module Whether an expression can be NULL: the rules of PostgreSQL's own functions and operators. */
import type { Expression } from '../bind/tree/expression.ts'

/**
 * Can the expression be NULL? `isNullable` decides for its parts. Undefined for a kind that the dialect decides, for example a
 * column.
 */
export function canBeNull(
  expression: Expression,
  isNullable: (part: Expression) => boolean,
): boolean | undefined {
  switch (expression.kind) {
    case 'constant':
      return expression.value === null
    case 'requestTime':
    case 'nullTest':
    case 'booleanTest':
    case 'distinctTest':
    case 'exists':
    case 'grouping':
      return false
    case 'coalesce':
      return expression.args.every(isNullable)
    case 'cast':
      return isNullable(expression.operand)
    case 'call':
      // A NULL array in the place of the arguments makes the result NULL.
      return expression.isVariadic === true || !neverNull.has(expression.function.name)
    case 'window':
      return !neverNull.has(expression.function.name)
    case 'aggregate':
      return expression.function.name !== 'count'
    default:
      return undefined
  }
}

const neverNull: ReadonlySet<string> = new Set([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'count',
  'concat',
  'json_build_array',
  'json_build_object',
  'jsonb_build_array',
  'jsonb_build_object',
])

/** Operators that are NULL only for a NULL operand, whatever the types: `=`, but not `->`. */
export const totalOperators: ReadonlySet<string> = new Set([
  ...['=', '<>', '<', '<=', '>', '>='],
  ...['+', '*'],
])
