/** @module Copies trees and gives the copies relations of their own. */
import type { CteId, Query, RelationId } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { mapExpression, mapQuery, type Rewriter } from './map-query.ts'
import { type Visitor, visitExpression, visitQuery } from './visit-query.ts'

/** Assigns numbers to relations and WITH queries. */
interface FreshIds {
  /** A number that is not used yet. */
  nextId(): number
}

/** A copy whose relations have new numbers. */
export function copyOfQuery(query: Query, ids: FreshIds): Query {
  const names = new Map<number, number>()
  visitQuery(query, collector(names, ids))
  return mapQuery(query, renaming(names))
}

/** A copy whose relations have new numbers. */
export function copyOfExpression(expression: Expression, ids: FreshIds): Expression {
  const names = new Map<number, number>()
  visitExpression(expression, collector(names, ids))
  return names.size === 0 ? expression : mapExpression(expression, renaming(names))
}

/** Relations and WITH queries share one sequence of numbers. */
function collector(names: Map<RelationId | CteId, number>, ids: FreshIds): Visitor {
  return {
    fromItem: (item) => {
      if (item.kind === 'join') return
      names.set(item.id, ids.nextId())
      if (item.kind === 'securedTable') names.set(item.base, ids.nextId())
    },
    query: (query) => {
      for (const { id } of query.ctes) names.set(id, ids.nextId())
    },
  }
}

function renaming(names: ReadonlyMap<RelationId | CteId, number>): Rewriter {
  const renamed = (id: number) => names.get(id) ?? id
  return {
    expression: (expression) =>
      expression.kind === 'column' || expression.kind === 'wholeRow'
        ? { ...expression, relation: renamed(expression.relation) }
        : expression,
    fromItem: (item) => {
      switch (item.kind) {
        case 'join':
          return item
        case 'securedTable':
          return { ...item, id: renamed(item.id), base: renamed(item.base) }
        case 'cte':
          return { ...item, id: renamed(item.id), cte: renamed(item.cte) }
        default:
          return { ...item, id: renamed(item.id) }
      }
    },
    query: (query) => {
      const ctes = query.ctes.map((cte) => ({ ...cte, id: renamed(cte.id) }))
      if (query.kind !== 'select') return { ...query, ctes }
      const locking = query.locking.map((clause) => ({
        ...clause,
        relations: clause.relations.map(renamed),
      }))
      return { ...query, ctes, locking }
    },
  }
}
