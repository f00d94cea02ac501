import { unreachable } from '../../../foundation/unreachable.ts'
import { chargePlanning } from '../../budget/planning-budget.ts'
import type { Query } from './bound-query.ts'
import type { Expression, FrameBound, SubscriptStep } from './expression.ts'

/** The direct parts of an expression: operands, and queries inside it. */
export interface ExpressionParts {
  readonly expressions: readonly Expression[]
  readonly query: Query | undefined
}

/** The operands of an expression, and its subquery. */
export function partsOf(expression: Expression): ExpressionParts {
  chargePlanning(1)
  const query = 'query' in expression ? expression.query : undefined
  return { expressions: operandsOf(expression), query }
}

function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'column':
    case 'output':
    case 'oldCondition':
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
    case 'grouping':
    case 'subquery':
    case 'arraySubquery':
    case 'exists':
      return []
    case 'call':
    case 'coalesce':
    case 'extremum':
      return expression.args
    case 'operator':
      return expression.left === undefined
        ? [expression.right]
        : [expression.left, expression.right]
    case 'cast':
    case 'not':
    case 'nullTest':
    case 'booleanTest':
    case 'collate':
    case 'field':
      return [expression.operand]
    case 'logical':
    case 'quantifiedSubquery':
      return expression.operands
    case 'distinctTest':
    case 'nullIf':
      return [expression.left, expression.right]
    case 'case':
      return [
        ...expression.whens.flatMap(({ condition, result }) => [condition, result]),
        ...present(expression.otherwise),
      ]
    case 'inList':
      return [expression.operand, ...expression.items]
    case 'quantifiedArray':
      return [expression.operand, expression.array]
    case 'array':
      return expression.elements
    case 'subscript':
      return [expression.operand, expression.index]
    case 'arraySection':
      return [expression.operand, ...expression.steps.flatMap(boundsOf)]
    case 'row':
      return expression.fields
    case 'rowComparison':
      return [...expression.left, ...expression.right]
    case 'aggregate':
      return [
        ...expression.args,
        ...expression.orderBy.map((key) => key.expression),
        ...present(expression.filter),
      ]
    case 'window':
      return [
        ...expression.args,
        ...present(expression.filter),
        ...expression.partitionBy,
        ...expression.orderBy.map((key) => key.expression),
        ...offsets(expression.frame?.start, expression.frame?.end),
      ]
    case 'wholeRow':
      return expression.fields.map(({ value }) => value)
    default:
      return unreachable(expression)
  }
}

function present(...expressions: readonly (Expression | undefined)[]): readonly Expression[] {
  return expressions.filter((expression) => expression !== undefined)
}

function boundsOf(step: SubscriptStep): readonly Expression[] {
  return step.kind === 'index' ? [step.index] : present(step.lower, step.upper)
}

function offsets(...bounds: readonly (FrameBound | undefined)[]): readonly Expression[] {
  return bounds.flatMap((bound) => (bound && 'offset' in bound ? [bound.offset] : []))
}
