/** @module `sum(a) filter (where p)` as `sum(case when p then a end)`. */
import type { Aggregate, Case, Expression, WindowCall } from '../bind/tree/expression.ts'
import { type LowerContext, trueConstant } from './expression-builders.ts'

/** `expression` itself unless it is an aggregate with FILTER that ignores NULL. Other aggregates keep their FILTER. */
export function filterAsCase(expression: Expression, { dialect }: LowerContext): Expression {
  if (dialect.hasFilter || !isFiltered(expression)) return expression
  const { filter, args, function: pgFunction } = expression
  if (filter === undefined || !skipsNull.has(pgFunction.name)) return expression
  const [first, ...others] = args
  const value = whenTrue(filter, first ?? trueConstant)
  if (first !== undefined) return { ...expression, args: [value, ...others], filter: undefined }
  return { ...expression, args: [value], filter: undefined }
}

function isFiltered(expression: Expression): expression is Aggregate | WindowCall {
  return expression.kind === 'aggregate' || expression.kind === 'window'
}

function whenTrue(condition: Expression, result: Expression): Case {
  return { kind: 'case', whens: [{ condition, result }], otherwise: undefined, type: result.type }
}

const skipsNull: ReadonlySet<string> = new Set([
  ...['count', 'sum', 'avg', 'min', 'max', 'string_agg'],
  ...['bool_and', 'bool_or', 'every', 'bit_and', 'bit_or', 'bit_xor'],
  ...['stddev', 'stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop'],
])
