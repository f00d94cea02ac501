/** @module Set-returning functions in the select list: each row is joined with what they give for it. */

import type { FromItem, Query, SelectQuery } from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import { mapExpression } from '../bind/map-query.ts'
import { unsupportedConstruct } from '../print/unsupported.ts'
import { oids } from '../sql-types/oids.ts'
import { hasPart } from './level.ts'
import { callsSets } from './row-bounds.ts'
import { columnOf, type LowerContext, unnamed } from './typed.ts'

/** `select f(a), b from t` becomes `select r.c1, b from t, f(a) r`. */
export function lowerSetReturning(query: Query, context: LowerContext): Query {
  if (query.kind !== 'select') return query
  const expressions = [...query.outputs, ...query.orderBy.map((key) => key.expression)]
  if (!expressions.some(isSetReturning)) return query
  refuseUnusual(query, expressions, context)
  const items: FromItem[] = []
  const map = (expression: Expression) =>
    mapExpression(expression, {
      before: (part) => ('query' in part ? part : undefined),
      expression: (part) => {
        if (part.kind !== 'call' || !part.function.returnsSet) return part
        const id = context.nextId()
        items.push({
          kind: 'function',
          id,
          call: part,
          columns: [unnamed(part.type)],
          withOrdinality: false,
        })
        return columnOf(id, 0, part.type)
      },
    })
  const outputs = query.outputs.map(map)
  return { ...query, outputs, from: [...query.from, ...items] }
}

function isSetReturning(expression: Expression): boolean {
  return hasPart(expression, (part) => part.kind === 'call' && part.function.returnsSet)
}

function refuseUnusual(
  query: SelectQuery,
  expressions: readonly Expression[],
  { dialect }: LowerContext,
): void {
  const calls = query.outputs.flatMap(callsIn)
  const [first] = calls
  const refuse = (construct: string) =>
    unsupportedConstruct(construct, dialect.database, first?.position)
  if (query.isAggregated || expressions.some(hasWindow)) {
    throw refuse('a set-returning function beside aggregates or window functions')
  }
  if (query.outputs.filter(isSetReturning).length > 1 || calls.some(hasSeveralInside)) {
    throw refuse('several set-returning functions in one select list')
  }
  if (query.orderBy.some(({ expression }) => isSetReturning(expression))) {
    throw refuse('a set-returning function in ORDER BY')
  }
  if (calls.some(({ type }) => type.oid === oids.record)) {
    throw refuse('rows of several columns in a select list')
  }
}

function callsIn(expression: Expression): readonly Extract<Expression, { kind: 'call' }>[] {
  const calls: Extract<Expression, { kind: 'call' }>[] = []
  hasPart(expression, (part) => {
    if (part.kind === 'call' && part.function.returnsSet) calls.push(part)
    return false
  })
  return calls
}

/** Calls beside each other go in step; one inside the other does not. */
function hasSeveralInside({ args }: Extract<Expression, { kind: 'call' }>): boolean {
  return args.filter(callsSets).length > 1
}

function hasWindow(expression: Expression): boolean {
  return hasPart(expression, ({ kind }) => kind === 'window')
}
