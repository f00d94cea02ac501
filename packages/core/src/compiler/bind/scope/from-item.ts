import type { FromItem, RelationId } from '../tree/bound-query.ts'
import { freeRelationsOf } from '../tree/visit-query.ts'
import { createScope } from './create-scope.ts'
import type { RangeTableEntry } from './range-table-entry.ts'
import type { Scope } from './scope.ts'
import type { StatementContext } from './statement-context.ts'

/** The context of a FROM item. */
export interface FromPlace {
  readonly context: StatementContext
  /** Names of outer levels and WITH queries: everything that an item sees without LATERAL. */
  readonly outer: Scope
  /** The items before it, which LATERAL makes visible. */
  readonly left: readonly RangeTableEntry[]
}

/** One FROM item, and the entries by which names refer to it. */
export interface BoundItem {
  readonly item: FromItem
  readonly sources: readonly RangeTableEntry[]
}

/** The names that a LATERAL item sees. `onUse` is called when it uses one of the items before it. */
export function lateralScope(place: FromPlace, onUse: () => void): Scope {
  const { context, outer, left } = place
  const relations = new Set(left.flatMap(relationsOfEntry))
  return createScope({ outer, view: context.view, sources: left, relations, onUse })
}

/** Those inside of an aliased join have columns only. */
function relationsOfEntry({ relation, columns }: RangeTableEntry): readonly RelationId[] {
  return relation === undefined
    ? columns.flatMap(({ expression }) => [...freeRelationsOf(expression)])
    : [relation]
}
