/** @module Subqueries that read no rows: `(select a + 1)`, `exists (select 1 where p)`, `x in (select a)`. */
import type { Query, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression, QuantifiedSubquery } from '../bind/tree/expression.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { oids } from '../sql-types/oids.ts'
import {
  boolType,
  falseConstant,
  type LowerContext,
  nullConstant,
  trueConstant,
} from './expression-builders.ts'
import { callsSets } from './row-bounds.ts'

/** `expression` itself unless it is such a subquery and the dialect avoids them. */
export function withoutCalculation(expression: Expression, { dialect }: LowerContext): Expression {
  // A subquery of records requests the rows of a query: see `rowsOfQuery`.
  const isRows = expression.type.oid === oids.record
  if (dialect.derivedSeesOutside || isRows) return expression
  if (expression.kind === 'subquery' && readsNothing(expression.query)) {
    const { outputs, where } = expression.query
    const [value] = outputs
    if (value === undefined || where === undefined) return value ?? expression
    const whens = [{ condition: where, result: value }]
    return { kind: 'case', whens, otherwise: undefined, type: expression.type }
  }
  if (expression.kind === 'exists' && readsNothing(expression.query)) {
    const operand = expression.query.where ?? trueConstant
    return { kind: 'booleanTest', operand, test: 'true', negated: false, type: boolType }
  }
  if (expression.kind === 'quantifiedSubquery' && readsNothing(expression.query)) {
    return comparisonWith(expression, expression.query)
  }
  return expression
}

/** Without a row, ANY is false, ALL is true, and a single-row comparison is NULL. */
function comparisonWith(
  { comparison, operators, operands, quantifier }: QuantifiedSubquery,
  { outputs, where }: SelectQuery,
): Expression {
  const [operator, ...others] = operators
  const [left] = operands
  const [right] = outputs
  const compared: Expression =
    operator !== undefined && left !== undefined && right !== undefined && others.length === 0
      ? { kind: 'operator', operator, left, right, type: boolType }
      : {
          kind: 'rowComparison',
          comparison,
          operators,
          left: operands,
          right: outputs,
          type: boolType,
        }
  if (where === undefined) return compared
  const otherwise = { any: falseConstant, all: trueConstant, one: nullConstant(boolType) }
  return {
    kind: 'case',
    whens: [{ condition: where, result: compared }],
    otherwise: otherwise[quantifier],
    type: boolType,
  }
}

function readsNothing(query: Query): query is SelectQuery {
  return (
    query.kind === 'select' &&
    query.from.length === 0 &&
    query.ctes.length === 0 &&
    !query.isAggregated &&
    query.limit === undefined &&
    query.offset === undefined &&
    !query.outputs.some((each) => callsSets(each) || hasPart(each, ({ kind }) => kind === 'window'))
  )
}
