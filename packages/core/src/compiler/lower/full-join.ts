/**
 * @module FULL JOIN: `a left join b on p`, then the rows of `b` that match no row of `a`: `(select a.*, b.* from a left join b on
 * p) union all (select null, b.* from b where not exists (select from a where p))`.
 */

import type { FromItem, JoinItem, Query, SelectQuery } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { copyOfQuery } from '../bind/tree/fresh-copy.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { mapQuery } from '../bind/tree/map-query.ts'
import { freeRelationsOf } from '../bind/tree/visit-query.ts'
import {
  boolType,
  derived,
  falseConstant,
  isPresenceTest,
  type LowerContext,
  not,
  nullConstant,
  select,
  trueConstant,
  unnamed,
} from './expression-builders.ts'
import { itemAt, type Place, replaceAt } from './from-tree.ts'
import { unionAll } from './set-operations.ts'
import { createExports } from './wrap-in-derived-table.ts'

/** The subqueries of `query` are already lowered; `lower` lowers new ones. */
export function lowerFullJoins(
  query: SelectQuery,
  context: LowerContext,
  lower: (query: SelectQuery) => Query,
): SelectQuery {
  if (context.dialect.hasFullJoin) return query
  const place = innermost(query.from)
  if (place === undefined) return query
  const join = itemAt(query.from, place)
  if (join?.kind !== 'join') return query
  const id = context.nextId()
  const exports = createExports(relationsIn([join]), id)
  const hole = derived(id, select({ outputs: [] }))
  const rest = mapQuery(
    { ...query, from: replaceAt(query.from, place, [hole]) },
    { before: exports.replace },
  )
  if (rest.kind !== 'select') return query
  const found = exports.outputs()
  const outputs = found.length === 0 ? [trueConstant] : found
  const both = lower(select({ outputs, from: [{ ...join, type: 'left' }] }))
  const others = lower(unmatched(join, outputs, context, lower))
  const columns = outputs.map(({ type }) => unnamed(type))
  const rows = derived(id, unionAll(both, copyOfQuery(others, context), columns))
  return lowerFullJoins({ ...rest, from: replaceAt(rest.from, place, [rows]) }, context, lower)
}

/** A FULL JOIN with none inside. */
function innermost(items: readonly FromItem[]): Place | undefined {
  for (const [index, item] of items.entries()) {
    const path = pathTo(item)
    if (path !== undefined) return { index, path }
  }
  return undefined
}

function pathTo(item: FromItem): Place['path'] | undefined {
  if (item.kind !== 'join') return undefined
  for (const side of ['left', 'right'] as const) {
    const path = pathTo(item[side])
    if (path !== undefined) return [{ join: item, side }, ...path]
  }
  return item.type === 'full' ? [] : undefined
}

function unmatched(
  { left, right, on }: JoinItem,
  outputs: readonly Expression[],
  context: LowerContext,
  lower: (query: SelectQuery) => Query,
): SelectQuery {
  const own = relationsIn([left])
  const partners = lower(select({ outputs: [trueConstant], from: [left], where: on }))
  const partner: Expression = {
    kind: 'exists',
    query: copyOfQuery(partners, context),
    type: boolType,
  }
  return select({
    outputs: outputs.map((output) => withoutLeft(output, own)),
    from: [right],
    where: not(partner),
  })
}

/** The exports are columns, whole rows and presence tests. */
function withoutLeft(output: Expression, own: ReadonlySet<number>): Expression {
  if (freeRelationsOf(output).isDisjointFrom(own)) return output
  return isPresenceTest(output) ? falseConstant : nullConstant(output.type)
}
