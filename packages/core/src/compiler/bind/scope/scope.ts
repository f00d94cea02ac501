import type { CommonTable, RelationId } from '../tree/bound-query.ts'
import type { Expression, WholeRow } from '../tree/expression.ts'

/** One column of a star, in order. */
export interface NamedExpression {
  readonly name: string
  readonly expression: Expression
}

/**
 * The names visible at one query level; levels are linked outwards. Lookup follows PostgreSQL: innermost level first,
 * ambiguity is an error, LATERAL decides what a FROM item sees of its left siblings.
 */
export interface Scope {
  readonly outer: Scope | undefined
  /** Is this one of the FROM items (or the write target) of this very level? */
  isLocal(relation: RelationId): boolean
  /**
   * A column reference: `["id"]`, `["o","id"]` or `["main","orders","id"]`.
   *
   * @throws {GatewayError} unknown, hidden or ambiguous name.
   */
  column(parts: readonly string[], position: number | undefined): Expression
  /** A FROM item by its name as a whole row (`t`, `t.*` as an argument), or undefined when no item has that name. */
  wholeRow(parts: readonly string[], position: number | undefined): WholeRow | undefined
  /** The columns of `*` (no parts) or `t.*` / `main.t.*`, readable columns only, JOIN USING columns merged. */
  star(parts: readonly string[], position: number | undefined): readonly NamedExpression[]
  /** The WITH query of that name, innermost first; undefined when none. */
  commonTable(name: string): CommonTable | undefined
}
