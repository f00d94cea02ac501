/** @module Wraps a part of a FROM clause in a derived table. */

import type { RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { mapQuery } from '../bind/tree/map-query.ts'
import {
  columnOf,
  derived,
  isPresenceTest,
  type LowerContext,
  select,
  trueConstant,
} from './expression-builders.ts'
import { itemAt, type Place, replaceAt } from './from-tree.ts'

/**
 * `from a left join (<part>) on ...` becomes `from a left join (select <used columns> from <part>) on ...`.
 *
 * @param lower transforms the new subquery.
 */
export function wrapInDerivedTable(
  query: SelectQuery,
  place: Place,
  context: LowerContext,
  lower: (inner: SelectQuery) => SelectQuery,
): SelectQuery {
  const part = itemAt(query.from, place)
  if (part === undefined) return query
  const own = relationsIn([part])
  const id = context.nextId()
  const exports = createExports(own, id)
  const rest = mapQuery(
    { ...query, from: replaceAt(query.from, place, [derived(id, select({ outputs: [] }))]) },
    { before: exports.replace },
  )
  if (rest.kind !== 'select') return query
  const outputs = exports.outputs()
  const inner = select({
    outputs: outputs.length === 0 ? [trueConstant] : outputs,
    from: [part],
  })
  return { ...rest, from: replaceAt(rest.from, place, [derived(id, lower(inner))]) }
}

/**
 * `select f(a) from t where p group by a` becomes `select f(d.a) from (select a from t where p) d group by d.a`: an expression
 * that `lower` puts in place of a column is then calculated once, before grouping.
 */
export function wrapRowsInDerivedTable(
  query: SelectQuery,
  context: LowerContext,
  lower: (rows: SelectQuery) => SelectQuery,
): SelectQuery {
  const id = context.nextId()
  const { rest, rows } = splitRows(query, id)
  return { ...rest, from: [derived(id, lower(rows))] }
}

/** The query without FROM and WHERE, and the rows of these, which it refers to as `id`. */
export function splitRows(
  query: SelectQuery,
  id: RelationId,
): { readonly rest: SelectQuery; readonly rows: SelectQuery } {
  const exports = createExports(relationsIn(query.from), id)
  const rest = mapQuery({ ...query, from: [], where: undefined }, { before: exports.replace })
  const outputs = exports.outputs()
  const rows = select({
    outputs: outputs.length === 0 ? [trueConstant] : outputs,
    from: query.from,
    where: query.where,
  })
  return { rest: rest.kind === 'select' ? rest : query, rows }
}

/** Collects the used columns of some relations as columns of relation `id`. */
export function createExports(own: ReadonlySet<RelationId>, id: RelationId): Exports {
  const outputs: Expression[] = []
  const columns = new Map<string, number>()
  const exported = (key: string, expression: Expression) => {
    const index = columns.get(key) ?? outputs.push(expression) - 1
    columns.set(key, index)
    return columnOf(id, index, expression.type)
  }
  return {
    outputs: () => outputs,
    replace: (expression) => {
      if (isPresenceTest(expression) && own.has(expression.operand.relation)) {
        return exported(`present ${expression.operand.relation}`, expression)
      }
      if (expression.kind === 'column' && own.has(expression.relation)) {
        return exported(`${expression.relation}.${expression.column}`, expression)
      }
      if (expression.kind === 'wholeRow' && own.has(expression.relation)) {
        const names = expression.fields.map(({ name }) => name)
        return exported(JSON.stringify([expression.relation, ...names]), expression)
      }
      return undefined
    },
  }
}

export interface Exports {
  /** The rewriting function, called before the parts of an expression. */
  replace(expression: Expression): Expression | undefined
  /** The expressions of the columns, so far. */
  outputs(): readonly Expression[]
}
