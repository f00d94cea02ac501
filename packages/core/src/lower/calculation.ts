/** @module Subqueries that read nothing: `(select a + 1)`, `exists (select 1 where p)`. */
import type { Query, SelectQuery } from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import { oids } from '../sql-types/oids.ts'
import { hasPart } from './level.ts'
import { callsSets } from './row-bounds.ts'
import { boolType, type LowerContext, trueConstant } from './typed.ts'

/** `expression` itself unless it is such a subquery and the dialect would rather not have one. */
export function withoutCalculation(expression: Expression, { dialect }: LowerContext): Expression {
  // Rows of a query are asked for by a subquery of records: see `rowsOfQuery`.
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
  return expression
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
