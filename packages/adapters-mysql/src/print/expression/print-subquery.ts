/** @module Subqueries as values: scalars, EXISTS and IN. */

import { GatewayError } from '@engine/core/adapter'
import { oids, type SqlType } from '@engine/core/catalog'
import { unreachable } from '@engine/core/driver'
import { joinSql, operatorSymbol, type Sql, sql } from '@engine/core/print'
import {
  type Exists,
  type Expression,
  freeRelations,
  hasSubquery,
  type QuantifiedSubquery,
  type Query,
  type ScalarSubquery,
} from '@engine/core/tree'
import { withFromClause } from '../force-from-clause.ts'
import {
  aliasOf,
  classOfType,
  type OutputForm,
  type PrintContext,
  refuse,
} from '../print-context.ts'
import { groupKeyOf } from './comparison/comparison.ts'
import { mayAllBeNull, printUncachedIn, withMark } from './comparison/uncached-in-subquery.ts'

/** In the form that expressions work with. */
export function printSubquery(
  expression: ScalarSubquery | Exists | QuantifiedSubquery,
  context: PrintContext,
): Sql {
  switch (expression.kind) {
    case 'subquery':
      return printScalarSubquery(expression.query, context, 'working')
    case 'exists':
      return printExists(expression.query, context)
    case 'quantifiedSubquery':
      return printQuantified(expression, context)
    default:
      return unreachable(expression)
  }
}

/** The server raises an error for more than one row. */
export function printScalarSubquery(query: Query, context: PrintContext, form: OutputForm): Sql {
  return sql`(${context.printQuery(withFromClause(query, context), context, form).sql})`
}

function printExists(query: Query, context: PrintContext): Sql {
  if (query.kind === 'setOperation' && freeRelations(query).size === 0) {
    // The server miscounts the columns of nested parentheses.
    const alias = aliasOf(context.nextId(), context)
    const rows = context.printQuery(query, context, 'working').sql
    return sql`exists (select 1 as c1 from (${rows}) as ${alias})`
  }
  const rows = withFromClause(withoutOutputs(query), context)
  return withoutJoin(
    query,
    sql`exists (${context.printQuery(rows, context, 'working').sql})`,
    context,
  )
}

/** A condition on a query as it is, or as the argument of a call, which keeps the server from making a join of it. */
function withoutJoin(query: Query, condition: Sql, context: PrintContext): Sql {
  const { derived, traits } = context
  if (!traits.faults.losesDerivedColumns || freeRelations(query).isDisjointFrom(derived)) {
    return condition
  }
  return sql`coalesce(${condition})`
}

/** EXISTS needs only rows: their values need not be computed. */
function withoutOutputs(query: Query): Query {
  if (query.kind !== 'select' || query.isAggregated || query.distinct !== 'none') return query
  if (query.orderBy.some(({ expression }) => expression.kind === 'output')) return query
  const type: SqlType = { oid: oids.bool, typmod: -1 }
  return {
    ...query,
    columns: [{ name: '', type }],
    outputs: [{ kind: 'constant', value: 'true', type }],
  }
}

/**
 * `(a, b) in (<query>)` and `(a, b) < (<query>)`: lowering leaves no other.
 *
 * @param isFilter NULL has the effect of false.
 */
export function printQuantified(
  expression: QuantifiedSubquery,
  context: PrintContext,
  isFilter = false,
): Sql {
  const { comparison, quantifier, operands, query } = expression
  const isOrder = comparison !== '=' && comparison !== '<>'
  if (isOrder) for (const operand of operands) requireOrder(operand, context)
  if (operands.length > 1 && operands.some(hasSubquery)) {
    return refuse('a row with a subquery before a subquery', expression.position)
  }
  const keys = operands.map((each) => groupKeyOf(each, context))
  if (quantifier === 'any' && !isFilter && mayAllBeNull(operands, context)) {
    const marked = withMark(withFromClause(query, context))
    return withoutJoin(query, printUncachedIn(keys, marked, context), context)
  }
  const left = row(keys)
  const right = context.printQuery(withFromClause(query, context), context, 'key').sql
  if (quantifier === 'one') {
    // The server assumes that a comparison of rows is never NULL, unless another call surrounds it.
    return sql`coalesce(${left} ${operatorSymbol(comparison)} (${right}))`
  }
  if (comparison !== '=' || quantifier !== 'any') {
    throw new GatewayError('internal', 'a quantified subquery that was not lowered')
  }
  return withoutJoin(query, sql`(${left} in (${right}))`, context)
}

function row(values: readonly Sql[]): Sql {
  const list = joinSql(values, ', ')
  return values.length === 1 ? list : sql`(${list})`
}

/** A value that is compared by a separate key has no order by that key. */
function requireOrder({ type, position }: Expression, context: PrintContext): void {
  const typeClass = classOfType(type, context)
  if (typeClass === 'jsonb' || typeClass === 'array') refuse('an ordering of this type', position)
}
