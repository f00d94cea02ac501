import type { RelationId, SubqueryItem } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import type { Place } from './from-tree.ts'
import type { Uses } from './references.ts'

/** A lateral subquery and how it is joined. */
export interface Lateral {
  readonly item: SubqueryItem
  readonly place: Place
  readonly type: 'inner' | 'left'
  /** Condition of its join; undefined = TRUE. */
  readonly on: Expression | undefined
  /** The relations of the items beside it. */
  readonly siblings: ReadonlySet<RelationId>
  readonly uses: Uses
}
