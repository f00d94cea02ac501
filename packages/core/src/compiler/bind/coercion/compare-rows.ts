/** @module `(a, b) = (x, y)` and similar comparisons, field by field. */
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { ComparisonName, Expression } from '../tree/expression.ts'
import { distinctTest } from './distinct-test.ts'
import { joinLogical } from './join-logical.ts'
import { boolType } from './null-test.ts'
import { type Comparison, comparisonCall } from './operator-call.ts'

const comparisonNames: ReadonlySet<string> = new Set<ComparisonName>([
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
])

export function isComparisonName(name: string): name is ComparisonName {
  return comparisonNames.has(name)
}

/** Rows of one field are compared as that field. */
export function compareRows(
  name: string,
  left: readonly Expression[],
  right: readonly Expression[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const pairs = pairUp(left, right, position)
  const calls = pairs.map(([a, b]) =>
    comparisonCall(name, a, b, 'a row comparison', position, environment),
  )
  const [first] = calls
  if (first !== undefined && calls.length === 1) return first
  return {
    kind: 'rowComparison',
    comparison: comparisonOfRows(name, calls, position, environment),
    operators: calls.map((call) => call.operator),
    left: calls.map((call) => call.left),
    right: calls.map((call) => call.right),
    type: boolType,
    ...positioned(position),
  }
}

/** The result of the operator for rows whose fields are compared by `calls`. */
export function comparisonOfRows(
  name: string,
  calls: readonly Comparison[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): ComparisonName {
  if (!isComparisonName(name)) throw unsupported(`a comparison of rows by ${name}`, position)
  if (name === '=' || name === '<>') return name
  const { types } = environment.context
  const isOrdered = calls.every(({ left }) => types.comparison(left.type.oid)?.less !== undefined)
  if (isOrdered) return name
  const message = `could not determine interpretation of row comparison operator ${name}`
  throw bindError(message, { sqlState: '0A000', position })
}

/** `(a, b) IS [NOT] DISTINCT FROM (x, y)`. */
export function distinctRows(
  left: readonly Expression[],
  right: readonly Expression[],
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const tests = pairUp(left, right, position).map(([a, b]) =>
    distinctTest(a, b, negated, position, environment),
  )
  return joinLogical(negated ? 'and' : 'or', tests, position)
}

function pairUp(
  left: readonly Expression[],
  right: readonly Expression[],
  position: number | undefined,
): readonly (readonly [Expression, Expression])[] {
  if (left.length !== right.length) {
    const message = 'unequal number of entries in row expressions'
    throw bindError(message, { sqlState: '42601', position })
  }
  if (left.length === 0) {
    throw bindError('cannot compare rows of zero length', { sqlState: '0A000', position })
  }
  return left.flatMap((field, i) => {
    const other = right[i]
    return other === undefined ? [] : [[field, other] as const]
  })
}
