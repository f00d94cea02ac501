/** @module The record of a printed subquery. */

import type { Sql } from '@engine/core/print'
import type { Expression, RelationId } from '@engine/core/tree'
import type { RelationColumns } from './relation-columns.ts'

/** A subquery as an expression. */
export type SubqueryExpression = Extract<
  Expression,
  { readonly kind: 'subquery' | 'arraySubquery' | 'exists' | 'quantifiedSubquery' }
>

/** A subquery that was printed. */
export interface PrintedSubquery {
  readonly expression: SubqueryExpression
  /** Relations of the outer queries, and their position when it was printed. */
  readonly around: ReadonlyMap<RelationId, RelationColumns | undefined>
  readonly sql: Sql
}
