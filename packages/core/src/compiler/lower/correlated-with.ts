/** @module WITH queries that refer to outer columns are inlined where they are used. */
import type { CommonTable, CteId, Query, SubqueryItem } from '../bind/tree/bound-query.ts'
import { copyOfQuery } from '../bind/tree/fresh-copy.ts'
import { isWrite, mapQuery } from '../bind/tree/map-query.ts'
import { freeRelations, visitQuery } from '../bind/tree/visit-query.ts'
import { isVolatile } from '../bind/tree/volatility.ts'
import { boolType, type LowerContext } from './expression-builders.ts'

/** Recursive ones stay, and those whose rows might differ between uses. */
export function inlineCorrelated(query: Query, context: LowerContext): Query {
  if (context.dialect.derivedSeesOutside || query.ctes.length === 0) return query
  const inlined = new Map<CteId, Query>()
  const kept: CommonTable[] = []
  const replaced = (part: Query): Query =>
    inlined.size === 0
      ? part
      : mapQuery(part, {
          fromItem: (item) => {
            const rows = item.kind === 'cte' ? inlined.get(item.cte) : undefined
            if (item.kind !== 'cte' || rows === undefined) return item
            const copy: SubqueryItem = {
              kind: 'subquery',
              id: item.id,
              query: copyOfQuery(rows, context),
              lateral: false,
            }
            return copy
          },
        })
  for (const cte of query.ctes) {
    if (isWrite(cte.query)) return query
    const rows = replaced(cte.query)
    if (!cte.isRecursive && freeRelations(rows).size > 0 && isSteady(rows, cte.id, query)) {
      inlined.set(cte.id, rows)
    } else kept.push({ ...cte, query: rows })
  }
  return inlined.size === 0 ? query : replaced({ ...query, ctes: kept })
}

function isSteady(rows: Query, id: CteId, query: Query): boolean {
  if (!isVolatile({ kind: 'exists', query: rows, type: boolType })) return true
  let uses = 0
  visitQuery(query, {
    fromItem: (item) => {
      if (item.kind === 'cte' && item.cte === id) uses += 1
    },
  })
  return uses <= 1
}
