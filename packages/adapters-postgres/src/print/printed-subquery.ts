/** @module The record of a printed subquery. */
import type { Expression, RelationId, Sql } from '@engine/core/adapter'
import type { RelationColumns } from './relation-columns.ts'

/** A subquery as an expression. */
export type SubqueryExpression = Extract<
  Expression,
  { readonly kind: 'subquery' | 'arraySubquery' | 'exists' | 'quantifiedSubquery' }
>

/** One that was printed. */
export interface PrintedSubquery {
  readonly expression: SubqueryExpression
  /** Equal for equal subqueries, and different for most others. */
  readonly shape: string
  /** Relations of the queries around it, where they were when it was printed. */
  readonly around: ReadonlyMap<RelationId, RelationColumns | undefined>
  readonly sql: Sql
}
