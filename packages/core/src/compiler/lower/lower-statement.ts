/**
 * @module Rewrites PostgreSQL's constructs into those of a dialect, on the bound tree. The result uses plain constructs only, and
 * the functions of `internal-functions.ts`.
 */
import { runSteps, type Steps } from '../../foundation/steps.ts'
import type { BoundStatement, Query, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { mapStatement } from '../bind/tree/map-query.ts'
import { lowerArraySubquery } from './array-subquery.ts'
import { withoutCalculation } from './calculation.ts'
import { withCallsBelow } from './calls-below.ts'
import { inlineCorrelated } from './correlated-with.ts'
import type { LoweringDialect } from './dialect.ts'
import { lowerDistinctOn } from './distinct-on.ts'
import { dropRedundantLimit } from './drop-redundant-limit.ts'
import type { LowerContext } from './expression-builders.ts'
import { filterAsCase } from './filter-as-case.ts'
import { withoutRightJoins } from './from-tree.ts'
import { lowerFullJoins } from './full-join.ts'
import { lowerGroups } from './grouping-sets.ts'
import { keepInnerOrder } from './inner-order.ts'
import { lowerLagDefault } from './lag-default.ts'
import { lowerLaterals } from './lateral.ts'
import { liftNestedWith } from './nested-with.ts'
import { markNullExtendedRows } from './null-extended-row.ts'
import { refuseHiddenSiblings } from './parentheses.ts'
import { lowerSubquery } from './quantified.ts'
import { lowerSetOperation, lowerValues } from './set-operations.ts'
import { lowerSetReturning } from './set-returning.ts'
import { lowerWithTies } from './with-ties.ts'
import { lowerWrite, refuseWritesInWith } from './writes.ts'

/**
 * Rewrites those that the dialect lacks: LATERAL, FULL JOIN, FILTER, array subqueries and INTERSECT ALL; for every dialect it
 * rewrites DISTINCT ON, grouping sets, WITH TIES, quantified comparisons, set-returning functions in select lists, UPDATE ...
 * FROM and DELETE ... USING.
 *
 * @throws {GatewayError} `unsupported` (400) for a construct without a faithful form.
 */
export function lowerStatement(
  statement: BoundStatement,
  dialect: LoweringDialect,
): BoundStatement {
  return runSteps(lowerInSteps(statement, dialect))
}

/** The same in steps: each walks over the whole statement. */
export function* lowerInSteps(
  statement: BoundStatement,
  dialect: LoweringDialect,
): Steps<BoundStatement> {
  refuseWritesInWith(statement, dialect)
  let id = statement.nextId
  const context: LowerContext = {
    types: statement.connection.types,
    dialect,
    nextId: () => id++,
  }
  const inlined = mapStatement(statement, { query: (query) => inlineCorrelated(query, context) })
  yield
  const guarded = mapStatement(inlined, {
    expression: (expression) => lowerExpression(expression, context),
  })
  yield
  const lowered = mapStatement(guarded, {
    query: (query) => lowerQuery(query, context),
    write: (write) => lowerWrite(write, context),
  })
  yield
  const calculated = dialect.calculatesWithCalls
    ? lowered
    : mapStatement(lowered, { query: (query) => calculateAbove(query, context) })
  yield
  const plain = dialect.derivedSeesOutside
    ? calculated
    : mapStatement(calculated, { expression: (part) => withoutCalculation(part, context) })
  yield
  const marked = liftNestedWith(markNullExtendedRows(plain, context), dialect)
  yield
  refuseHiddenSiblings(marked, dialect)
  return { ...marked, nextId: id }
}

function lowerExpression(expression: Expression, context: LowerContext): Expression {
  switch (expression.kind) {
    case 'aggregate':
      return filterAsCase(expression, context)
    case 'window':
      return lowerLagDefault(filterAsCase(expression, context), context)
    case 'arraySubquery':
      return lowerArraySubquery(expression, context)
    default:
      return lowerSubquery(withoutCalculation(expression, context), context)
  }
}

/** The subqueries of `query` are already lowered. */
function lowerQuery(query: Query, context: LowerContext): Query {
  switch (query.kind) {
    case 'values':
      return lowerValues(query, context)
    case 'setOperation':
      return closed(lowerWithTies(lowerSetOperation(query, context), context), context)
    case 'select': {
      const spread = lowerSetReturning(query, context)
      const flat = spread.kind === 'select' ? lowerFrom(spread, context) : spread
      const grouped = lowerGroups(flat, context)
      const single = lowerWithTies(lowerDistinctOn(grouped, context), context)
      return dropRedundantLimit(single === flat ? flat : closed(single, context), context)
    }
  }
}

function calculateAbove(query: Query, context: LowerContext): Query {
  const above = withCallsBelow(query, context)
  return above === query ? query : closed(above, context)
}

/** Subqueries in FROM that lowering added may refer to outer columns. */
function closed(query: Query, context: LowerContext): Query {
  if (query.kind !== 'select' || context.dialect.derivedSeesOutside) return query
  const from = query.from.map((item) =>
    item.kind === 'subquery' ? { ...item, query: closed(item.query, context) } : item,
  )
  return lowerLaterals({ ...query, from }, context)
}

function lowerFrom(query: SelectQuery, context: LowerContext): SelectQuery {
  const lower = (rows: SelectQuery) => lowerFrom(rows, context)
  const turned = context.dialect.derivedSeesOutside
    ? query
    : { ...query, from: query.from.map(withoutRightJoins) }
  const joined = lowerFullJoins(turned, context, lower)
  return lowerLaterals(keepInnerOrder(joined, context), context)
}
