/**
 * @module Filters as a user writes them. The compiler knows the names of operators: `$startWith` is an error in an editor.
 * Columns and relations are checked when the engine starts.
 */
import type { AllOperands } from './operands.ts'

/** The value that a column is compared with: a JSON value, a field of the caller (`'$user.tenant_id'`), or another source. */
export type FilterValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly unknown[]
  /** Another column of the row. */
  | { readonly $col: string }
  /** The time of the request, shifted by an interval of PostgreSQL: `'-30d'`. */
  | { readonly $now: string }
  /** A literal text, even if it begins with `$user.`. */
  | { readonly $literal: string }
  /** Inside `$exists`: a column of the outer row. */
  | { readonly $outer: string }

/** By operator: its operand. Their meaning is in `filter-operators.ts`. */
export type FilterOperands = AllOperands<FilterValue> & { readonly $not: FilterCondition }

/** The condition on a column: a value that it equals, or operators, AND-ed. */
export type FilterCondition = FilterValue | Partial<FilterOperands>

/** The condition on the rows of a to-many relation. */
export interface RelationCondition {
  readonly $some?: Filter
  readonly $every?: Filter
  readonly $none?: Filter
}

/** `{ table: 'main.members', where: { team_id: { $outer: 'team_id' } } }` */
export interface ExistsCondition {
  readonly table: string
  readonly where?: Filter
}

/** `$` followed by a letter except `u`: neither the name of a column nor `$user.`. */
type OperatorLike =
  `$${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'v' | 'w' | 'x' | 'y' | 'z'}${string}`

/**
 * A condition on the rows of one table, as a user writes it. Several keys are AND-ed; `{}` is TRUE.
 *
 * - a column: `{ status: 'paid' }`, `{ total: { $gte: 100 } }`; see `FilterOperands`
 * - nesting: `$and`, `$or`, `$nor` (lists), `$not` (one filter)
 * - values: JSON, `'$user.<field>'`, `{ $col: 'other_column' }`, `{ $now: '-30d' }`, `{ $literal: '$user.x' }`
 * - a caller's field on the left: `{ '$user.level': { $gte: 3 } }`
 * - to-one relation: `{ customer: { city: 'Oslo' } }`; to-many: `{ orders: { $some | $every | $none: {...} } }`
 * - any table: `{ $exists: { table: 'main.members', where: { user_id: '$user.id', team_id: { $outer: 'team_id' } } } }`
 *
 * A missing or null `$user` field makes its condition UNKNOWN (never TRUE, and `$not` keeps it UNKNOWN).
 */
export interface Filter {
  readonly $and?: readonly Filter[]
  readonly $or?: readonly Filter[]
  readonly $nor?: readonly Filter[]
  readonly $not?: Filter
  readonly $exists?: ExistsCondition
  readonly [logical: OperatorLike]: readonly Filter[] | Filter | ExistsCondition | undefined
  readonly [name: string]:
    | FilterCondition
    | RelationCondition
    | ExistsCondition
    | Filter
    | readonly Filter[]
    | undefined
}
