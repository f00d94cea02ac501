/** @module Names that printers generate: no client name is ever part of a statement. */
import type { CteId, RelationId } from '../bind/tree/bound-query.ts'
import { keyword, type Sql } from './sql-writer.ts'

/** The alias of a FROM item. */
export function relationName(id: RelationId): Sql {
  return keyword(`t${id}`)
}

/** The name of a WITH query. */
export function cteName(id: CteId): Sql {
  return keyword(`q${id}`)
}

/** Column `index` (from 0) of a derived table or WITH query: `c1` is the first. */
export function columnName(index: number): Sql {
  return keyword(`c${index + 1}`)
}
