/** @module Set-returning functions in the select list: each row is joined with the rows that they return for it. */

import type { FromItem, FunctionItem, Query, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { mapExpression } from '../bind/tree/map-query.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { oids } from '../sql-types/oids.ts'
import { columnOf, compare, int8Type, type LowerContext, unnamed } from './expression-builders.ts'
import { callsSets } from './row-bounds.ts'

/** `select f(a), b from t` becomes `select r.c1, b from t, f(a) r`. */
export function lowerSetReturning(query: Query, context: LowerContext): Query {
  if (query.kind !== 'select') return query
  const expressions = [...query.outputs, ...query.orderBy.map((key) => key.expression)]
  if (!expressions.some(isSetReturning)) return query
  refuseUnusual(query, expressions, context)
  if (callsOf(query).length > 1) return inStep(query, context)
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

/** `select f(), g()` becomes `select f.c1, g.c1 from f() with ordinality f full join g() with ordinality g on f.c2 = g.c2`. */
function inStep(query: SelectQuery, context: LowerContext): SelectQuery {
  const items = callsOf(query).map((call): FunctionItem => {
    const columns = [unnamed(call.type), unnamed(int8Type)]
    return { kind: 'function', id: context.nextId(), call, columns, withOrdinality: true }
  })
  const [first, ...others] = items
  if (first === undefined) return query
  const joined = others.reduce<{ readonly item: FromItem; readonly place: Expression }>(
    ({ item, place }, right) => {
      const other = columnOf(right.id, 1, int8Type)
      const on = compare('=', place, other, context)
      return {
        item: { kind: 'join', type: 'full', left: item, right, on },
        place: { kind: 'coalesce', args: [place, other], type: int8Type },
      }
    },
    { item: first, place: columnOf(first.id, 1, int8Type) },
  )
  const outputs = query.outputs.map((output) =>
    mapExpression(output, {
      before: (part) => {
        const item = items.find(({ call }) => call === part)
        if (item !== undefined) return columnOf(item.id, 0, part.type)
        return 'query' in part ? part : undefined
      },
    }),
  )
  return { ...query, outputs, from: [joined.item] }
}

function callsOf({ outputs }: SelectQuery): readonly SetCall[] {
  return outputs.flatMap(callsIn)
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
  const isAlone = query.from.length === 0 && query.where === undefined
  const isNested = calls.some(({ args }) => args.some(callsSets))
  if (calls.some(hasSeveralInside) || (calls.length > 1 && (!isAlone || isNested))) {
    throw refuse('several set-returning functions in one select list')
  }
  if (query.orderBy.some(({ expression }) => isSetReturning(expression))) {
    throw refuse('a set-returning function in ORDER BY')
  }
  if (calls.some(({ type }) => type.oid === oids.record)) {
    throw refuse('rows of several columns in a select list')
  }
}

type SetCall = Extract<Expression, { kind: 'call' }>

function callsIn(expression: Expression): readonly SetCall[] {
  const calls: SetCall[] = []
  hasPart(expression, (part) => {
    if (part.kind === 'call' && part.function.returnsSet) calls.push(part)
    return false
  })
  return calls
}

/** Calls beside each other advance in step; a call inside another does not. */
function hasSeveralInside({ args }: SetCall): boolean {
  return args.filter(callsSets).length > 1
}

function hasWindow(expression: Expression): boolean {
  return hasPart(expression, ({ kind }) => kind === 'window')
}
