/** @module Comparisons with ANY and ALL of a subquery, and scalar subqueries with several rows. */

import type { Query, RelationId } from '../bind/tree/bound-query.ts'
import type { Expression, QuantifiedSubquery, ScalarSubquery } from '../bind/tree/expression.ts'
import { copyOfExpression, copyOfQuery } from '../bind/tree/fresh-copy.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { isVolatile } from '../bind/tree/volatility.ts'
import {
  allColumns,
  boolType,
  derived,
  falseConstant,
  isNull,
  type LowerContext,
  not,
  nullConstant,
  select,
  trueConstant,
} from './expression-builders.ts'
import { singleRow } from './internal-functions.ts'
import { hasAtMostOneRow } from './row-bounds.ts'

/** `expression` itself unless it is one of the two. */
export function lowerSubquery(expression: Expression, context: LowerContext): Expression {
  switch (expression.kind) {
    case 'subquery':
      return guarded(expression, context)
    case 'quantifiedSubquery':
      return lowerQuantified(withoutLimit(expression, context), context)
    default:
      return expression
  }
}

function guarded(expression: ScalarSubquery, { dialect }: LowerContext): Expression {
  if (dialect.refusesSeveralRows || hasAtMostOneRow(expression.query)) return expression
  return { kind: 'call', function: singleRow, args: [expression], type: expression.type }
}

/**
 * `= any` stays: it is IN; the comparison with one row stays, too. `<> all` is NOT IN. Others: `x > any (q)` is TRUE when the
 * comparison is TRUE for some row, else NULL when it is NULL for some row, else FALSE; `x > all (q)` is FALSE when the comparison
 * is FALSE for some row, else NULL when it is NULL for some row, else TRUE.
 */
function lowerQuantified(expression: QuantifiedSubquery, context: LowerContext): Expression {
  const { comparison, quantifier, operands, operators } = expression
  if (quantifier === 'one' || (quantifier === 'any' && comparison === '=')) return expression
  if (quantifier === 'all' && comparison === '<>') {
    const equality = equalities(operators, context)
    if (equality !== undefined) {
      return not({ ...expression, quantifier: 'any', comparison: '=', operators: equality })
    }
  }
  if (operands.some(isVolatile)) {
    const construct = `a volatile function compared with ${quantifier.toUpperCase()}`
    throw unsupportedConstruct(construct, context.dialect.database, expression.position)
  }
  // Inside a subquery they would belong to that subquery.
  if (operands.some((operand) => hasPart(operand, isOfThisQuery))) {
    const construct = `an aggregate or window function compared with ${quantifier.toUpperCase()}`
    throw unsupportedConstruct(construct, context.dialect.database, expression.position)
  }
  const isDecided = (test: (comparison: Expression) => Expression): Expression => ({
    kind: 'exists',
    query: rowsThat(expression, test, context),
    type: boolType,
  })
  const whens = [
    {
      condition: isDecided((each) => (quantifier === 'any' ? each : not(each))),
      result: quantifier === 'any' ? trueConstant : falseConstant,
    },
    { condition: isDecided((each) => isNull(each)), result: nullConstant(boolType) },
  ]
  const otherwise = quantifier === 'any' ? falseConstant : trueConstant
  return { kind: 'case', whens, otherwise, type: boolType }
}

function isOfThisQuery({ kind }: Expression): boolean {
  return kind === 'aggregate' || kind === 'window' || kind === 'grouping'
}

/**
 * `x in (select a from t limit 3)` as `x in (select a from (select a from t limit 3))`. INTERSECT and EXCEPT too: MariaDB looks
 * for `x` in each of their sides, and takes a NULL on one side for a NULL in the result.
 */
function withoutLimit(expression: QuantifiedSubquery, context: LowerContext): QuantifiedSubquery {
  const { query, quantifier } = expression
  const isLimited = query.limit !== undefined || query.offset !== undefined
  if (context.dialect.hasFreeLimit || quantifier === 'one') return expression
  if (!isLimited && !comparesRows(query)) return expression
  const id = context.nextId()
  const outputs = allColumns(id, query.columns)
  return { ...expression, query: select({ outputs, from: [derived(id, query)] }) }
}

function comparesRows(query: Query): boolean {
  if (query.kind !== 'setOperation') return false
  return query.operator !== 'union' || comparesRows(query.left) || comparesRows(query.right)
}

function equalities(
  operators: QuantifiedSubquery['operators'],
  { types }: LowerContext,
): QuantifiedSubquery['operators'] | undefined {
  const found = operators.map(({ leftOid, rightOid }) =>
    types.resolveOperator('=', leftOid, rightOid),
  )
  const equal = found.flatMap((each) => (each.ok ? [each.operator] : []))
  const isSame = equal.every(
    ({ leftOid, rightOid }, i) =>
      leftOid === operators[i]?.leftOid && rightOid === operators[i]?.rightOid,
  )
  return equal.length === operators.length && isSame ? equal : undefined
}

/** `select true from (<query>) where <test of the comparison with its columns>` */
function rowsThat(
  expression: QuantifiedSubquery,
  test: (comparison: Expression) => Expression,
  context: LowerContext,
): Query {
  const id = context.nextId()
  const comparison = comparisonWith(expression, id, context)
  return select({
    outputs: [trueConstant],
    from: [derived(id, copyOfQuery(expression.query, context))],
    where: test(comparison),
  })
}

function comparisonWith(
  { comparison, operands, operators, query }: QuantifiedSubquery,
  id: RelationId,
  context: LowerContext,
): Expression {
  const left = operands.map((operand) => copyOfExpression(operand, context))
  const right = allColumns(id, query.columns)
  const [operator, ...others] = operators
  const [first] = left
  const [second] = right
  if (operator && first && second && others.length === 0) {
    return { kind: 'operator', operator, left: first, right: second, type: boolType }
  }
  return { kind: 'rowComparison', comparison, operators, left, right, type: boolType }
}
